//! Tests with runs of HELM, with files built after its schema, and with damaged files.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::Helm;
use crate::testing::{CollectingSink, damaged, fixture, read_all, units};
use record::{ImageRef, REPEAT, Record, Target, Value};

fn run(name: &str) -> PathBuf {
    fixture("helm/written").join(name)
}

/// Copies a run to a temporary folder and reads the copy. `change` edits or drops each file.
fn changed(
    from: &Path,
    change: impl Fn(&str, Vec<u8>) -> Option<Vec<u8>>,
) -> (tempfile::TempDir, CollectingSink) {
    let folder = tempfile::tempdir().unwrap();
    let home = folder
        .path()
        .join("shapes:subject=shape,question_type=mcq,model=mine_alpha-vl-7b");
    fs::create_dir(&home).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if let Some(bytes) = change(&name, fs::read(entry.path()).unwrap()) {
            fs::write(home.join(name), bytes).unwrap();
        }
    }
    let found = read_all(&Helm, folder.path());
    (folder, found)
}

/// Returns the mean of a metric over the records that have the metric.
fn mean(found: &CollectingSink, metric: &str) -> f64 {
    let score = |record: &Record| {
        let own = record
            .stored
            .filter(|_| record.metric.as_deref() == Some(metric));
        let beside = record.beside.iter().find(|(name, _)| name == metric);
        own.or(beside.map(|(_, score)| *score))
    };
    let scores: Vec<f64> = found
        .records
        .iter()
        .filter_map(|(record, _)| score(record))
        .collect();
    scores.iter().sum::<f64>() / scores.len() as f64
}

#[test]
fn means_are_the_aggregates_of_helm() {
    let found = read_all(&Helm, &fixture("helm/shared"));
    assert_eq!(
        (found.records.len(), found.problems.len()),
        (6, 0),
        "{:?}",
        found.problems
    );
    let names: Vec<&str> = found
        .figures
        .iter()
        .map(|figure| figure.metric.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "exact_match",
            "quasi_exact_match",
            "prefix_exact_match",
            "quasi_prefix_exact_match"
        ]
    );
    for figure in &found.figures {
        assert!(
            (mean(&found, &figure.metric) - figure.score).abs() < 1e-12,
            "{figure:?}"
        );
        assert_eq!(figure.ability, "subject=shape,question_type=mcq");
    }
    let (record, line) = &found.records[0];
    assert_eq!(
        (record.benchmark.as_str(), record.model.as_str()),
        ("shapes", "mine/alpha-vl-7b")
    );
    assert_eq!((record.sample_id.as_str(), *line), ("id0", 33));
    assert_eq!(record.ability, found.figures[0].ability);
    assert_eq!(record.content.question, "Which shape is drawn in yellow?");
    assert_eq!(record.content.target, Some(Target::Text("D".to_owned())));
    assert_eq!(record.content.choices[3].text, "square");
    assert_eq!(record.parsed.as_deref(), Some("D"));
    assert_eq!(
        (record.metric.as_deref(), record.stored),
        (Some("exact_match"), Some(1.0))
    );
    assert_eq!(
        record.content.images,
        [ImageRef::Path(
            "/data/work/helm/shared_images/shape_003.png".to_owned()
        )]
    );
    assert!(record.condition.is_empty());
}

#[test]
fn perturbations_are_conditions_with_metrics_of_their_own_and_trials_are_repeats() {
    let found = read_all(&Helm, &run("boolq"));
    assert_eq!(found.records.len(), 10);
    let perturbed: Vec<&Record> = (found.records.iter())
        .map(|(record, _)| record)
        .filter(|record| record.condition.contains_key("perturbation"))
        .collect();
    assert_eq!(perturbed.len(), 4);
    assert_eq!(
        perturbed[0].condition["perturbation"],
        "typos prob=0.1".into()
    );
    assert_eq!(
        perturbed[0].metric.as_deref(),
        Some("quasi_exact_match,typos")
    );
    assert_eq!(perturbed[3].condition[REPEAT], Value::Number(2.0));
    assert_eq!(perturbed[0].sample_id, found.records[0].0.sample_id);
    let told: Vec<(&str, &str, f64)> = (found.figures.iter())
        .map(|figure| {
            (
                figure.metric.as_str(),
                figure.split.as_deref().unwrap(),
                figure.score,
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("quasi_exact_match", "harness", 0.75),
            ("exact_match", "harness", 0.25),
            ("quasi_exact_match,typos", "harness", 0.5),
            ("quasi_exact_match", "harness, valid", 0.5),
        ]
    );
    assert_eq!(found.records[2].0.content.tags["split"], "valid".into());
}

#[test]
fn a_failed_request_has_no_score_and_is_reported() {
    let found = read_all(&Helm, &run("boolq"));
    assert_eq!(found.problems.len(), 1);
    assert!(
        found.problems[0].ends_with("the request failed: timeout"),
        "{:?}",
        found.problems
    );
    let record = &found.records[4].0;
    assert_eq!(record.response, None);
    assert!(record.stored.unwrap().is_nan() && record.beside.is_empty());
}

#[test]
fn samples_without_statistics_have_the_metric_of_the_others() {
    let (_folder, found) = changed(&run("boolq"), |name, bytes| {
        if name != "per_instance_stats.json" {
            return Some(bytes);
        }
        let all: Vec<serde_json::Value> = serde_json::from_slice(&bytes).unwrap();
        serde_json::to_vec(&all[..all.len() / 2]).ok()
    });
    let metrics = (found.records.iter()).filter_map(|(record, _)| record.metric.as_deref());
    let is_usual = |metric: &&str| metric.starts_with("quasi_exact_match");
    assert_eq!(metrics.filter(is_usual).count(), 10);
    let unscored =
        (found.records.iter()).filter(|(record, _)| record.stored.is_some_and(f64::is_nan));
    assert_eq!(
        unscored.count(),
        5 + 1,
        "five without statistics, one failed"
    );
}

#[test]
fn an_answer_that_a_filter_blocked_counts_as_helm_scores_it() {
    let (_folder, found) = changed(&run("boolq"), |_, bytes| {
        let text = String::from_utf8(bytes).unwrap();
        let flags = r#""error_flags": {"is_fatal": false}, "error": "timeout"#;
        Some(text.replace(r#""error": "timeout"#, flags).into_bytes())
    });
    assert_eq!(found.problems, [""; 0]);
    let record = &found.records[4].0;
    assert_eq!(
        (record.response.as_deref(), record.stored),
        (Some(""), Some(0.0))
    );
}

#[test]
fn requests_for_each_reference_are_one_sample() {
    let found = read_all(&Helm, &run("hellaswag"));
    assert_eq!((found.records.len(), found.problems.len()), (1, 0));
    let record = &found.records[0].0;
    assert_eq!(record.response.as_deref(), Some("square"));
    assert_eq!(record.content.target, Some(Target::Text("A".to_owned())));
    assert_eq!((record.stored, record.beside.len()), (Some(0.0), 0));
}

#[test]
fn a_run_without_some_of_its_files_says_so() {
    let from = fixture("helm/shared/shapes_shape_mcq_alpha");
    let without =
        |name: &'static str| changed(&from, move |other, bytes| (other != name).then_some(bytes)).1;
    let found = without("run_spec.json");
    assert_eq!(
        (found.records.len(), found.problems.len()),
        (6, 0),
        "{:?}",
        found.problems
    );
    let record = &found.records[0].0;
    assert_eq!(
        (record.benchmark.as_str(), record.model.as_str()),
        ("shapes", "mine/alpha-vl-7b")
    );
    assert_eq!(record.ability, "subject=shape,question_type=mcq");
    let found = without("per_instance_stats.json");
    assert_eq!((found.records.len(), found.problems.len()), (6, 1));
    assert!(
        found
            .records
            .iter()
            .all(|(record, _)| record.stored.is_none())
    );
    let found = without("scenario_state.json");
    assert_eq!((found.records.len(), found.problems.len()), (0, 1));
    assert_eq!(found.figures.len(), 4);
    assert_eq!(without("stats.json").records.len(), 6);
}

#[test]
fn a_file_that_is_named_alone_brings_the_others() {
    let found = read_all(&Helm, &run("hellaswag").join("scenario_state.json"));
    assert_eq!((found.problems.len(), found.figures.len()), (0, 1));
    assert_eq!(found.records[0].0.stored, Some(0.0));
}

#[test]
fn files_cut_short_keep_their_whole_samples() {
    let from = fixture("helm/shared/shapes_shape_mcq_alpha");
    for name in [
        "scenario_state.json",
        "per_instance_stats.json",
        "stats.json",
        "run_spec.json",
    ] {
        let cut = |other: &str, mut bytes: Vec<u8>| {
            if other == name {
                bytes.truncate(bytes.len() * 3 / 5);
            }
            Some(bytes)
        };
        let (_folder, found) = changed(&from, cut);
        assert!(
            found.problems.iter().any(|what| what.starts_with(name)),
            "{name}: {:?}",
            found.problems
        );
        assert!(found.records.len() >= 3, "{name}");
    }
}

#[test]
fn repeated_runs_count_once_and_other_files_of_the_folder_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    for suite in ["v1", "v2"] {
        let home = folder.path().join(suite).join("run");
        fs::create_dir_all(&home).unwrap();
        for entry in fs::read_dir(run("hellaswag")).unwrap().map(Result::unwrap) {
            fs::copy(entry.path(), home.join(entry.file_name())).unwrap();
        }
        fs::write(home.join("instances.json"), "[]").unwrap();
        fs::write(home.parent().unwrap().join("runs.json"), "[]").unwrap();
    }
    fs::write(folder.path().join("other.json"), "[]").unwrap();
    let units = units(&Helm, folder.path());
    assert_eq!(units.iter().filter(|unit| !unit.superseded).count(), 1);
    let mut files = crate::find(&[folder.path().to_path_buf()]).0;
    super::run_folders::plan(&mut files, &crate::Context::default());
    let left: Vec<&str> = files.iter().map(|file| file.name()).collect();
    assert_eq!(left, ["other.json"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn damaged_files_never_panic(
        pick in 0_usize..4,
        hits in prop::collection::vec(any::<(prop::sample::Index, u8, u8)>(), 1..9),
    ) {
        let names = ["scenario_state.json", "per_instance_stats.json", "stats.json", "run_spec.json"];
        let hit = |name: &str, bytes: Vec<u8>| Some(if name == names[pick] { damaged(&bytes, &hits) } else { bytes });
        changed(&run("boolq"), hit);
    }
}
