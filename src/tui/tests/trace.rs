//! Tests the trace of an answer.

use super::{opened, press, screen};

#[test]
fn a_sample_tells_how_its_answer_came_about() {
    let mut app = opened("tests/fixtures/inspect_ai/logs");
    press(&mut app, "3 enter");
    screen(&mut app, 120, 60);
    press(&mut app, "I");
    let shown = screen(&mut app, 120, 60);
    assert!(shown.contains("trace of the answer"), "{shown}");
    let order = ["CONVERSATION", "[user", "[assistant]"].map(|words| {
        let at = shown.find(words);
        at.unwrap_or_else(|| panic!("{words} in\n{shown}"))
    });
    assert!(order.is_sorted(), "{shown}");
    press(&mut app, "esc");
    assert!(!screen(&mut app, 120, 60).contains("CONVERSATION"));
    // Moving to the next sample does not open it.
    press(&mut app, "n");
    assert!(app.popups.is_empty());
}

#[test]
fn a_log_that_is_gone_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("a.eyechart.jsonl");
    let line =
        r#"{"sample_id": "s", "model": "m", "ability": "counting", "target": 3, "response": "3"}"#;
    std::fs::write(&log, format!("{line}\n")).unwrap();
    let mut app = opened(folder.path().to_str().unwrap());
    press(&mut app, "3 enter");
    press(&mut app, "I");
    let shown = screen(&mut app, 80, 24);
    assert!(shown.contains("has no turns"), "{shown}");
    press(&mut app, "esc");
    std::fs::remove_file(&log).unwrap();
    press(&mut app, "I");
    let shown = screen(&mut app, 100, 30);
    assert!(shown.contains("cannot be read any more"), "{shown}");
}
