//! Tests traces of answers: conversation, cost and score, which are read from the log when shown.

use serde_json::json;

use crate::own_format::{line, log};
use crate::support::{arg, fixture, run};

/// Output of `show` for a sample.
fn shown(path: &str, sample: &str) -> String {
    let run = run(&["show", path, "--sample", sample]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.stdout
}

#[test]
fn an_inspect_log_tells_the_conversation_the_time_and_the_explanation() {
    let text = shown(arg(&fixture("inspect_ai/logs")), "color-3");
    let place = |words: &str| {
        let at = text.find(words);
        at.unwrap_or_else(|| panic!("{words} in\n{text}"))
    };
    let order = [
        "Conversation",
        "[system]",
        "You are a careful vision assistant.",
        "[user, 1 picture]",
        "[assistant]",
        "Cost",
        "seconds: ",
        "Score",
        "explanation: ",
    ];
    assert!(order.map(place).is_sorted(), "{text}");
}

#[test]
fn a_document_of_inspect_tells_it_too() {
    let folder = fixture("inspect_ai/logs");
    let files = std::fs::read_dir(&folder).expect("logs").flatten();
    let mut names = files.map(|file| file.path());
    let document = names.find(|path| path.to_string_lossy().contains("odd-ids_UsT"));
    let document = document.expect("a document");
    let samples = crate::support::eyechart(&["samples", arg(&document)]);
    for sample in crate::support::list(&samples, "samples") {
        let id = sample["sample_id"].as_str().expect("an id");
        let text = shown(arg(&document), id);
        assert!(
            text.contains("Conversation") && text.contains("[assistant]"),
            "{id}: {text}"
        );
    }
}

#[test]
fn lmms_eval_tells_prompt_answer_and_tokens() {
    let samples = crate::support::eyechart(&["samples", arg(&fixture("lmms_eval"))]);
    let first = &crate::support::list(&samples, "samples")[0];
    let text = shown(
        arg(&fixture("lmms_eval")),
        first["sample_id"].as_str().expect("an id"),
    );
    assert!(
        text.contains("Conversation") && text.contains("[user]"),
        "{text}"
    );
}

#[test]
fn a_line_of_ones_own_tells_what_it_has_and_nothing_hostile_comes_out() {
    let folder = log(&[
        line(&json!({
            "sample_id": "a",
            "messages": [
                {"role": "system\u{1b}[31m", "content": "count \u{1b}[2J\u{202e}"},
                {"role": "assistant", "content": "3", "reasoning": "one, two, three"}
            ],
            "usage": {"prompt_tokens": 12, "completion_tokens": 5, "completion_tokens_details": {"reasoning_tokens": 3}},
            "seconds": 2.5
        })),
        line(&json!({"sample_id": "b"})),
    ]);
    let text = shown(arg(folder.path()), "a");
    assert!(
        text.contains("tokens: 12 in, 5 out, 3 of them reasoning"),
        "{text}"
    );
    assert!(
        text.contains("seconds: 2.5") && text.contains("one, two, three"),
        "{text}"
    );
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
    let plain = shown(arg(folder.path()), "b");
    assert!(!plain.contains("Conversation"), "{plain}");
}
