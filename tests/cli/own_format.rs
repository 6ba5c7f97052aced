//! Tests Eyechart's own log format: required fields, problems, and rows that are still read.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{all, arg, eyechart, list, one, run, texts};

/// Creates a folder with one log of these lines.
pub fn log(lines: &[Vec<u8>]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.eyechart.jsonl"), lines.join(&b'\n')).expect("a log");
    folder
}

/// A valid line with some fields replaced; `null` removes a field.
pub fn line(fields: &Value) -> Vec<u8> {
    let mut line = json!({"sample_id": "s", "model": "m", "ability": "counting", "question": "how many?", "target": 3, "response": "3"});
    let object = line.as_object_mut().expect("an object");
    for (key, value) in fields.as_object().expect("an object") {
        if value.is_null() {
            object.remove(key);
        } else {
            object.insert(key.clone(), value.clone());
        }
    }
    line.to_string().into_bytes()
}

fn samples(folder: &TempDir) -> Value {
    eyechart(&["samples", arg(folder.path())])
}

/// The problem of the line with this number. Asserts that it is the only problem.
fn problem_at(folder: &TempDir, number: usize) -> String {
    let check = eyechart(&["check", arg(folder.path())]);
    let problems = list(&list(&check, "sources")[0], "problems");
    let ending = format!("a.eyechart.jsonl:{number}");
    let here: Vec<&Value> = problems
        .iter()
        .filter(|p| p["where"].as_str().is_some_and(|at| at.ends_with(&ending)))
        .collect();
    assert_eq!(here.len(), 1, "line {number}: {problems:?}");
    here[0]["what"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn bad_lines_are_named_and_good_ones_beside_them_load() {
    let bad: [(Vec<u8>, &str); 16] = [
        (line(&json!({"sample_id": null})), "`sample_id` is missing"),
        (line(&json!({"model": null})), "`model` is missing"),
        (line(&json!({"ability": null})), "`ability` is missing"),
        (
            line(&json!({"response": null})),
            "neither `response` nor `score`",
        ),
        (line(&json!({"model": ["m"]})), "`model` must be a string"),
        (line(&json!({"score": "high"})), "`score` must be a number"),
        (line(&json!({"tags": [1]})), "`tags` must be an object"),
        (
            line(&json!({"condition": "x"})),
            "`condition` must be an object",
        ),
        (line(&json!({"choices": 7})), "`choices` must be"),
        (line(&json!({"target": {"a": 1}})), "`target` must be"),
        (
            b"{\"sample_id\":\"u\",\"model\":\"m\",\"ability\":\"a\",\"response\":\"\xff\xfe\"}"
                .to_vec(),
            "not valid JSON",
        ),
        (
            [b"[".repeat(5000), b"]".repeat(5000)].concat(),
            "not a JSON object",
        ),
        (line(&json!({"target": [1, 2]})), "`target` must be"),
        (b"17".to_vec(), "not a JSON object"),
        (b"no JSON at all".to_vec(), "not a JSON object"),
        (
            b"{\"sample_id\":\"cut\",\"model\":\"m\",\"abil".to_vec(),
            "cut short",
        ),
    ];
    let mut lines = Vec::new();
    for (number, (bad, _)) in bad.iter().enumerate() {
        lines.push(line(&json!({"sample_id": format!("good{number}")})));
        lines.push(bad.clone());
    }
    let folder = log(&lines);
    for (number, (_, what)) in bad.iter().enumerate() {
        let found = problem_at(&folder, 2 * number + 2);
        assert!(found.contains(what), "{found:?}, expected {what:?}");
    }
    let samples = samples(&folder);
    let good = list(&samples, "samples")
        .iter()
        .filter(|sample| sample["correct"] == true)
        .count();
    assert_eq!(good, bad.len(), "{samples}");
}

#[test]
fn problems_come_in_the_order_of_lines() {
    let folder = log(&[
        line(&json!({"model": null})),
        line(&json!({})),
        line(&json!({})),
        line(&json!({"model": null})),
    ]);
    let check = eyechart(&["check", arg(folder.path())]);
    let places = texts(list(&list(&check, "sources")[0], "problems"), "where");
    let numbers: Vec<&str> = places
        .iter()
        .filter_map(|place| place.rsplit(':').next())
        .collect();
    assert_eq!(numbers, ["1", "3", "4"]);
}

#[test]
fn byte_order_mark_line_ends_blank_lines_and_unknown_fields_do_no_harm() {
    let marked = [b"\xef\xbb\xbf".to_vec(), line(&json!({"sample_id": "bom"}))].concat();
    let crlf = [line(&json!({"sample_id": "crlf"})), b"\r".to_vec()].concat();
    let folder = log(&[
        marked,
        crlf,
        Vec::new(),
        line(&json!({"sample_id": "unknown", "frobnicate": {"a": [1]}})),
    ]);
    assert_eq!(
        texts(list(&samples(&folder), "samples"), "sample_id"),
        ["bom", "crlf", "unknown"]
    );
    assert_eq!(eyechart(&["check", arg(folder.path())])["problems"], 0);
}

#[test]
fn the_last_of_two_equal_lines_counts_and_both_places_are_named() {
    let folder = log(&[
        line(&json!({})),
        line(&json!({"sample_id": "other"})),
        line(&json!({"response": "4"})),
    ]);
    let samples = samples(&folder);
    assert_eq!(
        one(list(&samples, "samples"), &[("sample_id", "s")])["response"],
        "4"
    );
    let found = problem_at(&folder, 3);
    assert!(found.contains("a.eyechart.jsonl:1"), "{found}");
}

#[test]
fn the_same_sample_under_another_condition_is_another_question() {
    let folder = log(&[
        line(&json!({"condition": {"noise": true}})),
        line(&json!({"condition": {"noise": false}})),
    ]);
    assert_eq!(list(&samples(&folder), "samples").len(), 2);
    assert_eq!(eyechart(&["check", arg(folder.path())])["problems"], 0);
}

#[test]
fn scores_that_are_no_number_leave_the_sample_out() {
    let nan =
        b"{\"sample_id\":\"nan\",\"model\":\"m\",\"ability\":\"counting\",\"score\":NaN}".to_vec();
    let folder = log(&[nan, line(&json!({"sample_id": "ok", "score": 0.25}))]);
    let samples = samples(&folder);
    let samples = list(&samples, "samples");
    assert_eq!(all(samples, &[("sample_id", "nan")]).len(), 0);
    assert_eq!(one(samples, &[("sample_id", "ok")])["score"], 0.25);
    let report = eyechart(&["report", arg(folder.path())]);
    let score = one(list(&report, "scores"), &[("metric", "score")]);
    assert_eq!((&score["n"], &score["score"]), (&json!(1), &json!(0.25)));
}

#[test]
fn an_answer_of_null_is_no_answer() {
    let null = b"{\"sample_id\":\"null\",\"model\":\"m\",\"ability\":\"object_recognition\",\"choices\":[\"x\",\"y\"],\"target\":\"A\",\"response\":null}";
    let folder = log(&[
        null.to_vec(),
        line(
            &json!({"sample_id": "b", "ability": "object_recognition", "choices": ["x", "y"], "target": "A", "response": "A"}),
        ),
    ]);
    let samples = samples(&folder);
    let sample = one(list(&samples, "samples"), &[("sample_id", "null")]);
    assert_eq!(
        (&sample["invalid"], &sample["score"]),
        (&json!(true), &json!(0.0))
    );
    let report = eyechart(&["report", arg(folder.path())]);
    let score = one(list(&report, "scores"), &[("metric", "accuracy")]);
    assert_eq!(
        (&score["n"], &score["invalid"], &score["score"]),
        (&json!(2), &json!(1), &json!(0.5))
    );
}

#[test]
fn deep_nesting_and_very_long_lines_load() {
    let deep = [b"{\"a\":".repeat(5000), b"1".to_vec(), b"}".repeat(5000)].concat();
    let head = b"{\"sample_id\":\"deep\",\"model\":\"m\",\"ability\":\"counting\",\"target\":3,\"response\":\"3\",\"extra\":".to_vec();
    // Rules read only the beginning of very long answers.
    let long = format!("3 {}", "x".repeat(20_000_000));
    let folder = log(&[
        [head, deep, b"}".to_vec()].concat(),
        line(&json!({"sample_id": "long", "response": long})),
        line(&json!({"sample_id": "after"})),
    ]);
    let samples = samples(&folder);
    for id in ["deep", "long", "after"] {
        assert_eq!(
            one(list(&samples, "samples"), &[("sample_id", id)])["correct"],
            true,
            "{id}"
        );
    }
}

#[test]
fn exit_codes() {
    let good = log(&[line(&json!({}))]);
    let bad = log(&[line(&json!({})), b"{".to_vec()]);
    let empty = tempfile::tempdir().expect("a folder");
    let cases: [(&[&str], i32); 9] = [
        (&["check", "--strict", arg(good.path())], 0),
        (&["check", arg(bad.path())], 0),
        (&["check", "--strict", arg(bad.path())], 3),
        (&["report", arg(bad.path())], 0),
        (&["report", "/no/such/folder"], 1),
        (&["report", arg(empty.path())], 1),
        (&["show", arg(good.path()), "--sample", "none"], 1),
        (&["report", arg(good.path()), "--frobnicate"], 2),
        (&["samples", arg(good.path()), "--sort", "colour"], 2),
    ];
    for (args, code) in cases {
        let run = run(args);
        assert_eq!(run.code, code, "{args:?}: {}", run.stderr);
        assert!(
            code == 0 || code == 3 || !run.stderr.is_empty(),
            "{args:?} says nothing"
        );
        assert!(
            !run.stderr.contains("panicked") && !run.stderr.contains("backtrace"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn a_log_of_one_line_is_a_log() {
    let folder = log(&[line(&json!({"benchmark": "b", "tags": {"size": 2}}))]);
    let samples = samples(&folder);
    let sample = one(
        list(&samples, "samples"),
        &[("ability", "counting"), ("benchmark", "b")],
    );
    assert_eq!(
        (&sample["model"], &sample["correct"]),
        (&json!("m"), &json!(true))
    );
    let report = eyechart(&["report", arg(folder.path()), "--by", "size"]);
    assert_eq!(
        one(list(&report, "scores"), &[("metric", "mae_over_gt")])["n"],
        1
    );
    assert!(!list(&report, "subgroups").is_empty(), "{report}");
}

#[test]
fn a_bad_line_does_not_spoil_the_sample_for_other_models() {
    let bad = line(&json!({"target": [1, 2]}));
    let folder = log(&[bad, line(&json!({"model": "other"}))]);
    let samples = samples(&folder);
    let sample = one(list(&samples, "samples"), &[("model", "other")]);
    assert_eq!(
        (&sample["question"], &sample["correct"]),
        (&json!("how many?"), &json!(true))
    );
    assert_eq!(eyechart(&["check", arg(folder.path())])["problems"], 1);
}
