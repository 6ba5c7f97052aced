//! Tests the app with keys, and the screens at two sizes.

mod as_command;
mod colors;
mod fingerprint;
mod groups;
mod history;
mod judging;
mod mouse;
mod panes;
mod polled;
mod reading;
mod replaced;
mod samples;
mod session;
mod subgroups;
mod trace;
mod typing;
mod writing;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Rect;

use super::app::App;
use super::frame_output::FrameOutput;
use super::keymap::ViewId;
use crate::effect::Effect;
use crate::widget::theme::{ColorDepth, Theme};
use base::job::FOR_GOOD;
use engine::{Answer, Engine, Memory, Query, QueryError};
use record::{Row, RowMap, Table};
use workspace::Lens;
use workspace::load::{Request, load};
use workspace::open::{Change, Event, Replacement};

/// Returns the request for a folder of fixtures.
fn request(folder: &str) -> Request {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(folder);
    Request {
        paths: vec![path],
        ..Request::default()
    }
}

/// Reads the logs in a folder of fixtures.
pub fn read(folder: &str) -> Table {
    load(&request(folder), &mut |_| ControlFlow::Continue(()))
}

/// Creates an app with a folder of fixtures.
pub fn opened(folder: &str) -> App {
    let table = read(folder);
    ask::register(&exam::builtin::Encoders);
    let mut app = App::new(
        &Theme::named("dark").unwrap(),
        ColorDepth::True,
        Lens::default(),
    );
    app.shared.request = request(folder);
    let effects = app.receive(whole(table));
    settle(&mut app, effects);
    app
}

/// Answers a query and passes the answer to the app.
pub fn answered(app: &mut App, query: &Query) -> Vec<Effect> {
    let answer = answer(app, query);
    app.receive_answer(query.clone(), app.shared.table.generation(), answer)
}

/// Computes the answer to a query.
fn answer(app: &App, query: &Query) -> Result<Answer, QueryError> {
    let engine = Memory::new(
        app.shared.table.clone(),
        Arc::clone(&app.shared.verdicts.book),
    );
    engine.ask(query, &FOR_GOOD)
}

/// Returns the event for a complete table.
pub fn whole(table: Table) -> Event {
    replaced(table, RowMap::Nowhere, Change::Whole)
}

/// Returns the event that replaces the table.
pub fn replaced(table: Table, moved: RowMap, change: Change) -> Event {
    Event::Table(Box::new(Replacement {
        table,
        moved,
        change,
    }))
}

/// Answers all queries among the effects, recursively.
pub fn settle(app: &mut App, effects: Vec<Effect>) {
    for effect in effects {
        if let Effect::Ask(query) = effect {
            let more = answered(app, &query);
            settle(app, more);
        }
    }
}

pub fn press(app: &mut App, keys: &str) {
    for word in keys.split_whitespace() {
        let code = match word {
            "enter" => KeyCode::Enter,
            "esc" => KeyCode::Esc,
            "up" => KeyCode::Up,
            "down" => KeyCode::Down,
            "left" => KeyCode::Left,
            "right" => KeyCode::Right,
            "tab" => KeyCode::Tab,
            "space" => KeyCode::Char(' '),
            other => KeyCode::Char(other.chars().next().unwrap()),
        };
        let effects = app.on_key(KeyEvent::new(code, KeyModifiers::NONE));
        settle(app, effects);
    }
}

fn type_text(app: &mut App, text: &str) {
    for c in text.chars() {
        let effects = app.on_key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE));
        settle(app, effects);
    }
}

/// Draws a frame like the event loop.
pub fn draw(app: &mut App, terminal: &mut Terminal<TestBackend>) {
    let mut drawn = FrameOutput::default();
    terminal.draw(|frame| drawn = app.draw(frame)).unwrap();
    app.after_frame(drawn, 0, Duration::ZERO);
    let effects = app.ask_wanted();
    settle(app, effects);
}

/// Draws a frame and returns the screen as text.
pub fn screen(app: &mut App, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    draw(app, &mut terminal);
    terminal.backend().to_string()
}

/// Draws a screen of this size, and checks that the view and its side pane are within it.
fn drawn_within(app: &mut App, width: u16, height: u16) -> String {
    let shown = screen(app, width, height);
    let whole = Rect::new(0, 0, width, height);
    assert_eq!(app.drawn.screen, whole);
    let beside = app.drawn.beside.iter().map(|(area, _)| *area);
    for area in beside.chain([app.drawn.body]) {
        let is_within = area.is_empty() || area.intersection(whole) == area;
        assert!(is_within, "{area} on {whole}");
    }
    shown
}

#[test]
fn enter_on_a_cell_opens_the_samples_behind_it_and_escape_leads_back() {
    let mut app = opened("tests/fixtures/ava_bench");
    let score = app
        .shared
        .answers
        .scores
        .iter()
        .find(|score| score.headline && score.rank == Some(1))
        .unwrap();
    assert_eq!(score.ability, "absolute_depth");
    press(&mut app, "enter");
    assert_eq!(
        (app.shared.view, app.shared.lens.ability.as_deref()),
        (ViewId::Samples, Some("absolute_depth"))
    );
    assert_eq!(app.shared.list.rows.len(), 24);
    press(&mut app, "enter n n");
    assert_eq!(
        (app.shared.view, app.shared.list.table.selected),
        (ViewId::Sample, 2)
    );
    press(&mut app, "esc esc");
    assert_eq!(
        (app.shared.view, app.shared.lens.ability.as_deref()),
        (ViewId::Fingerprint, None)
    );
}

#[test]
fn a_bin_opens_exactly_its_samples() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "2 enter");
    let (split, label) = app.shared.lens.bin.clone().unwrap();
    let held = app.shared.answers.subgroups.iter().find(|group| {
        group.by == split.text
            && group.bin == label
            && Some(&group.model) == app.shared.lens.model.as_ref()
    });
    let group = held.unwrap();
    assert_eq!(
        app.shared.list.rows.len() as u64,
        group.n
            + group
                .invalid
                .min(app.shared.list.rows.len() as u64 - group.n)
    );
}

#[test]
fn the_filter_counts_while_it_is_typed_and_stays_open_while_it_is_wrong() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "3 /");
    type_text(&mut app, "abilty:ocr");
    let shown = screen(&mut app, 100, 30);
    assert!(shown.contains("unknown key `abilty`"), "{shown}");
    press(&mut app, "enter");
    assert_eq!(app.popups.len(), 1, "a wrong filter stays open");
    for _ in 0.."abilty:ocr".len() {
        let effects = app.on_key(KeyEvent::new(KeyCode::Backspace, KeyModifiers::NONE));
        settle(&mut app, effects);
    }
    type_text(&mut app, "ability:ocr correct:false");
    press(&mut app, "enter");
    assert!(app.popups.is_empty());
    assert!(
        !app.shared.list.rows.is_empty() && app.shared.list.rows.len() < 72,
        "{}",
        app.shared.list.rows.len()
    );
}

#[test]
fn a_sample_stays_on_screen_when_the_lens_moves_and_goes_when_it_does_not_pass() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "3 a a a a enter n n");
    let item = |app: &App| {
        let row = app.shared.list.rows[app.shared.list.table.selected];
        (
            app.shared.table.item(Row(row)),
            app.shared.table.model(Row(row)),
        )
    };
    let before = item(&app);
    press(&mut app, "s");
    assert_eq!(item(&app), before, "the order is another one");
    press(&mut app, "m m");
    assert_eq!(app.shared.list.rows.len(), 24);
    assert_eq!(item(&app).0, before.0, "another model's answer");
    press(&mut app, "/");
    type_text(&mut app, "ability:ocr");
    press(&mut app, "enter");
    assert!(app.shared.list.rows.is_empty(), "counting is not ocr");
    assert!(screen(&mut app, 80, 24).contains("No sample passes"));
    press(&mut app, "F a");
    assert_eq!(app.shared.view, ViewId::Sample);
    let ability = app.shared.lens.ability.clone();
    let shown = app
        .shared
        .table
        .ability(item(&app).0)
        .map(|of| of.name.clone());
    assert_eq!(shown, ability);
}

#[test]
fn the_other_scoring_changes_scores_and_says_so() {
    let mut app = opened("tests/fixtures/ava_bench");
    let before: Vec<_> = app
        .shared
        .answers
        .scores
        .iter()
        .map(|score| score.score)
        .collect();
    press(&mut app, "s");
    let after: Vec<_> = app
        .shared
        .answers
        .scores
        .iter()
        .map(|score| score.score)
        .collect();
    assert_ne!(before, after);
    assert!(screen(&mut app, 80, 24).contains("strict scoring"));
}

#[test]
fn every_action_does_no_harm_in_any_view_and_at_any_size() {
    use super::action::Action;
    for folder in [
        "tests/fixtures/ava_bench",
        "sample_runs",
        "tests/fixtures/none",
    ] {
        let mut app = opened(folder);
        let rows = app.shared.table.len();
        for view in ViewId::ALL {
            for action in &Action::ALL {
                app.shared.view = view;
                let effects = app.act(*action);
                settle(&mut app, effects);
                drawn_within(&mut app, 80, 24);
                assert_eq!(app.shared.table.len(), rows, "{}", action.name());
            }
            for (width, height) in [(1, 1), (8, 3), (20, 6), (200, 60)] {
                drawn_within(&mut app, width, height);
            }
            app.popups.clear();
            let shown = drawn_within(&mut app, 80, 24);
            assert!(shown.contains("0 Overview"), "{}: {shown}", view.name());
        }
    }
}

#[test]
fn every_action_stands_in_the_help_and_in_the_palette_of_a_view() {
    use super::action::Action;
    let mut app = opened("tests/fixtures/none");
    for action in &Action::ALL {
        let in_both = |view: ViewId| {
            app.shared.view = view;
            let mut help = app.shared.keymap.keys_for(view);
            let found = super::popup::palette_matches(&app.shared, action.name());
            let first = found.first().is_some_and(|row| row.bind.action == *action);
            first && help.any(|bind| bind.action == *action && !bind.keys.is_empty())
        };
        assert!(ViewId::ALL.into_iter().any(in_both), "{}", action.name());
    }
}

#[test]
fn a_click_moves_the_cursor_and_a_second_one_opens() {
    use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
    let mut app = opened("tests/fixtures/vlmevalkit");
    press(&mut app, "5");
    screen(&mut app, 80, 24);
    let click = |app: &mut App| {
        let kind = MouseEventKind::Down(MouseButton::Left);
        let mouse = MouseEvent {
            kind,
            column: 5,
            row: 6,
            modifiers: KeyModifiers::NONE,
        };
        let effects = app.on_mouse(mouse);
        settle(app, effects);
    };
    click(&mut app);
    assert_eq!(
        (app.shared.view, app.views.reliability.table.selected),
        (ViewId::Reliability, 2)
    );
    click(&mut app);
    assert_eq!(app.shared.view, ViewId::Samples);
    assert!(app.shared.lens.ability.is_some() && !app.shared.list.rows.is_empty());
}

#[test]
fn scores_come_at_once_and_ask_for_their_intervals_when_all_is_read() {
    use super::shared::Loading;
    let mut app = opened("tests/fixtures/ava_bench");
    assert!(
        app.shared
            .answers
            .scores
            .iter()
            .any(|score| score.ci.is_some())
    );
    let asked = app.ask_all();
    let Some(Effect::Ask(query)) = asked.first() else {
        panic!("scores are asked first")
    };
    assert!(matches!(&**query, Query::Scores(scores) if scores.quick));
    let more = answered(&mut app, query);
    let is_intervals = |effect: &Effect| matches!(effect, Effect::Ask(next) if matches!(&**next, Query::Scores(scores) if !scores.quick));
    assert!(more.iter().any(is_intervals));
    app.shared.loading = Loading::Starting;
    assert!(
        !answered(&mut app, query).iter().any(is_intervals),
        "not while more is to come"
    );
}

#[test]
fn nothing_is_drawn_when_nothing_changed() {
    let mut app = opened("sample_runs");
    app.dirty = false;
    let effects = app.on_key(KeyEvent::new(KeyCode::Null, KeyModifiers::NONE));
    assert!(effects.is_empty());
}

#[test]
fn published_tables_look_like_this() {
    let mut app = opened("sample_runs/ava_bench.scores.csv");
    insta::assert_snapshot!("fingerprint_80x24", screen(&mut app, 80, 24));
    insta::assert_snapshot!("fingerprint_160x50", screen(&mut app, 160, 50));
}

#[test]
fn answers_look_like_this() {
    let mut app = opened("tests/fixtures/ava_bench");
    insta::assert_snapshot!("ava_fingerprint_80x24", screen(&mut app, 80, 24));
    press(&mut app, "2");
    insta::assert_snapshot!("ava_subgroups_80x24", screen(&mut app, 80, 24));
    insta::assert_snapshot!("ava_subgroups_160x50", screen(&mut app, 160, 50));
    press(&mut app, "3");
    insta::assert_snapshot!("ava_samples_80x24", screen(&mut app, 80, 24));
    insta::assert_snapshot!("ava_samples_160x50", screen(&mut app, 160, 50));
    press(&mut app, "?");
    insta::assert_snapshot!("help_80x24", screen(&mut app, 80, 24));
}

#[test]
fn rotations_look_like_this() {
    let mut app = opened("tests/fixtures/vlmevalkit");
    press(&mut app, "5");
    insta::assert_snapshot!("reliability_80x24", screen(&mut app, 80, 24));
    insta::assert_snapshot!("reliability_160x50", screen(&mut app, 160, 50));
}

#[test]
fn the_tour_shows_each_stop_and_leaves_no_trace_in_the_history() {
    let mut app = opened("tests/fixtures/ava_bench");
    let effects = app.act(super::action::Action::Tour);
    settle(&mut app, effects);
    for stop in &super::popup::TOUR {
        assert_eq!(app.shared.view, stop.view, "{}", stop.title);
        let shown = screen(&mut app, 80, 24);
        assert!(shown.contains(stop.title), "{shown}");
        press(&mut app, "enter");
    }
    assert!(app.popups.is_empty() && app.history.before.is_empty());
}

#[test]
fn help_explains_every_view_in_words() {
    let mut app = opened("tests/fixtures/ava_bench");
    for view in ViewId::ALL {
        let effects = app.show(view);
        settle(&mut app, effects);
        press(&mut app, "?");
        let shown = screen(&mut app, 80, 24);
        let first: String = app
            .views
            .get(view)
            .about()
            .help
            .split_whitespace()
            .take(4)
            .collect::<Vec<_>>()
            .join(" ");
        assert!(shown.contains(&first), "{first}\n{shown}");
        press(&mut app, "esc");
    }
}
