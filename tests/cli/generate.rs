//! Tests `eyechart generate`: a generated set with answers opens as a log.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{all, arg, eyechart, list, run};

fn items(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("items.jsonl")).expect("items");
    let line = |line: &str| serde_json::from_str(line).expect("an item");
    text.lines().map(line).collect()
}

/// Answers every item; `answer` returns a letter.
fn answer(folder: &Path, answer: impl Fn(&Value) -> Value) {
    let mut items = items(folder);
    for item in &mut items {
        item["model"] = json!("somebody");
        item["response"] = answer(item);
    }
    let lines: Vec<String> = items.iter().map(Value::to_string).collect();
    fs::write(folder.join("somebody.eyechart.jsonl"), lines.join("\n")).expect("a log");
}

#[test]
fn an_answered_set_is_a_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("set");
    let made = run(&[
        "generate",
        "gepbench",
        "--out",
        arg(&out),
        "--count",
        "36",
        "--sheets",
    ]);
    assert_eq!((made.code, made.stderr.as_str()), (0, ""));
    assert!(
        made.stdout.starts_with("36 items, 10 pictures ("),
        "{}",
        made.stdout
    );
    for item in items(&out) {
        assert!(out.join(item["image"].as_str().expect("a path")).is_file());
    }
    for sheet in ["counting", "relationship"] {
        assert!(out.join("sheets").join(format!("{sheet}.png")).is_file());
    }
    answer(&out, |item| item["target"].clone());
    let report = eyechart(&[
        "report",
        arg(&out.join("somebody.eyechart.jsonl")),
        "--by",
        "split",
    ]);
    let scores = list(&report, "scores");
    // Six aspects, each with easy and hard figures.
    assert_eq!(scores.len(), 12, "{scores:?}");
    for score in scores {
        assert_eq!(
            (&score["benchmark"], &score["metric"]),
            (&json!("gepbench"), &json!("accuracy"))
        );
        assert_eq!(
            (&score["invalid"], &score["score"]),
            (&json!(0), &json!(1.0))
        );
    }
    let n = |split: &str| -> u64 {
        let of_split = all(scores, &[("split", split)]);
        of_split
            .iter()
            .filter_map(|score| score["n"].as_u64())
            .sum()
    };
    assert_eq!((n("easy") + n("hard"), scores.len()), (36, 12));
    let bins: Vec<&Value> = list(&report, "subgroups")
        .iter()
        .map(|row| &row["bin"])
        .collect();
    assert!(
        bins.contains(&&json!("easy")) && bins.contains(&&json!("hard")),
        "{bins:?}"
    );
}

#[test]
fn noise_is_compared_on_the_same_figures() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("set");
    let count = ["generate", "gepbench", "--out", arg(&out), "--count", "24"];
    assert_eq!(run(&[&count[..], &["--noise", "both"]].concat()).code, 0);
    let noisy = |item: &Value| item["condition"]["noise"] == json!(true);
    assert_eq!(items(&out).iter().filter(|item| noisy(item)).count(), 12);
    answer(&out, |item| {
        if noisy(item) {
            json!("Z")
        } else {
            item["target"].clone()
        }
    });
    let log = out.join("somebody.eyechart.jsonl");
    let compared = eyechart(&["compare", "noise:true", "noise:false", arg(&log)]);
    let dropped = &compared["dropped"];
    assert_eq!(
        (&dropped["only_in_a"], &dropped["only_in_b"]),
        (&json!(0), &json!(0))
    );
    for ability in list(&compared, "abilities") {
        assert_eq!(
            (&ability["n"], &ability["difference"]),
            (&json!(2), &json!(-1.0))
        );
    }
}

#[test]
fn what_cannot_be_made_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let make = |count: &str| {
        run(&[
            "generate",
            "gepbench",
            "--out",
            arg(folder.path()),
            "--count",
            count,
        ])
    };
    assert_eq!(make("0").code, 2);
    assert_eq!(make("2").code, 0);
    let again = make("2");
    assert_eq!(again.code, 1);
    assert!(again.stderr.contains("already exists"), "{}", again.stderr);
}

/// The rich style has the same questions and answers, in larger pictures.
#[test]
fn the_exam_is_drawn_plain_or_rich() {
    let folder = tempfile::tempdir().expect("a folder");
    let make = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        let exam = ["generate", "exam", "--out", arg(&out), "--count", "14"];
        assert_eq!(run(&[&exam[..], more].concat()).code, 0);
        items(&out)
    };
    let (plain, rich) = (
        make("plain", &[]),
        make("rich", &["--rich", "--size", "1024"]),
    );
    for (plain, rich) in plain.iter().zip(&rich) {
        assert_eq!(
            (&plain["sample_id"], &plain["choices"]),
            (&rich["sample_id"], &rich["choices"])
        );
        let generator = rich["tags"]["generator"].as_str().expect("a generator");
        assert!(
            generator.contains(" rich-") && generator.contains(" 1024 px "),
            "{generator}"
        );
        let size = |name: &str, item: &Value| {
            let path = folder.path().join(name);
            image::image_dimensions(path.join(item["image"].as_str().expect("a path")))
        };
        assert_eq!(size("plain", plain).ok(), Some((512, 512)));
        assert_eq!(size("rich", rich).ok(), Some((1024, 1024)));
    }
    let other = run(&[
        "exam",
        "--set",
        "gepbench",
        "--rich",
        "--endpoint",
        "builtin:gabor",
        "--out",
        arg(&folder.path().join("other")),
    ]);
    assert_eq!(other.code, 2, "{}", other.stderr);
    assert!(other.stderr.contains("--set exam"), "{}", other.stderr);
}

/// Maximum growth of memory from a small to a large set, in bytes: less than a tenth of a kilobyte
/// per figure.
#[cfg(target_os = "linux")]
const GROWTH: u64 = 8 << 20;

/// Peak memory of drawing `figures` figures together with a training file.
#[cfg(target_os = "linux")]
fn peak_of(figures: usize, format: &str) -> u64 {
    let folder = tempfile::tempdir().expect("a folder");
    // The paper has 57 questions on 16 figures.
    let count = (figures * 57 / 16).to_string();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_eyechart"))
        .args(["generate", "gepbench", "--noise", "none", "--also", format])
        .args(["--count", &count, "--out", arg(&folder.path().join("set"))])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the program");
    let mut peak = 0;
    loop {
        peak = peak.max(crate::memory::peak(&child).unwrap_or_default());
        if let Some(status) = child.try_wait().expect("a status") {
            assert!(status.success(), "{status}");
            return peak;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "it draws for minutes: EYECHART_FIGURES=100000 cargo test --release --test cli flat -- --ignored --nocapture"]
#[allow(clippy::print_stdout, reason = "the measured figures")]
fn any_number_of_figures_is_drawn_in_a_flat_memory() {
    let many = crate::amount::amount("EYECHART_FIGURES", 20_000);
    for format in ["llava", "webdataset"] {
        let peaks = [2_000, many].map(|figures| {
            let peak = peak_of(figures, format);
            println!("{figures} figures, {format}: {} MiB", peak >> 20);
            peak
        });
        assert!(peaks[1] < peaks[0] + GROWTH, "{format}: {peaks:?}");
    }
}
