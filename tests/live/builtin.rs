//! Tests a built-in encoder as the rerun's model, on the sample runs and without a network.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use eyechart::exam::encoder::Encoder;
use eyechart::exam::trained_encoder::TrainedEncoder;
use eyechart::exam::training_set::TrainingSet;
use eyechart::media::{self, Edit, Source, Turn};
use eyechart::record::{Choice, Content};
use serde_json::Value as Json;

use super::log::{Log, Output, lines, run};

/// Ability for the test, which is quick to train.
const ABILITY: &str = "texture";

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs")
}

fn rerun(log: &Log, filter: &str, more: &[&str]) -> Output {
    let samples = samples().join("exam").display().to_string();
    let fixed = [
        "rerun", &samples, "--filter", filter, "--out", "out", "--format", "json",
    ];
    run(&mut log.command(&[&fixed, more].concat()))
}

fn found(output: &Output) -> Json {
    assert_eq!(output.code, 0, "{}", output.err);
    serde_json::from_str(&output.out).unwrap()
}

/// The encoder's answer to a sample's edited picture, computed without the rerun code.
fn predicted(trained: &TrainedEncoder, item: &Json, edits: &[Edit]) -> String {
    let source = Source::Path {
        reference: item["image"].as_str().unwrap().to_owned(),
        roots: vec![samples().join("exam")],
    };
    let opened = media::OpenedPicture::new(&source).unwrap();
    let (sent, _) = opened.encoded(edits, false).unwrap();
    let pixels = media::decode(&sent.bytes, "sent").unwrap().pixels;
    let choices = item["choices"].as_object().unwrap().iter();
    let choices = choices.map(|(letter, text)| Choice {
        letter: letter.clone(),
        text: text.as_str().unwrap().to_owned(),
    });
    let content = Content {
        question: item["question"].as_str().unwrap().to_owned(),
        choices: choices.collect(),
        ..Content::default()
    };
    trained.respond(&content, &pixels).unwrap()
}

#[test]
fn rotated_and_blank_answers_are_the_encoders_own() {
    let trained = TrainedEncoder::train(Encoder::Hog, TrainingSet::PlainExam, ABILITY);
    let items = lines(&samples().join("exam/hog.eyechart.jsonl"));
    let items: BTreeMap<String, Json> = items
        .into_iter()
        .filter(|item| item["ability"] == ABILITY && item["benchmark"] == "exam")
        .map(|item| (item["sample_id"].as_str().unwrap().to_owned(), item))
        .collect();
    let filter = "benchmark:exam ability:texture model:hog correct:false";
    for (protocol, label) in [
        ("rotational", "rotation"),
        ("blind", "picture"),
        ("vanilla", ""),
    ] {
        let log = Log::new(1);
        let found = found(&rerun(
            &log,
            filter,
            &["--endpoint", "builtin:hog", "--protocol", protocol],
        ));
        let mut right: BTreeMap<String, Vec<bool>> = BTreeMap::new();
        for record in log.records() {
            let id = record["sample_id"].as_str().unwrap();
            let edits = match label {
                "rotation" => {
                    let degrees = record["condition"]["rotation"].as_f64().unwrap();
                    let turn = Turn::EACH
                        .into_iter()
                        .find(|turn| (f64::from(turn.degrees()) - degrees).abs() < 0.5);
                    vec![Edit::Turn(turn.unwrap())]
                }
                "picture" => vec![Edit::Blank],
                _ => Vec::new(),
            };
            let expected = predicted(&trained, &items[id], &edits);
            assert_eq!(
                record["response"],
                Json::from(expected.clone()),
                "{protocol} {id}"
            );
            let target = items[id]["target"].as_str().unwrap();
            right
                .entry(id.to_owned())
                .or_default()
                .push(expected.starts_with(&format!("{target}.")));
        }
        let flips: usize = right.values().flatten().filter(|right| **right).count();
        assert_eq!(found["found"]["now_right"], flips, "all were wrong before");
        assert_eq!(found["found"]["now_wrong"], 0);
        if protocol == "vanilla" {
            assert_eq!(flips, 0, "the same encoder gives the same answers");
        }
        if protocol == "rotational" {
            let always = right
                .values()
                .filter(|each| each.iter().all(|right| *right))
                .count();
            assert_eq!(found["found"]["right_at_every_step"], always);
            assert!(flips > 0, "a turned picture is another picture");
        }
    }
}

#[test]
fn repeats_never_change_and_words_are_not_read() {
    let log = Log::new(1);
    let filter = "benchmark:exam ability:texture";
    let repeats = [
        "--endpoint",
        "builtin:hog",
        "--protocol",
        "repeat:3",
        "--limit",
        "4",
    ];
    let repeated = found(&rerun(&log, filter, &repeats));
    assert_eq!(repeated["found"]["answers_changed"], 0);
    assert_eq!(repeated["found"]["answered_at_every_step"], 4);
    assert_eq!(repeated["cost"], 0.0);
    for (protocol, why) in [
        ("effort:low", "encoders do not support"),
        ("prompt:words.txt", "encoders cannot read"),
    ] {
        std::fs::write(log.path("words.txt"), "{question} {options}").unwrap();
        let output = rerun(
            &log,
            filter,
            &["--endpoint", "builtin:hog", "--protocol", protocol],
        );
        assert!(
            output.code == 1 && output.err.contains(why),
            "{}",
            output.err
        );
    }
    let other = rerun(
        &log,
        filter,
        &[
            "--endpoint",
            "builtin:hog",
            "--protocol",
            "blind",
            "--model",
            "dinov2",
        ],
    );
    assert!(
        other.code == 2 && other.err.contains("--model"),
        "{}",
        other.err
    );
}

#[test]
fn what_was_never_learnt_is_not_asked() {
    let log = Log::new(2);
    let corners = run(&mut log.command(&[
        "rerun",
        "corners.eyechart.jsonl",
        "--endpoint",
        "builtin:hog",
        "--protocol",
        "vanilla",
        "--out",
        "out",
    ]));
    assert!(
        corners.code == 1 && corners.err.contains("exam, exam-topdown, gepbench"),
        "{}",
        corners.err
    );
}
