use std::path::{Path, PathBuf};

use serde_json::json;

use super::*;

fn fixture(name: &str) -> PathBuf {
    let logs = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures"));
    let folder = logs.join(name).parent().unwrap().to_path_buf();
    let part = Path::new(name)
        .file_name()
        .unwrap()
        .to_string_lossy()
        .into_owned();
    let files = std::fs::read_dir(folder).unwrap();
    let mut files = files.map(|file| file.unwrap().path());
    files
        .find(|file| file.to_string_lossy().contains(&part))
        .unwrap()
}

fn turns(trace: &Trace) -> Vec<(&str, TurnKind, &str)> {
    trace
        .turns
        .iter()
        .map(|turn| (turn.role.as_str(), turn.kind.clone(), turn.text.as_str()))
        .collect()
}

#[test]
fn turns_reasoning_and_calls_come_in_their_order() {
    let sample = json!({
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [
                {"type": "image", "image": "attachment://p"}, {"type": "text", "text": "attachment://q"}]},
            {"role": "assistant", "content": [
                {"type": "reasoning", "reasoning": "Count them."}, {"type": "text", "text": ""}],
             "tool_calls": [{"id": "1", "function": "zoom", "arguments": {"to": [1, 2]}, "type": "function"}]},
            {"role": "tool", "function": "zoom", "content": "a larger picture"},
            {"role": "assistant", "reasoning_content": "Three.", "content": "3",
             "tool_calls": [{"function": {"name": "submit", "arguments": "{}"}}]}
        ],
        "attachments": {"q": "How many?", "p": "data:image/png;base64,AA"},
        "model_usage": {"lab/vl": {"input_tokens": 120, "output_tokens": 9, "reasoning_tokens": 4}},
        "total_time": 1.5,
        "scores": {"judge": {"value": "C", "answer": "3", "explanation": "Right,\nas it says 3.", "metadata": {}}}
    });
    let trace = Trace::of(&sample);
    let call = |name: &str| TurnKind::Call(name.to_owned());
    assert_eq!(
        turns(&trace),
        [
            ("system", TurnKind::Words(0), "Be brief."),
            ("user", TurnKind::Words(1), "How many?"),
            ("assistant", TurnKind::Reasoning, "Count them."),
            ("assistant", call("zoom"), "{\"to\":[1,2]}"),
            (
                "tool",
                TurnKind::Result("zoom".to_owned()),
                "a larger picture"
            ),
            ("assistant", TurnKind::Reasoning, "Three."),
            ("assistant", TurnKind::Words(0), "3"),
            ("assistant", call("submit"), "{}"),
        ]
    );
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(
        trace.cost,
        [
            pair("tokens of lab/vl", "120 in, 9 out, 4 of them reasoning"),
            pair("seconds", "1.5")
        ]
    );
    assert_eq!(
        trace.scored,
        [
            pair("judge", "C"),
            pair("judge, answer", "3"),
            pair("judge, explanation", "Right,\nas it says 3.")
        ]
    );
}

#[test]
fn what_is_too_long_is_cut_and_counted() {
    let message = json!({"role": "user", "content": "x".repeat(LONGEST + 7)});
    let sample = json!({"messages": vec![message; MOST_TURNS + 3]});
    let trace = Trace::of(&sample);
    assert_eq!((trace.turns.len(), trace.more_turns), (MOST_TURNS, 3));
    assert!(trace.turns[0].text.ends_with("and 7 more characters"));
}

#[test]
fn odd_values_are_no_trace() {
    for sample in [
        json!(null),
        json!([1]),
        json!({"messages": 3, "scores": [1], "model_usage": "x", "token_counts": {}, "input": 4}),
        json!({"messages": [1, "a", {"role": 3, "content": 7, "tool_calls": [4]}], "rerun": {"tokens": [1]}}),
    ] {
        let trace = Trace::of(&sample);
        assert!(
            trace.turns.len() <= 2 && trace.scored.is_empty(),
            "{sample}: {trace:?}"
        );
    }
}

#[test]
fn archives_tell_the_sample_of_a_number() {
    let path = fixture("inspect_ai/logs/mini-color_");
    let told = trace(inspect::FORMAT, &path, 1, "color-0")
        .unwrap()
        .unwrap();
    assert_eq!(told.turns[0].role, "system");
    assert_eq!(told.turns[0].text, "You are a careful vision assistant.");
    assert_eq!(told.turns[1].kind, TurnKind::Words(1));
    assert_eq!(told.turns.last().unwrap().role, "assistant");
    assert!(
        told.cost.iter().any(|(name, _)| name == "seconds"),
        "{told:?}"
    );
    assert!(
        told.scored
            .iter()
            .any(|(name, _)| name.ends_with(", explanation")),
        "{told:?}"
    );
    let second = trace(inspect::FORMAT, &path, 2, "color-1")
        .unwrap()
        .unwrap();
    assert_ne!(second.turns, told.turns);
    // The line contains another sample, or is after the end of the log.
    assert!(
        trace(inspect::FORMAT, &path, 1, "color-1")
            .unwrap_err()
            .contains("changed")
    );
    assert!(
        trace(inspect::FORMAT, &path, 900, "color-1")
            .unwrap_err()
            .contains("changed")
    );
    assert!(trace(inspect::FORMAT, Path::new("gone.eval"), 1, "x").is_err());
}

#[test]
fn other_formats_tell_nothing() {
    assert_eq!(trace("coco", Path::new("gone"), 1, "x"), Ok(None));
}

#[test]
fn the_steps_of_a_chain_are_told_with_what_they_took() {
    let steps = r#"[{"path":"part/1","outcome":"ok","text":"{}","tokens":[812,14],"attempts":1,"ms":1240},
        {"path":"box/1/lamp","outcome":"empty","text":"","tokens":[null,null],"attempts":2}]"#;
    let line = format!(r#"{{"sample_id":"1","response":"lamp","rerun":{{"steps":{steps}}}}}"#);
    let turns = trace_of_line(line.as_bytes()).unwrap().turns;
    let told: Vec<(&str, &str)> = turns
        .iter()
        .map(|turn| (turn.role.as_str(), turn.text.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("part/1, ok, 812 + 14 tokens, 1.2 s", "{}"),
            ("box/1/lamp, empty, 2 attempts", "(no text)"),
        ]
    );
}
