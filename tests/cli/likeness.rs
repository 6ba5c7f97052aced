//! Tests `samples --like` and `failures`: pictures and embeddings with planted groups.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use image::{Rgb, RgbImage};
use serde_json::{Value, json};

use crate::support::{arg, eyechart, list, run, texts};

/// Number of samples of each kind.
const EACH: usize = 16;

/// Writes a log of samples of two kinds with pictures: red stripes and blue squares. Red samples
/// are at night, and all wrong. Blue samples are at day, and wrong if their number is even.
fn planted(folder: &Path) -> PathBuf {
    let mut lines = String::new();
    for at in 0..2 * EACH {
        let is_red = at < EACH;
        let (id, name) = (format!("s{at:02}"), format!("s{at:02}.png"));
        let shade = u8::try_from(at).expect("a small number");
        let picture = RgbImage::from_fn(64, 64, |x, y| match (is_red, x / 8 % 2, y / 8 % 2) {
            (true, _, 0) => Rgb([200 + shade, 30, 20]),
            (true, ..) => Rgb([90, 0, shade]),
            (false, x, y) if x == y => Rgb([20, 30, 200 + shade]),
            (false, ..) => Rgb([0, 90, 90 + shade]),
        });
        picture.save(folder.join(&name)).expect("a picture");
        let line = json!({
            "sample_id": id, "benchmark": "b", "ability": "shape", "model": "m", "image": name,
            "question": "what is it?", "target": "squares",
            "response": if !is_red && at % 2 == 1 { "squares" } else { "rings" },
            "tags": {"light": if is_red { "night" } else { "day" }},
        });
        writeln!(lines, "{line}").expect("a line");
    }
    let log = folder.join("a.eyechart.jsonl");
    fs::write(&log, lines).expect("a log");
    log
}

/// Writes two-dimensional embeddings of the samples, given by an angle in degrees.
fn embeddings(folder: &Path, ids: &[&str], degrees: &[f64]) -> PathBuf {
    let header = format!(
        "{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, 2), }}\n",
        ids.len()
    );
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(header.len()).expect("short").to_le_bytes());
    bytes.extend(header.as_bytes());
    for angle in degrees {
        let (sine, cosine) = angle.to_radians().sin_cos();
        bytes.extend([cosine, sine].into_iter().flat_map(f64::to_le_bytes));
    }
    let path = folder.join("codes.npy");
    fs::write(&path, bytes).expect("a file");
    fs::write(folder.join("codes.ids.txt"), ids.join("\n")).expect("ids");
    path
}

fn like(log: &Path, more: &[&str]) -> Value {
    eyechart(&[&["samples", arg(log), "--like", "s03"], more].concat())
}

#[test]
fn pictures_like_one_come_first_and_itself_before_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = planted(folder.path());
    let found = like(&log, &[]);
    let rows = list(&found, "samples");
    let ids = texts(rows, "sample_id");
    assert_eq!((ids.len(), ids[0]), (2 * EACH, "s03"));
    assert_eq!(rows[0]["distance"], 0.0);
    // The red samples come before the blue ones.
    assert!(ids[..EACH].iter().all(|id| *id < "s16"), "{ids:?}");
    let distances: Vec<f64> = rows
        .iter()
        .map(|row| row["distance"].as_f64().expect("a number"))
        .collect();
    assert!(distances.is_sorted(), "{distances:?}");
    // A filter that excludes the sample itself.
    let found = like(&log, &["--filter", "light:day", "--limit", "2"]);
    assert_eq!(list(&found, "samples").len(), 2);
}

#[test]
fn embeddings_replace_the_pictures() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = planted(folder.path());
    let ids = ["s03", "s20", "s01", "s30"];
    let codes = embeddings(folder.path(), &ids, &[0.0, 60.0, 90.0, 10.0]);
    let found = like(&log, &["--embeddings", arg(&codes)]);
    let rows = list(&found, "samples");
    assert_eq!(texts(&rows[..4], "sample_id"), ["s03", "s30", "s20", "s01"]);
    let near = |row: &Value, cosine: f64| {
        let distance = row["distance"].as_f64().expect("a number");
        assert!((distance - (1.0 - cosine)).abs() < 1e-6, "{row}");
        // The distance has no more digits than the code is precise.
        assert!(row["distance"].to_string().len() <= 12, "{row}");
    };
    near(&rows[2], 0.5);
    near(&rows[3], 0.0);
    // The other samples have no code, and come last.
    assert_eq!(rows.len(), 2 * EACH);
    assert!(rows[4..].iter().all(|row| row.get("distance").is_none()));
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = planted(folder.path());
    let said = |more: &[&str]| {
        let run = run(&[&["samples", arg(&log)], more].concat());
        assert_eq!(run.code, 1, "{}", run.stderr);
        run.stderr
    };
    assert!(said(&["--like", "s99"]).contains("no sample `s99`"));
    let codes = embeddings(folder.path(), &["s01"], &[0.0]);
    let none = said(&["--like", "s03", "--embeddings", arg(&codes)]);
    assert!(none.contains("sample `s03` cannot be compared"), "{none}");
    fs::write(folder.path().join("codes.ids.txt"), "s01\ns02\n").expect("ids");
    let uneven = said(&["--like", "s01", "--embeddings", arg(&codes)]);
    assert!(
        uneven.contains("codes.ids.txt has 2 lines for 1 rows"),
        "{uneven}"
    );
}

#[test]
fn wrong_samples_are_grouped_by_their_look_and_named_by_their_tags() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = planted(folder.path());
    let found = eyechart(&["failures", arg(&log)]);
    assert_eq!(found["schema"], "eyechart.failures/1");
    assert_eq!(
        (&found["samples"], &found["wrong"]),
        (&json!(32), &json!(24))
    );
    let groups = list(&found, "groups");
    assert_eq!(groups.len(), 2, "{groups:?}");
    // The larger group comes first: 16 red samples, then 8 blue ones.
    for (group, n, light, elsewhere) in [
        (&groups[0], 16, "light is night", 8),
        (&groups[1], 8, "light is day", 16),
    ] {
        assert_eq!(group["n"], n);
        let named = &list(group, "traits")[0];
        assert_eq!(
            (&named["what"], &named["n"], &named["elsewhere"]),
            (&json!(light), &json!(n), &json!(0))
        );
        assert_eq!(named["of_elsewhere"], elsewhere);
    }
    // The two kinds are on opposite sides of the map's first axis.
    let places = list(&found["map"], "samples");
    let x = |row: &Value| row["x"].as_f64().expect("a number");
    let (red, blue) = places.split_at(EACH);
    assert!(red.iter().all(|row| x(row) * x(&blue[0]) < 0.0));
    assert!(blue.iter().all(|row| x(row) * x(&red[0]) < 0.0));
    let first = found["map"]["variance"][0].as_f64().expect("a share");
    assert!(first > 0.5, "{first}");
    let csv = run(&["failures", arg(&log), "--format", "csv"]);
    let mut lines = csv.stdout.lines();
    assert_eq!(
        lines.next(),
        Some("sample_id,benchmark,ability,x,y,wrong,group")
    );
    assert_eq!(lines.count(), 32);
}

#[test]
fn few_failures_are_no_groups_and_no_pictures_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = planted(folder.path());
    let found = eyechart(&["failures", arg(&log), "--filter", "light:day"]);
    assert_eq!((&found["wrong"], &found["groups"]), (&json!(8), &json!([])));
    for at in 0..2 * EACH {
        let picture = folder.path().join(format!("s{at:02}.png"));
        fs::remove_file(picture).expect("a picture");
    }
    let run = run(&["failures", arg(&log)]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr
            .contains("no sample has a picture that can be read")
    );
}
