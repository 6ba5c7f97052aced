//! Runs the program and parses its output.

// Each test target uses only some of these functions.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Result of one run.
pub struct Run {
    /// Exit code of the process.
    pub code: i32,
    /// Standard output, checked to be UTF-8.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// Fixture folders, one per harness.
pub const HARNESSES: [&str; 7] = [
    "ava_bench",
    "coco",
    "inspect_ai",
    "lm_eval",
    "lmms_eval",
    "taskit",
    "vlmevalkit",
];

/// Path of a file or folder in `tests/fixtures`.
pub fn fixture(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(path)
}

/// Folder of the shipped sample runs and tables.
pub fn sample_runs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs")
}

/// A path as a command line argument.
pub fn arg(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// The program as a command.
pub fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_eyechart"))
}

/// Runs the program in the project's folder.
pub fn run(args: &[&str]) -> Run {
    run_in(Path::new(env!("CARGO_MANIFEST_DIR")), args)
}

/// Runs the program in a folder.
pub fn run_in(folder: &Path, args: &[&str]) -> Run {
    let output = program()
        .args(args)
        .current_dir(folder)
        .output()
        .expect("the program runs");
    Run {
        code: output.status.code().expect("no signal ended the program"),
        stdout: String::from_utf8(output.stdout).expect("UTF-8 on stdout"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8 on stderr"),
    }
}

/// Runs the program, and parses its JSON output. Asserts that the program succeeds.
pub fn eyechart(args: &[&str]) -> Value {
    let run = run(&[args, &["--format", "json"]].concat());
    assert_eq!(run.code, 0, "{args:?}: {}", run.stderr);
    serde_json::from_str(&run.stdout).expect("JSON on stdout")
}

/// Rows of a report without their evidence. A converted log contains the metric of every score and
/// has no omitted rows, so its evidence differs.
pub fn without_evidence(rows: &Value) -> Value {
    let mut rows = rows.clone();
    for row in rows.as_array_mut().into_iter().flatten() {
        if let Some(row) = row.as_object_mut() {
            row.remove("evidence");
        }
    }
    rows
}

/// Like [`eyechart`], with paths in environment variables.
pub fn eyechart_with(variables: &[(&str, &Path)], args: &[&str]) -> Value {
    let output = program()
        .args(args)
        .args(["--format", "json"])
        .envs(variables.iter().copied())
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {said}");
    serde_json::from_slice(&output.stdout).expect("JSON on stdout")
}

/// Returns a list in a document.
pub fn list<'a>(document: &'a Value, key: &str) -> &'a [Value] {
    document[key]
        .as_array()
        .unwrap_or_else(|| panic!("no list `{key}` in {document}"))
}

/// The only object of a list whose fields have these values.
pub fn one<'a>(objects: &'a [Value], fields: &[(&str, &str)]) -> &'a Value {
    let found = all(objects, fields);
    assert_eq!(found.len(), 1, "{fields:?}: {found:?}");
    found[0]
}

/// All objects of a list whose fields have these values.
pub fn all<'a>(objects: &'a [Value], fields: &[(&str, &str)]) -> Vec<&'a Value> {
    let has = |object: &&Value| fields.iter().all(|(key, value)| object[*key] == **value);
    objects.iter().filter(has).collect()
}

/// The values of a text field in some objects.
pub fn texts<'a>(objects: &'a [Value], key: &str) -> Vec<&'a str> {
    objects
        .iter()
        .map(|object| object[key].as_str().unwrap_or_default())
        .collect()
}

/// Asserts that a number differs from the expected number by at most a tolerance.
pub fn assert_near(found: &Value, expected: f64, within: f64, what: &str) {
    let near = found
        .as_f64()
        .is_some_and(|found| (found - expected).abs() <= within);
    assert!(near, "{what}: {found}, expected {expected}");
}
