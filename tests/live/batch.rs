//! Tests `rerun --batch`: requests are written to files, responses are read from files, and nothing
//! is sent.

use std::fs;

use serde_json::{Value as Json, json};

use super::log::{Log, lines, run};

const SAMPLES: usize = 5;

#[test]
fn a_batch_is_written_taken_up_again_and_read_like_any_run() {
    let log = Log::new(SAMPLES);
    // No server listens at this address.
    log.config("http://127.0.0.1:1/v1", "prices = [1.0, 1.0]");
    let arguments = ["--protocol", "rotational", "--batch"];
    let first = log.rerun(&arguments);
    assert_eq!(first.code, 4, "{}", first.err);
    assert!(
        first.err.contains("20 requests without an answer yet"),
        "{}",
        first.err
    );
    let requests = lines(&log.path("out/eyechart-batch/requests-1.jsonl"));
    assert_eq!(requests.len(), 4 * SAMPLES);
    let url = &requests[0]["body"]["messages"][0]["content"][0]["image_url"]["url"];
    assert!(url.as_str().unwrap().starts_with("data:image/png;base64,"));
    let answer = |request: &Json| {
        let choice = json!({"message": {"content": "A"}, "finish_reason": "stop"});
        let body = json!({"model": "seer", "choices": [choice],
            "usage": {"prompt_tokens": 90, "completion_tokens": 2}});
        let response = json!({"status_code": 200, "request_id": "r", "body": body});
        json!({"id": "b", "custom_id": request["custom_id"], "response": response, "error": null})
    };
    let text = |requests: &[Json]| -> String {
        let lines = requests
            .iter()
            .map(|request| format!("{}\n", answer(request)));
        lines.collect()
    };
    let put = |name: &str, text: String| {
        fs::write(log.path(&format!("out/eyechart-batch/{name}.jsonl")), text).unwrap();
    };
    put("half", text(&requests[..9]));
    let half = log.rerun(&arguments);
    assert_eq!(half.code, 4, "{}", half.err);
    assert_eq!(log.records().len(), 9);
    put("rest", text(&requests[9..]));
    put(
        "other",
        "{\"custom_id\":\"x\",\"error\":{\"message\":\"m\"}}\nodd\n".to_owned(),
    );
    let found = log.rerun(&arguments);
    assert_eq!(found.code, 0, "{}", found.err);
    for words in [
        "other.jsonl:2",
        "1 answer in the batch files left out: their custom_id",
    ] {
        assert!(found.err.contains(words), "{words}: {}", found.err);
    }
    let found: Json = serde_json::from_str(&found.out).unwrap();
    assert_eq!(found["found"]["outcomes"]["ok"], 4 * SAMPLES);
    let cost = found["paid"]["cost"].as_f64().unwrap();
    assert!(
        (cost - 20.0 * 92e-6 / 2.0).abs() < 1e-9,
        "half the price: {cost}"
    );
    assert_eq!(log.records().len(), 4 * SAMPLES);
    let report = run(&mut log.command(&["report", "out", "--format", "json"]));
    let report: Json = serde_json::from_str(&report.out).unwrap();
    let sources = report["sources"].to_string();
    assert!(!sources.contains("eyechart-batch"), "{sources}");
    assert!(!log.path("out/eyechart-batch/requests-2.jsonl").exists());
}

#[test]
fn an_encoder_has_no_batch_files() {
    let log = Log::new(1);
    let arguments =
        "rerun corners.eyechart.jsonl --endpoint builtin:hog --protocol vanilla --out out --batch";
    let words: Vec<&str> = arguments.split(' ').collect();
    let output = run(&mut log.command(&words));
    assert_eq!(output.code, 2, "{}", output.err);
    assert!(
        output.err.contains("does not support batch files"),
        "{}",
        output.err
    );
}
