//! Tests that answers contain the numbers of the commands, and are short.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value, json};

use super::{Client, TEXT};
use crate::support::sample_runs;

/// Questions about the sample runs, and about logs of harnesses.
const QUESTIONS: &str = include_str!("questions.tsv");

/// A question, the command with the same numbers, and where the command's JSON contains the rows.
struct Question {
    folder: &'static str,
    tool: &'static str,
    arguments: Value,
    rows: &'static str,
    /// The command line that is given in the answer.
    command: &'static str,
}

impl Question {
    fn parse(line: &'static str) -> Self {
        let fields: Vec<&str> = line.split('\t').collect();
        let [folder, tool, arguments, rows, command] = fields[..] else {
            panic!("{line}");
        };
        Self {
            folder,
            tool,
            arguments: serde_json::from_str(arguments).expect("JSON"),
            rows,
            command,
        }
    }
}

/// The questions: about the sample runs, and about logs of harnesses.
fn questions() -> (Vec<Question>, Vec<Question>) {
    let lines = QUESTIONS.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(Question::parse)
        .partition(|question| question.folder == "sample_runs")
}

/// JSON output of the command line given in an answer, run by a shell.
fn output_of(command: &str) -> Value {
    let words = command.strip_prefix("eyechart ").expect("this program");
    let output = Command::new("sh")
        .args(["-c", &format!("\"$EYECHART\" {words} --format json")])
        .env("EYECHART", env!("CARGO_BIN_EXE_eyechart"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}: {said}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Moves the texts from logs back into the objects to which they belong.
fn unmarked(value: &Value) -> Value {
    match value {
        Value::Array(entries) => entries.iter().map(unmarked).collect(),
        Value::Object(fields) => {
            let mut all = Map::new();
            for (key, value) in fields {
                match value {
                    Value::Object(texts) if key == TEXT => all.extend(texts.clone()),
                    value => drop(all.insert(key.clone(), unmarked(value))),
                }
            }
            all.into()
        }
        other => other.clone(),
    }
}

/// A row of a command's output, without fields that are empty.
fn without_empty(value: &Value) -> Value {
    match value {
        Value::Array(entries) => entries.iter().map(without_empty).collect(),
        Value::Object(fields) => {
            let is_there = |value: &Value| {
                !matches!(value.to_string().as_str(), "null" | "\"\"" | "[]" | "{}")
            };
            let kept = fields.iter().filter(|(_, value)| is_there(value));
            kept.map(|(key, value)| (key.clone(), without_empty(value)))
                .collect::<Map<_, _>>()
                .into()
        }
        other => other.clone(),
    }
}

/// Asserts that a row equals the command's row. Numbers and flags must be equal; texts may be
/// truncated.
fn assert_same(found: &Value, expected: &Value, what: &str) {
    match (found, expected) {
        (Value::String(found), Value::String(expected)) => {
            let (start, cut) = found.split_once("… (").unwrap_or((found, ""));
            let is_same = found == expected || (!cut.is_empty() && expected.starts_with(start));
            assert!(is_same, "{what}: {found:?} is not {expected:?}");
        }
        (Value::Array(found), Value::Array(expected)) => {
            let more = found.last().and_then(|last| last["more"].as_u64());
            let kept = found.len() - usize::from(more.is_some());
            let all = kept + usize::try_from(more.unwrap_or(0)).expect("a small number");
            assert_eq!(all, expected.len(), "{what}");
            for (found, expected) in found[..kept].iter().zip(expected) {
                assert_same(found, expected, what);
            }
        }
        (Value::Object(found), Value::Object(expected)) => {
            let keys = |fields: &Map<String, Value>| {
                let mut keys: Vec<String> = fields.keys().cloned().collect();
                keys.sort();
                keys
            };
            assert_eq!(keys(found), keys(expected), "{what}");
            for (key, value) in found {
                assert_same(value, &expected[key], &format!("{what}: {key}"));
            }
        }
        (found, expected) => assert_eq!(found, expected, "{what}"),
    }
}

/// Rows of the command that answers the question. A command is run only once, even if several
/// questions use it.
fn expected(question: &Question) -> Vec<Value> {
    static KNOWN: Mutex<BTreeMap<&str, Value>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let document = known.entry(question.command);
    let document = document.or_insert_with(|| output_of(question.command));
    let mut rows = document[question.rows].as_array().expect("rows").clone();
    drop(known);
    if question.rows == "scores" && question.arguments["metric"] != "all" {
        rows.retain(|row| row["headline"] == true);
    }
    rows.iter().map(without_empty).collect()
}

/// Rows of an answer, with the texts moved back into their objects.
fn rows(answer: &Value) -> Vec<Value> {
    let rows = answer["rows"].as_array().expect("rows");
    rows.iter().map(unmarked).collect()
}

fn assert_answered(answer: &Value, question: &Question) {
    let what = format!("{} {}", question.tool, question.arguments);
    assert_eq!(answer["command"], question.command, "{what}");
    let rows = rows(answer);
    let expected = expected(question);
    assert_eq!(answer["page"]["of"], expected.len(), "{what}");
    assert_eq!(rows.is_empty(), expected.is_empty(), "{what}");
    for (row, expected) in rows.iter().zip(&expected) {
        assert_same(row, expected, &what);
    }
}

/// Bytes of the logs and tables below a folder, without pictures.
fn log_bytes(folder: &Path) -> usize {
    let entries = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path());
    let length = |path: std::path::PathBuf| {
        let is_log = path
            .extension()
            .is_some_and(|ending| ending == "jsonl" || ending == "csv");
        match (path.is_dir(), is_log) {
            (true, _) => log_bytes(&path),
            (false, true) => {
                usize::try_from(path.metadata().expect("a file").len()).expect("a small file")
            }
            (false, false) => 0,
        }
    };
    entries.map(length).sum()
}

#[test]
fn thirty_answers_have_the_numbers_of_the_commands_in_a_twentieth_of_the_bytes() {
    let (questions, _) = questions();
    assert_eq!(questions.len(), 30);
    let mut client = Client::begin(&["sample_runs"]);
    client.bytes = 0;
    let answers: Vec<Value> = questions
        .iter()
        .map(|it| client.ask(it.tool, &it.arguments))
        .collect();
    let allowed = log_bytes(&sample_runs()) / 20;
    assert!(
        client.bytes <= allowed,
        "{} bytes of {allowed}",
        client.bytes
    );
    assert_eq!(client.end(), 0);
    for (answer, question) in answers.iter().zip(&questions) {
        assert_answered(answer, question);
    }
    let empty = answers.iter().filter(|answer| answer["page"]["of"] == 0);
    assert!(
        empty.count() <= 3,
        "questions without an answer test nothing"
    );
}

#[test]
fn answers_about_logs_of_harnesses_have_the_numbers_of_the_commands() {
    let (_, questions) = questions();
    assert!(questions.len() > 5, "{}", questions.len());
    for question in questions {
        let mut client = Client::begin(&[question.folder]);
        let answer = client.ask(question.tool, &question.arguments);
        assert_eq!(client.end(), 0);
        assert_answered(&answer, &question);
    }
}

#[test]
fn pages_lead_to_every_row_once() {
    let line = "sample_runs/exam\tscores\t{\"limit\": 7}\tscores\teyechart report sample_runs/exam";
    let question = Question::parse(line);
    let mut client = Client::begin(&[question.folder]);
    let pages = client.pages(question.tool, &question.arguments);
    assert!(pages.len() > 5, "{}", pages.len());
    let found: Vec<Value> = pages.iter().flat_map(rows).collect();
    let expected = expected(&question);
    assert_eq!(found.len(), expected.len());
    for (row, expected) in found.iter().zip(&expected) {
        assert_same(row, expected, "scores");
    }
    let arguments = json!({"filter": "model:hog ability:ocr", "limit": 9});
    let pages = client.pages("samples", &arguments);
    let ids: BTreeSet<String> = pages
        .iter()
        .flat_map(rows)
        .map(|row| row["sample_id"].to_string())
        .collect();
    assert_eq!(pages[0]["page"]["of"], ids.len());
    assert_eq!(client.end(), 0);
}

#[test]
fn every_score_has_its_n_interval_and_evidence() {
    let mut client = Client::begin(&["sample_runs/exam"]);
    for page in client.pages("scores", &json!({})) {
        for row in page["rows"].as_array().expect("rows") {
            assert!(
                row["n"].is_u64() && row["ci"].is_array() && row["evidence"]["scored"].is_u64(),
                "{row}"
            );
        }
    }
    assert_eq!(client.end(), 0);
}

#[test]
fn a_sample_has_the_answers_of_the_list() {
    let mut client = Client::begin(&["sample_runs"]);
    let answer = client.ask("sample", &json!({"sample": "absolute_depth-0005"}));
    assert_eq!(
        answer["command"],
        "eyechart show sample_runs --sample absolute_depth-0005"
    );
    assert_eq!(client.end(), 0);
    let list = output_of("eyechart samples sample_runs --filter sample:absolute_depth-0005");
    let list = list["samples"].as_array().expect("samples");
    let rows = answer["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), list.len());
    for (row, listed) in rows.iter().zip(list) {
        for field in ["score", "correct", "invalid"] {
            assert_eq!(row[field], listed[field], "{field}");
        }
        for field in ["model", "response", "parsed", "metric", "source"] {
            assert_eq!(row[TEXT][field], listed[field], "{field}");
        }
    }
    assert_eq!(answer[TEXT]["question"], list[0]["question"]);
    assert_eq!(answer[TEXT]["target"], list[0]["target"]);
}
