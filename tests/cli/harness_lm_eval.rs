//! Tests every figure of lm-evaluation-harness, computed from its samples and results.

use std::fs;

use serde_json::{Value, json};

use crate::support::{all, arg, assert_near, eyechart, fixture, list, one};

const FULL: f64 = 1e-12;

fn expected() -> Value {
    let text = fs::read_to_string(fixture("lm_eval/expected.json")).expect("the figures");
    let all: Value = serde_json::from_str(&text).expect("JSON");
    all["logs/3ykv54sv/results_2026-11-21T00-35-25.064502.json"].clone()
}

fn report() -> Value {
    eyechart(&["report", arg(&fixture("lm_eval"))])
}

#[test]
fn every_figure_is_shown_as_the_harness_s_own() {
    let report = report();
    let mut checked = 0;
    for (task, figures) in expected().as_object().expect("tasks") {
        for (key, value) in figures.as_object().expect("figures") {
            let Some(value) = value.as_f64().filter(|_| key.contains(',')) else {
                continue;
            };
            let metric = key.strip_suffix(",none").unwrap_or(key);
            let fields = [
                ("benchmark", task.as_str()),
                ("split", "harness"),
                ("metric", metric),
            ];
            assert_near(
                &one(list(&report, "scores"), &fields)["score"],
                value,
                FULL,
                key,
            );
            checked += 1;
        }
    }
    assert_eq!(checked, 8);
}

#[test]
fn means_are_computed_from_the_samples() {
    let report = report();
    let figures = expected();
    for metric in ["acc", "acc_norm"] {
        let fields = [
            ("benchmark", "mini_mc"),
            ("origin", "samples"),
            ("metric", metric),
        ];
        let row = one(list(&report, "scores"), &fields);
        let expected = figures["mini_mc"][format!("{metric},none")]
            .as_f64()
            .expect("a figure");
        assert_near(&row["score"], expected, FULL, metric);
        assert_eq!(
            (&row["n"], &row["headline"]),
            (&14.into(), &(metric == "acc").into())
        );
    }
    // The first filter is the headline; the other one is listed separately.
    for (filter, metric) in [
        ("strict-match", "exact_match"),
        ("flexible-extract", "exact_match,flexible-extract"),
    ] {
        let fields = [
            ("benchmark", "mini_gen"),
            ("origin", "samples"),
            ("metric", metric),
        ];
        let row = one(list(&report, "scores"), &fields);
        let expected = figures["mini_gen"][format!("exact_match,{filter}")]
            .as_f64()
            .expect("a figure");
        assert_near(&row["score"], expected, FULL, filter);
        assert_eq!(row["n"], 12);
        assert_eq!(row["headline"], filter == "strict-match");
    }
    let strict = eyechart(&["report", arg(&fixture("lm_eval")), "--scoring", "strict"]);
    let strict = all(
        list(&strict, "scores"),
        &[("benchmark", "mini_gen"), ("origin", "samples")],
    );
    assert!(strict.iter().all(|row| row["n"] == 12), "{strict:?}");
}

#[test]
fn each_document_stands_once_for_each_filter() {
    let found = eyechart(&[
        "samples",
        arg(&fixture("lm_eval")),
        "--filter",
        "filter:strict-match",
    ]);
    assert_eq!(list(&found, "samples").len(), 12);
    let report = report();
    let rows: Vec<&Value> = list(&report, "sources")
        .iter()
        .map(|source| &source["rows"])
        .collect();
    assert_eq!(rows, [24, 14]);
}

#[test]
fn likelihoods_are_read_as_the_option_that_is_likeliest() {
    let log = fixture("lm_eval");
    let strict = eyechart(&["report", arg(&log), "--scoring", "strict"]);
    let fields = [("benchmark", "mini_mc"), ("origin", "samples")];
    let row = one(list(&strict, "scores"), &fields);
    assert_near(&row["score"], 5.0 / 14.0, FULL, "as acc has it");
    assert_eq!(row["invalid"], 0);
}

/// Runs without samples (`--log_samples` is off by default) which differ in the number of examples.
#[test]
fn figures_alone_are_told_apart_by_shots() {
    let folder = tempfile::tempdir().expect("a folder");
    for (shots, score) in [(0, 0.5), (5, 0.75)] {
        let document = json!({
            "results": {"gsm": {"acc,none": score}, "mmlu_a": {"acc,none": score}, "mmlu": {"acc,none": score}},
            "group_subtasks": {"mmlu": ["mmlu_a"]},
            "configs": {},
            "n-shot": {"gsm": shots, "mmlu_a": shots},
            "higher_is_better": {"gsm": {"acc": true}},
            "config": {"model": "hf", "model_args": "pretrained=org/alpha"},
            "model_name": "org/alpha",
        });
        let name = format!("results_2026-10-0{}T10-00-00.000001.json", 1 + shots);
        fs::write(folder.path().join(name), document.to_string()).expect("a document");
    }
    let report = eyechart(&["report", arg(folder.path())]);
    let told = |benchmark: &str| {
        let rows = list(&report, "scores").iter();
        let rows = rows.filter(|row| row["benchmark"] == benchmark);
        let mut told: Vec<(String, f64)> = rows
            .map(|row| {
                (
                    row["run"].as_str().unwrap_or("none").to_owned(),
                    row["score"].as_f64().unwrap_or(f64::NAN),
                )
            })
            .collect();
        told.sort_by(|a, b| a.0.cmp(&b.0));
        told
    };
    let both = [("0-shot".to_owned(), 0.5), ("5-shot".to_owned(), 0.75)];
    for benchmark in ["gsm", "mmlu_a", "mmlu"] {
        assert_eq!(told(benchmark), both, "{benchmark}");
    }
    for source in list(&report, "sources") {
        assert_eq!(list(source, "problems").len(), 0, "{source}");
        assert_eq!(source["superseded"], false);
    }
}
