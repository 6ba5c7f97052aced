//! Simulates differences of two models on the same samples: coverage, error rate, and agreement
//! of test and interval.

use std::collections::HashMap;

use super::*;
use crate::metric::{DifferenceTest, mcnemar_exact, paired_share_interval};

/// Distribution of differences with mean 0: name, and a function that draws one.
type Law = (&'static str, fn(&mut Random) -> f64);

fn lognormal(random: &mut Random) -> f64 {
    random.normal().exp() - 0.5_f64.exp()
}

const SKEWED: [Law; 4] = [
    ("lognormal - normal", |random| {
        lognormal(random) - random.normal()
    }),
    ("lognormal - tight normal", |random| {
        lognormal(random) - 0.33 * random.normal()
    }),
    ("exponential - normal", |random| {
        random.exponential() - 1.0 - 0.3 * random.normal()
    }),
    ("beta(8, 1) - uniform", |random| {
        random.unit().powf(0.125) - 8.0 / 9.0 - 0.2 * (random.unit() - 0.5)
    }),
];

const SYMMETRIC: [Law; 5] = [
    ("normal", Random::normal),
    ("lognormal - lognormal", |random| {
        lognormal(random) - lognormal(random)
    }),
    ("15 % normal", |random| {
        if random.happens(0.15) {
            random.normal()
        } else {
            0.0
        }
    }),
    ("10 % -1 or 1", |random| {
        if random.happens(0.1) {
            (random.unit() - 0.5).signum()
        } else {
            0.0
        }
    }),
    ("60 % -1 or 1", |random| {
        if random.happens(0.6) {
            (random.unit() - 0.5).signum()
        } else {
            0.0
        }
    }),
];

/// Returns how often differences with mean 0 are called different. Panics if test and interval
/// disagree.
fn error_rate(law: &Law, n: usize, draws: usize) -> f64 {
    let mut random = Random::new(n as u64);
    let mut found = 0;
    for _ in 0..draws {
        let differences: Vec<f64> = (0..n).map(|_| (law.1)(&mut random)).collect();
        let test = DifferenceTest::new(differences.iter().map(|one| (*one, 1.0)));
        let is_different = test.p_value() < 0.05;
        if let Some(interval) = test.interval(LEVEL) {
            assert_eq!(interval.contains(0.0), !is_different, "{differences:?}");
        }
        found += u32::from(is_different);
    }
    f64::from(found) / draws as f64
}

fn assert_error_rates(draws: usize, is_printed: bool) {
    for law in SKEWED.iter().chain(&SYMMETRIC) {
        for n in [10, 15, 25, 60, 200] {
            let rate = error_rate(law, n, draws);
            if is_printed {
                println!("{:28} n {n:3}: {rate:.3}", law.0);
            }
            let most = 0.06 + 2.0 * (0.06 * 0.94 / draws as f64).sqrt();
            assert!(rate <= most, "{} n {n}: {rate}", law.0);
        }
    }
}

#[test]
fn equal_models_are_called_different_in_six_percent_at_most() {
    assert_error_rates(1_500, false);
}

#[test]
#[ignore = "prints a table of 20,000 draws a cell"]
fn equal_models_are_called_different_in_six_percent_at_most_at_length() {
    assert_error_rates(20_000, true);
}

/// A true difference of tight scores is found, and its interval is as narrow as expected.
#[test]
fn tight_differences_have_tight_intervals() {
    let mut random = Random::new(3);
    for n in [12, 25, 60] {
        let (mut width, draws) = (0.0, 300);
        for _ in 0..draws {
            let pairs = (0..n).map(|_| (0.02 + 0.02 * random.normal(), 1.0));
            let pairs: Vec<(f64, f64)> = pairs.collect();
            let test = DifferenceTest::new(pairs.iter().copied());
            let interval = test.interval(LEVEL).unwrap();
            assert_eq!(interval.contains(0.0), test.p_value() >= 0.05);
            width += interval.high - interval.low;
        }
        let usual = 2.0 * student(f64::from(n) - 1.0, LEVEL).unwrap() * 0.02 / f64::from(n).sqrt();
        let ratio = width / f64::from(draws) / usual;
        assert!(ratio < if n < 20 { 1.7 } else { 1.2 }, "n {n}: {ratio}");
    }
}

/// Tests clusters of unequal size, with and without a true difference.
#[test]
fn clusters_keep_the_error_rate_and_cover() {
    for (sizes, count) in [
        (Sizes::Equal, 12),
        (Sizes::Geometric, 12),
        (Sizes::Geometric, 40),
        (Sizes::Heavy, 20),
        (Sizes::VeryHeavy, 20),
    ] {
        for binary in [false, true] {
            let mut random = Random::new(count as u64);
            let (draws, mut held) = (1_500, 0);
            for _ in 0..draws {
                let clusters = (0..count).map(|at| {
                    let n = sizes.of(&mut random, at);
                    let shared = random.normal();
                    let one = |random: &mut Random| {
                        let value = 0.7 * shared + random.normal();
                        if binary {
                            (value * 1.5).round().clamp(-1.0, 1.0)
                        } else {
                            value + 0.3
                        }
                    };
                    ((0..n).map(|_| one(&mut random)).sum::<f64>(), f64::from(n))
                });
                let clusters: Vec<(f64, f64)> = clusters.collect();
                let test = DifferenceTest::new(clusters.iter().copied());
                let interval = test.interval(LEVEL).unwrap();
                let truth = if binary { 0.0 } else { 0.3 };
                held += u32::from(interval.contains(truth));
                assert_eq!(interval.contains(0.0), test.p_value() >= 0.05);
            }
            let coverage = f64::from(held) / f64::from(draws);
            let found = format!("{sizes:?} {count}, binary {binary}: {coverage}");
            assert!((0.935..=0.995).contains(&coverage), "{found}");
        }
    }
}

/// Draws the probabilities that two models are right on a sample of one of three kinds; B is
/// better by `gain`.
fn chances(random: &mut Random, rate: f64, gain: f64) -> [f64; 2] {
    let reach = 0.7 * rate.min(1.0 - rate);
    let own = rate + [-reach, 0.0, reach][(random.unit() * 3.0) as usize];
    [own, own + gain * (1.0 - own)]
}

#[test]
fn differences_of_paired_shares() {
    let (mut sum, mut cells) = (0.0, 0.0);
    for n in [10, 20, 50, 200] {
        // Equal counts are drawn often, so their results are cached.
        let mut known = HashMap::new();
        for rate in [0.1, 0.3, 0.5, 0.8, 0.95] {
            for gain in [0.0, 0.2] {
                let mut random = Random::new(n);
                let (draws, mut held) = (1_000, 0);
                for _ in 0..draws {
                    let (mut only_a, mut only_b) = (0, 0);
                    for _ in 0..n {
                        let chances = chances(&mut random, rate, gain);
                        let [a, b] = chances.map(|chance| random.happens(chance));
                        only_a += u64::from(a && !b);
                        only_b += u64::from(b && !a);
                    }
                    let found = known.entry((only_a, only_b)).or_insert_with(|| {
                        let found = paired_share_interval(only_a, only_b, n, LEVEL).unwrap();
                        assert_eq!(found.contains(0.0), mcnemar_exact(only_a, only_b) >= 0.05);
                        found
                    });
                    held += u32::from(found.contains(-gain * (1.0 - rate)));
                }
                let coverage = f64::from(held) / f64::from(draws);
                assert!(
                    coverage >= 0.92,
                    "n {n}, rate {rate}, gain {gain}: {coverage}"
                );
                sum += coverage;
                cells += 1.0;
            }
        }
    }
    let mean = sum / cells;
    assert!((0.94..=0.985).contains(&mean), "{mean}");
}
