//! Tests that an assistant can ask a model over the Model Context Protocol.

use std::fs::{self, File};

use serde_json::{Value as Json, json};

use super::log::{Log, run};
use super::server::Server;

/// Calls `ask` for each sample. Returns the answers and their error flags.
fn asked(log: &Log, samples: &[&str]) -> Vec<(Json, Json)> {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let calls = samples.iter().enumerate().map(|(id, sample)| {
        let params = json!({"_meta": meta, "name": "ask", "arguments": {"sample": sample}});
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
        format!("{call}\n")
    });
    fs::write(log.path("calls"), calls.collect::<String>()).unwrap();
    let arguments = [
        "mcp",
        "corners.eyechart.jsonl",
        "--allow-ask",
        "t",
        "--ask-limit",
        "1",
    ];
    let calls = File::open(log.path("calls")).unwrap();
    let output = run(log.command(&arguments).stdin(calls));
    assert_eq!(output.code, 0, "{}", output.err);
    let answers = output.out.lines().map(|line| {
        let answer: Json = serde_json::from_str(line).unwrap();
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        let text = serde_json::from_str(text).unwrap();
        (answer["result"]["isError"].clone(), text)
    });
    answers.collect()
}

#[test]
fn a_question_without_an_answer_returns_its_failure_and_the_answers_of_the_log() {
    for (fault, failure) in [("400", "failed:request"), ("402", "money: HTTP 402")] {
        let (log, server) = (Log::new(1), Server::new());
        log.config(&server.base(fault), "");
        log.patient();
        let answers = asked(&log, &["s000"]);
        let (is_error, answer) = &answers[0];
        assert_eq!((is_error, server.count(fault)), (&json!(false), 1));
        assert_eq!(answer["answered"], json!(false), "{answer}");
        let why = answer["text_from_log"]["failure"].as_str().unwrap();
        assert!(why.starts_with(failure), "{why}");
        let rows = answer["rows"].as_array().unwrap();
        let models = rows.iter().map(|row| &row["text_from_log"]["model"]);
        assert_eq!(models.collect::<Vec<_>>(), ["old", "older"], "{fault}");
    }
}

#[test]
fn a_model_is_asked_one_sample_as_often_as_the_flag_allows() {
    let (log, server) = (Log::new(2), Server::new());
    log.config(&server.base("none"), "");
    log.patient();
    let answers = asked(&log, &["s009", "s000", "s001"]);
    let errors: Vec<&Json> = answers.iter().map(|(is_error, _)| is_error).collect();
    assert_eq!(errors, [true, false, true], "{answers:?}");
    assert_eq!(
        server.count("none"),
        1,
        "only the allowed question was sent"
    );
    let (_, answer) = &answers[1];
    assert_eq!(
        (&answer["answered"], &answer["questions_left"]),
        (&json!(true), &json!(0))
    );
    // The block of sample 0 is at the top left. The server's model is wrong on it, the models in
    // the log are right.
    let rows = answer["rows"].as_array().unwrap();
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row["text_from_log"]["model"].as_str().unwrap(),
                row["correct"] == true,
            )
        })
        .collect();
    assert_eq!(rows, [("seer", false), ("old", true), ("older", true)]);
    let why = answers[2].1["text_from_log"]["reason"].as_str().unwrap();
    assert!(why.contains("all questions that the user allowed"), "{why}");
}
