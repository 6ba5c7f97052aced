//! Tests that a published data set gives the same results as its logs.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::sources::without_failures;
use crate::support::{HARNESSES, Run, arg, eyechart, list, run, sample_runs, without_evidence};

/// A rounded number: the order of summation changes the last digits.
fn number(value: &Value) -> String {
    value
        .as_f64()
        .map_or_else(|| value.to_string(), |value| format!("{value:.9}"))
}

/// Rows of a list, without their sources and sorted.
fn rows(document: &Value, list_name: &str) -> Vec<String> {
    let one = |row: &Value| {
        let fields = row.as_object().expect("an object").iter();
        let fields = fields.map(|(name, value)| match value {
            Value::Object(inner) => {
                let inner = inner
                    .iter()
                    .map(|(key, value)| format!("{key}={}", number(value)));
                format!("{name}: {}", inner.collect::<Vec<_>>().join(" "))
            }
            Value::Array(values) => {
                format!(
                    "{name}: {}",
                    values.iter().map(number).collect::<Vec<_>>().join(" ")
                )
            }
            value => format!("{name}: {}", number(value)),
        });
        fields.collect::<Vec<_>>().join(", ")
    };
    let mut found: Vec<String> = without_evidence(&document[list_name])
        .as_array()
        .into_iter()
        .flatten()
        .map(one)
        .collect();
    found.sort();
    found
}

fn publish(logs: &Path, set: &Path) -> Run {
    let run = run(&["publish", arg(logs), "--to", arg(set)]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    run
}

fn same(logs: &Path, set: &Path, command: &[&str], lists: &[&str]) {
    let of = |path: &Path| eyechart(&[command, &[arg(path)]].concat());
    let (before, after) = (of(logs), of(set));
    for name in lists {
        let (before, after) = (rows(&before, name), rows(&after, name));
        assert_eq!(after, before, "{command:?} of {}: {name}", logs.display());
    }
}

#[test]
fn published_logs_of_each_harness_open_with_the_same_numbers() {
    let out = tempfile::tempdir().expect("a folder");
    for harness in HARNESSES {
        let (folder, set) = (without_failures(harness), out.path().join(harness));
        let logs = folder.path();
        publish(logs, &set);
        let lists = ["scores", "average_rank", "subgroups", "reliability"];
        same(logs, &set, &["report"], &lists);
        same(logs, &set, &["report", "--scoring", "strict"], &["scores"]);
    }
}

#[test]
fn a_published_exam_ranks_compares_and_lists_as_its_logs() {
    let out = tempfile::tempdir().expect("a folder");
    let (logs, set) = (sample_runs().join("exam"), out.path().join("set"));
    publish(&logs, &set);
    same(
        &logs,
        &set,
        &["report"],
        &["scores", "average_rank", "subgroups"],
    );
    same(
        &logs,
        &set,
        &["compare", "hog", "color"],
        &["abilities", "subgroups"],
    );
    same(&logs, &set, &["ranks"], &["abilities"]);
    let filter = [
        "samples",
        "--filter",
        "ability:texture correct:false",
        "--limit",
        "20",
    ];
    let of = |path: &Path| {
        let document = eyechart(&[&filter[..], &[arg(path)]].concat());
        let samples = list(&document, "samples").iter();
        let mut samples: Vec<String> = samples
            .map(|row| format!("{} {} {}", row["sample_id"], row["model"], row["response"]))
            .collect();
        samples.sort();
        samples
    };
    assert_eq!(of(&set), of(&logs));
}

#[test]
fn printed_figures_are_published_too() {
    let out = tempfile::tempdir().expect("a folder");
    let (logs, set) = (sample_runs(), out.path().join("set"));
    publish(&logs, &set);
    same(&logs, &set, &["report"], &["scores", "average_rank"]);
    let again = publish(&logs, &set);
    assert!(
        again.stderr.contains("0 new or changed, 0 files"),
        "{}",
        again.stderr
    );
}

/// A published exam, and the path of one of its files.
fn published() -> (TempDir, std::path::PathBuf) {
    let out = tempfile::tempdir().expect("a folder");
    publish(&sample_runs().join("exam"), &out.path().join("set"));
    let rows = fs::read_dir(out.path().join("set/rows")).expect("a folder");
    let mut files: Vec<_> = rows.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    (out, files.remove(0))
}

#[test]
fn a_damaged_file_is_named_and_the_command_is_done_in_part() {
    let (out, file) = published();
    let mut bytes = fs::read(&file).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, bytes).expect("a file");
    let set = out.path().join("set");
    let run = run(&["report", arg(&set)]);
    assert_eq!(run.code, 4, "{}", run.stderr);
    let name = file
        .file_name()
        .and_then(|name| name.to_str())
        .expect("a name");
    assert!(
        run.stderr.contains(name) && run.stderr.contains("damaged"),
        "{}",
        run.stderr
    );
    let check = crate::support::run(&["check", arg(&set), "--strict"]);
    assert_eq!(check.code, 3, "{}", check.stderr);
    assert!(
        check.stdout.contains("answers are not shown"),
        "{}",
        check.stdout
    );
}

/// Hashing a sparse file of 200 GB would take minutes.
#[test]
fn a_file_beyond_the_limit_is_named_and_not_hashed() {
    const LENGTH: u64 = 200 << 30;
    let (out, file) = published();
    let set = out.path().join("set");
    let length = fs::metadata(&file).expect("a file").len();
    let opened = fs::OpenOptions::new().write(true).open(&file);
    if opened.expect("a file").set_len(LENGTH).is_err() {
        // The file system does not support files of this length.
        return;
    }
    let manifest = set.join("eyechart-data-set.000001.json");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    let (path, name) = ("\"path\": \"rows/", file.file_name().expect("a name"));
    let at = text.find(&format!("{path}{}", name.to_str().expect("UTF-8")));
    let (before, after) = text.split_at(at.expect("the file"));
    let after = after.replacen(
        &format!("\"bytes\": {length}"),
        &format!("\"bytes\": {LENGTH}"),
        1,
    );
    fs::write(&manifest, format!("{before}{after}")).expect("a manifest");
    let page = out.path().join("page.html");
    for args in [
        &["report", arg(&set)][..],
        &["report", arg(&set), "--out", arg(&page)],
    ] {
        let run = run(args);
        assert_eq!(run.code, 4, "{}", run.stderr);
        assert!(run.stderr.contains("limits.set_file"), "{}", run.stderr);
    }
}

#[test]
fn a_data_set_among_its_own_logs_is_refused() {
    let out = tempfile::tempdir().expect("a folder");
    let logs = out.path().join("logs");
    fs::create_dir(&logs).expect("a folder");
    let log = sample_runs().join("exam/hog.eyechart.jsonl");
    fs::copy(log, logs.join("hog.eyechart.jsonl")).expect("a copy");
    for to in [logs.clone(), logs.join("a/b"), logs.join("../logs/set")] {
        let run = run(&["publish", arg(&logs), "--to", arg(&to)]);
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains(" overlap: "), "{}", run.stderr);
    }
    let above = run(&["publish", arg(&logs), "--to", arg(out.path())]);
    assert_eq!(above.code, 2, "{}", above.stderr);
    let address = run(&["publish", "s3://team/a/b", "--to", "s3://team/a"]);
    assert_eq!(address.code, 2, "{}", address.stderr);
    let secret = run(&["publish", arg(&logs), "--to", "s3://KEY:SECRET@team/evals"]);
    assert_eq!(secret.code, 2, "{}", secret.stderr);
    assert!(!secret.stderr.contains("SECRET"), "{}", secret.stderr);
    assert_eq!(fs::read_dir(&logs).expect("a folder").count(), 1);
}

#[test]
fn a_published_data_set_is_published_on() {
    let (out, _) = published();
    let (set, next) = (out.path().join("set"), out.path().join("next"));
    publish(&set, &next);
    same(&set, &next, &["report"], &["scores", "average_rank"]);
    let again = publish(&set, &next);
    assert!(
        again.stderr.contains("0 new or changed"),
        "{}",
        again.stderr
    );
}
