//! Tests that the sample runs in the repository equal the output of `eyechart generate
//! sample-runs`.
//!
//! Without optimisation, generating all of them takes minutes. So only parts are generated again:
//! some pictures of every set, and all answers of two encoders in one ability each.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test ends there"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use eyechart::exam::Benchmark;
use eyechart::exam::abilities::{Exam, Split, TopDown};
use eyechart::exam::encoder::Encoder;
use eyechart::exam::gepbench::{Gepbench, Noise};
use eyechart::exam::runs::{pictured_items, predict, train};
use eyechart::exam::sample_runs::SampleRuns;
use eyechart::reader::own::write_record;
use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("sample_runs")
        .join(name)
}

/// Compares the pictures of every `step`th page with the files. Returns the number of pictures.
fn same_pictures(benchmark: &dyn Benchmark, folder: &Path, step: usize) -> usize {
    let mut compared = 0;
    for number in (0..benchmark.pages()).step_by(step) {
        for picture in benchmark.page(number).pictures {
            let file = fs::read(folder.join(&picture.path)).expect("the picture is there");
            let made = picture.png(benchmark.shades()).expect("a picture");
            assert!(file == made, "{} is made differently", picture.path);
            compared += 1;
        }
    }
    compared
}

#[test]
fn pictures_are_made_again_byte_for_byte() {
    let samples = SampleRuns::default();
    let exam = Exam::new(samples.exam, samples.seed);
    let mut compared = 0;
    for ability in Exam::abilities() {
        let test = exam.clone().only(ability, Split::Test);
        compared += same_pictures(&test, &folder("exam"), 13);
    }
    let bare = exam.only("spatial", Split::Test).without_boxes();
    compared += same_pictures(&bare, &folder("exam"), 13);
    let scenes = TopDown::new(samples.topdown, samples.seed);
    compared += same_pictures(&scenes, &folder("exam-topdown"), 11);
    let figures = Gepbench::new(samples.gepbench, samples.seed, Noise::None);
    compared += same_pictures(&figures, &folder("exam-gepbench"), 7);
    assert!(compared >= 66, "{compared}");
}

/// Question and target of each item of a log, by name.
fn asked(log: &Path) -> BTreeMap<String, (Value, Value)> {
    let text = fs::read_to_string(log).expect("the log is there");
    let lines = text.lines().map(|line| {
        let line: Value = serde_json::from_str(line).expect("a line");
        let name = format!(
            "{} {} {}",
            line["ability"], line["sample_id"], line["condition"]
        );
        (name, (line["question"].clone(), line["target"].clone()))
    });
    lines.collect()
}

#[test]
fn questions_are_asked_again_word_for_word() {
    let samples = SampleRuns::default();
    let exam = Exam::new(samples.exam, samples.seed);
    let mut sets: Vec<(&str, Box<dyn Benchmark>)> = vec![
        (
            "exam-topdown",
            Box::new(TopDown::new(samples.topdown, samples.seed)),
        ),
        (
            "exam-gepbench",
            Box::new(Gepbench::new(samples.gepbench, samples.seed, Noise::None)),
        ),
    ];
    for ability in Exam::abilities() {
        sets.push(("exam", Box::new(exam.clone().only(ability, Split::Test))));
    }
    let mut compared = 0;
    for (name, set) in sets {
        let known = asked(&folder(name).join("color.eyechart.jsonl"));
        for item in (0..set.pages()).flat_map(|number| set.items(number)) {
            let line: Value = serde_json::from_str(&item.line()).expect("a line");
            let named = format!(
                "{} {} {}",
                line["ability"], line["sample_id"], line["condition"]
            );
            let found = known.get(&named).expect("the item is in the log");
            assert_eq!(found, &(line["question"].clone(), line["target"].clone()));
            compared += 1;
        }
    }
    assert!(compared > 1_000, "{compared}");
}

#[test]
fn answers_are_given_again_byte_for_byte() {
    let samples = SampleRuns::default();
    let exam = Exam::new(samples.exam, samples.seed);
    for (encoder, ability) in [(Encoder::Hog, "texture"), (Encoder::Color, "color")] {
        let log = folder("exam").join(format!("{}.eyechart.jsonl", encoder.name()));
        let log = fs::read_to_string(log).expect("the log is there");
        let mark = format!("\"ability\":\"{ability}\"");
        let logged: Vec<&str> = log.lines().filter(|line| line.contains(&mark)).collect();
        let known = pictured_items(&exam.clone().only(ability, Split::Train), |_| true);
        let questions = pictured_items(&exam.clone().only(ability, Split::Test), |_| true);
        let records = predict(&train(encoder, ability, &known), &questions);
        let made: Vec<String> = records.iter().map(write_record).collect();
        assert_eq!(made.len(), questions.len());
        assert_eq!(made.len(), logged.len());
        for (made, logged) in made.iter().zip(logged) {
            assert_eq!(made, logged, "{} {ability}", encoder.name());
        }
    }
}
