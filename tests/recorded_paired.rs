//! Compares paired tests, intervals and adjusted p values with recorded results of scipy,
//! statsmodels and numpy.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test ends there"
)]

use eyechart::analysis::metric::{Differences, benjamini_hochberg, mcnemar_exact};
use serde_json::Value;

const PAIRED: &str = include_str!("fixtures/recorded/paired.json");
/// Tolerance for exact values.
const EXACT: f64 = 1e-9;
/// Tolerance for the ends of intervals that are determined by a search.
const NEAR: f64 = 1e-7;

fn cases(name: &str) -> Vec<Value> {
    let recorded: Value = serde_json::from_str(PAIRED).unwrap();
    recorded[name].as_array().unwrap().clone()
}

fn numbers(value: &Value) -> Vec<f64> {
    let number = |number: &Value| number.as_f64().unwrap();
    value.as_array().unwrap().iter().map(number).collect()
}

fn differences(case: &Value) -> Differences {
    let mut differences = Differences::default();
    for pairs in case["clusters"].as_array().unwrap() {
        let cluster = differences.push_cluster();
        for difference in numbers(pairs) {
            differences.add(cluster, difference);
        }
    }
    differences
}

fn assert_near(found: f64, expected: &Value, within: f64, case: &str) {
    let expected = expected.as_f64().unwrap();
    assert!(
        (found - expected).abs() <= within,
        "{case}: {found}, recorded {expected}"
    );
}

#[test]
fn mcnemar_agrees_with_statsmodels() {
    for case in cases("mcnemar") {
        let count = |key: &str| case[key].as_u64().unwrap();
        let found = mcnemar_exact(count("only_a"), count("only_b"));
        assert_near(found, &case["p_value"], EXACT, &case.to_string());
    }
}

#[test]
fn tests_and_intervals_of_differences_agree_with_scipy() {
    for case in cases("difference_test") {
        let (test, what) = (differences(&case).test(), case.to_string());
        assert_near(test.p_value(), &case["p_value"], EXACT, &what);
        let found = test.interval(0.95).unwrap();
        assert_near(found.low, &case["ci"][0], NEAR, &what);
        assert_near(found.high, &case["ci"][1], NEAR, &what);
    }
}

#[test]
fn clustered_errors_agree_with_full_matrices() {
    for case in cases("spread") {
        let differences = differences(&case);
        let text = case.to_string();
        assert_near(differences.mean().unwrap(), &case["mean"], EXACT, &text);
        let error = differences.standard_error().unwrap();
        assert_near(error, &case["standard_error"], EXACT, &text);
        let detectable = differences.detectable().unwrap();
        assert_near(detectable, &case["detectable"], EXACT, &text);
    }
}

#[test]
fn adjusted_p_values_agree_with_statsmodels() {
    for case in cases("benjamini_hochberg") {
        let found = benjamini_hochberg(&numbers(&case["p_values"]));
        let expected = case["adjusted"].as_array().unwrap();
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.into_iter().zip(expected) {
            assert_near(found, expected, EXACT, &case.to_string());
        }
    }
}
