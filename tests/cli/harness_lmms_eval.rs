//! Tests every figure of lmms-eval, computed from its samples and results.

use std::fs;

use serde_json::Value;

use crate::support::{all, arg, assert_near, eyechart, fixture, list, one, run_in};

const FULL: f64 = 1e-12;
const MODEL: &str = "org-a/tiny-vl-2b";

fn expected() -> Value {
    let text = fs::read_to_string(fixture("lmms_eval/expected.json")).expect("the figures");
    let all: Value = serde_json::from_str(&text).expect("JSON");
    all["logs/org-a__tiny-vl-2b/20261121_083345_results.json"].clone()
}

fn report() -> Value {
    eyechart(&["report", arg(&fixture("lmms_eval"))])
}

#[test]
fn every_figure_is_shown_as_the_harness_s_own() {
    let report = report();
    let mut checked = 0;
    for (task, figures) in expected()["results"].as_object().expect("tasks") {
        for (key, value) in figures.as_object().expect("figures") {
            let Some(value) = value.as_f64() else {
                continue;
            };
            let metric = key.strip_suffix(",none").expect("a filter");
            let fields = [
                ("benchmark", task.as_str()),
                ("split", "harness"),
                ("metric", metric),
            ];
            let row = one(list(&report, "scores"), &fields);
            assert_near(&row["score"], value, FULL, key);
            assert_eq!(
                (&row["model"], &row["headline"]),
                (&MODEL.into(), &false.into())
            );
            checked += 1;
        }
    }
    assert_eq!(checked, 18);
}

#[test]
fn scores_of_samples_are_the_stored_ones() {
    let found = eyechart(&["samples", arg(&fixture("lmms_eval"))]);
    for task in ["mmstar_mini", "pope_mini"] {
        let samples = all(list(&found, "samples"), &[("benchmark", task)]);
        assert_eq!(expected()[task]["n"], samples.len());
        for (id, metrics) in expected()[task]["per_sample"].as_object().expect("samples") {
            let sample = samples
                .iter()
                .find(|sample| sample["sample_id"] == id.as_str())
                .expect("a sample");
            let (metric, stored) = metrics
                .as_object()
                .expect("metrics")
                .iter()
                .next()
                .expect("a metric");
            assert_eq!(
                (&sample["metric"], &sample["score"]),
                (&metric.as_str().into(), &stored["score"]),
                "{id}"
            );
        }
    }
}

#[test]
fn a_metric_that_is_a_mean_over_samples_is_computed_and_others_are_not() {
    let report = report();
    let computed = all(
        list(&report, "scores"),
        &[("benchmark", "pope_mini"), ("origin", "samples")],
    );
    assert_eq!(
        computed.len(),
        1,
        "precision, recall and F1 are no means: {computed:?}"
    );
    assert_eq!(computed[0]["metric"], "pope_accuracy");
    assert_near(&computed[0]["score"], 0.35, FULL, "pope_accuracy");
    assert_eq!(computed[0]["n"], 20);
}

#[test]
fn abilities_are_the_samples_own_categories() {
    let report = report();
    let computed = all(
        list(&report, "scores"),
        &[("benchmark", "mmstar_mini"), ("origin", "samples")],
    );
    let found: Vec<(&str, u64)> = computed
        .iter()
        .map(|row| {
            (
                row["ability"].as_str().expect("a name"),
                row["n"].as_u64().expect("a count"),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("coarse perception", 6),
            ("fine-grained perception", 7),
            ("math", 5)
        ]
    );
    // The figure of a category is a mean over finer categories, and is reported for the ability.
    let fields = [
        ("ability", "math"),
        ("split", "harness"),
        ("metric", "math"),
    ];
    assert_near(
        &one(list(&report, "scores"), &fields)["score"],
        5.0 / 6.0,
        FULL,
        "math",
    );
}

#[test]
fn answers_that_the_harness_reads_wrongly_are_found() {
    let log = fixture("lmms_eval");
    let found = eyechart(&[
        "samples",
        arg(&log),
        "--filter",
        "scorers:disagree benchmark:pope_mini",
    ]);
    let responses: Vec<&str> = list(&found, "samples")
        .iter()
        .map(|row| row["response"].as_str().expect("a text"))
        .collect();
    assert!(responses.contains(&"Yes."), "{responses:?}");
    assert!(
        responses.iter().all(|text| text.ends_with('.')),
        "{responses:?}"
    );
    let found = eyechart(&[
        "samples",
        arg(&log),
        "--filter",
        "scorers:disagree benchmark:mmstar_mini",
    ]);
    let responses: Vec<&str> = list(&found, "samples")
        .iter()
        .map(|row| row["response"].as_str().expect("a text"))
        .collect();
    assert!(
        responses
            .iter()
            .all(|text| *text == "I think it looks nice"),
        "{responses:?}"
    );
}

#[test]
fn samples_alone_find_their_results_beside_them() {
    let folder = fixture("lmms_eval/logs/org-a__tiny-vl-2b");
    let run = run_in(
        &folder,
        &[
            "report",
            "20261121_083345_samples_pope_mini.jsonl",
            "--format",
            "json",
        ],
    );
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(list(&report, "scores")[0]["model"], MODEL);
    assert!(
        list(&report, "sources")
            .iter()
            .all(|source| list(source, "problems").is_empty())
    );
}
