//! Tests that logs converted to one file give the same results.

use std::fs;

use serde_json::Value;

use crate::support::{arg, eyechart, fixture, list, program, run};

/// Values that must not change: ranked metrics with their numbers of samples and unreadable
/// answers.
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
            // Sums of many scores may differ in the last digit if the rows have another order.
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
    // Lines without a sample contain the settings of runs.
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

/// Ids, answers and scores of all samples, by benchmark, ability, model, id and condition.
fn samples(path: &std::path::Path) -> Vec<String> {
    let found = eyechart(&["samples", arg(path)]);
    let keys = [
        "benchmark",
        "ability",
        "model",
        "sample_id",
        "condition",
        "response",
        "parsed",
        "metric",
        "score",
        "correct",
        "invalid",
        "target",
        "tags",
    ];
    let row = |row: &Value| keys.map(|key| row[key].to_string()).join(" ");
    let mut rows: Vec<String> = list(&found, "samples").iter().map(row).collect();
    rows.sort();
    rows
}

#[test]
fn folders_for_other_programs_open_again_with_the_same_samples() {
    let out = tempfile::tempdir().expect("a folder");
    for logs in ["lmms_eval", "llava"] {
        let path = fixture(logs);
        for format in ["eee", "inspect"] {
            let folder = out.path().join(format!("{logs}-{format}"));
            let args = ["convert", arg(&path), "--to", format, "--out", arg(&folder)];
            let first = run(&args);
            assert_eq!(
                (first.code, first.stdout.as_str()),
                (0, ""),
                "{}",
                first.stderr
            );
            assert!(
                first.stderr.contains("named by path, not copied"),
                "{}",
                first.stderr
            );
            assert_eq!(samples(&folder), samples(&path), "{logs} {format}");
            // A second export replaces the files of the first.
            assert_eq!(run(&args).code, 0);
            assert_eq!(samples(&folder).len(), samples(&path).len());
        }
    }
}

#[test]
fn what_a_format_cannot_hold_is_printed() {
    let out = tempfile::tempdir().expect("a folder");
    let path = fixture("helm");
    let convert = |format: &str| {
        let folder = out.path().join(format);
        let run = run(&["convert", arg(&path), "--to", format, "--out", arg(&folder)]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stderr
    };
    assert!(convert("eee").contains("1 prediction without a score left out"));
    let hub = convert("hf");
    assert!(
        hub.contains("the format holds scores only") && hub.contains("OWNER/NAME"),
        "{hub}"
    );
    assert!(convert("inspect").contains("of harnesses or papers left out"));
}

#[test]
fn a_folder_is_not_written_to_standard_output_or_among_the_logs() {
    let path = fixture("helm");
    let inside = path.join("export");
    let around = path.join("../helm/export");
    for (out, reason) in [
        ("-", "writes a folder"),
        (arg(&inside), "inside a folder of the logs"),
        (arg(&around), "inside a folder of the logs"),
    ] {
        let run = run(&["convert", arg(&path), "--to", "eee", "--out", out]);
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains(reason), "{}", run.stderr);
    }
    assert!(!inside.exists());
}

#[test]
fn rows_that_were_left_out_are_counted() {
    let out = tempfile::tempdir().expect("a folder");
    let log = out.path().join("m.eyechart.jsonl");
    let line = r#"{"sample_id": "1", "ability": "a", "model": "m", "score": 1}"#;
    fs::write(&log, format!("{line}\n{{\n{{}}\n")).expect("a log");
    let file = out.path().join("all.csv");
    let run = run(&["convert", arg(&log), "--out", arg(&file)]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stderr.contains("2 rows of the logs left out"),
        "{}",
        run.stderr
    );
}

#[test]
fn an_arrow_stream_is_the_same_on_stdout_and_in_a_file() {
    let out = tempfile::tempdir().expect("a folder");
    let file = out.path().join("samples.arrows");
    let logs = fixture("lmms_eval");
    let bytes = |more: &[&str]| {
        let found = program().args(["samples", arg(&logs)]).args(more).output();
        let found = found.expect("the program runs");
        assert!(
            found.status.success(),
            "{}",
            String::from_utf8_lossy(&found.stderr)
        );
        found.stdout
    };
    let stream = bytes(&["--format", "arrow"]);
    assert!(stream.starts_with(&[0xff; 4]) && stream.len() > 1_000);
    assert_eq!(bytes(&["--format", "arrow", "--out", "-"]), stream);
    assert!(bytes(&["--out", arg(&file)]).is_empty());
    assert_eq!(fs::read(&file).expect("a file"), stream);
}

#[test]
fn pictures_that_the_new_file_does_not_find_are_named_with_their_folder() {
    let [logs, away] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let log = logs.path().join("m.eyechart.jsonl");
    fs::create_dir(logs.path().join("img")).expect("a folder");
    fs::write(logs.path().join("img/1.png"), "a picture").expect("a picture");
    let line = |id: &str, image: &str| {
        format!(
            r#"{{"sample_id": "{id}", "ability": "a", "model": "m", "score": 1, "image": "img/{image}.png"}}"#
        )
    };
    // The second picture does not exist.
    let lines = [line("1", "1"), line("2", "2"), line("3", "1")];
    fs::write(&log, lines.join("\n")).expect("a log");
    let convert = |out: &std::path::Path| {
        let run = run(&["convert", arg(&log), "--out", arg(&out.join("all.jsonl"))]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stderr
    };
    let message = convert(away.path());
    let expected = "2 pictures outside the output folder: open the output with --data ";
    assert!(message.contains(expected), "{message}");
    let (_, folder) = message.split_once("--data ").expect("a folder");
    let folder = folder.lines().next().expect("a line");
    assert_eq!(
        fs::canonicalize(folder).expect("a folder"),
        fs::canonicalize(logs.path()).expect("a folder")
    );
    // If the file is next to the pictures, they are found.
    let message = convert(logs.path());
    assert!(!message.contains("--data"), "{message}");
}
