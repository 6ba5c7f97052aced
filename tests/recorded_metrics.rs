//! Compares metrics with recorded results of statsmodels and numpy, and with the published tables.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test ends there"
)]

use eyechart::analysis::metric::{
    ClusterSums, Interval, bootstrap_means, cohen_kappa, percentile_interval, re_ve_ma,
    solve_mixture, wilson,
};
use eyechart::base::job::FOR_GOOD;
use serde_json::Value;

const INTERVALS: &str = include_str!("fixtures/recorded/intervals.json");
const KAPPA: &str = include_str!("fixtures/recorded/kappa.json");
const TDBENCH: &str = include_str!("fixtures/recorded/tdbench_mixture.json");

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a Vec<Value> {
    value[key].as_array().unwrap()
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|number| number.as_f64().unwrap())
        .collect()
}

fn assert_near(found: Interval, expected: &[f64], within: f64, case: &str) {
    let distance = (found.low - expected[0])
        .abs()
        .max((found.high - expected[1]).abs());
    assert!(
        distance <= within,
        "{case}: {found:?}, recorded {expected:?}"
    );
}

#[test]
fn wilson_agrees_with_statsmodels() {
    for case in list(&parse(INTERVALS), "wilson") {
        let (successes, n) = (
            case["successes"].as_u64().unwrap(),
            case["n"].as_u64().unwrap(),
        );
        let found = wilson(successes, n, number(case, "level")).unwrap();
        assert_near(found, &numbers(&case["interval"]), 1e-9, &case.to_string());
    }
}

#[test]
fn kappa_agrees_with_scikit_learn_and_statsmodels() {
    for case in list(&parse(KAPPA), "cases") {
        let pairs: Vec<(u64, u64)> = list(case, "pairs")
            .iter()
            .map(|pair| (pair[0].as_u64().unwrap(), pair[1].as_u64().unwrap()))
            .collect();
        let found = cohen_kappa(&pairs, 0.95);
        assert!(
            (found.observed.unwrap() - number(case, "observed")).abs() < 1e-12,
            "{case}"
        );
        match (found.kappa, case["kappa"].as_f64()) {
            (None, None) => assert!(found.why_not().is_some(), "{case}"),
            (Some(kappa), Some(recorded)) => {
                assert!((kappa - recorded).abs() < 1e-9, "{case}: {kappa}");
            }
            (kappa, recorded) => panic!("{case}: {kappa:?}, recorded {recorded:?}"),
        }
        // An interval of one point is left out. Ends beyond complete agreement are clamped.
        let recorded = case["interval"]
            .as_array()
            .map(|ends| (ends[0].as_f64(), ends[1].as_f64()));
        match recorded {
            Some((Some(low), Some(high))) if high - low > 1e-6 => {
                let expected = [low.max(-1.0), high.min(1.0)];
                assert_near(found.interval.unwrap(), &expected, 1e-9, &case.to_string());
            }
            _ => assert_eq!(found.interval, None, "{case}"),
        }
    }
}

#[test]
fn percentiles_agree_with_numpy() {
    for case in list(&parse(INTERVALS), "percentile") {
        let found =
            percentile_interval(&mut numbers(&case["draws"]), number(case, "level")).unwrap();
        assert_near(found, &numbers(&case["interval"]), 1e-12, &case.to_string());
    }
}

/// The 2.5 % quantile of 20,000 normal draws has a standard error of 0.019 sd. The difference of
/// two such quantiles has 0.027 sd.
#[test]
fn bootstrap_agrees_with_numpy_within_monte_carlo_error() {
    let recorded = parse(INTERVALS);
    let draws =
        usize::try_from(recorded["made_with"]["bootstrap_draws"].as_u64().unwrap()).unwrap();
    for case in list(&recorded, "bootstrap") {
        let columns = list(case, "sd").len();
        let means = bootstrap_means(
            &clusters(list(case, "scores"), columns),
            draws,
            1,
            &FOR_GOOD,
        );
        for (column, sd) in numbers(&case["sd"]).into_iter().enumerate() {
            let mut draws: Vec<f64> = means
                .iter()
                .skip(column)
                .step_by(columns)
                .copied()
                .collect();
            let found = percentile_interval(&mut draws, 0.95).unwrap();
            let expected = numbers(&case["intervals"][column]);
            assert_near(
                found,
                &expected,
                0.12 * sd,
                &format!("{}, column {column}", case["name"]),
            );
        }
    }
}

fn clusters(scores: &[Value], columns: usize) -> ClusterSums {
    let mut data = ClusterSums::new(columns);
    for row in scores {
        let cluster = data.push_cluster();
        for (column, cell) in row.as_array().unwrap().iter().enumerate() {
            for score in numbers(cell) {
                data.add(cluster, column, score);
            }
        }
    }
    data
}

#[test]
fn published_mixtures_give_their_rates_and_come_back() {
    for row in list(&parse(TDBENCH), "rows") {
        let (theta, r, g) = (number(row, "theta"), number(row, "r"), number(row, "g"));
        let (re, ve, ma) = re_ve_ma(theta, r, g);
        assert!(
            (re - number(row, "re")).abs() <= 0.004 && (ve - number(row, "ve")).abs() <= 0.004,
            "{row}"
        );
        let found = solve_mixture(re, ve, ma).unwrap_or_else(|status| panic!("{row}: {status}"));
        let distance = (found.theta - theta)
            .abs()
            .max((found.r - r).abs())
            .max((found.g - g).abs());
        assert!(distance <= 1e-6, "{row}: {found:?}");
        assert!(
            (found.a_adj() - number(row, "a_adj")).abs() <= 0.004,
            "{row}"
        );
    }
}
