//! Fuzz targets for smaller inputs: verdicts, settings, keys, themes, filters and pictures.

use std::io::Cursor;
use std::path::Path;
use std::sync::OnceLock;

use eyechart::base::config::Settings;
use eyechart::record::verdict::parse_lines;
use eyechart::record::{Scoring, Table};
use eyechart::tui::keymap::Keymap;
use eyechart::tui::widget::theme::Theme;
use eyechart::workspace::{Lens, filter};
use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};

use super::dice::Dice;
use super::target::Case;
use super::{damage, look};

const VERDICTS: &str = r#"{"sample_id": "a", "benchmark": "b", "ability": "spatial", "verdict": "wrong_label", "note": "left is right", "author": "ada", "at": "2026-11-21T08:00:00Z"}
{"sample_id": "a", "benchmark": "b", "ability": "spatial", "verdict": "none", "author": "ada", "at": "2026-11-21T08:01:00+01:00"}
{"sample_id": "c", "benchmark": "b", "ability": "counting", "verdict": "ok", "author": "bob", "at": "2026-11-21T08:02:00Z"}
"#;
const CONFIG: &str = "theme = \"dark\"\nimages = \"auto\"\nbandwidth = \"low\"\ndata = [\"a\", \"b\"]\nauthor = \"ada\"\nsession = false\n";
const KEYMAP: &str = include_str!("../../src/tui/keymap.toml");
const THEME: &str = include_str!("../../themes/dark.toml");
const FILTERS: [&str; 10] = [
    "ability:counting model=m score<0.5",
    "(a or b) not c",
    "tag.box_area:0.1..0.5 rotation:90",
    "response~\"^The .*A\\.$\"",
    "scorers:disagree or invalid:true",
    "disagree:n correct:false",
    "ids:missing.txt",
    "verdict:wrong_label",
    "cause:missed",
    "sample=\"a b\" question!=x",
];

fn file(dice: &mut Dice, name: &str, text: &str) -> Case {
    Case::of(name, damage::text(dice, text.into()))
}

fn content(case: &Case) -> String {
    String::from_utf8_lossy(&case.files[0].1).into_owned()
}

/// A damaged verdict file.
pub fn verdict_file(dice: &mut Dice, _: u64) -> Case {
    file(dice, "a.verdicts.jsonl", VERDICTS)
}

/// Checks that every line is either an entry or a problem with the line's number.
pub fn verdicts(case: &Case, _: &Path) -> Result<(), String> {
    let (entries, bad) = parse_lines(&case.files[0].1);
    let lines = case.files[0]
        .1
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.trim_ascii().is_empty())
        .count();
    if entries.len() + bad.len() != lines {
        return Err(format!(
            "{lines} lines, {} entries and {} problems",
            entries.len(),
            bad.len()
        ));
    }
    Ok(())
}

/// A damaged config file.
pub fn config_file(dice: &mut Dice, _: u64) -> Case {
    file(dice, "config.toml", CONFIG)
}

/// Checks that the result is either settings or an error with a message.
pub fn config(case: &Case, _: &Path) -> Result<(), String> {
    match toml::from_str::<Settings>(&content(case)) {
        Err(error) if error.to_string().is_empty() => Err("an error without words".to_owned()),
        _ => Ok(()),
    }
}

/// Damaged rows of a keymap.
pub fn keymap_file(dice: &mut Dice, _: u64) -> Case {
    let rows: Vec<&str> = KEYMAP.split("\n\n").collect();
    let start = dice.below(rows.len());
    file(
        dice,
        "keymap.toml",
        &rows[start..rows.len().min(start + 4)].join("\n\n"),
    )
}

/// Checks that the result is either a keymap or an error with a message.
pub fn keymap(case: &Case, _: &Path) -> Result<(), String> {
    match Keymap::with_user(&content(case)) {
        Err(error) if error.to_string().is_empty() => Err("an error without words".to_owned()),
        _ => Ok(()),
    }
}

/// A damaged theme.
pub fn theme_file(dice: &mut Dice, _: u64) -> Case {
    file(dice, "theme.toml", THEME)
}

/// Checks that the result is either a theme or an error with a message.
pub fn theme(case: &Case, _: &Path) -> Result<(), String> {
    match Theme::parse("theme", &content(case)) {
        Err(error) if error.to_string().is_empty() => Err("an error without words".to_owned()),
        _ => Ok(()),
    }
}

/// A damaged filter.
pub fn filter(dice: &mut Dice, _: u64) -> Case {
    let text = dice.pick(&FILTERS);
    file(dice, "filter.txt", text)
}

/// Checks that a filter is either applied or refused with a position inside it. Completion must
/// work at every cursor position.
pub fn filters(case: &Case, _: &Path) -> Result<(), String> {
    static TABLE: OnceLock<Table> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        look::table(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/ava_bench/counting"),
        )
    });
    let text = content(case);
    for scoring in [Scoring::Harness, Scoring::Strict] {
        match filter::select(&text, table, scoring) {
            Ok(Some(mask)) if mask.len() != table.len() => {
                return Err("a mask of another length".to_owned());
            }
            Err(error) if error.to_string().is_empty() => {
                return Err("an error without words".to_owned());
            }
            _ => {}
        }
    }
    let places = [0, text.len() / 2, text.len()];
    for at in places
        .into_iter()
        .filter(|at| text.is_char_boundary(*at) && text.len() < 2_000)
    {
        let found = filter::complete(&text, at, table, &Lens::default());
        if text.get(found.at.clone()).is_none() {
            return Err(format!("a completion at {:?}", found.at));
        }
    }
    Ok(())
}

/// A damaged picture.
pub fn picture(dice: &mut Dice, _: u64) -> Case {
    let formats = [
        ImageFormat::Png,
        ImageFormat::Jpeg,
        ImageFormat::Gif,
        ImageFormat::WebP,
        ImageFormat::Bmp,
        ImageFormat::Pnm,
    ];
    let format = formats[dice.below(formats.len())];
    let pixels = RgbaImage::from_fn(40, 30, |x, y| {
        Rgba([x.to_le_bytes()[0] * 6, y.to_le_bytes()[0] * 8, 7, 255])
    });
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(DynamicImage::ImageRgba8(pixels).into_rgb8())
        .write_to(&mut bytes, format)
        .unwrap();
    let mut case = Case::of("a.png", damage::bytes(dice, bytes.into_inner()));
    // 64 megapixels are decoded to four bytes each, and need as much memory again during decoding.
    case.unpacked = 800 << 20;
    case
}

/// Checks that the result is either a picture within the limits or a message.
pub fn pictures(case: &Case, _: &Path) -> Result<(), String> {
    match eyechart::media::decode(&case.files[0].1, "a") {
        Err(error) if error.to_string().is_empty() => Err("an error without words".to_owned()),
        _ => Ok(()),
    }
}
