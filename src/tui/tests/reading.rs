//! Tests the search in a text, and how answers are displayed that may be incomplete.

use std::fs;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{opened, press, screen, settle, type_text};
use crate::app::App;
use crate::popup::{Popup, Text};
use crate::view::View as _;

/// Returns a popup with a long text: the paths of the logs.
pub fn logs(app: &App) -> Popup {
    let paths = app.shared.table.sources().iter();
    let paths = paths.map(|source| format!("{}\n  a log\n\n", source.path.display()));
    let words = paths.collect::<Vec<_>>().concat();
    let text = Text::copied(words);
    Text {
        is_toast: false,
        ..text
    }
    .into()
}

fn ctrl(app: &mut App, c: char) {
    let effects = app.on_key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL));
    settle(app, effects);
}

#[test]
fn a_text_popup_is_searched_like_a_pager() {
    let mut app = opened("tests/fixtures/ava_bench");
    app.popups.push(logs(&app));
    press(&mut app, "/");
    type_text(&mut app, "COUNTING");
    let shown = screen(&mut app, 100, 20);
    assert!(
        shown.contains("find COUNTING") && shown.contains("1 of "),
        "{shown}"
    );
    press(&mut app, "enter n n N");
    assert!(
        app.shared
            .notice
            .as_ref()
            .is_some_and(|notice| notice.starts_with("COUNTING: 2 of ")),
        "{:?}",
        app.shared.notice
    );
    let Some(Popup::Text(Text { state, .. })) = app.popups.last() else {
        panic!("the text stays")
    };
    assert_eq!(state.search.wanted(), "COUNTING");
    assert!(screen(&mut app, 100, 12).contains("counting"));
    press(&mut app, "esc");
    assert!(app.popups.is_empty());
}

#[test]
fn words_stay_from_sample_to_sample_until_they_are_given_up() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "3 enter");
    let response = app.views.sample.text(&app.shared).unwrap().0;
    ctrl(&mut app, 's');
    type_text(&mut app, &response[..1]);
    let shown = screen(&mut app, 120, 30);
    assert!(shown.contains("1 of "), "{shown}");
    press(&mut app, "enter n");
    assert_eq!(app.views.sample.response.search.wanted(), &response[..1]);
    ctrl(&mut app, 'n');
    assert!(app.shared.notice.is_some());
    ctrl(&mut app, 's');
    press(&mut app, "esc");
    assert_eq!(app.views.sample.response.search.wanted(), "");
}

#[test]
fn where_there_is_no_text_it_is_said() {
    let mut app = opened("tests/fixtures/ava_bench");
    ctrl(&mut app, 's');
    assert!(app.popups.is_empty() && app.shared.notice.is_some());
}

#[test]
fn an_answer_that_was_cut_short_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("a.eyechart.jsonl");
    let shown = |reason: &str| {
        let line = format!(
            r#"{{"sample_id": "s", "model": "m", "ability": "ocr", "response": "a", "target": "b", "finish_reason": "{reason}"}}"#
        );
        fs::write(&log, line).unwrap();
        let mut app = opened(log.to_str().unwrap());
        press(&mut app, "3 enter");
        screen(&mut app, 100, 30);
        screen(&mut app, 100, 30)
    };
    let cut = shown("max_tokens");
    assert!(cut.contains("ended    at the token limit"), "{cut}");
    assert!(!shown("stop").contains("ended"));
}
