//! Tests Parquet and Arrow IPC: bad rows, damaged files, malicious text.

use std::fs;
use std::path::Path;

use polars_core::df;
use polars_core::prelude::*;
use polars_io::prelude::*;
use serde_json::{Value, json};

use crate::support::{all, arg, list, run, run_in};

/// Text with terminal controls.
const EVIL: &str = "x\u{1b}]0;t\u{7}\u{202e}y";

/// Writes a data frame in the format of the file's ending.
fn write(path: &Path, mut frame: DataFrame) {
    let file = fs::File::create(path).expect("a file");
    if path.extension().is_some_and(|ending| ending == "parquet") {
        ParquetWriter::new(file).finish(&mut frame).map(drop)
    } else {
        IpcWriter::new(file).finish(&mut frame)
    }
    .expect("a table");
}

/// Report as JSON; any exit code is allowed.
fn report(path: &Path) -> Value {
    let run = run(&["report", arg(path), "--format", "json"]);
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}{}", run.stdout, run.stderr))
}

/// The problems of all files, as `line: what`.
fn problems(report: &Value) -> Vec<String> {
    let sources = list(report, "sources").iter();
    let problems = sources.flat_map(|source| list(source, "problems"));
    problems
        .map(|problem| {
            let place = problem["where"].as_str().expect("a place");
            let line = place.rsplit(':').next().unwrap_or_default();
            format!("{line}: {}", problem["what"].as_str().expect("words"))
        })
        .collect()
}

/// Rows with Eyechart's own columns. The second row has no model, and the third has a text as
/// choices.
fn converted() -> DataFrame {
    let answered = df!("by" => ["m", "n", "o", "p"]).expect("a frame");
    df!(
        "sample_id" => ["a", "b", "c", "d"],
        "ability" => ["ocr", "ocr", "ocr", EVIL],
        "model" => [Some("m"), None, Some("m"), Some("m")],
        "question" => ["?", "?", "?", EVIL],
        "choices" => [Some("{\"A\": 1}"), None, Some("7"), None],
        "response" => ["yes", "yes", "yes", EVIL],
        "target" => ["\"yes\"", "\"yes\"", "\"yes\"", "\"no\""],
        "score" => [1.0, 1.0, 0.0, f64::NAN],
        "tag.level" => [Some(1_i32), None, Some(3), Some(4)],
        "tag.list" => [Series::new("".into(), [1]), Series::new("".into(), [2]), Series::new("".into(), [3]), Series::new("".into(), [4])],
    )
    .and_then(|mut frame| {
        frame.with_column(answered.into_struct("tag.person".into()).into_series().into())?;
        Ok(frame)
    })
    .expect("a frame")
}

#[test]
fn a_bad_row_is_told_with_its_place_and_the_others_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut found = Vec::new();
    for (ending, format) in [
        ("parquet", "parquet"),
        ("arrow", "arrow"),
        ("feather", "arrow"),
    ] {
        let path = folder.path().join(format!("run.{ending}"));
        write(&path, converted());
        let report = report(&path);
        assert_eq!(report["sources"][0]["format"], format);
        found.push(problems(&report));
        let ocr = all(list(&report, "scores"), &[("ability", "ocr")]);
        assert_eq!(ocr[0]["n"], 1, "{ending}");
    }
    let what = [
        "2: `model` is missing",
        "3: `choices` must be a list or an object",
    ];
    assert_eq!(found[0], what);
    assert!(
        found.iter().all(|problems| *problems == found[0]),
        "{found:?}"
    );
}

#[test]
fn columns_of_any_type_are_read_through_a_map() {
    let folder = tempfile::tempdir().expect("a folder");
    let frame = df!(
        "qid" => [1_u8, 2, 3, 4],
        "kind" => ["color"; 4],
        "said" => [Some("A"), None, Some("B"), Some(EVIL)],
        "hit" => [Some("yes"), Some("maybe"), None, Some("no")],
        "options" => [Series::new("".into(), ["red", "blue"]), Series::new("".into(), ["red"]), Series::new_empty("".into(), &DataType::String), Series::new("".into(), ["x"])],
    )
    .expect("a frame");
    fs::write(
        folder.path().join("eyechart.toml"),
        "[[columns]]\nsample_id = 'qid'\nability = 'kind'\nresponse = 'said'\nscore = 'hit'\nchoices = ['options']\n",
    )
    .expect("a config file");
    for ending in ["parquet", "ipc"] {
        let path = folder.path().join(format!("run.{ending}"));
        write(&path, frame.clone());
        let run = std::process::Command::new(env!("CARGO_BIN_EXE_eyechart"))
            .args(["report", arg(&path), "--format", "json"])
            .env("EYECHART_CONFIG", folder.path().join("eyechart.toml"))
            .output()
            .expect("the program runs");
        let report: Value = serde_json::from_slice(&run.stdout).expect("JSON on stdout");
        assert_eq!(
            problems(&report),
            ["2: the score is not a number: maybe"],
            "{ending}"
        );
        let scores = all(list(&report, "scores"), &[("ability", "color")]);
        assert_eq!(
            (&scores[0]["n"], &scores[0]["score"]),
            (&json!(2), &json!(0.5))
        );
    }
}

#[test]
fn the_folder_names_the_benchmark_where_no_column_does() {
    let frame = df!(
        "sample_id" => ["a", "b"],
        "ability" => ["ocr", "ocr"],
        "model" => ["m", "m"],
        "score" => [1.0, 0.0],
    )
    .expect("a frame");
    for ending in ["parquet", "arrow"] {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("harbour");
        fs::create_dir(&inner).expect("a folder");
        write(&inner.join(format!("run.{ending}")), frame.clone());
        let report = report(folder.path());
        let scores = all(list(&report, "scores"), &[("benchmark", "harbour")]);
        assert_eq!(scores[0]["n"], json!(2), "{ending}: {report}");
    }
}

#[test]
fn a_file_that_is_no_table_is_told_once() {
    let folder = tempfile::tempdir().expect("a folder");
    for ending in ["parquet", "arrow"] {
        let whole = folder.path().join(format!("whole.{ending}"));
        write(&whole, converted());
        let bytes = fs::read(&whole).expect("bytes");
        for (name, bytes) in [("half", &bytes[..bytes.len() / 2]), ("empty", &[])] {
            let path = folder.path().join(format!("{name}.{ending}"));
            fs::write(&path, bytes).expect("a file");
            let run = run_in(folder.path(), &["report", arg(&path), "--format", "json"]);
            assert_eq!(run.code, 1, "{}", run.stderr);
            let report: Value = serde_json::from_str(&run.stdout).unwrap_or_default();
            let told = format!("{report}{}", run.stderr);
            assert!(told.contains(&format!("{name}.{ending}")), "{told}");
        }
    }
}

#[test]
fn text_of_a_table_stays_text() {
    let folder = tempfile::tempdir().expect("a folder");
    for ending in ["parquet", "arrow"] {
        let path = folder.path().join(format!("run.{ending}"));
        write(&path, converted());
        for command in [["report"].as_slice(), &["samples"], &["check"]] {
            let run = run(&[command, &[arg(&path)]].concat());
            let shown = format!("{}{}", run.stdout, run.stderr);
            let steers = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
            assert!(!shown.contains(steers), "{command:?}: {shown:?}");
        }
    }
}
