//! Tests that inputs are never overwritten, and that outputs are either complete or absent.

#![allow(clippy::unwrap_used, reason = "a test ends there")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

#[cfg(unix)]
use crate::amount::amount;
#[cfg(unix)]
use crate::limited::{limited, positions};
use crate::own_format::{line, log};
use crate::support::{Run, arg, fixture, run};

/// File name of the log that [`log`] writes.
const LOG: &str = "a.eyechart.jsonl";

/// Bytes of every file below a folder, including temporary ones.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.insert(path.clone(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn logs() -> TempDir {
    let lines: Vec<Vec<u8>> = (0..9)
        .flat_map(|at| {
            ["m", "n", "o"].map(|model| {
                let response = if (at + model.len()) % 3 == 0 {
                    "3"
                } else {
                    "4"
                };
                let id = format!("s{at}");
                line(&json!({"sample_id": id, "model": model, "response": response}))
            })
        })
        .collect();
    log(&lines)
}

/// Commands that write to a file named by the user.
fn writing(folder: &Path) -> Vec<Vec<String>> {
    let path = arg(folder);
    [
        vec!["convert", path, "--out"],
        vec!["convert", path, "--filter", "score>9", "--out"],
        vec!["report", path, "--out"],
        vec!["samples", path, "--out"],
        vec!["check", path, "--out"],
        vec!["compare", "m", "n", path, "--out"],
        vec!["agree", path, "--subset", "--out"],
        vec!["agree", path, "--subset", "--ids"],
        vec!["verdicts", path, "--out"],
    ]
    .into_iter()
    .map(|words| words.into_iter().map(str::to_owned).collect())
    .collect()
}

/// Annotation and verdict files next to a named log are inputs too, and are not changed.
#[test]
fn files_beside_a_log_are_read_too_and_stay() {
    let folder = tempfile::tempdir().unwrap();
    let copied = folder.path().join("coco");
    fs::create_dir(&copied).unwrap();
    for entry in fs::read_dir(fixture("coco")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::copy(&path, copied.join(path.file_name().unwrap())).unwrap();
        }
    }
    let results = copied.join("alpha_bbox_results.json");
    let log = folder.path().join(LOG);
    fs::write(&log, line(&json!({"sample_id": "s", "response": "3"}))).unwrap();
    let verdict = line(
        &json!({"sample_id": "s", "benchmark": "b", "ability": "counting", "verdict": "ok", "author": "a",
        "at": "2026-01-01T00:00:00Z"}),
    );
    let verdicts = folder.path().join("eyechart.verdicts.jsonl");
    fs::write(&verdicts, verdict).unwrap();
    let before = files(folder.path());
    for (command, target) in [
        (
            ["report", arg(&results), "--out"],
            copied.join("instances_val.json"),
        ),
        (["convert", arg(&log), "--out"], verdicts.clone()),
    ] {
        let ran = run(&[command.as_slice(), &[arg(&target)]].concat());
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        assert!(ran.stderr.contains("it is not changed"), "{}", ran.stderr);
        assert_eq!(files(folder.path()), before);
    }
}

fn run_into(command: &[String], target: &Path) -> Run {
    let mut words: Vec<&str> = command.iter().map(String::as_str).collect();
    words.push(arg(target));
    run(&words)
}

#[test]
fn no_command_writes_to_what_it_reads_under_any_name() {
    let folder = logs();
    let away = tempfile::tempdir().unwrap();
    let log = folder.path().join(LOG);
    let hard = away.path().join("hard.jsonl");
    fs::hard_link(&log, &hard).unwrap();
    let around = folder.path().join(".").join(LOG);
    let mut names = vec![
        (log.clone(), "is one of the input files"),
        (around, "is one of the input files"),
        (hard, "is one of the input files"),
        (
            folder.path().join("A.eyechart.jsonl"),
            "differs only in upper and lower case from",
        ),
    ];
    #[cfg(unix)]
    {
        let soft = away.path().join("soft.jsonl");
        std::os::unix::fs::symlink(&log, &soft).unwrap();
        names.push((soft, "is one of the input files"));
    }
    let (inside, outside) = (files(folder.path()), files(away.path()));
    for command in writing(folder.path()) {
        for (target, why) in &names {
            let run = run_into(&command, target);
            assert_eq!(run.code, 1, "{command:?} {target:?}: {}", run.stderr);
            assert!(run.stderr.contains(why), "{command:?}: {}", run.stderr);
        }
        assert_eq!(files(folder.path()), inside, "{command:?}");
        assert_eq!(files(away.path()), outside, "{command:?}");
    }
    // Name the log itself instead of its folder.
    let single = writing(&log);
    for command in &single {
        let run = run_into(command, &names[2].0);
        assert!(
            run.stderr.contains(names[2].1),
            "{command:?}: {}",
            run.stderr
        );
    }
    assert_eq!(files(folder.path()), inside);
    // Each command would have written to any path that is not an input.
    for command in &single {
        let target = away.path().join("new.jsonl");
        let run = run_into(command, &target);
        assert_eq!(run.code, 0, "{command:?}: {}", run.stderr);
        assert!(target.exists(), "{command:?}");
        fs::remove_file(target).unwrap();
    }
}

fn word(id: usize) -> String {
    json!({"sample_id": format!("s{id}"), "benchmark": "b", "ability": "counting", "verdict": "ok", "note": "x".repeat(40), "author": "ada", "at": "2026-01-01T00:00:00Z"})
        .to_string()
}

#[test]
fn verdicts_are_never_appended_to_a_log() {
    let folder = logs();
    let away = tempfile::tempdir().unwrap();
    let at = |name: &str| away.path().join(name);
    fs::write(at("words"), word(1) + "\n").unwrap();
    let log = folder.path().join(LOG);
    fs::hard_link(&log, at("hard.verdicts.jsonl")).unwrap();
    let mut names = vec![log.clone(), at("hard.verdicts.jsonl")];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&log, at("soft.verdicts.jsonl")).unwrap();
        names.push(at("soft.verdicts.jsonl"));
    }
    let before = fs::read(&log).unwrap();
    let import = |path: &Path| {
        run(&[
            "verdicts",
            arg(folder.path()),
            "--verdicts",
            arg(path),
            "--import",
            arg(&at("words")),
        ])
    };
    for name in &names {
        let run = import(name);
        assert_eq!(run.code, 1, "{name:?}");
        let why = "does not contain verdicts; it is not changed";
        assert!(run.stderr.contains(why), "{}", run.stderr);
        assert_eq!(fs::read(&log).unwrap(), before);
    }
    assert_eq!(import(&at("new.jsonl")).code, 0);
    assert!(
        fs::read_to_string(at("new.jsonl"))
            .unwrap()
            .contains("\"check\":\"")
    );
}

#[test]
fn leftovers_of_killed_programs_are_removed_at_the_next_write() {
    let folder = logs();
    let out = tempfile::tempdir().unwrap();
    let at = |name: &str| out.path().join(name);
    let names = [".x.csv.eyechart-1-aB3dE6.tmp", ".tmpaB3dE6", "x.tmp"];
    for name in names {
        fs::write(at(name), "half").unwrap();
    }
    let run = run(&["convert", arg(folder.path()), "--out", arg(&at("x.csv"))]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let left: Vec<PathBuf> = files(out.path()).into_keys().collect();
    assert_eq!(left, [at(".tmpaB3dE6"), at("x.csv"), at("x.tmp")]);
}

#[test]
fn cells_that_begin_like_formulas_stay_text() {
    let folder = log(&[
        line(&json!({"sample_id": "=1+1", "response": "=HYPERLINK(\"x\")"})),
        line(&json!({"sample_id": "'@a", "response": "-3 or so"})),
    ]);
    let out = tempfile::tempdir().unwrap();
    let csv = out.path().join("x.csv");
    let converted = run(&["convert", arg(folder.path()), "--out", arg(&csv)]);
    assert_eq!(converted.code, 0, "{}", converted.stderr);
    let text = fs::read_to_string(&csv).unwrap();
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    for row in rows.records() {
        for cell in &row.unwrap() {
            let is_formula = cell.starts_with(['=', '@', '+', '-']);
            assert!(!is_formula || cell.parse::<f64>().is_ok(), "{cell}");
        }
    }
    let listed = run(&["samples", arg(folder.path()), "--format", "csv"]);
    assert!(!listed.stdout.contains("\n=1+1"), "{}", listed.stdout);
    let responses = |path: &Path| -> Vec<Value> {
        let found = crate::support::eyechart(&["samples", arg(path)]);
        let samples = crate::support::list(&found, "samples");
        let mut pairs: Vec<Value> = samples
            .iter()
            .map(|sample| json!([sample["sample_id"], sample["response"]]))
            .collect();
        pairs.sort_by_key(Value::to_string);
        pairs
    };
    assert_eq!(responses(folder.path()), responses(&csv));
}

/// Default number of positions at which the disk is full; `EYECHART_FULL_DISK=100` raises it.
#[cfg(unix)]
const POSITIONS: usize = 4;

/// Runs the program with a limit on the size of each file, as on a full disk.
#[cfg(unix)]
fn full_after(bytes: u64, args: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eyechart"));
    command.args(args);
    let output = limited(bytes, &command)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Run {
        code: output.status.code().unwrap(),
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
    }
}

#[cfg(unix)]
#[test]
fn on_a_full_disk_the_old_file_stays_and_nothing_else_is_left() {
    let out = tempfile::tempdir().unwrap();
    let logs = fixture("ava_bench");
    for (command, name) in [
        ("convert", "x.csv"),
        ("convert", "x.jsonl"),
        ("convert", "x.parquet"),
        ("convert", "x.arrow"),
        ("report", "x.html"),
        ("samples", "y.jsonl"),
    ] {
        let path = out.path().join(name);
        let write = [command, arg(&logs), "--out", arg(&path)];
        assert_eq!(run(&write).code, 0);
        let whole = fs::metadata(&path).unwrap().len();
        fs::write(&path, "old").unwrap();
        let before = files(out.path());
        let few = amount("EYECHART_FULL_DISK", POSITIONS - 1);
        for at in positions(few, whole) {
            let run = full_after(at, &write);
            assert_eq!(run.code, 1, "{write:?} {at} of {whole}");
            let why = format!("{name}: the file would become too large");
            assert!(run.stderr.contains(&why), "{write:?}: {}", run.stderr);
            assert_eq!(files(out.path()), before, "{write:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn on_a_full_disk_no_half_picture_and_no_half_log_has_its_name() {
    for at in positions(amount("EYECHART_FULL_DISK", POSITIONS), 9 << 10) {
        // If pictures fit on the disk, sample runs take minutes, because encoders are trained.
        let whats = ["gepbench", "exam", "sample-runs"];
        for what in whats.into_iter().take(if at <= 1 << 10 { 3 } else { 2 }) {
            let folder = tempfile::tempdir().unwrap();
            let out = folder.path().join("out");
            let run = full_after(at, &["generate", what, "--out", arg(&out), "--count", "36"]);
            if run.code == 0 {
                continue;
            }
            assert_eq!(run.code, 1, "{what}: {}", run.stderr);
            let why = "the file would become too large";
            assert!(run.stderr.contains(why), "{what} {at}: {}", run.stderr);
            for (path, bytes) in files(&out) {
                assert_eq!(path.extension().unwrap(), "png", "{path:?}");
                image::load_from_memory(&bytes).unwrap();
            }
        }
    }
}

/// After a full disk, every confirmed verdict is in the file exactly once. When there is space
/// again, the import continues.
#[cfg(unix)]
#[test]
fn verdicts_that_were_confirmed_are_there_after_a_full_disk() {
    let folder = logs();
    let out = tempfile::tempdir().unwrap();
    let at = |name: &str| out.path().join(name);
    let words: Vec<String> = (0..30).map(word).collect();
    fs::write(at("words"), words.join("\n") + "\n").unwrap();
    let (path, own, from) = (
        arg(folder.path()).to_owned(),
        at("x.verdicts.jsonl"),
        at("words"),
    );
    let import = [
        "verdicts",
        &path,
        "--verdicts",
        arg(&own),
        "--import",
        arg(&from),
    ];
    let ids = |text: &str| -> Vec<String> {
        text.lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .map(|word| word["sample_id"].as_str().unwrap().to_owned())
            .collect()
    };
    let mut confirmed = Vec::new();
    // Each line also has its length and hash.
    let length = word(10).len() as u64;
    for at in positions(amount("EYECHART_FULL_DISK", POSITIONS), 30 * length) {
        let run = full_after(at, &import);
        assert_eq!(run.code, 1, "{at}");
        let why = "x.verdicts.jsonl: the file would become too large";
        assert!(run.stderr.contains(why), "{}", run.stderr);
        confirmed.extend(ids(&run.stdout));
        let text = fs::read_to_string(&own).unwrap();
        // A line that did not fit was removed, to free its space for the next line.
        assert!(text.is_empty() || text.ends_with('\n'), "{at}: {text}");
        let there = ids(&text);
        assert!(confirmed.iter().all(|id| there.contains(id)), "{at}");
    }
    assert!(confirmed.len() > 10, "{confirmed:?}");
    assert_eq!(run(&import).code, 0);
    let mut there = ids(&fs::read_to_string(&own).unwrap());
    there.sort();
    let mut expected: Vec<String> = (0..30).map(|id| format!("s{id}")).collect();
    expected.sort();
    assert_eq!(there, expected);
}

/// Of two imports at the same time, every line is complete, and no line is lost.
#[test]
fn imports_at_once_leave_whole_lines() {
    let folder = logs();
    let out = tempfile::tempdir().unwrap();
    let at = |name: &str| out.path().join(name);
    let (path, own) = (arg(folder.path()).to_owned(), at("x.verdicts.jsonl"));
    let children: Vec<_> = (0..3)
        .map(|part| {
            let words: Vec<String> = (0..40).map(|id| word(part * 40 + id)).collect();
            let from = at(&format!("words{part}"));
            fs::write(&from, words.join("\n") + "\n").unwrap();
            Command::new(env!("CARGO_BIN_EXE_eyechart"))
                .args([
                    "verdicts",
                    &path,
                    "--verdicts",
                    arg(&own),
                    "--import",
                    arg(&from),
                ])
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let (words, bad) = eyechart::record::verdict::parse_lines(&fs::read(&own).unwrap());
    assert_eq!((words.len(), bad.len()), (120, 0));
}
