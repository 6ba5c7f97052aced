//! Simulates paired tests with known truth, and checks their error rates.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::*;
use crate::metric::{benjamini_hochberg, mcnemar_exact};

/// Draws a uniform number between 0 and 1.
fn uniform(random: &mut Xoshiro256PlusPlus) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// Simulates clusters of `size` pairs with mean difference `mean`; half of the variance is shared
/// within a cluster.
fn simulated(
    random: &mut Xoshiro256PlusPlus,
    clusters: usize,
    size: usize,
    mean: f64,
) -> Differences {
    let mut differences = Differences::default();
    for _ in 0..clusters {
        let cluster = differences.push_cluster();
        let shared = uniform(random) - 0.5;
        for _ in 0..size {
            differences.add(cluster, mean + shared + uniform(random) - 0.5);
        }
    }
    differences
}

fn of(clusters: &[&[f64]]) -> Differences {
    let mut differences = Differences::default();
    for pairs in clusters {
        let cluster = differences.push_cluster();
        for &difference in *pairs {
            differences.add(cluster, difference);
        }
    }
    differences
}

/// Ignoring clusters of four would give a false positive in about a quarter of these runs.
#[test]
fn clusters_count_as_wholes() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
    let found = (0..2_000)
        .filter(|_| simulated(&mut random, 40, 4, 0.0).test().p_value() <= 0.05)
        .count();
    assert!((70..=130).contains(&found), "{found} of 2,000 at 5 %");
}

/// Families of 14 tests with five true differences: the false discovery rate is at most q times
/// the share of true null hypotheses.
#[test]
fn the_false_discovery_rate_holds() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(13);
    let (mut shares, mut found) = (0.0, 0);
    let families = 600;
    for _ in 0..families {
        let truth = |member: usize| if member < 5 { 0.25 } else { 0.0 };
        let p_values: Vec<f64> = (0..14)
            .map(|member| {
                simulated(&mut random, 50, 2, truth(member))
                    .test()
                    .p_value()
            })
            .collect();
        let below = |member: &usize| benjamini_hochberg(&p_values)[*member] <= 0.05;
        let (true_ones, false_ones) = ((0..5).filter(below).count(), (5..14).filter(below).count());
        found += true_ones;
        shares += false_ones as f64 / (true_ones + false_ones).max(1) as f64;
    }
    let rate = shares / families as f64;
    assert!(rate <= 0.05 * 9.0 / 14.0 + 0.015, "{rate}");
    assert!(
        rate > 0.005,
        "a test that finds nothing holds nothing: {rate}"
    );
    assert!(found > 1_500, "{found} of 3,000 true ones");
}

/// Right or wrong answers without a true difference: the exact test is conservative.
#[test]
fn families_of_exact_tests_find_nothing_where_nothing_is() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(17);
    let families = 2_000;
    let mut with_findings = 0;
    for _ in 0..families {
        let p_values: Vec<f64> = (0..14)
            .map(|_| {
                let a = (0..60).filter(|_| random.next_u64() & 1 == 1).count() as u64;
                mcnemar_exact(a, 60 - a)
            })
            .collect();
        with_findings += usize::from(benjamini_hochberg(&p_values).iter().any(|p| *p <= 0.05));
    }
    assert!(
        with_findings as f64 / f64::from(families) <= 0.065,
        "{with_findings} of {families}"
    );
}

/// A difference of the detectable size is found in about 80 % of runs.
#[test]
fn the_detectable_difference_is_detected() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(21);
    let size = simulated(&mut random, 4_000, 2, 0.0).detectable().unwrap() * 40.0_f64.sqrt();
    let found = (0..1_000)
        .filter(|_| simulated(&mut random, 100, 2, size).test().p_value() <= 0.05)
        .count();
    assert!((760..=840).contains(&found), "{found} of 1,000");
}

#[test]
fn what_cannot_be_told_is_not() {
    let nothing = Differences::default();
    assert_eq!(
        (
            nothing.mean(),
            nothing.standard_error(),
            nothing.detectable()
        ),
        (None, None, None)
    );
    assert_eq!(nothing.test().p_value(), 1.0);
    let single = of(&[&[0.5]]);
    assert_eq!((single.mean(), single.standard_error()), (Some(0.5), None));
    let one_cluster = of(&[&[0.5, 0.1, -0.2]]);
    assert_eq!(one_cluster.test().p_value(), 1.0);
    let ties = of(&[&[0.0], &[0.0], &[0.0]]);
    assert_eq!(ties.detectable(), None);
    assert_eq!(ties.test().p_value(), 1.0);
    // All pairs differ by the same amount: the direction is certain, but the size has no error.
    let alike = of(&[&[0.1][..]; 20]);
    assert_eq!(alike.detectable(), None);
    assert!(alike.test().p_value() <= 0.002);
}
