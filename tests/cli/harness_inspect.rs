//! Tests every figure of Inspect AI, computed from its logs.

use std::fs;

use serde_json::Value;

use crate::support::{all, arg, assert_near, eyechart, fixture, list, one, run, texts};

const FULL: f64 = 1e-12;
const FOLDERS: [&str; 2] = ["inspect_ai/logs", "inspect_ai/logs_v0.3.112"];

/// Runs a check for every log that has figures computed by Inspect.
fn each(check: impl Fn(&str, &Value)) {
    for folder in FOLDERS {
        let text = fs::read_to_string(fixture(folder).join("expected.json")).expect("the figures");
        let expected: Value = serde_json::from_str(&text).expect("JSON");
        let logs = expected.as_object().expect("logs");
        assert!(logs.len() >= 4, "{folder}");
        for (name, said) in logs {
            check(arg(&fixture(folder).join(name)), said);
        }
    }
}

/// Name of a score's metric. If the log has one score, it is the metric alone.
fn metric(said: &Value, score: &Value, metric: &str) -> String {
    let names: std::collections::BTreeSet<&str> =
        texts(list(said, "scores"), "name").into_iter().collect();
    if names.len() == 1 {
        return metric.to_owned();
    }
    format!("{}/{metric}", score["name"].as_str().expect("a name"))
}

#[test]
fn every_figure_is_shown_as_the_harness_s_own() {
    each(|log, said| {
        let report = eyechart(&["report", log]);
        for score in list(said, "scores") {
            let split = match score["reducer"].as_str() {
                Some(reducer) => format!("harness, {reducer}"),
                None => "harness".to_owned(),
            };
            for (name, value) in score["metrics"].as_object().expect("metrics") {
                let label = metric(said, score, name);
                let row = one(
                    list(&report, "scores"),
                    &[("split", &split), ("metric", &label)],
                );
                assert_eq!(row["benchmark"], said["task"]);
                assert_eq!(row["model"], said["model"]);
                assert_eq!(
                    (&row["origin"], &row["headline"]),
                    (&"harness".into(), &false.into())
                );
                match value.as_f64() {
                    Some(value) => assert_near(&row["score"], value, FULL, &label),
                    None => assert!(row["score"].is_null(), "{label} is {value}"),
                }
            }
        }
    });
}

#[test]
fn means_are_computed_from_the_samples() {
    each(|log, said| {
        let report = eyechart(&["report", log]);
        let samples: Vec<&Value> = all(list(&report, "scores"), &[("origin", "samples")]);
        let means = list(said, "scores")
            .iter()
            .filter(|score| matches!(score["reducer"].as_str(), None | Some("mean")));
        for score in means {
            let metrics = score["metrics"].as_object().expect("metrics");
            let Some((name, value)) = metrics
                .iter()
                .find(|(name, _)| ["accuracy", "mean"].contains(&name.as_str()))
            else {
                continue;
            };
            // A single score is named after its metric; several scores have their own names.
            let label = metric(said, score, name);
            let label = label.split('/').next().expect("a name");
            let row = samples
                .iter()
                .find(|row| row["metric"] == label)
                .expect("a row");
            // In version 0.3.112, a single unscored sample makes the mean NaN.
            if let Some(value) = value.as_f64() {
                assert_near(&row["score"], value, FULL, label);
            }
            if let Some(scored) = score["scored_samples"].as_u64() {
                // Epochs of a sample count as one.
                assert_eq!(row["n"], scored, "{label} of {log}");
            }
            let failed = list(said, "per_sample")
                .iter()
                .filter(|sample| !sample["error"].is_null())
                .count();
            assert!(row["invalid"].as_u64().expect("a count") >= failed as u64);
        }
    });
}

/// A value as a number. The values right and partly right become numbers, too.
fn number(value: &Value) -> Option<f64> {
    match value.as_str() {
        Some("C") => Some(1.0),
        Some("P") => Some(0.5),
        Some("I" | "N") => Some(0.0),
        _ => value.as_f64(),
    }
}

#[test]
fn every_sample_has_its_score_and_failed_ones_are_invalid() {
    each(|log, said| {
        let found = eyechart(&["samples", log]);
        let samples = list(&found, "samples");
        assert_eq!(samples.len(), list(said, "per_sample").len(), "{log}");
        for expected in list(said, "per_sample") {
            let id = match &expected["id"] {
                Value::String(id) => id.clone(),
                id => id.to_string(),
            };
            let condition = format!("repeat={}", expected["epoch"]);
            let fields = [
                ("sample_id", id.as_str()),
                ("condition", condition.as_str()),
            ];
            let sample = one(samples, &fields);
            let scores = expected["scores"].as_object().expect("scores");
            let Some((_, value)) = scores.iter().next() else {
                assert!(
                    sample["score"].is_null() && sample["invalid"] == true,
                    "{sample}"
                );
                continue;
            };
            assert_eq!(sample["score"].as_f64(), number(value), "{id} of {log}");
        }
    });
}

#[test]
fn grouped_figures_are_subgroups() {
    let log =
        fixture("inspect_ai/logs/2026-11-21T00-26-10-00-00_mini-count_mh3VR7gSwgkphcwJRN832b.eval");
    let report = eyechart(&["report", arg(&log), "--by", "size_bin,shape"]);
    let bins = [
        ("few", 7.0 / 11.0),
        ("many", 8.0 / 21.0),
        ("triangle", 17.0 / 33.0),
        ("square", 5.0 / 9.0),
        ("circle", 7.0 / 12.0),
    ];
    for (bin, expected) in bins {
        let row = one(
            list(&report, "subgroups"),
            &[("bin", bin), ("metric", "count_exact")],
        );
        assert_near(&row["score"], expected, FULL, bin);
    }
}

#[test]
fn the_ability_is_the_task_or_the_tag_that_is_picked() {
    let log =
        fixture("inspect_ai/logs/2026-11-21T00-26-10-00-00_mini-count_mh3VR7gSwgkphcwJRN832b.eval");
    let abilities = |extra: &[&str]| {
        let report = eyechart(&[&["report", arg(&log)], extra].concat());
        let scores = all(
            list(&report, "scores"),
            &[("origin", "samples"), ("metric", "count_exact")],
        );
        scores
            .iter()
            .map(|row| row["ability"].as_str().expect("an ability").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(abilities(&[]), ["mini_count"]);
    assert_eq!(
        abilities(&["--ability", "tag:shape"]),
        ["circle", "square", "triangle"]
    );
}

#[test]
fn runs_that_failed_or_were_killed_are_told_and_give_their_samples() {
    let folder = fixture("inspect_ai");
    let report = eyechart(&["report", arg(&folder)]);
    let sources = list(&report, "sources");
    let source = |part: &str| {
        let has = |source: &&Value| {
            source["path"]
                .as_str()
                .is_some_and(|path| path.contains(part))
        };
        sources.iter().find(has).expect("a source")
    };
    let killed = source("mini-count-killed");
    assert_eq!(
        (&killed["rows"], &killed["superseded"]),
        (&9.into(), &false.into())
    );
    assert!(
        list(killed, "problems")[0]["what"]
            .as_str()
            .expect("a text")
            .contains("started")
    );
    // The run with status error is newer than the complete run of the same task.
    assert_eq!(source("mini-count-errors_PUz")["superseded"], false);
    assert_eq!(source("mini-count-errors_mpu")["superseded"], true);
    // Another version of the harness is another run.
    assert_eq!(source("mini-count-errors_Mmo")["superseded"], false);
    let scores = list(&report, "scores");
    let failed = one(
        scores,
        &[
            ("benchmark", "mini_count_errors"),
            ("origin", "samples"),
            ("run", "v0.3.285"),
        ],
    );
    assert_eq!((&failed["n"], &failed["invalid"]), (&15.into(), &3.into()));
    let check = run(&["check", arg(&folder), "--strict"]);
    assert_eq!(check.code, 3);
    assert!(
        check.stdout.contains("samples/10_epoch_1.json"),
        "{}",
        check.stdout
    );
}

#[test]
fn by_eyechart_s_own_rules_a_failed_sample_is_wrong() {
    let log = fixture(
        "inspect_ai/logs/2026-11-21T00-26-16-00-00_mini-count-errors_PUzQZhu7qjP4t4aUJcAGFE.eval",
    );
    let report = eyechart(&["report", arg(&log), "--scoring", "strict"]);
    let strict = one(list(&report, "scores"), &[("origin", "samples")]);
    assert_eq!(strict["n"], 18);
    assert!(strict["invalid"].as_u64().expect("a count") >= 3);
}
