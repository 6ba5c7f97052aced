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

#[test]
fn the_key_of_samples_opens_the_list_at_its_worst_sample() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "down right right 3");
    assert_eq!(app.shared.list.table.selected, 0);
    press(&mut app, "down down 1 down right 3");
    assert_eq!(app.shared.list.table.selected, 0);
    press(&mut app, "1 enter G 1 3");
    assert_eq!(app.shared.list.table.selected, 0);
    assert!(app.shared.lens.ability.is_none());
    press(&mut app, "down enter n 3");
    assert_eq!(app.shared.list.table.selected, 2, "the sample on screen");
}

#[test]
fn a_view_of_all_abilities_widens_the_trail_and_keeps_the_cursor() {
    let mut app = opened("tests/fixtures/ava_bench");
    let all = app.shared.list.rows.len();
    press(&mut app, "down right right enter");
    let narrow = app.shared.lens.clone();
    let cell = app.shared.cell;
    press(&mut app, "down 1");
    assert_eq!(app.shared.lens, narrow.whole());
    assert_eq!(
        (app.shared.cell.row, app.shared.cell.column),
        (cell.row, cell.column)
    );
    assert!(screen(&mut app, 120, 36).contains("all abilities"));
    press(&mut app, "a m");
    assert_eq!(app.shared.lens, narrow.whole(), "the cursor moves");
    assert_ne!(app.shared.cell.column, cell.column);
    press(&mut app, "3");
    assert!(app.shared.list.rows.len() > all && app.shared.lens == narrow.whole());
    press(&mut app, "esc esc");
    assert_eq!(
        (app.shared.view, &app.shared.lens),
        (ViewId::Samples, &narrow)
    );
}

#[test]
fn a_view_of_one_ability_says_which_it_takes() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "right 2");
    let ability = app.shared.lens.ability.clone().unwrap();
    let notice = app.shared.notice.clone().unwrap();
    assert!(notice.contains(&ability), "{notice}");
}

#[test]
fn views_opened_from_the_overview_show_the_benchmark_under_its_cursor() {
    let mut app = opened("tests/fixtures");
    press(&mut app, "esc 0 down down");
    let wanted = app.shared.answers.opened[2].benchmark.clone();
    assert_ne!(app.shared.lens.benchmark, wanted);
    press(&mut app, "1");
    assert_eq!(app.shared.lens.benchmark, wanted);
    press(&mut app, "b 0 enter");
    assert_ne!(app.shared.lens.benchmark, wanted, "the cursor followed");
    assert!(!screen(&mut app, 120, 36).contains("open a benchmark first"));
    press(&mut app, "0 a");
    let shown = screen(&mut app, 120, 36);
    assert!(shown.contains("open a benchmark first"), "{shown}");
}

#[test]
fn the_comparison_takes_the_model_of_the_trail_as_a_side() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "down down enter");
    let model = app.shared.lens.model.clone().unwrap();
    press(&mut app, "4");
    assert!(app.shared.compared().unwrap().contains(&model));
    let shown = screen(&mut app, 120, 36);
    assert!(shown.contains("› 2 models"), "{shown}");
    press(&mut app, "3");
    assert_eq!(app.shared.lens.model, None);
}
