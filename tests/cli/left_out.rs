//! Tests that nothing is left out silently: unreadable logs are reported, and readable parts are
//! read.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::own_format::{line, log};
use crate::support::{arg, eyechart, eyechart_with, fixture, list, program, run};

/// Text of a log with three rows.
fn text() -> String {
    let lines = (0..3).map(|at| line(&json!({"sample_id": format!("s{at}")})));
    let lines: Vec<String> = lines
        .map(|line| String::from_utf8(line).expect("UTF-8"))
        .collect();
    lines.join("\n") + "\n"
}

fn rows(report: &Value) -> u64 {
    let sources = list(report, "sources").iter();
    sources.filter_map(|source| source["rows"].as_u64()).sum()
}

/// Output of `check`. Asserts that it reports a problem.
fn told(folder: &Path) -> String {
    let strict = run(&["check", arg(folder), "--strict"]);
    assert_ne!(strict.code, 0, "{}", strict.stdout);
    run(&["check", arg(folder)]).stdout
}

#[test]
fn utf_16_and_doubled_marks_are_read() {
    let plain = text();
    let units = |text: &str, order: fn(u16) -> [u8; 2]| -> Vec<u8> {
        text.encode_utf16().flat_map(order).collect()
    };
    let marked = format!("\u{feff}{plain}");
    let csv = "sample_id,ability,model,response,score\n1,a,m,x,1\n2,a,m,\"y\nz\",0\n3,a,m,x,1\n";
    for (name, bytes) in [
        ("le.jsonl", units(&marked, u16::to_le_bytes)),
        ("be.jsonl", units(&marked, u16::to_be_bytes)),
        ("bare.jsonl", units(&plain, u16::to_le_bytes)),
        ("twice.jsonl", format!("\u{feff}{marked}").into_bytes()),
        ("le.csv", units(csv, u16::to_le_bytes)),
        ("twice.csv", format!("\u{feff}\u{feff}{csv}").into_bytes()),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(name), bytes).expect("a file");
        let report = eyechart(&["report", arg(folder.path())]);
        assert_eq!(rows(&report), 3, "{name}: {}", report["sources"]);
        let samples = run(&["samples", arg(folder.path())]);
        assert_eq!(samples.code, 0, "{name}: {}", samples.stderr);
        let id = if name.ends_with("csv") { "1" } else { "s0" };
        let shown = run(&["show", arg(folder.path()), "--sample", id]);
        assert_eq!(shown.code, 0, "{name}: {}", shown.stderr);
    }
}

#[test]
fn logs_of_harnesses_in_utf_16_are_read() {
    for harness in ["lm_eval", "lmms_eval", "ava_bench/ocr"] {
        let folder = tempfile::tempdir().expect("a folder");
        let plain = eyechart(&["report", arg(&fixture(harness))]);
        encode(&fixture(harness), &folder.path().join("ocr"));
        let report = eyechart(&["report", arg(folder.path())]);
        assert_eq!(
            rows(&report),
            rows(&plain),
            "{harness}: {}",
            report["sources"]
        );
    }
}

/// Copies the text files of a folder as UTF-16.
fn encode(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            encode(&entry.path(), &target);
        } else if let Ok(text) = fs::read_to_string(entry.path()) {
            let units = text.encode_utf16();
            let bytes: Vec<u8> = [0xff, 0xfe]
                .into_iter()
                .chain(units.flat_map(u16::to_le_bytes))
                .collect();
            fs::write(target, bytes).expect("a file");
        }
    }
}

#[test]
fn damaged_files_with_the_name_of_a_log_are_problems() {
    let run_of = |name: &str| format!("outputs/Some-VL/T20261121-001510/{name}");
    for (name, bytes) in [
        (
            run_of("Some-VL_tdbench_rot0.xlsx"),
            &b"PK\x03\x04 and then nothing"[..],
        ),
        (run_of("Some-VL_tdbench_rot0.xlsx"), b"garbage"),
        (run_of("Some-VL_tdbench_rot0.xlsx"), b""),
        ("a.xlsx".to_owned(), b"PK\x03\x04"),
        ("a.parquet".to_owned(), b"PAR"),
        ("a.eval".to_owned(), b"nothing"),
        ("a.jsonl".to_owned(), b"nothing\nat all\n"),
        ("a.csv".to_owned(), b"a\0b\0\0\0c,d"),
    ] {
        let folder = log(&[line(&json!({}))]);
        let path = folder.path().join(&name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, bytes).expect("a file");
        let told = told(folder.path());
        let file = path.file_name().expect("a name").to_string_lossy();
        assert!(told.contains(file.as_ref()), "{name}: {told}");
    }
}

#[test]
fn what_lies_too_deep_or_outside_is_a_problem() {
    let folder = log(&[line(&json!({}))]);
    let deep = folder.path().join("d/".repeat(30));
    fs::create_dir_all(&deep).expect("folders");
    fs::write(deep.join("a.eyechart.jsonl"), text()).expect("a log");
    assert!(told(folder.path()).contains("limits.depth"));

    let [inside, outside] = [
        log(&[line(&json!({}))]),
        log(&[line(&json!({"sample_id": "t"}))]),
    ];
    symlink(outside.path(), inside.path().join("link")).expect("a link");
    assert!(told(inside.path()).contains("--follow-links"));
    assert_eq!(rows(&eyechart(&["report", arg(inside.path())])), 1);
    let all = eyechart(&["report", arg(inside.path()), "--follow-links"]);
    assert_eq!(rows(&all), 2);
}

#[test]
fn pipes_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.eyechart.jsonl");
    fs::write(&path, text()).expect("a log");
    let csv = folder.path().join("a.csv");
    let converted = run(&["convert", arg(&path), "--out", arg(&csv)]);
    assert_eq!(converted.code, 0, "{}", converted.stderr);
    for file in [&path, &csv] {
        let bytes = fs::read(file).expect("a log");
        let mut child = program()
            .args(["report", "/dev/stdin", "--format", "json"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program");
        let mut pipe = child.stdin.take().expect("a pipe");
        pipe.write_all(&bytes).expect("a write");
        drop(pipe);
        let output = child.wait_with_output().expect("an end");
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(rows(&report), 3, "{}", report["sources"]);
        // Standard input is the log, as in `report <file`.
        let output = program()
            .args(["report", "/dev/stdin", "--format", "json"])
            .stdin(File::open(file).expect("a log"))
            .output()
            .expect("the program");
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(rows(&report), 3, "{}", report["sources"]);
    }
}

#[test]
fn a_huge_answer_is_scored_by_its_beginning_and_that_is_said() {
    let words = "many words, ".repeat(200_000);
    let row = json!({"sample_id": "1", "benchmark": "b", "ability": "counting", "model": "m", "target": 3,
        "response": format!("3. {words}")});
    let folder = log(&[row.to_string().into_bytes()]);
    let told = told(folder.path());
    assert!(told.contains("limits.scored"), "{told}");
}

#[test]
fn packed_logs_and_other_delimiters_are_told() {
    for (name, text, said) in [
        ("more.eyechart.jsonl.gz", "\u{1f}", "a compressed log"),
        ("results.json.zst", "\u{1f}", "a compressed log"),
        (
            "excel.csv",
            "sample_id;model;ability;response;score\n1;m;a;x;1\n",
            "separated by semicolons",
        ),
        (
            "twice.csv",
            "sample_id,model,ability,score,score\n1,m,a,0,1\n",
            "several columns are called `score`",
        ),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("a.eyechart.jsonl"), self::text()).expect("a log");
        fs::write(folder.path().join(name), text).expect("a file");
        let told = told(folder.path());
        assert!(told.contains(said), "{name}: {told}");
    }
    // Files that are not logs are not reported.
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.eyechart.jsonl"), text()).expect("a log");
    fs::write(folder.path().join("pictures.tar.gz"), "\u{1f}").expect("a file");
    assert_eq!(run(&["check", arg(folder.path()), "--strict"]).code, 0);
    fs::remove_file(folder.path().join("a.eyechart.jsonl")).expect("a log");
    let alone = [
        folder.path().to_path_buf(),
        folder.path().join("pictures.tar.gz"),
    ];
    for path in &alone {
        let told = run(&["report", arg(path)]).stderr;
        assert!(told.contains("pictures.tar.gz: an archive"), "{told}");
    }
}

#[test]
fn damaged_lines_of_verdicts_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.eyechart.jsonl"), text()).expect("a log");
    fs::write(
        folder.path().join("ann.verdicts.jsonl"),
        "{\"sample_id\": \"s0\"\n",
    )
    .expect("a file");
    let told = told(folder.path());
    assert!(told.contains("ann.verdicts.jsonl:1"), "{told}");
}

/// Half of a surrogate pair and an infinite number in a log's header, as Python writes them.
#[test]
fn headers_with_halves_of_characters_name_their_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let logs = fixture("inspect_ai/logs");
    let entries = fs::read_dir(&logs)
        .expect("logs")
        .flatten()
        .map(|entry| entry.path());
    let mut documents: Vec<_> = entries
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    documents.sort();
    let text = fs::read_to_string(documents.first().expect("a document")).expect("a document");
    let plain = folder.path().join("plain.json");
    fs::write(&plain, &text).expect("a file");
    let model = |path: &Path| eyechart(&["report", arg(path)])["scores"][0]["model"].clone();
    let odd = folder.path().join("odd.json");
    let inner = text.replacen(
        "\"eval\": {",
        "\"eval\": {\"odd\": [\"\\ud83d\", 1e400],",
        1,
    );
    assert_ne!(inner, text);
    fs::write(&odd, inner).expect("a file");
    assert_eq!(model(&odd), model(&plain));
    assert_ne!(model(&odd), json!("unknown"));
}

/// Each row has a metric with another name, which takes memory.
#[test]
fn many_metrics_have_a_bound() {
    let folder = tempfile::tempdir().expect("a folder");
    let lines = (0..600).map(|at| {
        let scores = [(format!("own {at}"), 0.5)];
        let scores: serde_json::Map<String, Value> = scores
            .into_iter()
            .map(|(name, score)| (name, json!(score)))
            .collect();
        String::from_utf8(line(
            &json!({"sample_id": format!("s{at}"), "scores": scores}),
        ))
        .expect("UTF-8")
    });
    let text = lines.collect::<Vec<_>>().join("\n") + "\n";
    fs::write(folder.path().join("a.eyechart.jsonl"), text).expect("a log");
    let told = told(folder.path());
    assert!(told.contains("400 further scores are left out"), "{told}");
    let report = eyechart(&["report", arg(folder.path())]);
    assert_eq!(rows(&report), 600);
}

/// A limit that is smaller than one read is still enforced.
#[test]
fn a_line_beyond_a_small_limit_is_left_out_and_told() {
    let long = json!({"sample_id": "long", "response": "word ".repeat(100)});
    let folder = log(&[
        line(&json!({})),
        line(&long),
        line(&json!({"sample_id": "t"})),
    ]);
    let config = folder.path().join("config.toml");
    fs::write(&config, "[limits]\nline = 400\n").expect("a file");
    let report = eyechart_with(
        &[("EYECHART_CONFIG", &config)],
        &["report", arg(folder.path())],
    );
    assert_eq!(rows(&report), 2);
    assert_eq!(rows(&eyechart(&["report", arg(folder.path())])), 3);
}

/// Questions that are not kept in memory are read from the log.
#[test]
fn samples_have_their_question_beyond_the_limit_of_texts() {
    let asked = json!({"question": "What is behind the limit?", "target": "a wall"});
    let folder = log(&[line(&asked)]);
    let config = folder.path().join("config.toml");
    fs::write(&config, "[limits]\ntexts = 1\n").expect("a file");
    let variables: &[(&str, &Path)] = &[("EYECHART_CONFIG", &config)];
    let samples = eyechart_with(variables, &["samples", arg(folder.path())]);
    let sample = &list(&samples, "samples")[0];
    assert_eq!(sample["question"], "What is behind the limit?");
    assert_eq!(sample["target"], "a wall");
}
