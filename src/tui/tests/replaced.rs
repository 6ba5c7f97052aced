//! Tests that the same items stay on screen when the table is replaced.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

use base::job::Failure;

use super::{answer, opened, press, replaced, screen, settle, whole};
use crate::app::App;
use crate::effect::Effect;
use crate::keymap::ViewId;
use crate::shared::Loading;
use crate::widget::theme::{ColorDepth, Theme};
use engine::{Detail, Query};
use record::verdict::Entry;
use record::{PredictionKey, Row, RowMap, Table};
use workspace::Lens;
use workspace::load::{DownloadProgress, Progress, Request, load};
use workspace::open::{Change, Event};

/// Adds a log of `model` to a folder, with 30 samples numbered from `first` and distinct answers.
fn write(folder: &Path, name: &str, model: &str, first: usize) {
    let path = folder.join(name).join("run.eyechart.jsonl");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut text = String::new();
    for number in first..first + 30 {
        writeln!(
            text,
            r#"{{"sample_id":"s{number}","benchmark":"b","ability":"counting","model":"{model}","question":"how many in {number}?","target":"{}","response":"{number}"}}"#,
            number % 7
        )
        .unwrap();
    }
    std::fs::write(path, text).unwrap();
}

fn read(folder: &Path) -> Table {
    let request = Request {
        paths: vec![folder.to_path_buf()],
        ..Request::default()
    };
    load(&request, &mut |_| ControlFlow::Continue(()))
}

/// Returns an app with one run, an event with a table in which a rerun comes first, and the folder
/// of both.
fn rerun() -> (App, Event, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "runs", "m", 0);
    let before = read(folder.path());
    write(folder.path(), "reruns", "n", 20);
    let after = read(folder.path());
    let moved = RowMap::between(&before, &after);
    assert_ne!(
        moved.row(Row(0)),
        Some(Row(0)),
        "the rerun sorts before the run"
    );
    let mut app = app();
    let effects = app.receive(whole(before));
    settle(&mut app, effects);
    (app, replaced(after, moved, Change::Whole), folder)
}

fn app() -> App {
    let theme = Theme::named("dark").unwrap();
    let mut app = App::new(&theme, ColorDepth::True, Lens::default());
    app.shared.verdicts.author = "ada".to_owned();
    app
}

fn here(app: &App) -> PredictionKey {
    app.shared.table.key(app.row_under_cursor().unwrap())
}

/// Presses a key and returns the verdicts to save.
fn judged(app: &mut App, key: char) -> Vec<Entry> {
    let effects = app.on_key(crossterm::event::KeyCode::Char(key).into());
    let (kept, others): (Vec<_>, Vec<_>) = effects
        .into_iter()
        .partition(|effect| matches!(effect, Effect::SaveVerdict(_)));
    settle(app, others);
    let entry = |effect| match effect {
        Effect::SaveVerdict(entry) => Some(*entry),
        _ => None,
    };
    kept.into_iter().filter_map(entry).collect()
}

#[test]
fn a_verdict_goes_to_the_sample_on_screen_when_a_rerun_lands_during_a_spot_check() {
    let (mut app, landed, _folder) = rerun();
    press(&mut app, "7 - - - - d n n n");
    let (sample, check) = (here(&app), app.shared.verdicts.check.len());
    let number = sample.item.sample_id.trim_start_matches('s');
    let question = format!("how many in {number}?");
    assert!(screen(&mut app, 100, 30).contains(&question));
    let effects = app.receive(landed);
    settle(&mut app, effects);
    assert_eq!(
        (here(&app), app.shared.verdicts.check.len()),
        (sample.clone(), check)
    );
    let shown = screen(&mut app, 100, 30);
    assert!(
        shown.contains(&question) && shown.contains("spot check"),
        "{shown}"
    );
    let kept = judged(&mut app, 'x');
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].sample.sample_id, sample.item.sample_id);
    assert!(
        kept[0].drawn && app.shared.view == ViewId::Sample,
        "the check goes on"
    );
}

#[test]
fn the_cursor_and_the_way_back_stay_at_their_samples() {
    let (mut app, landed, _folder) = rerun();
    press(&mut app, "3 down down down");
    let first = here(&app);
    press(&mut app, "1 enter down down down down down");
    assert!(app.shared.view == ViewId::Samples && app.shared.lens.ability.is_some());
    let second = here(&app);
    assert_ne!(first, second);
    let effects = app.receive(landed);
    settle(&mut app, effects);
    assert_eq!(here(&app), second);
    assert_eq!(app.shared.table.len(), 60);
    press(&mut app, "esc esc");
    assert!(app.shared.view == ViewId::Samples && app.shared.lens.ability.is_none());
    assert_eq!(here(&app), first);
    assert_ne!(app.shared.list.table.selected, 3, "it stands elsewhere");
}

#[test]
fn an_answer_of_another_table_is_dropped_and_asked_again() {
    let (mut app, landed, _folder) = rerun();
    let effects = app.go(ViewId::Samples);
    settle(&mut app, effects);
    let row = app.row_under_cursor().unwrap();
    let record: Query = Detail {
        row,
        scoring: app.shared.lens.scoring,
        with_maps: true,
    }
    .into();
    let list: Query = app.shared.samples_query().into();
    let answers = [record, list].map(|query| (answer(&app, &query), query));
    let [(record, of_record), (rows, list)] = answers;
    let before = app.shared.table.generation();
    let effects = app.receive(landed);
    assert!(app.receive_answer(of_record, before, record).is_empty());
    assert!(
        !app.shared.fetched.details.contains(&row.0),
        "it is another sample's record"
    );
    let known = app.shared.list.rows.clone();
    let again = app.receive_answer(list, before, rows);
    assert_eq!(app.shared.list.rows, known);
    assert!(matches!(again.as_slice(), [Effect::Ask(_)]));
    settle(&mut app, effects);
    settle(&mut app, again);
    assert_eq!(app.shared.list.rows.len(), 60);
    press(&mut app, "enter");
    let row = app.row_under_cursor().unwrap();
    let detail = app.shared.fetched.details.get(&row.0);
    let detail = detail.expect("it was asked for").as_ref();
    let detail = detail.expect("the record is there");
    assert_eq!(
        app.shared.table.key(row).item.sample_id,
        detail.list.sample_id
    );
}

#[test]
fn a_reader_that_fails_is_told_and_nothing_is_said_to_be_read_any_more() {
    let mut app = app();
    let progress = Progress {
        done: 1,
        total: 3,
        records: 10,
        fetch: None,
    };
    app.receive(Event::Progress(progress));
    assert!(screen(&mut app, 100, 30).contains("33 %"));
    let table = opened("tests/fixtures/ava_bench").shared.table;
    let effects = app.receive(replaced(table, RowMap::Nowhere, Change::Part));
    settle(&mut app, effects);
    let failure = Failure {
        who: "log reader",
        why: "line 7 is odd".to_owned(),
    };
    let effects = app.receive(Event::ReaderFailed(failure));
    settle(&mut app, effects);
    let shown = screen(&mut app, 100, 30);
    let told = shown.contains("reading failed: line 7 is odd");
    assert!(told && !shown.contains("33 %"), "{shown}");
    app.receive(Event::Progress(progress));
    assert!(
        matches!(app.shared.loading, Loading::Failed(_)),
        "it is over"
    );
    assert!(
        app.shared
            .answers
            .scores
            .iter()
            .any(|score| score.ci.is_some()),
        "what was read is complete"
    );
    press(&mut app, "3");
    assert!(!app.shared.list.rows.is_empty());
}

#[test]
fn a_store_is_named_while_it_is_fetched_and_its_verdicts_are_read_with_its_logs() {
    let mut app = app();
    let request = Request {
        paths: vec!["s3://team/evals".into()],
        ..Request::default()
    };
    app.receive(Event::Opened(Box::new(request)));
    let progress = |all_objects| store::Progress {
        listed: 1200,
        objects: 3,
        all_objects,
        bytes: 1_250_000,
        all_bytes: 3_400_000,
    };
    for (all, words) in [
        (0, "fetching s3://team/evals: listing, 1,200 objects"),
        (
            12,
            "fetching s3://team/evals: 3 of 12 objects, 1.2 MB of 3.4 MB",
        ),
    ] {
        app.receive(Event::Progress(Progress {
            fetch: Some(DownloadProgress {
                which: 0,
                progress: progress(all),
            }),
            ..Progress::default()
        }));
        let shown = screen(&mut app, 120, 30);
        assert!(shown.contains(words), "{shown}");
    }
    let table = opened("tests/fixtures/ava_bench").shared.table;
    let effects = app.receive(whole(table));
    let reads = |effect: &Effect| matches!(effect, Effect::ReadVerdicts);
    assert_eq!(effects.iter().filter(|effect| reads(effect)).count(), 1);
    settle(&mut app, effects);
    let shown = screen(&mut app, 120, 30);
    assert!(
        shown.contains("s3://team/evals") && !shown.contains("fetching"),
        "{shown}"
    );
}
