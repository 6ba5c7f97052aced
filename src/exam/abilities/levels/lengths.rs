//! Tests that options have similar lengths, and that length does not predict the right one.

use super::*;

use rayon::prelude::*;

/// Number of items of each ability with options.
const ITEMS: usize = 600;
/// Maximum difference in characters between options.
const APART: usize = 2;
/// Two-sided simultaneous 95 % for nine abilities and four rules: the normal quantile of .05 / 2 /
/// 36.
const Z: f64 = 3.2;

/// A rule that chooses by length: its name, and its preference for an option given all lengths.
type LengthRule = (&'static str, fn(usize, &[f64]) -> f64);

const RULES: [LengthRule; 4] = [
    ("the longest", |at, lengths| lengths[at]),
    ("the shortest", |at, lengths| -lengths[at]),
    ("the odd one out", |at, lengths| {
        (lengths[at] - mean(lengths)).abs()
    }),
    ("the usual length", |at, lengths| {
        -(lengths[at] - mean(lengths)).abs()
    }),
];

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Probability that the rule is right on an item, with ties broken at random, and its variance
/// under chance.
fn right(item: &Item, rule: fn(usize, &[f64]) -> f64) -> (f64, f64) {
    let choices = &item.content.choices;
    let Some(Target::Text(letter)) = &item.content.target else {
        panic!("{}", item.id);
    };
    let lengths: Vec<f64> = choices.iter().map(|one| one.text.len() as f64).collect();
    let liked = |at: usize| rule(at, &lengths);
    let most = (0..lengths.len()).map(liked).fold(f64::MIN, f64::max);
    let best: Vec<usize> = (0..lengths.len())
        .filter(|at| liked(*at) > most - 1e-9)
        .collect();
    let is_right = best.iter().any(|at| choices[*at].letter == *letter);
    // A random right answer is among the preferred options with this probability.
    let share = best.len() as f64 / lengths.len() as f64;
    let each = 1.0 / best.len() as f64;
    (
        f64::from(u8::from(is_right)) * each,
        share * (1.0 - share) * each * each,
    )
}

#[test]
fn options_are_as_long_as_each_other_and_their_lengths_tell_nothing() {
    let mut abilities = 0;
    for (at, ability) in ABILITIES.iter().enumerate() {
        let places = (0..ITEMS).map(|turn| ItemAddress {
            ability: at,
            level: u8::try_from(turn % 10).unwrap() + 1,
            number: turn / 10,
        });
        let exam = LevelledExam::of_places(places.collect(), 71);
        let items: Vec<Item> = (0..exam.pages())
            .into_par_iter()
            .map(|number| exam.items(number).remove(0))
            .collect();
        if items[0].content.choices.is_empty() {
            continue;
        }
        abilities += 1;
        for item in &items {
            let lengths = item.content.choices.iter().map(|one| one.text.len());
            let apart = lengths.clone().max().unwrap() - lengths.min().unwrap();
            assert!(apart <= APART, "{}: {:?}", item.id, item.content.choices);
        }
        for (name, rule) in RULES {
            let all: Vec<(f64, f64)> = items.iter().map(|item| right(item, rule)).collect();
            let (hits, variance) = all
                .iter()
                .fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
            let expected: f64 = items
                .iter()
                .map(|item| 1.0 / item.content.choices.len() as f64)
                .sum();
            let z = (hits - expected) / variance.sqrt().max(1e-9);
            // If all options have one length, every rule guesses.
            let z = if variance == 0.0 { 0.0 } else { z };
            println!(
                "{:20} {name:16} {:.3} z {z:.2}",
                ability.name,
                hits / ITEMS as f64
            );
            assert!(z.abs() < Z, "{} by {name}: z {z:.1}", ability.name);
        }
    }
    assert_eq!(abilities, 9);
}
