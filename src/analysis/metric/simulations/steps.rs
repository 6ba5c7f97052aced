//! Simulates curves of checkpoints on the same samples: false alarms over whole curves, and the
//! share of drops that are found.
//!
//! `EYECHART_CURVES=2000` sets the number of simulated curves of each setting.

use super::*;
use crate::metric::{StepTests, StepVerdict};
use statrs::distribution::{ContinuousCDF, Normal};

/// Curves per setting in an ordinary run.
const CURVES: usize = 100;
/// Checkpoints per curve.
const STEPS: usize = 20;

fn curves() -> usize {
    amount("EYECHART_CURVES", CURVES)
}

/// Creates the tests of one curve with these true scores, with `n` answers per step and `size`
/// answers per picture. `shared` (0 to 1) is the share of difficulty that all checkpoints have in
/// common.
fn tests(
    random: &mut Random,
    scores: &[f64; STEPS],
    (n, size): (usize, usize),
    shared: f64,
) -> StepTests {
    let mut own: Vec<f64> = Vec::new();
    for at in 0..n {
        let value = match own.last() {
            Some(last) if at % size > 0 => *last,
            _ => random.normal(),
        };
        own.push(value);
    }
    let limits = scores.map(|score| Normal::standard().inverse_cdf(score));
    let row = |limit: &f64| {
        let right = own.iter().map(|own| {
            let place = shared.sqrt() * own + (1.0 - shared).sqrt() * random.normal();
            f64::from(u8::from(place < *limit))
        });
        right.collect()
    };
    let rows = limits.iter().map(row).collect();
    StepTests::new(rows, (0..n).map(|at| at / size).collect(), 1)
}

/// Returns the first step with the given verdict.
fn first(tests: &StepTests, verdict: StepVerdict) -> Option<usize> {
    (0..STEPS).find(|at| tests.change(*at).verdict == verdict)
}

#[test]
fn equal_checkpoints_raise_a_false_alarm_on_at_most_one_curve_of_twenty() {
    for (n, size) in [(100, 1), (400, 1), (400, 4)] {
        for shared in [0.0, 0.5, 0.9] {
            let mut random = Random::new(31);
            let alarms = (0..curves()).filter(|_| {
                let tests = tests(&mut random, &[0.7; STEPS], (n, size), shared);
                (0..STEPS).any(|at| tests.change(at).verdict != StepVerdict::Unclear)
            });
            let share = alarms.count() as f64 / curves() as f64;
            println!("{n} answers, {size} a picture, {shared} shared: {share:.3} false alarms");
            assert!(share <= 0.05, "{n} {size} {shared}: {share}");
        }
    }
}

/// A drop of .1 from a level of .7, at 400 samples, either lasts or is the last step.
#[test]
fn a_drop_of_a_tenth_is_found_in_four_curves_of_five() {
    let from = |step: usize| -> [f64; STEPS] {
        std::array::from_fn(|at| if at < step { 0.7 } else { 0.6 })
    };
    let rising: [f64; STEPS] = std::array::from_fn(|at| match at {
        0..10 => 0.5 + 0.2 * at as f64 / 9.0,
        _ => 0.6,
    });
    for (name, scores, step, shared) in [
        ("stays", from(10), 10, 0.0),
        ("stays", from(10), 10, 0.5),
        ("stays", from(10), 10, 0.8),
        ("last step", from(STEPS - 1), STEPS - 1, 0.8),
        ("after a rise", rising, 10, 0.8),
    ] {
        let mut random = Random::new(57);
        let found = (0..curves()).filter(|_| {
            let tests = tests(&mut random, &scores, (400, 1), shared);
            first(&tests, StepVerdict::Worse).is_some_and(|at| at >= step)
        });
        let share = found.count() as f64 / curves() as f64;
        println!("{name}, {shared} shared: {share:.3} of the drops found");
        assert!(share >= 0.8, "{name} {shared}: {share}");
    }
}

/// The true score improves once, and the improvement is not reported earlier.
#[test]
fn an_improvement_is_called_where_it_is() {
    let scores: [f64; STEPS] = std::array::from_fn(|at| if at < 8 { 0.5 } else { 0.7 });
    let mut random = Random::new(5);
    let found = (0..curves()).filter(|_| {
        let tests = tests(&mut random, &scores, (400, 1), 0.8);
        first(&tests, StepVerdict::Better) == Some(8)
    });
    let share = found.count() as f64 / curves() as f64;
    assert!(share >= 0.8, "{share}");
}
