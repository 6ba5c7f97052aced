//! Tests that a session is restored, except for names that no longer exist.

use std::path::{Path, PathBuf};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{opened, press, read, replaced, screen, settle, type_text, whole};
use crate::app::{App, Session, SessionOptions};
use crate::effect::Effect;
use crate::keymap::ViewId;
use crate::saved_views::{SavedViewChange, SavedViews};
use crate::screen::Cells;
use crate::widget::theme::{ColorDepth, Theme};
use record::{RowMap, Scoring};
use workspace::Lens;
use workspace::open::Change;

const LOGS: &str = "tests/fixtures/ava_bench";

fn paths() -> Vec<PathBuf> {
    vec![PathBuf::from("/logs/a")]
}

/// Opens logs with a stored session, and a filter from the command line.
fn taken_up(text: &str, logs: &str, filter: &str) -> App {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.toml");
    std::fs::write(&file, text).unwrap();
    let lens = Lens {
        filter: filter.to_owned(),
        ..Lens::default()
    };
    let mut app = App::new(&Theme::named("dark").unwrap(), ColorDepth::True, lens);
    let keep = SessionOptions {
        file,
        paths: paths(),
        ..SessionOptions::default()
    };
    Session::begin_kept(&mut app, Some(&keep));
    // As in real use, a part of the logs arrives first.
    let part = replaced(read(logs), RowMap::Nowhere, Change::Part);
    let effects = app.receive(part);
    settle(&mut app, effects);
    let effects = app.receive(whole(read(logs)));
    settle(&mut app, effects);
    screen(&mut app, 80, 24);
    app
}

fn text(app: &App) -> String {
    Session::of(app, &paths(), "dark").text().unwrap()
}

#[test]
fn view_lens_cursors_and_looks_come_back() {
    let mut app = opened(LOGS);
    screen(&mut app, 80, 24);
    press(
        &mut app,
        "down space right right right v v 2 t # enter down down , s",
    );
    press(&mut app, "/");
    type_text(&mut app, "correct:false");
    press(&mut app, "enter down");
    app.shared.theme = Theme::named("light").unwrap();
    let kept = text(&app);
    assert!(
        kept.contains("bins = ") && kept.contains("tag = ") && kept.contains("bin = "),
        "{kept}"
    );
    let back = taken_up(&kept, LOGS, "");
    assert_eq!(text(&back), kept);
    assert_eq!(
        (&back.shared.lens, back.shared.view),
        (&app.shared.lens, ViewId::Samples)
    );
    assert_eq!(back.shared.list.rows, app.shared.list.rows);
    assert!(back.shared.lens.bin.is_some() && back.shared.lens.scoring == Scoring::Strict);
    assert_eq!(back.shared.theme.name(), "light");
    assert!(back.shared.notice.is_some());
    assert_eq!(back.views.fingerprint.cells, Cells::Gaps);
}

#[test]
fn a_sample_on_screen_comes_back() {
    let mut app = opened(LOGS);
    press(&mut app, "3 g enter n n n");
    let mut back = taken_up(&text(&app), LOGS, "");
    assert_eq!(
        (back.shared.view, back.shared.list.table.selected),
        (ViewId::Sample, 3)
    );
    assert_eq!(
        screen(&mut back, 80, 20).lines().nth(5),
        screen(&mut app, 80, 20).lines().nth(5)
    );
}

#[test]
fn the_cursor_comes_back_to_its_sample_wherever_that_stands() {
    let mut app = opened(LOGS);
    press(&mut app, "3 g down down down");
    let key = app.shared.table.key(app.row_under_cursor().unwrap());
    let moved = text(&app).replace("samples = 3", "samples = 9");
    let back = taken_up(&moved, LOGS, "");
    assert_eq!(back.shared.list.table.selected, 3);
    assert_eq!(back.shared.table.key(back.row_under_cursor().unwrap()), key);
}

#[test]
fn what_is_gone_is_left_out() {
    let mut app = opened(LOGS);
    press(&mut app, "space 3 m a");
    let kept = text(&app);
    let model = app.shared.lens.model.clone().unwrap();
    let back = taken_up(&kept.replace(&model, "gone"), LOGS, "");
    assert_eq!(
        (back.shared.lens.model.as_ref(), &back.shared.lens.ability),
        (None, &app.shared.lens.ability)
    );
    assert!(!back.shared.list.rows.is_empty());
    let other = taken_up(&kept, "tests/fixtures/vlmevalkit", "");
    assert_eq!(
        (other.shared.view, other.shared.notice),
        (ViewId::Overview, None)
    );
    let filter = kept.replace("filter = \"\"", "filter = \"model:siglp2\"");
    assert_ne!(filter, kept);
    assert_eq!(taken_up(&filter, LOGS, "").shared.lens.filter, "");
}

#[test]
fn a_filter_of_the_command_line_is_a_lens_of_its_own() {
    let mut app = opened(LOGS);
    press(&mut app, "3 m a");
    let back = taken_up(&text(&app), LOGS, "ability:ocr");
    assert_eq!(
        (
            back.shared.lens.filter.as_str(),
            &back.shared.lens.model,
            back.shared.view
        ),
        ("ability:ocr", &None, ViewId::Samples)
    );
    assert!(!back.shared.list.rows.is_empty());
}

#[test]
fn a_broken_or_foreign_file_is_no_session() {
    let kept = text(&opened(LOGS));
    let read = |text: &str| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("s.toml");
        std::fs::write(&file, text).unwrap();
        Session::read(&file, &paths())
    };
    assert!(read(&kept).is_some());
    assert_eq!(read("view = 3"), None);
    assert_eq!(read("{"), None);
    assert_eq!(read(&kept.replace("version = 1", "version = 99")), None);
    assert_eq!(read(&kept.replace("/logs/a", "/logs/b")), None);
    assert_eq!(Session::read(Path::new("no/such/file"), &paths()), None);
}

#[test]
fn who_is_faster_than_the_reading_begins_anew() {
    let mut app = opened(LOGS);
    press(&mut app, "3 m");
    let kept: Session = toml::from_str(&text(&app)).unwrap();
    let mut other = App::new(
        &Theme::named("dark").unwrap(),
        ColorDepth::True,
        Lens::default(),
    );
    other.session = Some(kept);
    press(&mut other, "2");
    let effects = other.receive(whole(read(LOGS)));
    settle(&mut other, effects);
    assert_eq!(
        (other.shared.view, &other.shared.lens.model),
        (ViewId::Subgroups, &None)
    );
}

/// Presses keys that save what is on screen as `name`. Saves it in `file`, like the event loop.
fn save_view(app: &mut App, file: &Path, name: &str) {
    press(app, "\"");
    type_text(app, name);
    let enter = KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE);
    let effects = app.on_key(enter);
    let [Effect::ChangeViews(change)] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    app.shared.saved = SavedViews::change(file, change.clone()).unwrap();
}

#[test]
fn a_saved_view_comes_back_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("views.toml");
    let mut app = opened("sample_runs/exam");
    press(&mut app, "3 m a v . /");
    type_text(&mut app, "correct:false");
    press(&mut app, "enter down down");
    let before = text(&app);
    save_view(&mut app, &file, "hard ones");
    press(&mut app, "F 1 4 3 v m a b");
    assert_ne!(text(&app), before);
    press(&mut app, "'");
    assert!(screen(&mut app, 100, 30).contains("saved view hard ones"));
    type_text(&mut app, "hard");
    press(&mut app, "enter");
    let without = |text: &str| text.replace("filters = [\"correct:false\"]", "");
    assert_eq!(without(&text(&app)), without(&before));
    assert_eq!(app.shared.notice, None);
    press(&mut app, "esc");
    assert_ne!(text(&app), before, "back where the key was pressed");

    // If other logs of the benchmark lack the model, a notice contains its name. For logs of
    // another benchmark, the view is not offered.
    let stored = std::fs::read_to_string(&file).unwrap();
    let model = app.shared.saved.get("hard ones").unwrap();
    let other = stored.replace("model = \"", "model = \"not-");
    assert_ne!(stored, other, "{model:?}");
    std::fs::write(&file, other).unwrap();
    app.shared.saved = SavedViews::read(&file).unwrap();
    press(&mut app, "' enter");
    let notice = app.shared.notice.clone().unwrap();
    assert!(notice.ends_with("left out of the view: model"), "{notice}");
    let mut elsewhere = opened(LOGS);
    elsewhere.shared.saved = app.shared.saved.clone();
    press(&mut elsewhere, "'");
    assert!(!screen(&mut elsewhere, 100, 30).contains("hard ones"));
}

#[test]
fn a_saved_view_is_deleted_where_it_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("views.toml");
    let mut app = opened(LOGS);
    save_view(&mut app, &file, "one");
    press(&mut app, "'");
    let delete = KeyEvent::new(KeyCode::Delete, KeyModifiers::NONE);
    let effects = app.on_key(delete);
    assert!(
        matches!(effects.as_slice(), [Effect::ChangeViews(SavedViewChange::Delete(name))] if name == "one"),
        "{effects:?}"
    );
    assert!(!screen(&mut app, 100, 30).contains("saved view"));
    assert!(app.on_key(delete).is_empty(), "a model is not deleted");
}

#[test]
fn a_saved_sample_replaces_a_list_that_was_opened_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("views.toml");
    let mut app = opened("sample_runs/exam");
    press(&mut app, "3 down enter");
    let key = |app: &App| app.shared.table.key(app.row_under_cursor().unwrap());
    let before = key(&app);
    save_view(&mut app, &file, "zzz");
    press(&mut app, "'");
    type_text(&mut app, "color0079");
    press(&mut app, "enter");
    assert_ne!(key(&app), before);
    press(&mut app, "'");
    type_text(&mut app, "zzz");
    press(&mut app, "enter");
    assert_eq!((app.shared.view, key(&app)), (ViewId::Sample, before));
    assert!(app.shared.list.rows.len() > 5);
}

#[test]
fn nothing_of_the_current_place_stays_in_a_saved_view() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("views.toml");
    let mut app = opened("sample_runs/exam");
    let [a, b] = app.shared.compared().unwrap();
    (app.shared.lens.model, app.shared.lens.versus) = (Some(a), Some(b));
    app.shared.lens.step = "correct:true".to_owned();
    press(&mut app, "3");
    let before = app.shared.lens.clone();
    assert_eq!(before.step, "correct:true");
    save_view(&mut app, &file, "zzz");
    press(&mut app, "2 # s /");
    type_text(&mut app, "correct:false");
    press(&mut app, "enter");
    assert_ne!(app.shared.lens, before);
    press(&mut app, "'");
    type_text(&mut app, "zzz");
    press(&mut app, "enter");
    assert_eq!(app.shared.lens, before);
    assert_eq!(
        (app.shared.notice.as_ref(), app.shared.cut.bins.as_ref()),
        (None, None)
    );
}
