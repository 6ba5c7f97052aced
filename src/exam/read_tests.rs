//! Tests that for every ability some encoder can read the easy levels of the exam.

use crate::encoder::Encoder;
use rayon::prelude::*;

use crate::abilities::levels::LevelledExam;
use crate::adaptive::is_right;
use crate::runs::{pictured_items, predict, train};
use crate::training_set::TrainingSet;

/// Levels in the test.
const EASY: [u8; 3] = [1, 2, 3];
/// Number of items per ability.
const ITEMS: usize = 90;
/// One-sided .05 over fourteen abilities, as a normal quantile.
const Z: f64 = 2.7;

/// Encoder for each ability that is hard for shallow features; only these run by default.
const READERS: [(&str, Encoder); 6] = [
    ("absolute_depth", Encoder::Gabor),
    ("relative_depth", Encoder::Pixels),
    ("counting", Encoder::Pixels),
    ("localization", Encoder::Pixels),
    ("fine_grained", Encoder::Hog),
    ("spatial", Encoder::Color),
];

/// Right answers of an encoder at each easy level, and the distance of their share from chance in
/// standard errors.
fn read(ability: &str, encoder: Encoder) -> (Vec<usize>, f64) {
    let exam = LevelledExam::at(14 * ITEMS, &EASY, 83);
    let asked = pictured_items(&exam.whole().of(&[ability]), |_| true);
    let known = TrainingSet::Exam.items(ability);
    let records = predict(&train(encoder, ability, &known), &asked);
    let right = |level: u8| {
        let of_level = records.iter().filter(|record| {
            record.content.tags["level"].number() == Some(f64::from(level)) && is_right(record)
        });
        of_level.count()
    };
    let right: Vec<usize> = EASY.map(right).into();
    let chance = LevelledExam::chance(ability).unwrap().max(0.02);
    let n = asked.len() as f64;
    let share = right.iter().sum::<usize>() as f64 / n;
    (
        right,
        (share - chance) / (chance * (1.0 - chance) / n).sqrt(),
    )
}

#[test]
fn an_encoder_reads_what_is_hard_to_read_at_its_easy_levels() {
    let below: Vec<String> = READERS
        .par_iter()
        .filter_map(|(ability, reader)| {
            let (right, z) = read(ability, *reader);
            (z <= Z).then(|| format!("{ability} {}: {right:?}, z {z:.1}", reader.name()))
        })
        .collect();
    assert!(below.is_empty(), "{below:#?}");
}

#[test]
#[ignore = "seven minutes: cargo test --release -p eyechart-exam --lib read_tests -- --ignored --nocapture"]
fn some_encoder_reads_each_ability_at_its_easy_levels() {
    let abilities: Vec<&str> = LevelledExam::abilities().collect();
    let unread: Vec<&str> = abilities
        .into_par_iter()
        .filter(|ability| {
            let best = Encoder::ALL.map(|encoder| {
                let (right, z) = read(ability, encoder);
                println!("{ability:20} {:10} {right:?} z {z:.1}", encoder.name());
                z
            });
            !best.iter().any(|z| *z > Z)
        })
        .collect();
    assert!(unread.is_empty(), "{unread:?}");
}
