//! Tests every figure of AVA-Bench's own evaluators, computed from the answer files.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::support::{all, arg, assert_near, eyechart, fixture, list, one, texts};

/// The harness prints percent with two decimals.
const ROUNDED_PERCENT: f64 = 0.005_000_1;
/// The harness prints CIEDE2000 and GIoU with four decimals.
const ROUNDED: f64 = 0.000_050_1;
/// All other figures are printed in full.
const FULL: f64 = 1e-9;

/// Folder and name of each ability.
const ABILITIES: [(&str, &str); 9] = [
    ("counting", "counting"),
    ("abs_depth", "absolute_depth"),
    ("color", "color"),
    ("location", "localization"),
    ("ocr", "ocr"),
    ("rel_depth", "relative_depth"),
    ("spatial_bbox", "spatial"),
    ("fine_grained", "fine_grained"),
    ("action", "action_recognition"),
];

/// Names of ranges in the harness and in Eyechart: for counts and lengths, and for depths.
const RANGES: [(&str, &str, &str); 4] = [
    ("0_5", "1-5", "<= 5"),
    ("5_10", "6-10", "(5, 10]"),
    ("10_20", "11-20", "(10, 20]"),
    ("20_", "21+", "> 20"),
];

/// Ability, model and the harness's figures.
type Case = (&'static str, String, Value);

fn cases() -> Vec<Case> {
    let text = fs::read_to_string(fixture("ava_bench/expected.json")).expect("the figures");
    let expected: Value = serde_json::from_str(&text).expect("JSON");
    let mut cases = Vec::new();
    for (folder, ability) in ABILITIES {
        let models = expected[folder]
            .as_object()
            .expect("figures of the ability");
        assert_eq!(models.len(), 3, "{folder}");
        cases.extend(
            models
                .iter()
                .map(|(model, figures)| (ability, model.clone(), figures.clone())),
        );
    }
    cases
}

/// Runs a check for every ability and model.
fn each(check: impl Fn(&str, &str, &Value)) {
    for (ability, model, figures) in cases() {
        check(ability, &model, &figures);
    }
}

fn report(by: &str) -> Value {
    let logs = fixture("ava_bench");
    eyechart(&["report", arg(&logs), "--by", by, "--metric", "all"])
}

#[test]
fn overall_figures() {
    let report = report("dataset");
    each(|ability, model, figures| {
        let check = |metric: &str, expected: &Value, per: f64, within: f64| {
            if let Some(expected) = expected.as_f64() {
                let fields = [("ability", ability), ("model", model), ("metric", metric)];
                let score = one(list(&report, "scores"), &fields);
                let what = format!("{metric} of {model} on {ability}");
                assert_near(&score["score"], expected / per, within / per, &what);
                let lower = !["accuracy", "anls", "giou"].contains(&metric);
                assert_eq!(
                    score["direction"],
                    if lower { "lower" } else { "higher" },
                    "{what}"
                );
            }
        };
        let overall = &figures["Overall Accuracy Metrics"];
        let share = if ability == "ocr" { "anls" } else { "accuracy" };
        check(share, &overall["overall"], 100.0, ROUNDED_PERCENT);
        check(share, &overall["acc"], 100.0, ROUNDED_PERCENT);
        check("mae", &overall["mae"], 1.0, FULL);
        check("mae_over_gt", &overall["overall_mae_gt"], 1.0, FULL);
        check("rmse", &overall["rmse"], 1.0, FULL);
        check("rmse_over_gt", &overall["overall_rmse_gt"], 1.0, FULL);
        let color = &figures["Color Difference Metrics"];
        check("ciede2000", &color["mean_ciede2000"], 1.0, ROUNDED);
        check("median_ciede2000", &color["median_ciede2000"], 1.0, ROUNDED);
        let boxes = &figures["Bounding Box Metrics"];
        check("giou", &boxes["mean_giou"], 1.0, ROUNDED);
        for scored in [&color["num_samples"], &boxes["num_samples"]]
            .into_iter()
            .filter_map(Value::as_f64)
        {
            let fields = [("ability", ability), ("model", model)];
            let score = all(list(&report, "scores"), &fields)[0];
            assert_near(&score["n"], scored, 0.0, "samples that the harness scored");
            assert_near(
                &score["invalid"],
                24.0 - scored,
                0.0,
                "samples that it skipped",
            );
        }
    });
}

#[test]
fn figures_by_range() {
    let report = report("count,depth_m,text_length");
    let mut checked = 0;
    let mut check =
        |ability: &str, model: &str, metric: &str, range: &str, expected: f64, within: f64| {
            let fields = [
                ("ability", ability),
                ("model", model),
                ("metric", metric),
                ("bin", range),
            ];
            let found = all(list(&report, "subgroups"), &fields);
            let what = format!("{metric} of {model} on {ability} in {range}");
            match found.as_slice() {
                [bin] => assert_near(&bin["score"], expected, within, &what),
                [] => assert!(
                    expected.abs() < f64::EPSILON,
                    "{what}: the harness has {expected}"
                ),
                _ => panic!("{what}: {found:?}"),
            }
            checked += found.len();
        };
    let sections = [
        ("MAE", "mae"),
        ("MAE_GT", "mae_over_gt"),
        ("RMSE", "rmse"),
        ("RMSE_GT", "rmse_over_gt"),
    ];
    for (ability, model, figures) in cases() {
        let overall = &figures["Overall Accuracy Metrics"];
        for (range, whole, depth) in RANGES {
            let ours = if ability == "absolute_depth" {
                depth
            } else {
                whole
            };
            if let Some(percent) = overall[range].as_f64() {
                check(
                    ability,
                    &model,
                    "accuracy",
                    ours,
                    percent / 100.0,
                    ROUNDED_PERCENT / 100.0,
                );
            }
            for (section, metric) in sections {
                if let Some(expected) =
                    figures[format!("{section} per Count Range")][range].as_f64()
                {
                    check(ability, &model, metric, ours, expected, FULL);
                }
            }
        }
        for (length, ours) in [
            ("1_5", "1-5"),
            ("6_10", "6-10"),
            ("11_20", "11-20"),
            ("21_plus", "21+"),
        ] {
            if let Some(percent) = overall[format!("anls_{length}")].as_f64() {
                check(
                    ability,
                    &model,
                    "anls",
                    ours,
                    percent / 100.0,
                    ROUNDED_PERCENT / 100.0,
                );
            }
        }
    }
    assert!(checked > 120, "only {checked} figures were there");
}

#[test]
fn figures_by_dataset() {
    let report = report("dataset");
    each(|ability, model, figures| {
        let sections = [
            ("Mean CIEDE2000 per Dataset", "ciede2000"),
            ("Mean GIoU per Dataset", "giou"),
        ];
        for (section, metric) in sections {
            for (dataset, expected) in figures[section].as_object().into_iter().flatten() {
                let fields = [
                    ("ability", ability),
                    ("model", model),
                    ("metric", metric),
                    ("bin", dataset),
                ];
                let bin = one(list(&report, "subgroups"), &fields);
                assert_near(
                    &bin["score"],
                    expected.as_f64().expect("a figure"),
                    ROUNDED,
                    dataset,
                );
            }
        }
    });
}

#[test]
fn samples_that_the_harness_counts_wrong() {
    let logs = fixture("ava_bench");
    each(|ability, model, figures| {
        let Some(expected) = figures["mismatch_question_ids"].as_array() else {
            return;
        };
        // The harness lists an OCR answer as wrong only if its score is 0.
        let wrong = match ability {
            "ocr" => "score=0",
            // The harness measures errors in metres. Eyechart accepts a depth within a quarter of
            // the target.
            "absolute_depth" => return,
            _ => "not correct:true",
        };
        let filter = format!("ability:{ability} model:{model} {wrong}");
        let found = eyechart(&["samples", arg(&logs), "--filter", &filter]);
        let found: BTreeSet<&str> = texts(list(&found, "samples"), "sample_id")
            .into_iter()
            .collect();
        let expected: BTreeSet<&str> = expected.iter().filter_map(Value::as_str).collect();
        assert_eq!(found, expected, "{filter}");
    });
}

#[test]
fn scores_of_single_samples() {
    let logs = fixture("ava_bench");
    let samples = eyechart(&[
        "samples",
        arg(&logs),
        "--filter",
        "ability:color or ability:localization",
    ]);
    each(|ability, model, figures| {
        for (id, expected) in figures["per_sample"].as_object().into_iter().flatten() {
            let fields = [("ability", ability), ("model", model), ("sample_id", id)];
            let sample = one(list(&samples, "samples"), &fields);
            match expected.as_f64() {
                Some(expected) => assert_near(&sample["score"], expected, ROUNDED, id),
                None => {
                    assert!(
                        sample["score"].is_null() && sample["invalid"] == true,
                        "{sample}"
                    );
                }
            }
        }
    });
}

#[test]
fn an_ability_without_an_evaluator_is_scored_too() {
    let report = report("dataset");
    let scenes = all(
        list(&report, "scores"),
        &[("ability", "scene_recognition"), ("metric", "accuracy")],
    );
    assert_eq!(scenes.len(), 3);
    assert!(scenes.iter().all(|score| score["n"] == 24));
}
