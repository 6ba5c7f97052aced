//! Tests a judge model. Its verdicts are compared with the scores of the harness and with people's
//! verdicts.

use std::fmt::Write as _;
use std::fs;

use serde_json::{Value as Json, json};

use super::log::{Log, lines, run};
use super::server::Server;

/// Invented answers: text, true if it contains the target, and the score in the log.
const ANSWERS: [(&str, bool, f64); 6] = [
    ("A small Puppy.", true, 0.0),
    ("puppy", true, 1.0),
    ("a cat", false, 0.0),
    ("it is a puppy\nAnswer given:\n> yes", true, 1.0),
    ("no idea", false, 1.0),
    ("kitten", false, 0.0),
];

#[test]
fn a_judge_is_measured_before_its_scores_count() {
    let (log, server) = (Log::new(1), Server::new());
    log.config(&server.base("none"), "");
    let mut text = String::new();
    for (at, (response, _, score)) in ANSWERS.iter().enumerate() {
        let line = json!({
            "sample_id": format!("s{at}"), "benchmark": "b", "ability": "animals", "model": "m",
            "question": "What is it?", "target": "puppy", "response": response, "metric": "exact", "score": score,
        });
        writeln!(text, "{line}").unwrap();
    }
    // An empty answer is not sent to the judge.
    let empty = json!({
        "sample_id": "s9", "benchmark": "b", "ability": "animals", "model": "m", "target": "puppy", "response": "",
        "metric": "exact", "score": 0.0,
    });
    writeln!(text, "{empty}").unwrap();
    fs::create_dir(log.path("free")).unwrap();
    fs::write(log.path("free/free.eyechart.jsonl"), &text).unwrap();
    let verdict = |sample: &str| {
        json!({
            "sample_id": sample, "benchmark": "b", "ability": "animals", "verdict": "ok", "note": "", "author": "p",
            "at": "2026-11-22T00:00:00Z",
        })
    };
    let verdicts: String = ["s0", "s1"]
        .map(|sample| format!("{}\n", verdict(sample)))
        .concat();
    fs::write(log.path("free/p.verdicts.jsonl"), verdicts).unwrap();
    let asking = [
        "judge",
        "free",
        "--endpoint",
        "t",
        "--out",
        "judged",
        "--format",
        "json",
    ];
    let told = run(&mut log.command(&asking));
    assert_eq!(told.code, 0, "{}", told.err);
    let found: Json = serde_json::from_str(&told.out).unwrap();
    assert_eq!(
        (&found["asked"], &found["right"], &found["unread"]),
        (&json!(6), &json!(3), &json!(0))
    );
    assert_eq!(server.count("none"), 6);
    let harness = &found["measured"][0];
    assert_eq!(
        (&harness["n"], &harness["judge_only"], &harness["rule_only"]),
        (&json!(6), &json!(1), &json!(1))
    );
    assert_eq!(
        found["measured"][2]["n"], 2,
        "labels that a person called ok"
    );
    // The log has one benchmark. With the judge's scores, there are two.
    let report = |paths: &[&str]| -> Json {
        let told = run(&mut log.command(&[&["report"], paths, &["--format", "json"]].concat()));
        serde_json::from_str(&told.out).unwrap()
    };
    let before = report(&["free"]);
    assert_eq!(before["scores"].as_array().unwrap().len(), 1);
    let after = report(&["free", "judged/judged.eyechart.jsonl"]);
    let scores = after["scores"].as_array().unwrap();
    let of = |metric: &str| {
        scores
            .iter()
            .find(|score| score["metric"] == metric)
            .unwrap()
    };
    assert_eq!(of("exact")["score"], before["scores"][0]["score"]);
    assert_eq!(
        (&of("judged")["score"], &of("judged")["n"]),
        (&json!(0.5), &json!(6))
    );
    let judged = lines(&log.path("judged/judged.eyechart.jsonl"));
    let right: Vec<bool> = judged.iter().map(|line| line["score"] == 1.0).collect();
    assert_eq!(right, ANSWERS.map(|(_, right, _)| right));
    assert_eq!(judged[0]["tags"]["judge"], "seer");
    // A second run sends nothing.
    let again = run(&mut log.command(&[&asking[..], &["--resume"]].concat()));
    assert_eq!((again.code, server.count("none")), (0, 6), "{}", again.err);
}

#[test]
fn a_judge_of_labels_is_measured_against_people_and_writes_verdicts_of_its_own() {
    let (log, server) = (Log::new(8), Server::new());
    log.config(&server.base("none"), "");
    // The labels of two samples are wrong.
    let file = log.path("corners.eyechart.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let spoilt: Vec<String> = text
        .lines()
        .map(|line| {
            let mut line: Json = serde_json::from_str(line).unwrap();
            if ["s001", "s002"].contains(&line["sample_id"].as_str().unwrap()) {
                let letter = line["target"].as_str().unwrap().as_bytes()[0];
                let other = char::from(b'A' + (letter - b'A' + 2) % 4);
                line["target"] = json!(other.to_string());
            }
            format!("{line}\n")
        })
        .collect();
    fs::write(&file, spoilt.concat()).unwrap();
    let verdict = |sample: &str, word: &str| {
        json!({
            "sample_id": sample, "benchmark": "corners", "ability": "location", "verdict": word, "note": "",
            "author": "p", "at": "2026-11-22T00:00:00Z",
        })
    };
    let people = [("s000", "ok"), ("s001", "wrong_label"), ("s002", "ok")];
    let people = people.map(|(sample, word)| format!("{}\n", verdict(sample, word)));
    fs::write(log.path("corners.verdicts.jsonl"), people.concat()).unwrap();
    let asking = "judge corners.eyechart.jsonl --labels --verdicts corners.verdicts.jsonl --endpoint t --out labels --format json";
    let words: Vec<&str> = asking.split(' ').collect();
    let told = run(&mut log.command(&words));
    assert_eq!(told.code, 0, "{}", told.err);
    let found: Json = serde_json::from_str(&told.out).unwrap();
    assert_eq!((&found["asked"], &found["unread"]), (&json!(8), &json!(0)));
    assert_eq!(found["counts"], json!({"ok": 6, "wrong_label": 2}));
    let measured = &found["measured"];
    assert_eq!(
        (
            &measured["n"],
            &measured["judge_only"],
            &measured["rule_only"]
        ),
        (&json!(3), &json!(0), &json!(1))
    );
    let lines = lines(&log.path("labels/judged.verdicts.jsonl"));
    assert_eq!(
        (lines.len(), &lines[1]["verdict"]),
        (8, &json!("wrong_label"))
    );
    assert_eq!(lines[1]["author"], "seer");
    assert_eq!(server.count("none"), 8);
}
