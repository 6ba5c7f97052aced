//! Tests logs and tables for which headlines were once wrong: scores with evidence, problems, and
//! conclusions about two models or sets.
//!
//! The answers are invented.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{arg, eyechart, list};

/// Folder of the logs and tables.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/trust_cases")
}

/// A number with four digits; `-` if missing.
fn number(value: &Value) -> String {
    value
        .as_f64()
        .map_or_else(|| "-".to_owned(), |number| format!("{number:.4}"))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// An interval with three digits.
fn interval(value: &Value) -> String {
    let ends = value.as_array().map(Vec::as_slice).unwrap_or_default();
    let ends = ends.iter().filter_map(Value::as_f64);
    let ends: Vec<String> = ends.map(|end| format!("{end:.3}")).collect();
    format!("[{}]", ends.join(", "))
}

/// Headline scores, average ranks and problems of a report, one per line.
fn said_of(report: &Value) -> String {
    let mut said = String::new();
    let headlines = list(report, "scores").iter();
    for score in headlines.filter(|score| score["headline"] == true) {
        let why = ["why_not", "excluded"].map(|field| text(&score[field]));
        let why = why.into_iter().find(|why| !why.is_empty());
        let rank = match score["rank"].as_u64() {
            Some(rank) => format!("rank {rank} of {}", score["rank_ci"]),
            None => why.unwrap_or("unranked").to_owned(),
        };
        let run = [text(&score["model"]), text(&score["run"])].join(" ");
        let names = ["benchmark", "ability", "split", "metric"].map(|name| text(&score[name]));
        let _ = writeln!(
            said,
            "{} | {} | {} {} n {} invalid {} | {rank}",
            names.join(" ").trim(),
            run.trim(),
            number(&score["score"]),
            interval(&score["ci"]),
            score["n"],
            score["invalid"],
        );
    }
    for source in list(report, "sources") {
        for problem in list(source, "problems") {
            let _ = writeln!(said, "! {}", text(&problem["what"]));
        }
    }
    said
}

#[test]
fn what_was_once_wrong_is_right_or_says_why_not() {
    let folder = folder();
    let mut cases: Vec<_> = fs::read_dir(&folder)
        .expect("cases")
        .map(|entry| entry.expect("a case").path())
        .collect();
    cases.sort();
    let mut said = String::new();
    for case in &cases {
        let name = case.file_name().expect("a name").to_string_lossy();
        let report = eyechart(&["report", arg(case)]);
        let _ = write!(said, "# {name}\n{}\n", said_of(&report));
    }
    let said = said.replace(&format!("{}/", arg(&folder)), "");
    insta::assert_snapshot!("reports", said);
}

#[test]
fn ten_thousand_equal_answers_are_a_tie() {
    let folder = tempfile::tempdir().expect("a folder");
    let row = |sample: u32, model: &str| {
        format!(
            "{{\"sample_id\": \"s{sample}\", \"benchmark\": \"b\", \"ability\": \"x\", \"model\": \"{model}\", \
             \"metric\": \"acc\", \"score\": {}}}\n",
            u8::from(sample % 10 < 7)
        )
    };
    let rows: String = (0..10_000)
        .flat_map(|sample| ["p", "q"].map(|model| row(sample, model)))
        .collect();
    fs::write(folder.path().join("a.eyechart.jsonl"), rows).expect("a log");
    let report = eyechart(&["report", arg(folder.path())]);
    for score in list(&report, "scores") {
        assert_eq!(
            (number(&score["score"]), score["rank"].as_u64()),
            ("0.7000".to_owned(), Some(1))
        );
    }
}

/// Conclusions about two models or sets, in the words that the command prints.
#[test]
fn what_was_once_claimed_of_two_is_claimed_only_where_it_holds() {
    let case = |name: &str| folder().join(name).to_string_lossy().into_owned();
    let mut said = String::new();
    for (name, words) in [
        ("31-outcome-filter", "compare A B"),
        ("31-outcome-filter", "compare A B --filter right:A"),
        ("42-skewed-difference", "compare A B"),
        ("52-tight-difference", "compare A B"),
        ("19-different-questions", "compare A B"),
        ("17-aliases", "compare GPT-4o gpt-4o-2024-08-06"),
        ("47-box-scale", "report --scoring strict"),
        (
            "48-relative-depth-strict.eyechart.jsonl",
            "report --scoring strict",
        ),
        ("49-multi-select", "report --metric all"),
        ("51-rotation-missing", "report --metric all"),
        ("34-zero-target", "report --metric all"),
        ("37-agree", "agree --between prompt=a prompt=b"),
    ] {
        let mut words: Vec<&str> = words.split(' ').collect();
        let path = case(name);
        // The option has two values.
        let at = words.iter().position(|word| word.starts_with("--"));
        words.insert(at.unwrap_or(words.len()), &path);
        let answer = eyechart(&words);
        let _ = writeln!(said, "# {}", words.join(" ").replace(&path, name));
        for ability in answer["abilities"].as_array().into_iter().flatten() {
            if words[0] == "agree" {
                let _ = writeln!(
                    said,
                    "tau {} models {} n {} excluded {} swaps {}",
                    number(&ability["kendall_tau_b"]),
                    ability["models"],
                    ability["n"],
                    ability["excluded"],
                    list(ability, "swaps").len(),
                );
            } else {
                let _ = writeln!(
                    said,
                    "{} {} p {} verdict {} | {}",
                    number(&ability["difference"]),
                    interval(&ability["ci"]),
                    number(&ability["p_value"]),
                    ability["verdict"],
                    text(&ability["why_not"]),
                );
            }
        }
        for score in answer["scores"].as_array().into_iter().flatten() {
            let _ = writeln!(
                said,
                "{} {} {} n {} invalid {}",
                text(&score["model"]),
                text(&score["metric"]),
                number(&score["score"]),
                score["n"],
                score["invalid"],
            );
        }
    }
    insta::assert_snapshot!("claims", said);
}
