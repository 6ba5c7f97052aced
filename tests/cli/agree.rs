//! Tests `eyechart agree`: two sets of runs against scipy, and subsets that keep a ranking.

use std::fs;

use serde_json::{Value, json};

use crate::own_format::log;
use crate::support::{arg, assert_near, eyechart, fixture, list, one, run};

fn runs() -> String {
    arg(&fixture("ranks/runs.eyechart.jsonl")).to_owned()
}

fn expected() -> Value {
    let text = include_str!("../fixtures/ranks/expected.json");
    serde_json::from_str(text).expect("expected.json")
}

/// Asserts the numbers of an ability.
fn assert_agrees(found: &Value, expected: &Value) {
    assert_eq!(found["models"], expected["models"], "{found}");
    for (field, recorded) in [("kendall_tau_b", "tau"), ("spearman_rho", "rho")] {
        assert_near(
            &found[field],
            expected[recorded].as_f64().expect("a number"),
            1e-9,
            field,
        );
    }
    assert_eq!(sorted(&found["swaps"]), expected["swaps"], "{found}");
}

/// Sorts pairs alphabetically.
pub fn sorted(swaps: &Value) -> Value {
    let mut swaps = swaps.as_array().expect("a list").clone();
    swaps.sort_by_key(Value::to_string);
    Value::Array(swaps)
}

#[test]
fn two_prompts_rank_as_scipy_says() {
    let filter = "not model:large";
    let found = eyechart(&[
        "agree",
        &runs(),
        "--filter",
        filter,
        "--between",
        "prompt:short",
        "prompt:long",
    ]);
    assert_eq!(found["schema"], "eyechart.agree/1");
    for (ability, expected) in expected()["prompts"].as_object().expect("abilities") {
        let row = one(list(&found, "abilities"), &[("ability", ability)]);
        assert_agrees(row, expected);
        assert_eq!(
            (&row["only_in_first"], &row["only_in_second"]),
            (&json!([]), &json!(["extra"]))
        );
        let tau = row["kendall_tau_b"].as_f64().expect("tau");
        let [low, high] = [0, 1].map(|end| row["tau_ci"][end].as_f64().expect("an end"));
        assert!(-1.0 <= low && low <= tau && high <= 1.0, "{row}");
    }
}

#[test]
fn models_are_found_again_by_a_part_of_their_name() {
    let sets = [
        "--between",
        "not (model:large or model:extra)",
        "model:large",
    ];
    let logs = runs();
    let by_part = [&["agree", &logs], &sets[..], &["--name", "^[a-z]+"]].concat();
    let found = eyechart(&by_part);
    let row = one(list(&found, "abilities"), &[("ability", "counting")]);
    assert_agrees(row, &expected()["families"]);
    let by_name = eyechart(&[&["agree", &logs], &sets[..]].concat());
    let row = one(list(&by_name, "abilities"), &[("ability", "counting")]);
    assert_eq!(
        (&row["models"], &row["kendall_tau_b"], &row["reason"]),
        (&json!(0), &Value::Null, &json!("fewer than two to rank"))
    );
    let twice = run(&[
        "agree",
        &runs(),
        "--between",
        "prompt:short",
        "prompt:long",
        "--name",
        "^[a-z]+",
    ]);
    assert_eq!(twice.code, 2);
    assert!(twice.stderr.contains("ash-large"), "{}", twice.stderr);
}

#[test]
fn an_old_and_a_new_scorer_are_two_sets() {
    let logs = fixture("ava_bench");
    let found = eyechart(&[
        "agree",
        arg(&logs),
        "--between",
        "scoring:harness",
        "scoring:strict",
    ]);
    for row in list(&found, "abilities") {
        let ability = row["ability"].as_str().expect("a name");
        let scores = |rule: &str| -> Vec<f64> {
            let report = eyechart(&["report", arg(&logs), "--scoring", rule]);
            let of = |score: &&Value| score["ability"] == ability && score["headline"] == true;
            let own = list(&report, "scores").iter().filter(of);
            own.filter_map(|score| score["score"].as_f64()).collect()
        };
        let order = |at: usize| -> Vec<f64> {
            let mut scores: Vec<f64> = list(row, "scores")
                .iter()
                .filter_map(|model| model["scores"][at].as_f64())
                .collect();
            scores.sort_by(f64::total_cmp);
            scores
        };
        // If the sides have different samples, scores are over the common ones.
        if !list(row, "excluded").is_empty() {
            continue;
        }
        for (at, rule) in ["harness", "strict"].into_iter().enumerate() {
            let mut reported = scores(rule);
            reported.sort_by(f64::total_cmp);
            assert_eq!(order(at), reported, "{ability} {rule}");
        }
    }
    let ocr = one(list(&found, "abilities"), &[("ability", "ocr")]);
    assert_eq!(ocr["swaps"].as_array().map(Vec::len), Some(2));
}

#[test]
fn where_all_are_tied_the_reason_is_said() {
    let line = |model: &str, prompt: &str| {
        json!({"sample_id": "a", "ability": "naming", "model": model, "metric": "accuracy", "score": 1, "condition": {"prompt": prompt}})
            .to_string()
            .into_bytes()
    };
    let folder = log(&[
        line("m", "x"),
        line("n", "x"),
        line("m", "y"),
        line("n", "y"),
    ]);
    let found = eyechart(&[
        "agree",
        arg(folder.path()),
        "--between",
        "prompt:x",
        "prompt:y",
    ]);
    let row = one(list(&found, "abilities"), &[]);
    assert_eq!(
        (&row["kendall_tau_b"], &row["reason"], &row["models"]),
        (&Value::Null, &json!("all are tied"), &json!(2))
    );
    let empty = run(&[
        "agree",
        arg(folder.path()),
        "--between",
        "prompt:x",
        "prompt:z",
    ]);
    assert_eq!(empty.code, 1);
    assert!(
        empty.stderr.contains("`prompt:z` selects no sample"),
        "{}",
        empty.stderr
    );
    assert_eq!(run(&["agree", arg(folder.path())]).code, 2);
}

#[test]
fn a_subset_keeps_the_ranking_and_can_be_selected_by_its_list() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["ids.jsonl", "ids.txt"] {
        let ids = folder.path().join(name);
        let ask = |seed: &str| {
            eyechart(&[
                "agree",
                &runs(),
                "--filter",
                "not model:large",
                "--subset",
                "--threshold",
                "0.7",
                "--seed",
                seed,
                "--ids",
                arg(&ids),
            ])
        };
        let found = ask("5");
        let (first, again) = (fs::read_to_string(&ids).expect("a list"), ask("5"));
        assert_eq!(found, again);
        assert_eq!(
            first,
            fs::read_to_string(&ids).expect("a list"),
            "the same seed, the same samples"
        );
        ask("6");
        assert_ne!(
            first,
            fs::read_to_string(&ids).expect("a list"),
            "another seed"
        );
        fs::write(&ids, &first).expect("a list");
        let filter = format!("ids:\"{}\" not model:large", arg(&ids));
        let report = eyechart(&["report", &runs(), "--filter", &filter]);
        for row in list(&found, "abilities") {
            let tau = row["kendall_tau_b"].as_f64().expect("tau");
            assert!(tau >= 0.7, "{row}");
            let ability = row["ability"].as_str().expect("a name");
            let ash = one(
                list(&report, "scores"),
                &[("ability", ability), ("model", "ash")],
            );
            // Every sample was asked with two prompts.
            assert_eq!(
                ash["n"].as_u64(),
                row["n"].as_u64().map(|n| 2 * n),
                "{ability}"
            );
        }
    }
}

#[test]
fn the_curve_rises_to_one_and_the_smallest_size_stands_on_it() {
    let found = eyechart(&[
        "agree",
        &runs(),
        "--filter",
        "not (model:large or model:extra)",
        "--subset",
    ]);
    for row in list(&found, "abilities") {
        let curve = list(row, "curve");
        let last = curve.last().expect("a point");
        assert_eq!((&last["n"], &row["of"]), (&json!(40), &json!(40)));
        assert_near(&last["median"], 1.0, 1e-12, "all samples");
        assert_near(&last["low"], 1.0, 1e-12, "all samples");
        let n = row["n"].as_u64().expect("n");
        for point in curve {
            let keeps = point["low"].as_f64().expect("tau") >= 0.9 - 1e-9;
            assert!(
                !keeps || point["n"].as_u64() >= Some(n),
                "{point} keeps it with fewer than {n}"
            );
            assert!(point["low"].as_f64() <= point["median"].as_f64());
        }
        assert!(curve.iter().any(|point| point["n"] == row["n"]));
    }
}

#[test]
fn a_list_that_cannot_be_read_is_an_error_at_its_place() {
    let missing = run(&["samples", &runs(), "--filter", "ids:nowhere.txt"]);
    assert_eq!(missing.code, 2);
    assert!(
        missing.stderr.contains("the list of ids cannot be read"),
        "{}",
        missing.stderr
    );
}
