//! Tests the flip view: content and keys.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::Flips;
use crate::app::App;
use crate::change::Change;
use crate::keymap::ViewId;
use crate::tests::{opened, press, screen, settle};

/// Opens two samples with answers of three models each, as after a rerun.
fn app() -> App {
    let mut app = opened("tests/fixtures/ava_bench");
    let table = app.shared.table.clone();
    let of = |item: u32| {
        let rows = table.item_of().iter().zip(0_u32..);
        let rows = rows.filter(move |(of, _)| **of == item);
        rows.map(|(_, row)| row).take(3).collect::<Vec<u32>>()
    };
    let samples = vec![of(0), of(1)];
    assert!(samples.iter().all(|rows| rows.len() > 1));
    let flips = Flips {
        samples,
        run: String::new(),
        at: 0,
    };
    let effects = app.apply(vec![Change::OpenFlips(Box::new(flips))]);
    settle(&mut app, effects);
    app
}

#[test]
fn all_answers_stand_on_one_screen_and_keys_go_on() {
    let mut app = app();
    assert_eq!(app.shared.view, ViewId::Flip);
    let shown = screen(&mut app, 120, 36);
    assert!(
        shown.contains("sample 1 of 2") && shown.contains("log: "),
        "{shown}"
    );
    assert!(shown.matches("target ").count() > 2, "{shown}");
    press(&mut app, "n");
    assert!(screen(&mut app, 120, 36).contains("sample 2 of 2"));
    press(&mut app, "n l");
    let rows = app.views.flip.here().to_vec();
    assert_eq!((app.views.flip.at, app.views.flip.column), (1, 1));
    let effects = app.on_key(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE));
    settle(&mut app, effects);
    assert_eq!(app.shared.view, ViewId::Sample);
    assert_eq!(app.shared.list.here(), Some(rows[1]));
    app.on_key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE));
    assert_eq!(app.shared.view, ViewId::Flip);
}

#[test]
fn a_narrow_screen_shows_the_columns_around_the_cursor() {
    let mut app = app();
    for (width, height) in [(80, 24), (30, 10), (8, 3)] {
        press(&mut app, "l");
        screen(&mut app, width, height);
        let area = ratatui::layout::Rect::new(0, 0, width, height);
        let columns = super::draw::columns(&app.views.flip, area);
        assert!(columns.iter().any(|(at, _)| *at == app.views.flip.column));
    }
}
