//! Compares rank agreement, critical differences and contrasts with recorded results of scipy and
//! statsmodels.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test ends there"
)]

use eyechart::analysis::metric::{
    Moments, RightCount, Tally, clustered_contrast, friedman, kendall_tau_b, share_contrast,
    spearman_rho, studentized_range,
};
use serde_json::Value;

const RECORDED: &str = include_str!("fixtures/recorded/agreement.json");

fn cases(name: &str) -> Vec<Value> {
    let recorded: Value = serde_json::from_str(RECORDED).unwrap();
    recorded[name].as_array().unwrap().clone()
}

fn numbers(value: &Value) -> Vec<f64> {
    let numbers = value.as_array().unwrap().iter();
    numbers.map(|number| number.as_f64().unwrap()).collect()
}

fn assert_near(found: f64, recorded: &Value, within: f64, case: &Value) {
    let distance = (found - recorded.as_f64().unwrap()).abs();
    assert!(distance <= within, "{found}, recorded {recorded}: {case}");
}

#[test]
fn tau_and_rho_agree_with_scipy() {
    for case in cases("agreement") {
        let (first, second) = (numbers(&case["first"]), numbers(&case["second"]));
        let tau = kendall_tau_b(&first, &second).unwrap();
        assert_near(tau, &case["tau"], 1e-9, &case);
        let rho = spearman_rho(&first, &second).unwrap();
        assert_near(rho, &case["rho"], 1e-9, &case);
    }
}

#[test]
fn friedman_agrees_with_scipy() {
    for case in cases("friedman") {
        let blocks: Vec<Vec<f64>> = case["blocks"]
            .as_array()
            .unwrap()
            .iter()
            .map(numbers)
            .collect();
        let found = friedman(&blocks).unwrap();
        assert_near(found.statistic, &case["statistic"], 1e-9, &case);
        assert_near(found.p_value, &case["p_value"], 1e-9, &case);
    }
}

#[test]
fn the_studentized_range_agrees_with_scipy() {
    for case in cases("studentized_range") {
        let groups = usize::try_from(case["groups"].as_u64().unwrap()).unwrap();
        let found = studentized_range(groups, case["level"].as_f64().unwrap()).unwrap();
        assert_near(found, &case["q"], 1e-6, &case);
    }
}

/// The recorded standard error uses residuals from the mean of each side, without a correction for
/// few clusters.
#[test]
fn clustered_contrasts_agree_with_statsmodels() {
    for case in cases("contrast") {
        let mut clusters: Vec<[Tally; 2]> = Vec::new();
        for row in case["rows"].as_array().unwrap() {
            let at = usize::try_from(row[0].as_u64().unwrap()).unwrap();
            clusters.resize(clusters.len().max(at + 1), [Tally::default(); 2]);
            let score = row[2].as_f64().unwrap();
            clusters[at][1].add(score);
            if row[1].as_bool().unwrap() {
                clusters[at][0].add(score);
            }
        }
        let (mut part, mut all) = (Moments::default(), Moments::default());
        let mut only_outside: u32 = 0;
        for [own, whole] in clusters {
            all.add(whole, whole);
            if own.n > 0.0 {
                part.add(own, whole);
            }
            only_outside += u32::from(own.n < whole.n);
        }
        let found = clustered_contrast(&part, &all, Some(0.95)).unwrap();
        assert_near(
            found.difference,
            &case["difference"],
            1e-9,
            &case["difference"],
        );
        let inside = u32::try_from(part.clusters).unwrap();
        let fewest = f64::from(inside.min(only_outside));
        let recorded = case["error"].as_f64().unwrap() * (fewest / (fewest - 1.0)).sqrt();
        // The program uses the larger of two variance estimates.
        assert!(found.error >= recorded - 1e-9, "{} {recorded}", found.error);
        assert!(found.error <= recorded * 1.2, "{} {recorded}", found.error);
    }
}

#[test]
fn shares_agree_with_scipy_and_statsmodels() {
    for case in cases("shares") {
        let pair = |name: &str| {
            let pair = case[name].as_array().unwrap();
            RightCount {
                right: pair[0].as_u64().unwrap(),
                n: pair[1].as_u64().unwrap(),
            }
        };
        let found = share_contrast(pair("part"), pair("rest"), 0.95).unwrap();
        assert_near(found.p_less, &case["p_less"], 1e-9, &case);
        assert_near(found.p_more, &case["p_more"], 1e-9, &case);
        let interval = found.interval.unwrap();
        assert_near(interval.low, &case["interval"][0], 1e-9, &case);
        assert_near(interval.high, &case["interval"][1], 1e-9, &case);
    }
}
