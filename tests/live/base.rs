//! Tests with which answers new answers are compared. Uses built-in encoders on the sample runs and
//! on generated items.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value as Json, json};

use super::log::{Log, run};

fn said(log: &Log, arguments: &[&str]) -> Json {
    let output = run(log.command(arguments).args(["--format", "json"]));
    assert_eq!(output.code, 0, "{}{}", output.out, output.err);
    serde_json::from_str(&output.out).unwrap()
}

fn rerun(log: &Log, filter: &str, more: &[&str]) -> Json {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs/exam");
    let samples = samples.display().to_string();
    let fixed = ["rerun", &samples, "--filter", filter, "--out", "out"];
    said(log, &[&fixed, more].concat())
}

#[test]
fn an_encoder_is_compared_with_its_own_answers() {
    // The first wrong answer to a sample may be from any encoder.
    let vanilla = ["--endpoint", "builtin:hog", "--protocol", "vanilla"];
    let all = "benchmark:exam ability:texture correct:false";
    let own = "benchmark:exam ability:texture model:hog correct:false";
    let counts = [all, own].map(|filter| {
        let log = Log::new(1);
        let found = rerun(&log, filter, &vanilla);
        assert_eq!(found["against"], json!(["hog"]));
        let step = &found["found"]["steps"][0];
        assert_eq!(
            (&step["now_right"], &step["was_right"]),
            (&json!(0), &json!(0))
        );
        step["compared"].as_u64().unwrap()
    });
    assert!(counts[0] > 0 && counts[0] == counts[1], "{counts:?}");
    let log = Log::new(1);
    let filter = "benchmark:exam ability:texture model:color correct:false";
    let found = rerun(&log, filter, &vanilla);
    let step = &found["found"]["steps"][0];
    assert_eq!(
        (&step["now_right"], &step["now_wrong"]),
        (&json!(0), &json!(0))
    );
    assert!(
        step["was_right"].as_u64() > Some(0),
        "of those that color had wrong"
    );
    let log = Log::new(1);
    let found = rerun(
        &log,
        filter,
        &[&vanilla[..], &["--against", "color"]].concat(),
    );
    assert_eq!(found["against"], json!(["color"]));
    assert_eq!(found["found"]["steps"][0]["was_right"], 0);
}

#[test]
fn blank_pictures_are_as_many_as_the_log_has_and_two_conditions_have_no_ranks() {
    let log = Log::new(1);
    let filter = "benchmark:exam ability:texture model:hog";
    let columns = [
        "--endpoint",
        "builtin:hog",
        "--endpoint",
        "builtin:color",
        "--protocol",
        "vanilla",
    ];
    let asked = rerun(
        &log,
        filter,
        &[&columns[..], &["--protocol", "blind"]].concat(),
    );
    let report = said(&log, &["report", "out"]);
    let scores: Vec<&Json> = report["scores"].as_array().unwrap().iter().collect();
    let scores: Vec<&&Json> = scores
        .iter()
        .filter(|score| score["headline"] == true)
        .collect();
    assert_eq!(scores.len(), 4, "{report}");
    for score in scores {
        assert!(score["ci"].is_array() && score["few"] == false, "{score}");
        assert!(
            score["rank"].is_null() && score["excluded"].is_string(),
            "{score}"
        );
    }
    let mut columns = asked["columns"].as_array().unwrap().iter();
    let blind =
        columns.find(|it| it["endpoint"] == "builtin:hog" && it["run"]["protocol"] == "blind");
    let blind = log.path(blind.unwrap()["folder"].as_str().unwrap());
    let records = super::log::lines(&blind.join("rerun.eyechart.jsonl"));
    let shown: BTreeSet<String> = records.iter().map(|it| it["image"].to_string()).collect();
    let of_log: BTreeSet<String> = (records.iter())
        .map(|it| it["rerun"]["log_picture"].to_string())
        .collect();
    assert_eq!((shown.len(), of_log.len()), (1, records.len()));
    let again = blind.display().to_string();
    let twice = said(
        &log,
        &[
            "rerun",
            &again,
            "--endpoint",
            "builtin:hog",
            "--protocol",
            "vanilla",
            "--out",
            "twice",
        ],
    );
    assert_eq!(twice["found"]["compared"], records.len());
    let report = said(&log, &["report", "twice"]);
    assert!(report["scores"][0]["ci"].is_array(), "{report}");
}

#[test]
fn generated_items_open_without_answers_and_are_asked() {
    let log = Log::new(1);
    let items = run(&mut log.command(&[
        "generate", "exam", "--out", "items", "--count", "28", "--seed", "11",
    ]));
    assert_eq!(items.code, 0, "{}", items.err);
    let report = said(&log, &["report", "items"]);
    for score in report["scores"].as_array().unwrap() {
        assert_eq!(score["model"], "unanswered");
        assert!(score["score"].is_null() && score["invalid"] == 0, "{score}");
    }
    let check = run(&mut log.command(&["check", "items", "--strict"]));
    assert_eq!(check.code, 0, "{}{}", check.out, check.err);
    let found = said(
        &log,
        &[
            "rerun",
            "items",
            "--filter",
            "ability:texture",
            "--endpoint",
            "builtin:hog",
            "--protocol",
            "vanilla",
            "--out",
            "asked",
        ],
    );
    assert_eq!(found["found"]["steps"][0]["scored"], 2, "{found}");
    assert_eq!(found["against"], json!([]));
    let report = said(&log, &["report", "asked"]);
    assert_eq!(report["scores"][0]["n"], 2, "{report}");
}

#[test]
fn what_a_chain_had_answered_is_scored_when_it_is_asked_again() {
    let log = Log::new(1);
    let exam = run(&mut log.command(&[
        "exam",
        "--set",
        "scenes",
        "--count",
        "6",
        "--endpoint",
        "builtin:oracle",
        "--out",
        "six",
    ]));
    assert_eq!(exam.code, 0, "{}", exam.err);
    let found = said(
        &log,
        &[
            "rerun",
            "six",
            "--filter",
            "model:oracle",
            "--endpoint",
            "builtin:gabor",
            "--protocol",
            "vanilla",
            "--out",
            "anew",
        ],
    );
    let scored = found["found"]["steps"][0]["scored"].as_u64();
    assert!(scored > Some(0), "{found}");
    let report = said(&log, &["report", "anew"]);
    assert!(report["scores"][0]["score"].is_number(), "{report}");
}
