//! Tests the filter line and the palette, key by key.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{opened, press, screen, settle, type_text};
use crate::action::Action;
use crate::app::App;
use crate::keymap::{Keymap, ViewId};
use crate::popup::{FilterTyping, Help, Popup, palette_matches};

fn key(app: &mut App, code: KeyCode) {
    let effects = app.on_key(KeyEvent::new(code, KeyModifiers::NONE));
    settle(app, effects);
}

fn typing(app: &App) -> &FilterTyping {
    match app.popups.last() {
        Some(Popup::Filter(typing)) => typing,
        other => panic!("{other:?}"),
    }
}

#[test]
fn tab_takes_the_first_candidate_and_the_arrows_choose_another() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "3 /");
    type_text(&mut app, "abil");
    key(&mut app, KeyCode::Tab);
    assert_eq!(typing(&app).line.text(), "ability:");
    type_text(&mut app, "co");
    press(&mut app, "down");
    assert_eq!(typing(&app).selected, Some(0));
    press(&mut app, "enter");
    let chosen = typing(&app).line.text().to_owned();
    assert!(
        chosen == "ability:color " || chosen == "ability:counting ",
        "{chosen}"
    );
    press(&mut app, "enter");
    assert_eq!(app.shared.lens.filter, chosen.trim());
    assert!(app.shared.list.rows.len() < app.shared.table.len());
}

#[test]
fn the_middle_of_a_filter_can_be_changed() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "/");
    type_text(&mut app, "ability:ocr correct:false");
    for _ in 0.." correct:false".len() {
        press(&mut app, "left");
    }
    key(&mut app, KeyCode::Backspace);
    key(&mut app, KeyCode::Backspace);
    key(&mut app, KeyCode::Backspace);
    type_text(&mut app, "count");
    key(&mut app, KeyCode::Tab);
    assert_eq!(typing(&app).line.text(), "ability:counting correct:false");
}

#[test]
fn earlier_filters_come_back() {
    let mut app = opened("tests/fixtures/ava_bench");
    for filter in ["ability:ocr", "ability:color"] {
        press(&mut app, "/");
        key(&mut app, KeyCode::Home);
        app.on_key(KeyEvent::new(KeyCode::Char('k'), KeyModifiers::CONTROL));
        type_text(&mut app, filter);
        press(&mut app, "enter");
    }
    press(&mut app, "/ up");
    assert_eq!(typing(&app).line.text(), "ability:color");
    press(&mut app, "up up");
    assert_eq!(typing(&app).line.text(), "ability:ocr");
    press(&mut app, "down");
    assert_eq!(typing(&app).line.text(), "ability:color");
    press(&mut app, "down");
    assert_eq!(typing(&app).line.text(), "");
}

#[test]
fn a_misspelt_value_is_an_error_and_no_empty_list() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "3 /");
    type_text(&mut app, "ability:cuonting");
    let shown = screen(&mut app, 80, 24);
    assert!(
        shown.contains("no such ability `cuonting`; the nearest is `counting`"),
        "{shown}"
    );
    assert!(shown.contains("^^^^^^^^"), "{shown}");
    press(&mut app, "enter");
    assert_eq!((app.popups.len(), app.shared.lens.filter.as_str()), (1, ""));
}

#[test]
fn the_filter_line_looks_like_this() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "3 /");
    insta::assert_snapshot!("filter_empty_80x24", screen(&mut app, 80, 24));
    type_text(&mut app, "correct:false ability:");
    press(&mut app, "down");
    insta::assert_snapshot!("filter_values_80x24", screen(&mut app, 80, 24));
}

#[test]
fn the_palette_puts_the_best_match_first() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, ":");
    let best = |app: &App, text: &str| {
        palette_matches(&app.shared, text)
            .first()
            .map(|found| found.bind.action)
    };
    assert_eq!(best(&app, "quit"), Some(Action::Quit));
    assert_eq!(best(&app, "nxtthm"), Some(Action::NextTheme));
    assert_eq!(best(&app, "xyzzy"), None);
    assert!(palette_matches(&app.shared, "").len() > 30);
    type_text(&mut app, "thm");
    let found = palette_matches(&app.shared, "thm");
    let words: Vec<char> = found[0]
        .bind
        .help
        .chars()
        .chain([' '])
        .chain(found[0].bind.action.name().chars())
        .collect();
    let letters: String = found[0]
        .letters
        .iter()
        .map(|at| words[*at as usize])
        .collect();
    assert_eq!(letters, "thm");
    insta::assert_snapshot!("palette_80x24", screen(&mut app, 80, 24));
    let before = app.shared.theme.name().to_owned();
    press(&mut app, "enter");
    assert_ne!(app.shared.theme.name(), before);
}

#[test]
fn the_palette_opens_pages_of_the_manual() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, ":");
    type_text(&mut app, "help fil");
    let shown = screen(&mut app, 100, 30);
    assert!(
        shown.contains("help filters") && !shown.contains("help keys"),
        "{shown}"
    );
    press(&mut app, "enter");
    let shown = screen(&mut app, 100, 30);
    assert!(shown.contains("Filters: which samples count"), "{shown}");
    assert!(!shown.contains('#') && !shown.contains('`'), "{shown}");
    // A manual page can be searched like other texts.
    press(&mut app, "/");
    type_text(&mut app, "regular");
    assert!(screen(&mut app, 100, 30).contains("1 of 1"));
    press(&mut app, "esc esc");
    assert!(app.popups.is_empty());
}

#[test]
fn the_palette_offers_the_nearest_page_and_says_when_there_is_none() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, ":");
    type_text(&mut app, "help ");
    let shown = screen(&mut app, 100, 30);
    assert!(
        shown.contains("help start") && shown.contains("help keys"),
        "{shown}"
    );
    type_text(&mut app, "fliters");
    assert!(screen(&mut app, 100, 30).contains("help filters"));
    type_text(&mut app, "xyzzy123456789");
    assert!(screen(&mut app, 100, 30).contains("no such command"));
    press(&mut app, "enter");
    assert!(app.popups.is_empty());
}

#[test]
fn every_action_is_in_the_help_and_in_the_palette_of_a_view() {
    let mut app = opened("tests/fixtures/ava_bench");
    for action in &Action::ALL {
        let row = ViewId::ALL.into_iter().find_map(|view| {
            app.shared.view = view;
            let offered = palette_matches(&app.shared, "")
                .iter()
                .any(|found| found.bind.action == *action);
            let row = app
                .shared
                .keymap
                .keys_for(view)
                .find(|bind| bind.action == *action)?;
            offered.then(|| (view, row.clone()))
        });
        let (view, row) = row.unwrap_or_else(|| panic!("{} is in no view", action.name()));
        app.shared.view = view;
        app.popups = vec![Help::new("", Vec::new()).into()];
        let shown = screen(&mut app, 200, 60);
        assert!(shown.contains(&row.help), "{}: {shown}", action.name());
        assert!(
            shown.contains(&row.keys_text()),
            "{}: {shown}",
            action.name()
        );
        app.popups.clear();
    }
}

#[test]
fn the_help_tells_which_keys_a_keymap_took() {
    let mut app = opened("tests/fixtures/ava_bench");
    let text = "bind = [{ action = 'problems', keys = ['I'] }]";
    app.shared.keymap = Keymap::with_user(text).unwrap();
    app.shared.view = ViewId::Sample;
    app.popups = vec![Help::new("", Vec::new()).into()];
    let shown = screen(&mut app, 200, 60);
    assert!(shown.contains("“next tab” by default"), "{shown}");
}
