//! Tests every figure in the logs of fm-vision-evals: computed from the samples, or marked as a
//! figure of the harness.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{all, arg, assert_near, eyechart, fixture, list, one, run, texts};

const EXACT: f64 = 1e-9;

/// Key in the harness, metric in Eyechart, and true if the metric can be computed from samples.
const FIGURES: [(&str, &str, bool); 12] = [
    ("accuracy", "accuracy", true),
    ("mAP@0.1", "ap10", true),
    ("mAP@0.5", "ap50", true),
    ("mAP@0.75", "ap75", true),
    ("mAP@0.5:0.95:0.05", "ap", true),
    ("pixel_accuracy", "pixel_accuracy", false),
    ("avg_accuracy", "pairwise_accuracy", false),
    ("avg_local_kendall_tau", "local_tau", false),
    ("avg_local_spearman_rank", "local_rho", false),
    ("avg_global_kendall_tau", "tau", false),
    ("avg_global_spearman_rank", "rho", false),
    ("abs_rel_errors", "abs_rel", false),
];

/// Metric, value, and true if computed from samples, for one figure of the harness.
fn named(log: &str, key: &str, value: &Value) -> Vec<(String, f64, bool)> {
    let number = |value: &Value| value.as_f64().expect("a number");
    if key == "mIoU" {
        return vec![("miou".to_owned(), number(value), log.contains("group"))];
    }
    if key == "delta_errors" {
        let values = value.as_array().expect("three").iter().zip(1..);
        return values
            .map(|(value, at)| (format!("delta{at}"), number(value), false))
            .collect();
    }
    if key == "all_average_global_spearman_rank" {
        let values: Vec<f64> = value
            .as_array()
            .expect("a list")
            .iter()
            .map(number)
            .collect();
        let mean =
            values.iter().sum::<f64>() / f64::from(u32::try_from(values.len()).expect("few"));
        return vec![("rho_mean".to_owned(), mean, true)];
    }
    let (_, name, from_samples) = FIGURES
        .iter()
        .find(|(theirs, ..)| *theirs == key)
        .expect("a known figure");
    match value {
        Value::Object(axes) => ["right", "up", "out"]
            .iter()
            .zip(["x", "y", "z"])
            .map(|(theirs, ours)| (format!("{name}_{ours}"), number(&axes[*theirs]), false))
            .collect(),
        value => vec![((*name).to_owned(), number(value), *from_samples)],
    }
}

fn ability(log: &str) -> &'static str {
    let known = [
        ("classify", "classification"),
        ("detect", "detection"),
        ("segment", "segmentation"),
        ("group", "grouping"),
        ("depth", "depth"),
        ("normals", "normals"),
    ];
    known
        .iter()
        .find(|(task, _)| log.contains(task))
        .expect("a task")
        .1
}

fn model(log: &str) -> String {
    let model = log.split('_').next().expect("a name");
    let remark = ["_b4_ignore", "_noeval"]
        .into_iter()
        .find(|remark| log.contains(remark));
    format!("{model}{}", remark.unwrap_or_default())
}

#[test]
fn every_figure_is_there_with_its_origin() {
    let report = eyechart(&["report", arg(&fixture("taskit"))]);
    let scores = list(&report, "scores");
    let text = fs::read_to_string(fixture("taskit/expected.json")).expect("the figures");
    let expected: Value = serde_json::from_str(&text).expect("JSON");
    let mut compared = 0;
    for (log, figures) in expected.as_object().expect("logs") {
        for (key, value) in figures["eval_metric"].as_object().into_iter().flatten() {
            for (metric, value, from_samples) in named(log, key, value) {
                let fields = [
                    ("model", model(log)),
                    ("ability", ability(log).to_owned()),
                    ("metric", metric.clone()),
                ];
                let fields: Vec<(&str, &str)> = fields
                    .iter()
                    .map(|(key, value)| (*key, value.as_str()))
                    .collect();
                let score = one(scores, &fields);
                let what = format!("{metric} of {log}");
                assert_near(&score["score"], value, EXACT, &what);
                assert_eq!(
                    score["origin"],
                    if from_samples { "samples" } else { "harness" },
                    "{what}"
                );
                assert_eq!(score["n"], figures["n"], "{what}");
                assert_eq!(
                    score["direction"],
                    if metric == "abs_rel" {
                        "lower"
                    } else {
                        "higher"
                    },
                    "{what}"
                );
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 39);
    let headlines = [
        ("segmentation", "miou"),
        ("depth", "delta1"),
        ("normals", "rho_mean"),
        ("grouping", "miou"),
    ];
    for (ability, metric) in headlines {
        let of = all(scores, &[("ability", ability), ("model", "gpt-4o")]);
        let headline: Vec<&&Value> = of
            .iter()
            .filter(|score| score["headline"] == true)
            .collect();
        assert_eq!(headline.len(), 1, "{ability}: {headline:?}");
        assert_eq!(headline[0]["metric"], metric);
    }
}

#[test]
fn tokens_and_failures_are_told() {
    let report = eyechart(&["report", arg(&fixture("taskit"))]);
    let scores = list(&report, "scores");
    let tokens = one(
        scores,
        &[
            ("model", "gpt-4o"),
            ("ability", "detection"),
            ("metric", "prompt_tokens"),
        ],
    );
    assert_eq!(
        (&tokens["score"], &tokens["direction"]),
        (&json!(78560.0), &Value::Null)
    );
    let ignored = one(
        scores,
        &[("model", "gpt-4o_b4_ignore"), ("metric", "accuracy")],
    );
    assert_eq!(ignored["invalid"], 8);
    let sources = list(&report, "sources");
    let source = |end: &str| {
        let ends = |source: &&Value| {
            source["path"]
                .as_str()
                .is_some_and(|path| path.ends_with(end))
        };
        sources
            .iter()
            .find(ends)
            .unwrap_or_else(|| panic!("no source {end}"))
    };
    let failed = list(source("gpt-4o_classify_20261121_001515.json"), "problems");
    assert_eq!(failed.len(), 2);
    assert!(
        texts(failed, "where")
            .iter()
            .all(|place| place.contains("error_gpt-4o_classify"))
    );
    // A backup is read if the run was stopped, and ignored if the run was completed.
    let stopped = source("backup_stopped_detect_20261121_001744.json");
    assert_eq!(
        (&stopped["rows"], &stopped["format"]),
        (&json!(8), &json!("taskit"))
    );
    assert!(!sources.iter().any(|source| {
        source["path"]
            .as_str()
            .is_some_and(|path| path.contains("backup_gpt"))
    }));
    let whole = one(scores, &[("model", "o4-mini"), ("metric", "ap")]);
    let left = one(scores, &[("model", "stopped"), ("metric", "ap")]);
    assert_eq!(left["n"], whole["n"]);
}

#[test]
fn without_truth_the_figures_are_the_harness_s_own() {
    let folder = tempfile::tempdir().expect("a folder");
    for log in [
        "gpt-4o_classify_20261121_001515.json",
        "gpt-4o_detect_20261121_001537.json",
        "gpt-4o_group_20261121_001624.json",
    ] {
        fs::copy(
            fixture("taskit/logs/outputs").join(log),
            folder.path().join(log),
        )
        .expect("a copy");
    }
    let report = eyechart(&["report", arg(folder.path())]);
    for (ability, metric) in [
        ("classification", "accuracy"),
        ("detection", "ap"),
        ("grouping", "miou"),
    ] {
        let score = one(
            list(&report, "scores"),
            &[("ability", ability), ("metric", metric)],
        );
        assert_eq!(
            (&score["origin"], &score["rank"]),
            (&json!("harness"), &json!(1)),
            "{ability}"
        );
    }
    // The harness's figures are for the whole log, so a filter excludes them.
    let filtered = eyechart(&["report", arg(folder.path()), "--filter", "sample:img_00"]);
    assert!(
        list(&filtered, "scores")
            .iter()
            .all(|score| score["origin"] == "samples")
    );
    let data = eyechart(&[
        "report",
        arg(folder.path()),
        "--data",
        arg(&fixture("taskit/gt")),
    ]);
    let accuracy = one(
        list(&data, "scores"),
        &[("ability", "classification"), ("metric", "accuracy")],
    );
    assert_eq!(accuracy["origin"], "samples");
}

#[test]
fn the_newest_evaluated_run_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = |answer: &str, evaluated: bool| {
        let lines = if evaluated { "" } else { "\n" };
        let tail = if evaluated {
            ", \"eval_metric\": \"{'accuracy': np.float64(0.5)}\""
        } else {
            ""
        };
        format!(
            "{{\"completion_tokens\": 1, \"prompt_tokens\": 1, \"task\": \"classify\", \"data\": [{lines}{{\"class\": \"{answer}\", \"file_name\": \"a.png\"}}{lines}]{tail}}}"
        )
    };
    let write =
        |name: &str, text: String| fs::write(folder.path().join(name), text).expect("a log");
    write("m_classify_20260101_000000.json", output("old", true));
    write("m_classify_20260102_000000.json", output("new", true));
    write(
        "m_classify_20260103_000000.json",
        output("unfinished", false),
    );
    let found = run(&["samples", arg(folder.path()), "--format", "jsonl"]).stdout;
    assert!(
        found.contains("\"new\"") && !found.contains("\"old\"") && !found.contains("unfinished"),
        "{found}"
    );
    let report = eyechart(&["report", arg(folder.path())]);
    let superseded = list(&report, "sources")
        .iter()
        .filter(|source| source["superseded"] == true);
    assert_eq!(superseded.count(), 2);
}

#[test]
fn bad_records_are_told_and_good_ones_load() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::copy(
        fixture("taskit/gt/classify.json"),
        folder.path().join("classify.json"),
    )
    .expect("truth");
    let text = "{\"completion_tokens\": 1, \"prompt_tokens\": 1, \"task\": \"classify\", \"data\": [\n\
        {\"class\": \"analog clock\", \"file_name\": \"data/classify/img_000.png\"},\n\
        {\"class\": 5, \"file_name\": \"data/classify/img_001.png\"},\n\
        {\"class\": \"tabby\"},\n\
        {\"class\": \"tabby\", \"file_name\": \"data/classify/img_008.png\"},\n\
        {\"class\": \"tab";
    let log = folder.path().join("m_classify_20260101_000000.json");
    fs::write(&log, text).expect("a log");
    let report = eyechart(&["report", arg(folder.path())]);
    let source = one(list(&report, "sources"), &[("format", "taskit")]);
    assert_eq!(source["rows"], 2);
    let problems = list(source, "problems");
    let whats = texts(problems, "what").join("\n");
    for part in [
        "no `class`",
        "no `file_name`",
        "cut short",
        "the file is incomplete",
    ] {
        assert!(whats.contains(part), "{part} in {whats}");
    }
    let lines = |line: u64| {
        texts(problems, "where")
            .iter()
            .any(|at| at.ends_with(&format!(":{line}")))
    };
    assert!(lines(3) && lines(4) && lines(6), "{problems:?}");
    assert!(
        Path::new(source["path"].as_str().expect("a path"))
            .ends_with("m_classify_20260101_000000.json")
    );
}

#[test]
fn an_output_whose_first_keys_are_damaged_is_read_or_told() {
    let outputs = Path::new("taskit/logs/outputs");
    let name = "gpt-4o_detect_20261121_001537.json";
    let whole = fs::read_to_string(fixture(&outputs.join(name).display().to_string()));
    let whole = whole.expect("the log");
    let folder = tempfile::tempdir().expect("a folder");
    let read = |text: &str| {
        fs::write(folder.path().join(name), text).expect("a log");
        let report = run(&["report", arg(folder.path()), "--format", "json"]);
        report.stdout + &report.stderr
    };
    let without_task = whole.replace("\"task\": ", "");
    assert_ne!(without_task, whole);
    assert!(
        read(&without_task).contains("\"rows\":8"),
        "{}",
        read(&without_task)
    );
    let without_data = whole.replace("\"data\"", "\"dat\"");
    assert!(read(&without_data).contains("the list `data` is missing"));
}
