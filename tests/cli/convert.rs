//! Tests that converted logs, in one file, give the same results.

use std::fs;

use serde_json::Value;

use crate::support::{arg, eyechart, fixture, list, run};

/// What must not change: ranked metrics with their samples and unread answers.
fn headlines(report: &Value) -> Vec<String> {
    let scores = list(report, "scores")
        .iter()
        .filter(|score| score["headline"] == true);
    let keys = [
        "benchmark",
        "model",
        "ability",
        "split",
        "metric",
        "direction",
        "n",
        "invalid",
        "rank",
    ];
    let mut found: Vec<String> = scores
        .map(|score| {
            let key: Vec<String> = keys.iter().map(|key| score[*key].to_string()).collect();
            // Sums of many scores may differ in the last place when rows come in another order.
            let value = score["score"]
                .as_f64()
                .map_or_else(|| "null".to_owned(), |value| format!("{value:.9}"));
            format!("{} {value}", key.join(" "))
        })
        .collect();
    found.sort();
    found
}

#[test]
fn converted_logs_open_again_with_the_same_scores() {
    let out = tempfile::tempdir().expect("a folder");
    for logs in ["ava_bench", "vlmevalkit"] {
        let path = fixture(logs);
        let original = eyechart(&[
            "report",
            arg(&path),
            "--by",
            "dataset,category,rotation,count"
                .split(',')
                .next()
                .filter(|_| logs == "ava_bench")
                .unwrap_or("rotation"),
        ]);
        for ending in ["parquet", "arrow", "jsonl"] {
            let file = out.path().join(format!("{logs}.{ending}"));
            let run = run(&["convert", arg(&path), "--out", arg(&file)]);
            assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
            let again = eyechart(&["report", arg(&file)]);
            assert_eq!(headlines(&again), headlines(&original), "{ending}");
            let strictly = |path| eyechart(&["report", arg(path), "--scoring", "strict"]);
            let [again_strictly, strictly] = [&file, &path].map(|path| headlines(&strictly(path)));
            assert_eq!(again_strictly, strictly, "{ending}");
            let patterns = |report: &Value| {
                let rows = list(report, "reliability").iter();
                let mut rows: Vec<String> = rows
                    .map(|row| format!("{} {} {}", row["model"], row["ability"], row["patterns"]))
                    .collect();
                rows.sort();
                rows
            };
            assert_eq!(patterns(&again), patterns(&original), "{ending}");
        }
    }
}

#[test]
fn a_converted_csv_has_a_line_for_each_prediction() {
    let out = tempfile::tempdir().expect("a folder");
    let file = out.path().join("all.csv");
    let logs = fixture("ava_bench");
    let run = run(&[
        "convert",
        arg(&logs),
        "--filter",
        "ability:ocr",
        "--out",
        arg(&file),
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let text = fs::read_to_string(&file).expect("a text");
    assert!(
        text.starts_with("sample_id,benchmark,ability,model,question"),
        "{text}"
    );
    // Lines without a sample hold the settings of runs.
    let samples = text.lines().filter(|line| !line.starts_with(','));
    assert_eq!(samples.count(), 1 + 72);
}

#[test]
fn a_file_that_cannot_be_written_is_left_as_it_was() {
    let out = tempfile::tempdir().expect("a folder");
    let logs = fixture("ava_bench");
    let odd = run(&[
        "convert",
        arg(&logs),
        "--out",
        arg(&out.path().join("x.xlsx")),
    ]);
    assert_eq!(odd.code, 2, "{}", odd.stderr);
    let away = run(&[
        "convert",
        arg(&logs),
        "--out",
        arg(&out.path().join("none/x.csv")),
    ]);
    assert_eq!(away.code, 1, "{}", away.stderr);
    assert_eq!(fs::read_dir(out.path()).expect("a folder").count(), 0);
}
