//! Tests writing files and copying screens as Markdown.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use clap::Parser as _;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{opened, press, screen, settle};
use crate::app::App;
use crate::effect::Effect;
use crate::keymap::ViewId;
use crate::order::{OutputContent, WriteJob, WriteSources, write};
use crate::shared::LargeState;
use base::file::Inputs;
use base::job::FOR_GOOD;
use command::cli::{Cli, Command};
use engine::{Engine, Large, Memory, PublishedSet};
use workspace::load::{LoadedData, PartialTables, Request, open_any};
use workspace::publish::{Folder, PictureCopies, publish};

/// Presses a key and returns its effects.
fn key(app: &mut App, code: KeyCode) -> Vec<Effect> {
    app.on_key(KeyEvent::new(code, KeyModifiers::NONE))
}

/// Types and submits a text. Returns the file to write, if there is one.
fn submitted(app: &mut App, text: &str) -> Option<WriteJob> {
    for c in text.chars() {
        let effects = key(app, KeyCode::Char(c));
        settle(app, effects);
    }
    match key(app, KeyCode::Enter).as_slice() {
        [Effect::Write(writing)] => Some((**writing).clone()),
        _ => None,
    }
}

/// Types a text into the palette. Returns the file to write.
fn ordered(app: &mut App, text: &str) -> Option<WriteJob> {
    press(app, ":");
    submitted(app, text)
}

fn sources(app: &App, inputs: Inputs) -> WriteSources {
    WriteSources {
        request: app.shared.request.clone(),
        prices: app.shared.prices.clone(),
        inputs,
    }
}

/// Writes a file like the event loop, and reports it to the app. Returns the notice.
fn made(app: &mut App, writing: &WriteJob, inputs: &Inputs) -> String {
    let book = std::sync::Arc::clone(&app.shared.verdicts.book);
    let engine = Memory::new(app.shared.table.clone(), book);
    let sources = sources(app, inputs.clone());
    let written = write(writing, &engine, &sources, &FOR_GOOD);
    app.receive_written(written);
    app.shared.notice.clone().unwrap()
}

fn named(folder: &Path, word: &str, name: &str) -> String {
    format!("{word} {}", folder.join(name).display())
}

#[test]
fn the_palette_writes_the_report_of_the_lens() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = opened("tests/fixtures/ava_bench");
    let writing = ordered(&mut app, &named(folder.path(), "report", "r.html")).unwrap();
    assert!(app.popups.is_empty());
    let OutputContent::Report(query) = &writing.what else {
        panic!("{writing:?}")
    };
    assert_eq!(**query, engine::Report::over(&query.scope));
    assert!(
        screen(&mut app, 160, 24).contains("writing "),
        "while it is written"
    );
    let inputs = app.shared.request.inputs(&app.shared.table, []);
    let said = made(&mut app, &writing, &inputs);
    assert!(
        said.contains("r.html written, ") && said.ends_with("B"),
        "{said}"
    );
    let page = fs::read_to_string(folder.path().join("r.html")).unwrap();
    assert!(
        page.contains("<article") && page.contains("dinov2"),
        "{page}"
    );
    assert!(!screen(&mut app, 160, 24).contains("writing "));
}

#[test]
fn a_report_holds_the_command_that_asks_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for (keys, compares) in [
        ("", false),
        ("4", true),
        ("space down space", true),
        ("3 a m", false),
    ] {
        let mut app = opened("tests/fixtures/ava_bench");
        press(&mut app, keys);
        let writing = ordered(&mut app, &named(folder.path(), "report", "r.json")).unwrap();
        let OutputContent::Report(query) = &writing.what else {
            panic!("{writing:?}")
        };
        assert_eq!(query.compare.is_some(), compares, "{keys}");
        let inputs = app.shared.request.inputs(&app.shared.table, []);
        made(&mut app, &writing, &inputs);
        let text = fs::read_to_string(folder.path().join("r.json")).unwrap();
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(report.get("compare").is_some(), compares);
        let words = report["command"].as_array().unwrap().iter();
        let words = words.map(|word| word.as_str().unwrap().to_owned());
        let Some(Command::Report(args)) = Cli::try_parse_from(words).unwrap().command else {
            panic!("no report")
        };
        assert_eq!(engine::Report::from(&args), **query, "{keys}");
        assert_eq!(args.common.input.paths, app.shared.request.paths);
        assert_eq!(
            args.common.output.out.as_deref(),
            Some(writing.target.path.as_path())
        );
    }
}

#[test]
fn the_samples_of_the_lens_are_exported() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "3 a m");
    let rows = app.shared.list.rows.len();
    for name in ["s.csv", "s.jsonl", "s.parquet"] {
        let writing = ordered(&mut app, &named(folder.path(), "export", name)).unwrap();
        let inputs = app.shared.request.inputs(&app.shared.table, []);
        let said = made(&mut app, &writing, &inputs);
        assert!(said.contains(&format!("{name} written")), "{said}");
    }
    let lines = fs::read_to_string(folder.path().join("s.jsonl")).unwrap();
    let samples = lines.lines().filter(|line| line.contains("\"sample_id\""));
    assert_eq!(samples.count(), rows);
    let again = opened_at(&folder.path().join("s.jsonl"));
    assert_eq!(again.shared.table.len(), rows, "it opens again");
}

/// Opens an app with one file.
fn opened_at(path: &Path) -> App {
    opened(path.to_str().unwrap())
}

#[test]
fn what_is_read_is_not_replaced_and_a_wrong_name_says_what_is_right() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("a.eyechart.jsonl");
    let line = r#"{"sample_id": "s", "model": "m", "ability": "ocr", "response": "a", "score": 1}"#;
    fs::write(&log, line).unwrap();
    let mut app = opened_at(&log);
    let inputs = app.shared.request.inputs(&app.shared.table, []);
    for word in ["report", "export"] {
        let writing = ordered(&mut app, &format!("{word} {}", log.display())).unwrap();
        let said = made(&mut app, &writing, &inputs);
        assert!(said.contains("it is not changed"), "{said}");
        assert!(app.shared.writing.is_empty());
    }
    assert_eq!(fs::read_to_string(&log).unwrap(), line);
    assert_eq!(ordered(&mut app, "report x.doc"), None);
    let said = app.shared.notice.clone().unwrap();
    assert!(said.contains("must end in .html"), "{said}");
    let gone = ordered(&mut app, &named(folder.path(), "report", "no/r.html")).unwrap();
    let said = made(&mut app, &gone, &inputs);
    assert!(said.starts_with("not written: "), "{said}");
    let mut empty = opened("tests/fixtures/none");
    assert_eq!(ordered(&mut empty, "report x.html"), None);
}

#[test]
fn without_a_name_the_file_has_a_usual_one() {
    let mut app = opened("tests/fixtures/ava_bench");
    let by_word = ordered(&mut app, "report").unwrap();
    assert!(by_word.target.is_usual);
    assert_eq!(by_word.target.path, Path::new("ava-bench-report.html"));
    press(&mut app, "e");
    let shown = screen(&mut app, 80, 24);
    let offer = "Enter writes the report to ava-bench-report.html";
    assert!(shown.contains(offer), "{shown}");
    assert!(
        shown.contains("or a name that ends in .html, .md"),
        "{shown}"
    );
    let by_key = submitted(&mut app, "").unwrap();
    assert_eq!(by_key, by_word);
    press(&mut app, "E");
    let export = submitted(&mut app, "").unwrap();
    assert_eq!(export.target.path, Path::new("ava-bench-samples.csv"));
    assert!(matches!(export.what, OutputContent::Export(_)));
}

#[test]
fn three_keys_and_a_name_hand_on_a_report() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "e");
    let writing = submitted(&mut app, "mine.html").unwrap();
    assert_eq!(writing.target.path, Path::new("mine.html"));
}

#[test]
fn leaving_does_not_lose_a_file_in_silence() {
    let mut app = opened("tests/fixtures/ava_bench");
    ordered(&mut app, "report mine.html").unwrap();
    assert!(key(&mut app, KeyCode::Char('q')).is_empty());
    let said = app.shared.notice.clone().unwrap();
    assert!(said.contains("mine.html is still being written"), "{said}");
    let effects = key(&mut app, KeyCode::Char('q'));
    assert!(matches!(effects.as_slice(), [Effect::Quit]));
}

/// Returns the text copied from the screen.
fn copied(app: &mut App) -> String {
    screen(app, 160, 50);
    let effects = app.on_key(KeyEvent::new(KeyCode::Char('y'), KeyModifiers::CONTROL));
    match effects.as_slice() {
        [Effect::Copy(text)] => text.clone(),
        other => panic!("nothing is copied: {other:?}"),
    }
}

/// Asserts that a text is one Markdown table. Returns its rows, starting with the titles.
fn rows(text: &str) -> Vec<Vec<String>> {
    let lines: Vec<&str> = text.lines().collect();
    let cells = |line: &&str| {
        let inner = line.strip_prefix("| ").unwrap().strip_suffix(" |").unwrap();
        let cells = inner.split(" | ").map(str::to_owned);
        cells.collect::<Vec<_>>()
    };
    let rows: Vec<Vec<String>> = lines.iter().map(cells).collect();
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{text}");
    assert!(rows[1].iter().all(|cell| cell.starts_with("---")), "{text}");
    rows
}

#[test]
fn every_table_is_copied_as_markdown() {
    let mut app = opened("tests/fixtures/ava_bench");
    let fingerprint = rows(&copied(&mut app));
    assert_eq!(
        fingerprint[0][..3],
        ["model", "average rank", "absolute depth"]
    );
    let models = app.shared.models().len();
    assert_eq!(fingerprint.len(), models + 2);
    assert!(fingerprint[2].iter().any(|cell| cell.starts_with('1')));
    press(&mut app, "2");
    let subgroups = rows(&copied(&mut app));
    assert_eq!(subgroups[0].len(), 4, "bin, score, interval and n");
    assert!(subgroups.len() > 3);
    press(&mut app, "3");
    let list = rows(&copied(&mut app));
    assert!(list[0].contains(&"answer".to_owned()), "{:?}", list[0]);
    assert!(list.len() > 20 && list.len() < 60, "what is in sight");
    let ids = list.iter().skip(2).map(|row| &row[1]);
    assert!(ids.clone().all(|id| !id.is_empty()));
    press(&mut app, "v v");
    let matrix = rows(&copied(&mut app));
    assert_eq!(matrix[0][..2], ["sample", "target"]);
    assert!(matrix[2].iter().any(|cell| cell.starts_with('✓')));
    press(&mut app, "v 4");
    let compare = rows(&copied(&mut app));
    assert!(compare[0][0].starts_with("by "), "{:?}", compare[0]);
    assert!(
        compare[0].iter().any(|title| title.starts_with("A ")),
        "{:?}",
        compare[0]
    );
    assert!(!compare[0].iter().any(|title| title.contains('◂')));
    let mut rotated = opened("tests/fixtures/vlmevalkit");
    press(&mut rotated, "5");
    let reliability = rows(&copied(&mut rotated));
    assert_eq!(reliability[0][..3], ["ability", "model", "n"]);
    assert_eq!(
        reliability.len(),
        rotated.shared.answers.reliability.len() + 2
    );
    let mut several = opened("sample_runs");
    assert_eq!(several.shared.view, ViewId::Overview);
    assert_eq!(rows(&copied(&mut several))[0][0], "benchmark");
}

#[test]
fn where_there_is_no_table_nothing_is_copied() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "6");
    let key = KeyEvent::new(KeyCode::Char('y'), KeyModifiers::CONTROL);
    assert!(app.on_key(key).is_empty());
    assert_eq!(app.shared.notice.as_deref(), Some("no table is shown"));
}

#[test]
fn a_report_of_a_large_data_set_is_written_from_its_sums() {
    base::limits::set([(base::limits::Limit::WholeSet, 0)].into());
    let folder = tempfile::tempdir().unwrap();
    let mut app = opened("tests/fixtures/ava_bench");
    let set = folder.path().join("set");
    let published = publish(
        &app.shared.table,
        &Folder::new(&set),
        PictureCopies::Skip,
        &|_| (),
    );
    let n = published.unwrap().n;
    let request = Request {
        paths: vec![set],
        ..Request::default()
    };
    let mut go_on = |_| ControlFlow::Continue(());
    let LoadedData::Large(large) = open_any(&request, PartialTables::Skip, &mut go_on) else {
        panic!("it is read whole");
    };
    let large = Large::new(
        Arc::new(PublishedSet::new(Arc::from(large))),
        Arc::default(),
    );
    app.shared.large = Some(LargeState::from(&large));
    assert_eq!(app.shared.large.as_ref().unwrap().n, n);
    let report = |app: &mut App, engine: &dyn Engine, name: &str| -> serde_json::Value {
        let writing = ordered(app, &named(folder.path(), "report", name)).unwrap();
        let sources = sources(app, Inputs::none());
        let written = write(&writing, engine, &sources, &FOR_GOOD);
        assert!(written.words.contains("written,"), "{}", written.words);
        let text = fs::read_to_string(folder.path().join(name)).unwrap();
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        report["scores"].clone()
    };
    let memory = Memory::new(app.shared.table.clone(), Arc::default());
    let [found, wanted] = [
        report(&mut app, &large, "sums.json"),
        report(&mut app, &memory, "rows.json"),
    ];
    let rows = |scores: &serde_json::Value| {
        let rows = scores.as_array().unwrap().iter();
        let row = |row: &serde_json::Value| {
            let score = row["score"].as_f64().map(|score| format!("{score:.9}"));
            (row["model"].clone(), row["ability"].clone(), score)
        };
        rows.map(row).collect::<Vec<_>>()
    };
    assert!(!rows(&found).is_empty());
    assert_eq!(rows(&found), rows(&wanted));
    let export = ordered(&mut app, &named(folder.path(), "export", "s.jsonl")).unwrap();
    let sources = sources(&app, Inputs::none());
    let written = write(&export, &large, &sources, &FOR_GOOD);
    assert!(written.words.contains("written,"), "{}", written.words);
}
