//! Tests the tabs of a sample: conversation, scoring, line in the log.

use super::{opened, press, screen};
use crate::app::App;
use crate::keymap::ViewId;

/// Returns the screen after the text of the tab has arrived.
fn settled(app: &mut App, width: u16, height: u16) -> String {
    screen(app, width, height);
    screen(app, width, height)
}

#[test]
fn a_sample_tells_how_its_answer_came_about() {
    let mut app = opened("tests/fixtures/inspect_ai/logs");
    press(&mut app, "3 enter");
    let answer = settled(&mut app, 120, 60);
    assert!(answer.contains("answer  conversation  scoring  log line"));
    press(&mut app, "I");
    let shown = settled(&mut app, 120, 60);
    let order = ["CONVERSATION", "[user", "[assistant]"].map(|words| {
        let at = shown.find(words);
        at.unwrap_or_else(|| panic!("{words} in\n{shown}"))
    });
    assert!(order.is_sorted(), "{shown}");
    press(&mut app, "I");
    let shown = settled(&mut app, 120, 60);
    assert!(shown.contains("SCORE") && !shown.contains("CONVERSATION"));
    press(&mut app, "I I");
    let shown = settled(&mut app, 120, 60);
    assert_eq!(app.views.sample.tab.name(), "answer");
    assert!(!shown.contains("SCORE"), "{shown}");
}

#[test]
fn the_tab_stays_from_sample_to_sample_and_shows_each_ones_line() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "3 enter I I I");
    for _ in 0..4 {
        let shown = settled(&mut app, 160, 60);
        let table = &app.shared.table;
        let row = app.row_under_cursor().unwrap();
        let id = table.sample_id(table.item(row));
        let is_field = |line: &str| line.contains(&format!("\"{id}\""));
        assert!(shown.lines().any(is_field), "{id} in\n{shown}");
        press(&mut app, "n");
    }
    // A sample opened from the list starts with the answer tab.
    press(&mut app, "esc enter");
    assert_eq!(app.shared.view, ViewId::Sample);
    assert_eq!(app.views.sample.tab.name(), "answer");
}

#[test]
fn hidden_answers_have_no_tabs() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "7 d I");
    let shown = settled(&mut app, 120, 40);
    assert!(shown.contains("hidden until") && !shown.contains("conversation"));
    assert!(app.shared.answers.trace.is_none(), "nothing was read");
}

#[test]
fn a_log_that_is_gone_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("a.eyechart.jsonl");
    let line = |id: &str| {
        format!(
            r#"{{"sample_id": "{id}", "model": "m", "ability": "counting", "target": 3, "response": "3"}}"#
        )
    };
    std::fs::write(&log, [line("s"), line("t")].join("\n")).unwrap();
    let mut app = opened(folder.path().to_str().unwrap());
    press(&mut app, "3 enter I");
    let shown = settled(&mut app, 80, 24);
    assert!(shown.contains("has no turns"), "{shown}");
    // The record of the other sample is cached, but the text of its tab is not.
    std::fs::remove_file(&log).unwrap();
    press(&mut app, "n");
    let shown = settled(&mut app, 100, 30);
    assert!(shown.contains("cannot be read any more"), "{shown}");
}
