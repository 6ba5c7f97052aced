//! Tests `eyechart ranks` against scipy and numpy: tie groups, leads, critical differences, and
//! rankings with something left out.

use serde_json::{Value, json};

use crate::support::{
    HARNESSES, all, arg, assert_near, eyechart, fixture, list, one, run, sample_runs,
};

/// Filter for the models that have all abilities.
const WHOLE: &str = "not (model:large or model:extra)";

fn ranks() -> Value {
    let runs = fixture("ranks/runs.eyechart.jsonl");
    eyechart(&["ranks", arg(&runs), "--filter", WHOLE])
}

fn expected() -> Value {
    let text = include_str!("../fixtures/ranks/expected.json");
    serde_json::from_str(text).expect("expected.json")
}

#[test]
fn the_lead_is_the_fewest_samples_that_hold_it() {
    let found = ranks();
    assert_eq!(found["schema"], "eyechart.ranks/1");
    for (ability, expected) in expected()["lead"].as_object().expect("abilities") {
        let row = one(list(&found, "abilities"), &[("ability", ability)]);
        let lead = &row["lead"];
        assert_eq!(
            (&lead["leader"], &lead["flips"]),
            (&expected["leader"], &expected["flips"]),
            "{ability}"
        );
        assert_eq!(lead["n"], 80);
        assert_eq!(lead["share"], ability == "naming");
    }
}

#[test]
fn tie_groups_are_anchored_at_their_best_model() {
    for row in list(&ranks(), "abilities") {
        let models = list(row, "models");
        let groups_of = |model: &Value| -> Vec<u64> {
            let numbers = model["tie_group"].as_str().expect("groups").split(',');
            numbers
                .map(|number| number.parse().expect("a number"))
                .collect()
        };
        assert!(groups_of(&models[0]).contains(&1), "{row}");
        let groups: Vec<u64> = models.iter().flat_map(groups_of).collect();
        let highest = groups.iter().max().copied().expect("a group");
        assert!(
            (1..=highest).all(|group| groups.contains(&group)),
            "no group is left out: {groups:?}"
        );
        for model in models {
            if model["rank"] == 1 {
                assert!(groups_of(model).contains(&1), "{model}");
                assert_eq!(model["rank_ci"][0], 1);
            }
        }
    }
}

#[test]
fn the_critical_difference_agrees_with_scipy() {
    let found = ranks();
    let row = one(
        list(&found, "critical_difference"),
        &[("benchmark", "bench")],
    );
    let expected = expected();
    assert_near(
        &row["difference"],
        expected["critical_difference"].as_f64().expect("a number"),
        1e-6,
        "Nemenyi",
    );
    let [statistic, p] = [0, 1].map(|at| expected["friedman"][at].as_f64().expect("a number"));
    assert_near(&row["friedman"]["statistic"], statistic, 1e-9, "Friedman");
    assert_near(&row["friedman"]["p_value"], p, 1e-9, "Friedman");
    for model in list(row, "average_rank") {
        let name = model["model"].as_str().expect("a name");
        assert_near(
            &model["value"],
            expected["average_rank"][name].as_f64().expect("a rank"),
            1e-12,
            name,
        );
    }
}

#[test]
fn orders_change_as_numpy_says() {
    let found = ranks();
    let expected = expected();
    let mut seen = 0;
    for row in list(&found, "without") {
        let recorded = match (
            &row["left_out"]["ability"],
            &row["left_out"]["dataset"],
            &row["ability"],
        ) {
            (Value::String(ability), _, Value::Null) => &expected["without_ability"][ability],
            (_, Value::String(dataset), Value::Null) => {
                &expected["without_dataset_average"][dataset]
            }
            (_, Value::String(dataset), Value::String(ability)) => {
                &expected["without_dataset"][dataset][ability]
            }
            _ => panic!("{row}"),
        };
        assert_near(
            &row["kendall_tau_b"],
            recorded["tau"].as_f64().expect("tau"),
            1e-9,
            &row.to_string(),
        );
        assert_eq!(
            crate::agree::sorted(&row["swaps"]),
            recorded["swaps"],
            "{row}"
        );
        seen += 1;
    }
    assert_eq!(seen, 3 + 2 + 6);
}

/// AVA-Bench Table 5 has no samples. Ranks and critical difference are computed; results that need
/// samples are absent.
#[test]
fn printed_scores_have_a_critical_difference() {
    let table = sample_runs().join("ava_bench.scores.csv");
    let found = eyechart(&["ranks", arg(&table)]);
    let row = one(
        list(&found, "critical_difference"),
        &[("benchmark", "ava-bench")],
    );
    assert_eq!(
        (&row["abilities"], &row["average_rank"][0]["model"]),
        (&json!(14), &json!("SigLIP-2"))
    );
    // q for nine models is 3.102 (Demsar 2006, table 5), so the critical difference is 3.102 sqrt(9
    // * 10 / (6 * 14)) = 3.211.
    assert_near(&row["difference"], 3.211, 2e-3, "critical difference");
    for ability in list(&found, "abilities") {
        assert_eq!(ability["lead"], Value::Null);
        assert!(
            list(ability, "models")
                .iter()
                .all(|model| model["tie_group"] == Value::Null)
        );
    }
    assert!(all(list(&found, "without"), &[]).len() == 14);
}

/// Some abilities contain models without a rank, or no ranked model.
#[test]
fn every_fixture_has_its_ranks() {
    for folder in HARNESSES {
        let found = eyechart(&["ranks", arg(&fixture(folder))]);
        assert_eq!(found["schema"], "eyechart.ranks/1", "{folder}");
    }
}

#[test]
fn every_format_says_it() {
    let runs = fixture("ranks/runs.eyechart.jsonl");
    for format in ["table", "markdown", "csv", "jsonl"] {
        let run = run(&["ranks", arg(&runs), "--format", format]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stdout.contains("birch"), "{format}");
    }
    let table = run(&["ranks", arg(&runs), "--filter", WHOLE]).stdout;
    for words in [
        "groups may overlap",
        "critical difference",
        "How stable first place is",
    ] {
        assert!(table.contains(words), "{table}");
    }
}
