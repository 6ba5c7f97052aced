//! Visits all views in one run of the program.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use image::RgbImage;

use crate::painter::Painter;
use crate::terminal::Terminal;
use crate::{difference, stored};

/// Cell width in pixels, and steps of edge smoothing.
const CELL: u32 = 7;
const STEPS: u8 = 3;
/// Time without changes before a differing screen is accepted. The first time is for every view,
/// the second is used once a difference was found.
const STILL: [Duration; 2] = [Duration::from_secs(45), Duration::from_secs(5)];
/// Time without changes before a screen is stored, or before it is compared if there is no picture.
const KEPT: Duration = Duration::from_millis(2500);
/// Maximum difference of a colour channel that is accepted.
const ROUNDING: u8 = 4;
/// Time limit for a view.
const PATIENCE: Duration = Duration::from_mins(5);
/// Words on screens that are not ready yet.
const WAITING: [&str; 8] = [
    "reading ━",
    "reading ─",
    "looking for logs",
    "Reading …",
    "Reading every answer",
    "first results …",
    "Collecting the answers",
    "resampling …",
];

/// A view: its name, the keys that open it from the previous view, and words on its screen.
struct View(&'static str, &'static str, &'static str);

const VIEWS: [View; 13] = [
    View("overview", "0", "Benchmarks"),
    View("fingerprint", "1", "1 Finger"),
    View("compare", "4", "4 Compare"),
    View("subgroups", "2", "roups"),
    View("samples", "3", "3 Samples"),
    View("sheet", "v", "3 Samples"),
    View("matrix", "v", "3 Samples"),
    View("confusion", "vaaaaa", "3 Samples"),
    View("sample", "AAAAAv\r", "3 Samples"),
    View("reliability", "5b", "5 Reliab"),
    View("rerun", "6", "no model server"),
    View("audit", "7", "7 Audit"),
    View("help", "1?", " cursor up "),
];

/// Theme in which all views have pictures.
const THEME: &str = "dark";
/// The only view with pictures in every theme, because it has the most colours.
const IN_ALL: &str = "fingerprint";

fn views(theme: &str) -> impl Iterator<Item = &'static View> {
    VIEWS
        .iter()
        .filter(move |view| theme == THEME || view.0 == IN_ALL)
}

/// Visits the views, and compares each with its picture.
pub fn walk(theme: &str, columns: u16, rows: u16) {
    let mut walk = Walk::begin(theme, columns, rows);
    for view in views(theme) {
        walk.go(view);
    }
    walk.end();
}

struct Walk {
    name: String,
    terminal: Terminal,
    painter: Painter,
    keeps: bool,
    /// Descriptions of the differences.
    differs: Vec<String>,
}

impl Walk {
    fn begin(theme: &str, columns: u16, rows: u16) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let environment = [("COLORTERM", "truecolor"), ("TZ", "UTC")];
        let fixed = [
            "--images",
            "blocks",
            "--fresh",
            "--no-follow",
            "--author",
            "me",
        ];
        let arguments = [&["sample_runs", "--theme", theme][..], &fixed].concat();
        let terminal = Terminal::open_sized(root, (columns, rows), &environment, &arguments);
        let wanted = std::env::var("EYECHART_GOLDEN");
        Self {
            name: format!("{theme}-{columns}x{rows}"),
            terminal,
            painter: Painter::new(CELL, STEPS),
            keeps: wanted.is_ok_and(|wanted| wanted == "update"),
            differs: Vec::new(),
        }
    }

    fn go(&mut self, View(name, keys, word): &View) {
        let before = self.terminal.press(keys);
        self.terminal.wait_for_screen(word);
        let path = golden(&self.name, name);
        let golden = stored::read(&path).filter(|_| !self.keeps);
        let shown = self.settled(before, golden.as_ref());
        match golden {
            Some(golden) if alike(&golden, &shown) => {}
            _ if self.keeps => stored::write(&path, &shown),
            golden => {
                let told =
                    difference::keep(&format!("{}/{name}", self.name), golden.as_ref(), &shown);
                self.differs.push(told);
            }
        }
    }

    /// Picture of the screen after more than `before` bytes of output. It is taken as soon as it
    /// matches `golden`, otherwise after it has stopped changing.
    fn settled(&mut self, before: usize, golden: Option<&RgbImage>) -> RgbImage {
        let still = match golden {
            Some(_) => STILL[usize::from(!self.differs.is_empty())],
            None => KEPT,
        };
        let begun = Instant::now();
        let (mut bytes, mut since) = (before, begun);
        let (mut drawn, mut waits) = (None, true);
        loop {
            let now = self.terminal.bytes();
            if now != bytes {
                (bytes, since) = (now, Instant::now());
                let painter = &mut self.painter;
                (drawn, waits) = self.terminal.look(|screen| {
                    let text = screen.contents();
                    let waits = WAITING.iter().any(|word| text.contains(word));
                    (Some(painter.draw(screen)), waits)
                });
            }
            if let Some(drawn) = &drawn {
                let stands = since.elapsed() > still && !waits;
                if golden.is_some_and(|golden| alike(golden, drawn)) || stands {
                    return drawn.clone();
                }
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "it does not come to rest:\n{}",
                self.terminal.screen()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn end(mut self) {
        self.terminal.press("\x1b\x1bq");
        self.terminal.end();
        assert!(
            self.differs.is_empty(),
            "{} pictures differ:\n{}\nIf they are as they should be:\n  {}",
            self.differs.len(),
            self.differs.join("\n"),
            "EYECHART_GOLDEN=update cargo test --release --test golden"
        );
    }
}

/// Path of a view's stored picture.
fn golden(run: &str, view: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/pictures");
    folder.join(run).join(format!("{view}.png"))
}

/// Returns true if two pictures look the same. Another processor may round scaled pixels
/// differently.
fn alike(one: &RgbImage, other: &RgbImage) -> bool {
    let near = |(a, b): (&u8, &u8)| a.abs_diff(*b) <= ROUNDING;
    one.dimensions() == other.dimensions() && one.as_raw().iter().zip(other.as_raw()).all(near)
}

#[test]
fn no_picture_is_left_of_a_view_that_is_gone() {
    let folder = golden("", "").parent().unwrap().to_path_buf();
    let names = |folder: &Path| -> BTreeSet<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let name = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name();
        entries
            .map(|entry| name(entry).into_string().unwrap())
            .collect()
    };
    let runs = names(&folder);
    assert!(
        runs.iter()
            .eq(crate::RUNS.iter().copied().collect::<BTreeSet<_>>()),
        "{runs:?}"
    );
    for run in runs {
        let stored = names(&folder.join(&run));
        let (theme, _) = run.split_once('-').unwrap();
        let known = views(theme).map(|view| format!("{}.png", view.0));
        assert_eq!(stored, known.collect(), "{run}");
    }
}
