//! What the encoders make of the benchmarks that Eyechart draws: every ability is one that some encoder answers
//! clearly better than chance.
//!
//! `cargo test --release --test exam_levels -- --nocapture` prints the table.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test ends there"
)]

use eyechart::benchmark::{Direction, Metric, metric_of};
use eyechart::encoder::Encoder;
use eyechart::exam::abilities::{Exam, Split, TopDown};
use eyechart::exam::chance::Chance;
use eyechart::exam::gepbench::question::Aspect;
use eyechart::exam::gepbench::{Gepbench, Noise};
use eyechart::exam::runs::{PicturedItem, pictured_items, predict, train};
use eyechart::record::{Record, Value};
use eyechart::scorer::judge;

/// Two-sided 99 %, as five encoders are tried in each ability.
const Z: f64 = 2.576;

fn metric(record: &Record) -> Metric {
    metric_of(&record.ability, &record.content)
}

/// Scores of each question, so that more is better.
fn scores(records: &[Record]) -> Vec<f64> {
    let score = |record: &Record| {
        let metric = metric(record);
        let score = judge(record).strict.outcome.score.unwrap_or_default();
        match metric.direction() {
            Direction::Higher => score,
            Direction::Lower => -score,
        }
    };
    records.iter().map(score).collect()
}

/// Mean, and half the width of its interval.
#[expect(clippy::cast_precision_loss, reason = "a few hundred")]
fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares = values.iter().map(|value| (value - mean).powi(2));
    (mean, Z * (squares.sum::<f64>() / (n - 1.0) / n).sqrt())
}

/// One ability: prints a row and says whether some encoder is above chance; asserts that not all of them are perfect,
/// as they would be if there were something to read off.
fn level(ability: &str, known: &[PicturedItem], test: &[PicturedItem]) -> bool {
    let chance = scores(&Chance::fit(known).unwrap().predict(test));
    print!(
        "{ability:22} n {:4}  chance {:6.3}",
        test.len(),
        mean(&chance).0
    );
    let mut above = false;
    let mut perfect = 0;
    for encoder in Encoder::ALL {
        let scores = scores(&predict(&train(encoder, ability, known), test));
        let gains: Vec<f64> = scores
            .iter()
            .zip(&chance)
            .map(|(score, chance)| score - chance)
            .collect();
        let (gain, half) = mean(&gains);
        let (score, reach) = mean(&scores);
        let mark = if gain > half { '*' } else { ' ' };
        print!("  {} {score:6.3} ±{reach:.3}{mark}", encoder.name());
        above |= gain > half;
        perfect += usize::from(score >= 1.0);
    }
    println!();
    assert!(perfect < Encoder::ALL.len() - 1, "{ability} is read off");
    above
}

#[test]
fn every_ability_of_the_exam_has_an_encoder_above_chance() {
    let exam = Exam::new(14 * 200, 7);
    let below: Vec<&str> = Exam::abilities()
        .filter(|ability| {
            let of = |split| pictured_items(&exam.clone().only(ability, split), |_| true);
            !level(ability, &of(Split::Train), &of(Split::Test))
        })
        .collect();
    assert!(below.is_empty(), "not above chance: {below:?}");
}

#[test]
fn every_ability_seen_from_above_has_an_encoder_above_chance() {
    let (known, test) = (TopDown::new(6 * 320, 8), TopDown::new(6 * 100, 7));
    let upright = Value::Number(0.0);
    let below: Vec<&str> = TopDown::abilities()
        .filter(|ability| {
            let of = |set: &TopDown| {
                pictured_items(set, |item| {
                    item.ability == *ability && item.condition.get("rotation") == Some(&upright)
                })
            };
            !level(ability, &of(&known), &of(&test))
        })
        .collect();
    assert!(below.is_empty(), "not above chance: {below:?}");
}

/// Aspects of figures that encoders answer clearly better than chance, with the words of the question to help. They see
/// little in thin lines: the other four are not clear of chance.
const ABOVE: [&str; 2] = ["size", "relationship"];

#[test]
fn some_aspects_of_figures_are_answered_above_chance() {
    let (known, test) = (
        Gepbench::new(6 * 500, 8, Noise::None),
        Gepbench::new(6 * 200, 7, Noise::None),
    );
    let below: Vec<&str> = Aspect::ALL
        .map(Aspect::name)
        .into_iter()
        .filter(|aspect| {
            let of = |set: &Gepbench| pictured_items(set, |item| item.ability == *aspect);
            !level(aspect, &of(&known), &of(&test))
        })
        .collect();
    let wrong: Vec<&&str> = ABOVE.iter().filter(|name| below.contains(name)).collect();
    assert!(wrong.is_empty(), "not above chance: {wrong:?}");
}
