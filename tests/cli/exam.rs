//! Tests `eyechart generate exam`, `topdown` and `sample-runs`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{all, arg, eyechart, list, run};

/// Bytes of every file below a folder, by path.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below").to_path_buf();
                found.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    found
}

fn generate(what: &str, folder: &Path, count: &str) {
    let run = run(&["generate", what, "--out", arg(folder), "--count", count]);
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn an_exam_has_every_ability_and_is_the_same_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    generate("exam", &one, "70");
    generate("exam", &other, "70");
    let files = files(&one);
    assert_eq!(files, self::files(&other));
    let items = String::from_utf8(files[Path::new("items.jsonl")].clone()).expect("UTF-8");
    let items: Vec<Value> = items
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(items.len(), 70);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for item in &items {
        *counts
            .entry(item["ability"].as_str().expect("a name"))
            .or_default() += 1;
        assert!(files.contains_key(Path::new(item["image"].as_str().expect("a path"))));
        assert!(["train", "test"].contains(&item["tags"]["split"].as_str().expect("a split")));
        assert!(item.get("model").is_none() && item.get("response").is_none());
        let level = item["tags"]["level"].as_f64().expect("a level");
        assert!((1.0..=10.0).contains(&level) && level.fract() == 0.0);
        let dial = item["tags"]["dial"].as_str().expect("what makes it hard");
        assert!(item["tags"][dial].is_number() && item["tags"]["chance"].is_number());
    }
    assert_eq!(counts.len(), 14);
    assert!(counts.values().all(|count| *count == 5), "{counts:?}");
}

#[test]
fn sample_runs_are_the_same_again_and_open() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    generate("sample-runs", &one, "112");
    generate("sample-runs", &other, "112");
    assert_eq!(files(&one), files(&other));
    let check = run(&["check", "--strict", arg(&one)]);
    assert_eq!(check.code, 0, "{}{}", check.stdout, check.stderr);
    let report = eyechart(&["report", arg(&one)]);
    let models = all(
        list(&report, "scores"),
        &[
            ("benchmark", "exam"),
            ("ability", "color"),
            ("metric", "ciede2000"),
        ],
    );
    assert_eq!(models.len(), 5);
}
