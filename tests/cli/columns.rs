//! Tests tables with column names of their own.

use std::process::Command;

use serde_json::Value;

use crate::support::{all, arg, fixture, list};

/// Runs the program with a config file and without saved state. Returns exit code, stdout and
/// stderr.
fn run_with(config: &str, args: &[&str]) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("config.toml");
    std::fs::write(&file, config).expect("a config file");
    let output = Command::new(env!("CARGO_BIN_EXE_eyechart"))
        .args(args)
        .env("EYECHART_CONFIG", file)
        .env("EYECHART_STATE", folder.path())
        .output()
        .expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn check_names_what_is_unknown_and_its_suggestion_opens_the_file() {
    for name in ["columns/other.csv", "columns/other.parquet"] {
        let file = fixture(name);
        let (_, out, suggested) = run_with("", &["check", arg(&file)]);
        assert!(
            out.contains("[[columns]]") && out.contains("question_id"),
            "{out}"
        );
        let start = suggested.find("[[columns]]").unwrap();
        let end = suggested[start..]
            .find("\n\n")
            .map_or(suggested.len(), |end| start + end);
        let config = &suggested[start..end];
        let args = ["report", arg(&file), "--format", "json"];
        let (code, out, err) = run_with(config, &args);
        assert_eq!(code, Some(0), "{err}\n{config}");
        let report: Value = serde_json::from_str(&out).unwrap();
        let scores = all(list(&report, "scores"), &[("ability", "color")]);
        assert_eq!(
            (&scores[0]["score"], &scores[0]["model"]),
            (&0.5.into(), &"other".into())
        );
    }
}

#[test]
fn a_folder_without_any_known_log_says_why() {
    let (code, _, err) = run_with("", &["report", arg(&fixture("columns"))]);
    assert_eq!(code, Some(1));
    assert!(
        err.contains("other.csv") && err.contains("[[columns]]"),
        "{err}"
    );
}

#[test]
fn a_misspelt_field_of_a_map_is_named() {
    let config = "[[columns]]\nrespones = 'pred'\n";
    let (code, _, err) = run_with(config, &["check", arg(&fixture("columns"))]);
    assert_eq!(code, Some(1));
    assert!(
        err.contains("respones") && err.contains("`response`"),
        "{err}"
    );
}
