//! Records the three tasks in the README as an animated picture, from the real program.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use image::{Rgb, RgbImage};

use crate::animation::{self, Frame};
use crate::painter::Painter;
use crate::terminal::Terminal;

/// Columns and rows; the next constants are the cell width in pixels, and the steps of
/// anti-aliasing.
const SIZE: (u16, u16) = (120, 36);
const CELL: u32 = 8;
const STEPS: u8 = 4;
/// Colours of the caption line.
const BAND: Rgb<u8> = Rgb([38, 55, 77]);
const JOB: Rgb<u8> = Rgb([170, 190, 215]);
const KEY: Rgb<u8> = Rgb([255, 214, 120]);
const WORDS: Rgb<u8> = Rgb([240, 240, 240]);
/// Time without changes before a screen is captured; the next constant is the time limit.
const STILL: Duration = Duration::from_secs(1);
const PATIENCE: Duration = Duration::from_mins(1);
/// Maximum file size in bytes, for the README.
const LARGEST: u64 = 1_500_000;

/// A key press of the recording.
struct Step {
    job: &'static str,
    /// Names of the keys, and what they do.
    key: &'static str,
    does: &'static str,
    /// Bytes that the terminal sends for these keys.
    sent: &'static str,
    /// Word that is on the screen afterwards.
    word: &'static str,
    /// Duration of the frame in milliseconds.
    stands: u16,
}

const fn step(
    job: &'static str,
    (key, does): (&'static str, &'static str),
    (sent, word): (&'static str, &'static str),
    stands: u16,
) -> Step {
    Step {
        job,
        key,
        does,
        sent,
        word,
        stands,
    }
}

const WORST: &str = "A model's worst samples";
const BETTER: &str = "Is A better than B, and where";
const LABELS: &str = "Are the labels right";

const JOBS: [Step; 17] = [
    step(
        WORST,
        ("", "five encoders, fourteen abilities"),
        ("1", "avg"),
        2400,
    ),
    step(
        WORST,
        ("j", "to the model"),
        ("j", "hog absolute_depth"),
        1500,
    ),
    step(WORST, ("w", "its worst ability"), ("w", "hog color"), 2200),
    step(
        WORST,
        ("Enter", "its samples, the worst first"),
        ("\r", "target"),
        3000,
    ),
    step(WORST, ("v", "the same as pictures"), ("v", " → "), 3000),
    step(
        BETTER,
        ("Esc", "back to the ranks"),
        ("vvv\x1b", "avg"),
        1500,
    ),
    step(BETTER, ("Space", "A"), ("k ", "A gabor"), 1100),
    step(BETTER, ("j  Space", "B"), ("j ", "B hog"), 1300),
    step(
        BETTER,
        ("4", "both on the samples that both answered"),
        ("4g", "p adjusted"),
        3400,
    ),
    step(
        BETTER,
        ("j j j", "to an ability with a clear difference"),
        ("jjj", "p adjusted"),
        2200,
    ),
    step(
        BETTER,
        ("t", "split by how many there are to count"),
        ("t", "by count"),
        3000,
    ),
    step(
        BETTER,
        ("Enter", "the samples on which they differ"),
        ("\r", "beats:hog"),
        3000,
    ),
    step(LABELS, ("7", "the label audit"), ("\x1b", "by count"), 400),
    step(
        LABELS,
        ("7", "the label audit"),
        ("7", "How many labels"),
        2200,
    ),
    step(
        LABELS,
        ("d", "draws samples; what the models said is hidden"),
        ("d", ", 0 of "),
        2600,
    ),
    step(
        LABELS,
        ("Space ...", "each label is right"),
        ("         ", ", 9 of "),
        2200,
    ),
    step(
        LABELS,
        (
            "7",
            "the label error rate with its interval, and the ranks without wrong labels",
        ),
        ("7", "label errors"),
        4000,
    ),
];

#[test]
#[ignore = "writes .readme/jobs.png: cargo test --release --test golden recording -- --ignored"]
fn recording_of_the_three_jobs() {
    // Verdicts are written next to the logs, so use a copy of the logs.
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copied = Command::new("cp")
        .arg("-R")
        .args([&root.join("sample_runs/exam"), folder.path()])
        .status();
    assert!(copied.unwrap().success());
    let environment = [("COLORTERM", "truecolor"), ("TZ", "UTC")];
    let arguments = ["./exam", "--images", "blocks", "--fresh", "--author", "you"];
    let mut terminal = Terminal::open_sized(folder.path(), SIZE, &environment, &arguments);
    terminal.wait_for_screen("S: the logs");
    let mut painter = Painter::new(CELL, STEPS);
    let mut frames = Vec::new();
    for step in &JOBS {
        // Send one key at a time, as a person would press them.
        for key in step.sent.chars() {
            terminal.press(&key.to_string());
            settled(&terminal, &mut painter);
        }
        terminal.wait_for_screen(step.word);
        let picture = settled(&terminal, &mut painter);
        frames.push(Frame {
            picture: captioned(&mut painter, &picture, step),
            stands: step.stands,
        });
    }
    terminal.press("q");
    terminal.end();
    let path = root.join(".readme/jobs.png");
    animation::write(&path, &frames);
    for (at, frame) in frames.iter().enumerate() {
        crate::stored::write(&frame_file(at), &frame.picture);
    }
    let size = std::fs::metadata(&path).unwrap().len();
    assert!(size < LARGEST, "{size} bytes are too many for a README");
}

#[test]
fn the_readme_shows_the_recording() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    assert!(readme.contains("(.readme/jobs.png)"));
    // All other pictures in the README are compared with the program by these tests.
    for picture in readme.split("](").filter(|part| part.contains(".png)")) {
        let path = picture.split(')').next().unwrap();
        let is_compared = path.starts_with("tests/golden/pictures/dark-120x36/");
        assert!(is_compared || path == ".readme/jobs.png", "{path}");
        assert!(root.join(path).is_file(), "{path}");
    }
    let file = std::fs::File::open(root.join(".readme/jobs.png")).unwrap();
    let decoder = png::Decoder::new(std::io::BufReader::new(file));
    let reader = decoder.read_info().unwrap();
    let frames = reader.info().animation_control().unwrap().num_frames;
    assert_eq!(frames as usize, JOBS.len());
}

/// Path of a single frame, so that it can be inspected.
fn frame_file(at: usize) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("recording/{at:02}.png"))
}

/// Picture of the screen, after it has stopped changing.
fn settled(terminal: &Terminal, painter: &mut Painter) -> RgbImage {
    let begun = Instant::now();
    let (mut bytes, mut since) = (terminal.bytes(), begun);
    while since.elapsed() < STILL {
        assert!(begun.elapsed() < PATIENCE, "{}", terminal.screen());
        std::thread::sleep(Duration::from_millis(20));
        if terminal.bytes() != bytes {
            (bytes, since) = (terminal.bytes(), Instant::now());
        }
    }
    terminal.look(|screen| painter.draw(screen))
}

/// The screen with a caption: the task, the key and its effect.
fn captioned(painter: &mut Painter, screen: &RgbImage, step: &Step) -> RgbImage {
    let (_, height) = painter.cell();
    let rows = u32::from(SIZE.1);
    let mut picture = RgbImage::from_pixel(screen.width(), (rows + 2) * height, BAND);
    image::imageops::replace(&mut picture, screen, 0, 0);
    // Draw the caption half a cell lower, between the screen and the edge.
    let mut band = RgbImage::from_pixel(screen.width(), height, BAND);
    let mut column = 2;
    for (text, color) in [(step.job, JOB), (step.key, KEY), (step.does, WORDS)] {
        painter.write(&mut band, (column, 0), text, color);
        column += if text.is_empty() {
            0
        } else {
            text.chars().count() as u32 + 3
        };
    }
    let top = rows * height + height / 2;
    image::imageops::replace(&mut picture, &band, 0, i64::from(top));
    picture
}
