//! Tests that `Y` copies a command that prints the data on screen.

use base::job::FOR_GOOD;
use clap::Parser as _;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{opened, press, screen};
use crate::app::App;
use crate::effect::Effect;
use crate::keymap::ViewId;
use command::cli::{Cli, Command};
use engine::{Engine, Memory};
use record::Row;
use workspace::Lens;

/// Parses the copied command, with quotes as in a shell.
fn copied(app: &mut App) -> Command {
    let effects = app.on_key(KeyEvent::new(KeyCode::Char('Y'), KeyModifiers::NONE));
    app.popups.clear();
    let [Effect::Copy(text)] = effects.as_slice() else {
        panic!("nothing is copied: {effects:?}")
    };
    let script = format!("set -- {text}; for word; do printf '%s\\n' \"$word\"; done");
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .output()
        .unwrap();
    let words = String::from_utf8(output.stdout).unwrap();
    let command = Cli::try_parse_from(words.lines()).unwrap().command;
    command.expect("a command")
}

#[test]
fn the_list_is_what_the_command_prints() {
    for keys in [
        "3",
        "3 a",
        "3 a m",
        "s 3 a , .",
        "right enter",
        "2 t enter",
        "2 # down enter",
        "2 # # t down down enter",
        "b right enter m",
        "4 enter",
    ] {
        let mut app = opened("tests/fixtures");
        press(&mut app, "esc 1");
        press(&mut app, keys);
        assert_eq!(app.shared.view, ViewId::Samples, "{keys}");
        assert!(!app.shared.list.rows.is_empty(), "{keys}");
        assert_rows_of_command(&mut app, keys);
    }
}

/// Asserts that the copied command prints the same rows as the screen.
fn assert_rows_of_command(app: &mut App, way: &str) {
    let shown = app.shared.list.rows.clone();
    let Command::Samples(args) = copied(app) else {
        panic!("no samples: {way}")
    };
    let query = engine::Samples::try_from(&args).unwrap();
    let engine = Memory::new(app.shared.table.clone(), Default::default());
    let rows = engine.ask(&query, &FOR_GOOD).unwrap().rows;
    assert_eq!(rows, shown, "{way}: {query:?}");
}

/// Presses a key, and checks the invariants after it.
fn walk(app: &mut App, key: &str, way: &str) {
    let (from, before) = (app.shared.view, app.shared.lens.clone());
    press(app, key);
    app.popups.clear();
    let lens = &app.shared.lens;
    match app.shared.view {
        ViewId::Overview | ViewId::Fingerprint => assert_eq!(*lens, lens.whole(), "{way}"),
        ViewId::Samples => {
            if key == "3" && !matches!(from, ViewId::Sample | ViewId::Samples) {
                assert_eq!(app.shared.list.table.selected, 0, "{way}");
            }
            if key == "3" && from != ViewId::Overview {
                assert_eq!(*lens, before, "{way}");
            }
            assert_rows_of_command(app, way);
        }
        ViewId::Live if from == ViewId::Samples && key == "6" => {
            let compared = Lens {
                versus: None,
                ..before
            };
            assert_eq!(*lens, compared, "{way}");
        }
        _ => {}
    }
}

/// After any sequence of keys, the list shows the samples of the lens, and cursors never filter the
/// list.
#[test]
fn the_list_is_what_the_command_prints_after_any_keys() {
    const KEYS: [&str; 32] = [
        "0", "1", "2", "3", "3", "4", "5", "6", "7", "enter", "enter", "enter", "esc", "esc",
        "down", "down", "right", "left", "up", "a", "m", "b", "t", "#", "s", ",", ".", "w", "tab",
        "F", "space", "n",
    ];
    let mut app = opened("tests/fixtures/ava_bench");
    let mut seed: u64 = 7;
    let mut way = String::new();
    for _ in 0..300 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let key = KEYS[(seed >> 33) as usize % KEYS.len()];
        way = format!("{way} {key}");
        walk(&mut app, key, &way);
    }
}

/// The same test, but frames are drawn, so that keys also reach the side panes.
#[test]
fn the_list_is_what_the_command_prints_in_every_pane() {
    const KEYS: [&str; 16] = [
        "4", "tab", "tab", "tab", "down", "down", "up", "left", "right", "enter", "enter", "esc",
        "3", "1", "!", "%",
    ];
    let mut app = opened("tests/fixtures/ava_bench");
    let mut seed: u64 = 11;
    let mut way = String::new();
    for _ in 0..200 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let key = KEYS[(seed >> 33) as usize % KEYS.len()];
        way = format!("{way} {key}");
        walk(&mut app, key, &way);
        screen(&mut app, 120, 50);
    }
}

#[test]
fn each_view_has_its_command() {
    let mut app = opened("tests/fixtures");
    press(&mut app, "esc 1");
    assert!(matches!(copied(&mut app), Command::Report(args) if args.by.is_none()));
    press(&mut app, "2 t");
    assert!(
        matches!(copied(&mut app), Command::Report(args) if args.by == app.shared.split().map(|split| split.text))
    );
    press(&mut app, "3 a enter");
    let id = app
        .shared
        .table
        .sample_id(app.shared.table.item(Row(app.shared.list.rows[0])))
        .to_owned();
    assert!(matches!(copied(&mut app), Command::Show(args) if args.sample == id));
    press(&mut app, "4");
    assert!(matches!(copied(&mut app), Command::Compare(_)));
    press(&mut app, "7 i");
    assert!(matches!(copied(&mut app), Command::Verdicts(args) if args.drop_ambiguous));
    press(&mut app, "1 R");
    assert!(matches!(copied(&mut app), Command::Ranks(_)));
    press(&mut app, "D");
    assert!(matches!(copied(&mut app), Command::Scorers(_)));
    press(&mut app, "4 f");
    assert!(matches!(copied(&mut app), Command::Slices(args) if args.compare.len() == 2));
}
