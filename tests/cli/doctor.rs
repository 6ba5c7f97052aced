//! Tests `eyechart doctor` without a terminal, and with unusable files.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{list, one, program, run};

/// Findings with the given environment variables only.
fn doctor(folder: &Path, variables: &[(&str, &str)]) -> Value {
    let mut command = program();
    for name in [
        "TMUX",
        "NO_COLOR",
        "COLORTERM",
        "SSH_CONNECTION",
        "SSH_TTY",
        "LC_ALL",
        "LC_CTYPE",
        "WT_SESSION",
    ] {
        command.env_remove(name);
    }
    command
        .args(["doctor", "--format", "json"])
        .env("EYECHART_CONFIG", folder.join("config.toml"))
        .env("EYECHART_STATE", folder)
        .envs(variables.iter().copied());
    let output = command.output().expect("the program runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn of<'a>(document: &'a Value, what: &str, field: &str) -> &'a str {
    let found = one(list(document, "findings"), &[("what", what)]);
    found[field].as_str().unwrap_or_default()
}

#[test]
fn without_a_terminal_it_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let found = doctor(
        folder.path(),
        &[("TERM", "xterm-256color"), ("LANG", "C.UTF-8")],
    );
    assert_eq!(found["schema"], "eyechart.doctor/1");
    assert!(of(&found, "pictures", "value").contains("not a terminal"));
    assert!(of(&found, "pictures", "better").contains("without a pipe"));
    assert!(of(&found, "size", "value").contains("not a terminal"));
    assert!(of(&found, "colours", "value").starts_with("256"));
    assert_eq!(of(&found, "characters", "better"), "");
    assert!(of(&found, "config", "value").contains("missing"));
    assert!(of(&found, "sessions", "value").contains(folder.path().to_str().expect("UTF-8")));
    assert!(of(&found, "version", "value").contains(env!("CARGO_PKG_VERSION")));
}

#[test]
fn files_that_cannot_be_used_are_named_with_their_line() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("config.toml"), "\nteme = 'light'").expect("written");
    let found = doctor(folder.path(), &[]);
    let value = of(&found, "config", "value");
    for part in ["config.toml", "line 2", "teme", "the nearest is `theme`"] {
        assert!(value.contains(part), "{value}");
    }
    fs::write(folder.path().join("config.toml"), "").expect("written");
    fs::write(
        folder.path().join("keymap.toml"),
        "bind = [\n{ action = 'qiut', keys = [] }]",
    )
    .expect("written");
    let found = doctor(folder.path(), &[]);
    let value = of(&found, "keymap", "value");
    assert!(
        value.contains("keymap.toml: line 2: there is no action `qiut`"),
        "{value}"
    );
}

#[test]
fn every_row_of_every_format_is_there() {
    for format in ["table", "jsonl", "csv", "markdown"] {
        let run = run(&["doctor", "--format", format]);
        assert_eq!(run.code, 0, "{format}");
        for what in [
            "terminal",
            "colours",
            "pictures",
            "clipboard",
            "sample runs",
        ] {
            assert!(run.stdout.contains(what), "{format}: {what}");
        }
        assert!(!run.stdout.contains('\u{1b}'), "{format}");
    }
}
