//! Tests which files are read: equal files once, the newest run, no endless links.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::{Value, json};

use crate::own_format::{line, log};
use crate::support::{arg, eyechart, fixture, list, one, run};

/// Copies a folder recursively.
pub fn copy(from: &Path, to: &Path) {
    copy_renamed(from, to, str::to_owned);
}

/// Copies a folder recursively, with other file names.
pub fn copy_renamed(from: &Path, to: &Path, rename: fn(&str) -> String) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("a name");
        if entry.path().is_dir() {
            copy_renamed(&entry.path(), &to.join(&name), rename);
        } else {
            fs::copy(entry.path(), to.join(rename(&name))).expect("a copy");
        }
    }
}

/// Returns a copy of a harness's logs without the runs that contain failed samples. In other forms
/// of such a log, failed samples are samples without a score.
pub fn without_failures(harness: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    copy(&fixture(harness), folder.path());
    let mut folders = vec![folder.path().to_path_buf()];
    while let Some(path) = folders.pop() {
        for entry in fs::read_dir(path).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().contains("count-errors") {
                fs::remove_file(path).expect("a file");
            }
        }
    }
    folder
}

fn rows(document: &Value) -> u64 {
    list(document, "sources")
        .iter()
        .filter_map(|source| source["rows"].as_u64())
        .sum()
}

#[test]
fn a_file_reached_twice_counts_once() {
    let folder = log(&[line(&json!({})), line(&json!({"sample_id": "t"}))]);
    let file = folder.path().join("a.eyechart.jsonl");
    symlink(&file, folder.path().join("b.eyechart.jsonl")).expect("a link");
    fs::create_dir(folder.path().join("deeper")).expect("a folder");
    symlink(
        "../a.eyechart.jsonl",
        folder.path().join("deeper/c.eyechart.jsonl"),
    )
    .expect("a link");
    let report = eyechart(&["report", arg(folder.path()), arg(&file), arg(folder.path())]);
    assert_eq!((list(&report, "sources").len(), rows(&report)), (1, 2));
}

#[test]
fn links_that_run_in_circles_or_lead_nowhere_do_no_harm() {
    let folder = log(&[line(&json!({}))]);
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).expect("a folder");
    symlink(folder.path(), inner.join("up")).expect("a link");
    symlink(&inner, folder.path().join("round")).expect("a link");
    symlink("me.eyechart.jsonl", folder.path().join("me.eyechart.jsonl")).expect("a link");
    symlink(
        "/no/such/file.eyechart.jsonl",
        folder.path().join("gone.eyechart.jsonl"),
    )
    .expect("a link");
    let report = eyechart(&["report", arg(folder.path())]);
    assert_eq!(rows(&report), 1, "{}", report["sources"]);
}

#[test]
fn the_newest_run_counts_and_the_older_one_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = "vlmevalkit/outputs/GPT4o_MINI/T20261121-001802";
    let model = folder.path().join("GPT4o_MINI");
    copy(&fixture(name), &model.join("T20261120-120000"));
    copy(&fixture(name), &model.join("T20261121-001802"));
    let report = eyechart(&["report", arg(folder.path())]);
    let (old, new): (Vec<&Value>, Vec<&Value>) = list(&report, "sources")
        .iter()
        .partition(|source| source["superseded"] == true);
    let all_in = |sources: &[&Value], run: &str| {
        sources.iter().all(|source| {
            source["path"]
                .as_str()
                .is_some_and(|path| path.contains(run))
        })
    };
    assert!(
        !old.is_empty() && all_in(&old, "T20261120-120000"),
        "{old:?}"
    );
    assert!(
        !new.is_empty() && all_in(&new, "T20261121-001802"),
        "{new:?}"
    );
    assert_eq!(rows(&report), 54);
    let inside = eyechart(&["report", arg(&model.join("T20261120-120000"))]);
    assert_eq!(rows(&inside), 54, "a path inside a run means that run");
}

#[test]
fn a_failed_newer_run_does_not_supersede_a_complete_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("InternVL2_5-4B");
    copy(
        &fixture("vlmevalkit/outputs/InternVL2_5-4B/T20261121-001711"),
        &model.join("T20261121-001711"),
    );
    let newer = model.join("T20261122-000000");
    copy(
        &fixture("vlmevalkit/outputs/InternVL2_5-4B/T20261121-001711"),
        &newer,
    );
    let status = newer.join("status.json");
    let text = fs::read_to_string(&status).expect("a status");
    let mut parsed: Value = serde_json::from_str(&text).expect("JSON");
    parsed["datasets"]["tdbench_cs_zoom"] = json!({"status": "done", "error_message": "it broke"});
    fs::write(&status, parsed.to_string()).expect("a status");
    let report = eyechart(&[
        "report",
        arg(folder.path()),
        "--filter",
        "ability:case_zoom",
    ]);
    let of = |run: &str| {
        let zoom = list(&report, "sources").iter().find(|source| {
            source["path"]
                .as_str()
                .is_some_and(|path| path.contains(run) && path.contains("zoom"))
        });
        zoom.map(|source| source["superseded"].clone())
    };
    assert_eq!(
        of("T20261121-001711"),
        Some(json!(false)),
        "{}",
        report["sources"]
    );
    assert_eq!(
        one(
            list(&report, "scores"),
            &[("ability", "case_zoom"), ("metric", "accuracy")]
        )["n"],
        8
    );
}

#[test]
fn a_folder_without_logs_is_one_clear_message() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("notes.txt"), "nothing").expect("a file");
    let run = run(&["report", arg(folder.path())]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains("nothing to show") && run.stderr.lines().count() <= 2,
        "{}",
        run.stderr
    );
}
