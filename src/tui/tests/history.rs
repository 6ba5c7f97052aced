//! Tests back and forward, with all cursors restored.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{opened, press, screen, settle};
use crate::app::App;
use crate::effect::Effect;
use crate::keymap::ViewId;

fn alt(app: &mut App, code: KeyCode) -> Vec<Effect> {
    app.on_key(KeyEvent::new(code, KeyModifiers::ALT))
}

fn alt_and_settle(app: &mut App, code: KeyCode) {
    let effects = alt(app, code);
    settle(app, effects);
}

#[test]
fn back_and_forward_keep_lens_view_and_cursors() {
    let mut app = opened("tests/fixtures/ava_bench");
    screen(&mut app, 80, 24);
    press(&mut app, "down right right enter");
    let lens = app.shared.lens.clone();
    assert!(app.shared.view == ViewId::Samples && lens.ability.is_some());
    press(&mut app, "down down down");
    press(&mut app, "2");
    press(&mut app, "t a");
    screen(&mut app, 80, 24);
    let split = app.shared.split_index();
    press(&mut app, "esc");
    assert_eq!(
        (
            app.shared.view,
            &app.shared.lens,
            app.shared.list.table.selected
        ),
        (ViewId::Samples, &lens, 3)
    );
    press(&mut app, "esc");
    assert_eq!(
        (app.shared.view, app.shared.lens.ability.as_ref()),
        (ViewId::Fingerprint, None)
    );
    assert_eq!((app.shared.cell.row, app.shared.cell.column), (1, 2));
    alt_and_settle(&mut app, KeyCode::Right);
    assert_eq!(
        (
            app.shared.view,
            &app.shared.lens,
            app.shared.list.table.selected
        ),
        (ViewId::Samples, &lens, 3)
    );
    alt_and_settle(&mut app, KeyCode::Right);
    assert_eq!(
        (app.shared.view, app.shared.split_index()),
        (ViewId::Subgroups, split)
    );
    assert!(
        alt(&mut app, KeyCode::Right).is_empty(),
        "there is nothing further"
    );
    press(&mut app, "esc");
    press(&mut app, "5");
    assert!(
        alt(&mut app, KeyCode::Right).is_empty(),
        "another way was taken"
    );
}

#[test]
fn the_list_stays_at_the_sample_that_was_looked_at() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "enter down enter n n esc");
    assert_eq!(
        (app.shared.view, app.shared.list.table.selected),
        (ViewId::Samples, 3)
    );
}

#[test]
fn a_cursor_waits_for_its_list() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "3 g");
    for _ in 0..40 {
        press(&mut app, "down");
    }
    press(&mut app, "1 enter");
    assert!(app.shared.list.rows.len() < 40);
    press(&mut app, "esc");
    let effects = app.on_key(KeyCode::Esc.into());
    screen(&mut app, 80, 24);
    assert!(
        app.shared.list.table.selected < 40,
        "the old list is shorter"
    );
    settle(&mut app, effects);
    assert_eq!(app.shared.list.table.selected, 40);
}
