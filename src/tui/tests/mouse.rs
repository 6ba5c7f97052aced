//! Tests the mouse on popups and the key line, and screens of every size.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use proptest::prelude::ProptestConfig;
use proptest::test_runner::TestRunner;

use super::{drawn_within, opened, press, read, screen, settle, type_text, whole};
use crate::action::Action;
use crate::app::App;
use crate::keymap::ViewId;
use crate::popup::Popup;
use crate::shared::Look;
use crate::widget::theme::{ColorDepth, Theme};
use workspace::Lens;

fn mouse(app: &mut App, kind: MouseEventKind, column: u16, row: u16) {
    let mouse = MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    };
    let effects = app.on_mouse(mouse);
    settle(app, effects);
}

fn click(app: &mut App, column: u16, row: u16) {
    mouse(app, MouseEventKind::Down(MouseButton::Left), column, row);
}

/// Returns the column and row of a text on a screen of 80 x 24.
fn place(app: &mut App, text: &str) -> (u16, u16) {
    let shown = screen(app, 80, 24);
    let (row, line) = shown
        .lines()
        .enumerate()
        .find(|(_, line)| line.contains(text))
        .unwrap_or_else(|| panic!("{text}: {shown}"));
    let column = line.split(text).next().unwrap().chars().count() - 1;
    (u16::try_from(column).unwrap(), u16::try_from(row).unwrap())
}

#[test]
fn the_key_line_can_be_clicked() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "3 g");
    let (x, y) = place(&mut app, "/ filter");
    assert_eq!(y, 23);
    click(&mut app, x + 3, y);
    assert!(matches!(app.popups.last(), Some(Popup::Filter(_))));
    app.popups.clear();
    let (x, y) = place(&mut app, "↑↓←→ move");
    click(&mut app, x + 1, y);
    click(&mut app, x + 1, y);
    assert_eq!(
        app.shared.list.table.selected, 2,
        "the second key means down"
    );
    click(&mut app, x, y);
    assert_eq!(app.shared.list.table.selected, 1);
    let (x, y) = place(&mut app, "? help");
    click(&mut app, x, y);
    assert!(matches!(app.popups.last(), Some(Popup::Help(_))));
}

#[test]
fn the_wheel_scrolls_a_text_and_a_click_beside_it_closes() {
    let mut app = opened("tests/fixtures/ava_bench");
    app.popups.push(super::reading::logs(&app));
    screen(&mut app, 80, 24);
    mouse(&mut app, MouseEventKind::ScrollDown, 40, 12);
    let offset = |app: &App| match app.popups.last() {
        Some(Popup::Text(text)) => text.state.offset,
        other => panic!("{other:?}"),
    };
    assert_eq!(offset(&app), 3);
    click(&mut app, 40, 12);
    assert_eq!(offset(&app), 3, "a click into the text keeps it");
    click(&mut app, 0, 0);
    assert!(app.popups.is_empty());
}

#[test]
fn a_click_takes_a_row_of_the_palette_and_of_the_filter() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, ":");
    type_text(&mut app, "theme");
    let (x, y) = place(&mut app, "next theme");
    click(&mut app, x, y);
    assert!(app.popups.is_empty() && app.shared.theme.name() != "dark");
    press(&mut app, "/");
    type_text(&mut app, "ability:");
    let (x, y) = place(&mut app, "counting ");
    click(&mut app, x, y);
    let Some(Popup::Filter(typing)) = app.popups.last() else {
        panic!("the line stays")
    };
    assert_eq!(typing.line.text(), "ability:counting ");
    type_text(&mut app, "score<");
    let (x, y) = place(&mut app, "also a..b");
    click(&mut app, x, y);
    let Some(Popup::Filter(typing)) = app.popups.last() else {
        panic!("the line stays")
    };
    assert_eq!(typing.line.text(), "ability:counting score<");
}

/// Returns apps with each popup over each view.
fn scenes() -> Vec<App> {
    let table = read("tests/fixtures/ava_bench");
    let mut scenes = Vec::new();
    for view in ViewId::ALL {
        let open = [
            None,
            Some(Action::Help),
            Some(Action::Palette),
            Some(Action::Filter),
            Some(Action::Sources),
            Some(Action::Problems),
            Some(Action::Find),
        ];
        for action in open {
            let mut app = App::new(
                &Theme::named("dark").unwrap(),
                ColorDepth::True,
                Lens::default(),
            );
            let effects = app.receive(whole(table.clone()));
            settle(&mut app, effects);
            for effects in [app.go(ViewId::Samples), app.go(view)] {
                settle(&mut app, effects);
            }
            let effects = action.map(|action| app.act(action)).unwrap_or_default();
            settle(&mut app, effects);
            if action == Some(Action::Filter) {
                type_text(&mut app, "ability:cuont");
            }
            scenes.push(app);
        }
    }
    scenes
}

/// Draws a scene, scrolls and clicks in it, and draws it again.
fn survives(app: &mut App, width: u16, height: u16) {
    drawn_within(app, width, height);
    let presses = MouseEventKind::Down(MouseButton::Left);
    for kind in [MouseEventKind::ScrollDown, presses] {
        let mouse = MouseEvent {
            kind,
            column: width / 2,
            row: height - 1,
            modifiers: KeyModifiers::NONE,
        };
        let effects = app.on_mouse(mouse);
        settle(app, effects);
        drawn_within(app, width, height);
    }
}

#[test]
fn no_size_is_too_small_or_too_large_at_any_moment() {
    for mut app in scenes() {
        for (width, height) in [(80, 24), (1, 1), (2, 1), (1, 60), (300, 1), (19, 5)] {
            survives(&mut app, width, height);
        }
    }
    let scenes = std::cell::RefCell::new(scenes());
    let cases = ProptestConfig::with_cases(12);
    let outcome = TestRunner::new(cases).run(&(1u16..300, 1u16..100), |(width, height)| {
        for app in scenes.borrow_mut().iter_mut() {
            survives(app, width, height);
        }
        Ok(())
    });
    assert!(outcome.is_ok(), "{outcome:?}");
}

/// The samples next to the fingerprint are always a list with a preview, whatever look the samples
/// view has. A click selects the row as drawn.
#[test]
fn the_samples_beside_a_view_are_a_list_that_the_mouse_hits() {
    for look in [Look::List, Look::Sheet, Look::Matrix, Look::Confusion] {
        let mut app = opened("tests/fixtures/ava_bench");
        app.shared.list.look = look;
        let mut shown = String::new();
        for _ in 0..3 {
            shown = screen(&mut app, 200, 60);
        }
        assert_eq!(app.shared.view, ViewId::Fingerprint);
        assert!(
            shown.contains("samples of") && shown.contains("target"),
            "{look:?}: {shown}"
        );
        let (beside, _) = app.drawn.beside.clone().unwrap();
        click(&mut app, beside.x + 6, beside.y + 3);
        assert_eq!(app.shared.list.table.selected, 1, "{look:?}");
        assert_eq!(app.shared.view, ViewId::Fingerprint);
        click(&mut app, beside.x + 6, beside.y + 3);
        assert_eq!(app.shared.view, ViewId::Sample, "{look:?}");
    }
}

#[test]
fn views_of_samples_do_not_open_for_published_scores() {
    let mut app = opened("sample_runs/ava_bench.scores.csv");
    for key in ["2", "3", "4", "5", "7"] {
        press(&mut app, key);
        assert_eq!(app.shared.view, ViewId::Fingerprint, "{key}");
        let said = app.shared.notice.clone().unwrap_or_default();
        assert!(said.contains("no samples"), "{key}: {said}");
    }
    press(&mut app, "}");
    assert_eq!(app.shared.view, ViewId::Live);
    press(&mut app, "}");
    assert_eq!(app.shared.view, ViewId::Overview);
    // In the Overview, keys that open a view use the benchmark under the cursor.
    let mut app = opened("sample_runs");
    let last = app.shared.answers.opened.len() - 1;
    assert_eq!(app.shared.answers.opened[last].items, 0);
    press(&mut app, "G 3");
    assert_eq!(app.shared.view, ViewId::Overview);
    press(&mut app, "g 3");
    assert_eq!(app.shared.view, ViewId::Samples);
}

#[test]
fn published_scores_say_that_they_have_no_samples() {
    let mut app = opened("sample_runs/ava_bench.scores.csv");
    app.shared.view = ViewId::Samples;
    for key in ["v", "v", "v", "v"] {
        press(&mut app, key);
        let shown = screen(&mut app, 80, 24);
        assert!(shown.contains("only the table"), "{shown}");
        assert!(!shown.contains("F clears it"), "{shown}");
    }
}
