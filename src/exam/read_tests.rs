//! Every ability of the exam with levels is one that an encoder reads at its easy levels.
//!
//! `EYECHART_ENCODERS=all cargo test --release -p eyechart-exam --lib read_tests -- --nocapture` asks all five.

use encoder::Encoder;
use rayon::prelude::*;

use crate::abilities::levels::LevelledExam;
use crate::adaptive::is_right;
use crate::runs::{pictured_items, predict, train};
use crate::training_set::TrainingSet;

/// The levels that are asked.
const EASY: [u8; 3] = [1, 2, 3];
/// Items of each ability.
const ITEMS: usize = 90;
/// One-sided .05 over fourteen abilities.
const Z: f64 = 2.7;

/// An encoder that reads each ability.
const READERS: [(&str, Encoder); 14] = [
    ("absolute_depth", Encoder::Pixels),
    ("relative_depth", Encoder::Pixels),
    ("ocr", Encoder::Hog),
    ("counting", Encoder::Hog),
    ("localization", Encoder::Hog),
    ("object_recognition", Encoder::Hog),
    ("fine_grained", Encoder::Hog),
    ("scene_recognition", Encoder::Hog),
    ("action_recognition", Encoder::Hog),
    ("spatial", Encoder::Pixels),
    ("emotion", Encoder::Hog),
    ("orientation", Encoder::Hog),
    ("texture", Encoder::Gabor),
    ("color", Encoder::Color),
];

/// Right answers of an encoder at each easy level, and their share beyond chance in standard errors.
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
fn an_encoder_reads_each_ability_at_its_easy_levels() {
    let is_all = std::env::var_os("EYECHART_ENCODERS").is_some();
    let below: Vec<String> = READERS
        .par_iter()
        .flat_map_iter(|(ability, reader)| {
            let encoders = Encoder::ALL.into_iter();
            let encoders = encoders.filter(move |encoder| is_all || encoder == reader);
            encoders.filter_map(move |encoder| {
                let (right, z) = read(ability, encoder);
                println!("{ability:20} {:10} {right:?} z {z:.1}", encoder.name());
                let is_read = z > Z || encoder != *reader;
                (!is_read).then(|| format!("{ability} {}: {right:?}", encoder.name()))
            })
        })
        .collect();
    assert!(below.is_empty(), "{below:#?}");
}
