//! Tests that some encoder answers every generated ability clearly better than chance.
//!
//! For each ability, encoders are trained until both claims are proven. To train all encoders and
//! print the whole table:
//!
//! ```text
//! EYECHART_ENCODERS=all cargo test --release --test exam_levels -- --nocapture
//! ```

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test ends there"
)]

use std::collections::BTreeMap;

use eyechart::analysis::metric::acuity::{Posterior, Staircase, Trial, Trials};
use eyechart::exam::abilities::levels::LevelledExam;
use eyechart::exam::abilities::{Exam, Split, TopDown};
use eyechart::exam::adaptive::is_right;
use eyechart::exam::chance::Chance;
use eyechart::exam::encoder::Encoder;
use eyechart::exam::gepbench::question::Aspect;
use eyechart::exam::gepbench::{Gepbench, Noise};
use eyechart::exam::runs::{PicturedItem, pictured_items, predict, train};
use eyechart::exam::training_set::TrainingSet;
use eyechart::exam::{Benchmark, Item, Rng};
use eyechart::record::benchmark::{Direction, Metric, metric_of};
use eyechart::record::{Record, Value};
use eyechart::scorer::judge;

/// Two-sided 99 %, because five encoders are tried in each ability.
const Z: f64 = 2.576;

fn metric(record: &Record) -> Metric {
    metric_of(&record.ability, &record.content)
}

/// Score of each question. Larger scores are better.
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

/// Claim about the encoders of an ability. A second claim is always made: at least two encoders are
/// not perfect. Otherwise there would probably be a leak.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Claim {
    /// At least one encoder is above chance.
    OneIsAbove,
    /// No claim; the row is only printed.
    None,
}

/// Prints the row of an ability. Returns false if the given claim does not hold. Once both claims
/// are proven, no further encoders are trained.
fn level(ability: &str, known: &[PicturedItem], test: &[PicturedItem], claim: Claim) -> bool {
    let all = std::env::var("EYECHART_ENCODERS").is_ok_and(|wanted| wanted == "all");
    let chance = scores(&Chance::fit(known).unwrap().predict(test));
    print!(
        "{ability:22} n {:4}  chance {:6.3}",
        test.len(),
        mean(&chance).0
    );
    let mut above = claim == Claim::None;
    let mut imperfect = 0;
    for encoder in Encoder::ALL {
        if above && imperfect > 1 && !all {
            break;
        }
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
        imperfect += usize::from(score < 1.0);
    }
    println!();
    assert!(imperfect > 1, "{ability} is read off");
    above
}

/// The upright items of a set by ability. Each picture is drawn only once.
fn by_ability(set: &dyn Benchmark) -> BTreeMap<String, Vec<PicturedItem>> {
    let upright = Value::Number(0.0);
    let is_upright = |item: &Item| {
        let rotation = item.condition.get("rotation");
        rotation.is_none_or(|rotation| *rotation == upright)
    };
    let mut found: BTreeMap<String, Vec<PicturedItem>> = BTreeMap::new();
    for asked in pictured_items(set, is_upright) {
        let ability = asked.item.ability.clone();
        found.entry(ability).or_default().push(asked);
    }
    found
}

#[test]
fn every_ability_of_the_exam_has_an_encoder_above_chance() {
    let exam = Exam::new(14 * 200, 7);
    let below: Vec<&str> = Exam::abilities()
        .filter(|ability| {
            let of = |split| pictured_items(&exam.clone().only(ability, split), |_| true);
            !level(
                ability,
                &of(Split::Train),
                &of(Split::Test),
                Claim::OneIsAbove,
            )
        })
        .collect();
    assert!(below.is_empty(), "not above chance: {below:?}");
}

#[test]
fn every_ability_seen_from_above_has_an_encoder_above_chance() {
    let (known, test) = (TopDown::new(6 * 320, 8), TopDown::new(6 * 100, 7));
    let (known, test) = (by_ability(&known), by_ability(&test));
    let below: Vec<&str> = TopDown::abilities()
        .filter(|ability| {
            let (known, test) = (&known[*ability], &test[*ability]);
            !level(ability, known, test, Claim::OneIsAbove)
        })
        .collect();
    assert!(below.is_empty(), "not above chance: {below:?}");
}

/// Aspects of figures that encoders answer clearly better than chance, partly from the words of the
/// question. Encoders see little of thin lines, so the other four aspects are near chance.
const ABOVE: [&str; 2] = ["size", "relationship"];

#[test]
fn some_aspects_of_figures_are_answered_above_chance() {
    let sets = |known: usize, test: usize| {
        [(known, 8), (test, 7)]
            .map(|(count, seed)| by_ability(&Gepbench::new(6 * count, seed, Noise::None)))
    };
    // For the other aspects, test only that at least two encoders are not perfect.
    let (many, few) = (sets(500, 200), sets(100, 50));
    let below: Vec<&str> = Aspect::ALL
        .map(Aspect::name)
        .into_iter()
        .filter(|aspect| {
            let ([known, test], claim) = if ABOVE.contains(aspect) {
                (&many, Claim::OneIsAbove)
            } else {
                (&few, Claim::None)
            };
            !level(aspect, &known[*aspect], &test[*aspect], claim)
        })
        .collect();
    assert!(below.is_empty(), "not above chance: {below:?}");
}

/// Numbers of right answers and of answers by level, the easiest level first.
fn by_level(records: &[Record]) -> Vec<(f64, f64)> {
    let mut counts = vec![(0.0, 0.0); 10];
    for record in records {
        let level = record.content.tags["level"].number().unwrap();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a level"
        )]
        let count = &mut counts[level as usize - 1];
        count.0 += f64::from(u8::from(is_right(record)));
        count.1 += 1.0;
    }
    counts
}

/// z value of the difference between two shares of right answers.
fn above((right, n): (f64, f64), (other, m): (f64, f64)) -> f64 {
    let pooled = (right + other + 1.0) / (n + m + 2.0);
    (right / n - other / m) / (pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m)).sqrt()
}

/// One-sided .05, over five encoders, fourteen abilities and nine pairs of levels.
const INVERTED: f64 = 3.8;

/// No encoder is clearly better on a level than on the easier level before it, or on the harder
/// half than on the easier half.
#[test]
#[ignore = "it takes many minutes: cargo test --release --test exam_levels -- --ignored"]
fn no_curve_of_an_encoder_rises_with_the_level() {
    let test = LevelledExam::new(14 * 80, 5).whole();
    for ability in LevelledExam::abilities() {
        let known = TrainingSet::Exam.items(ability);
        let asked = pictured_items(&test.clone().of(&[ability]), |_| true);
        for encoder in Encoder::ALL {
            let counts = by_level(&predict(&train(encoder, ability, &known), &asked));
            let right: Vec<f64> = counts.iter().map(|(right, _)| *right).collect();
            println!("{ability:20} {:10} {right:?}", encoder.name());
            for pair in counts.windows(2) {
                let z = above(pair[1], pair[0]);
                assert!(z < INVERTED, "{ability} {}: {right:?}", encoder.name());
            }
            let sum = |part: &[(f64, f64)]| {
                part.iter()
                    .fold((0.0, 0.0), |(right, n), (r, m)| (right + r, n + m))
            };
            let (easy, hard) = counts.split_at(5);
            let z = above(sum(hard), sum(easy));
            assert!(z < INVERTED, "{ability} {}: {right:?}", encoder.name());
        }
    }
}

/// Abilities in which most encoders' accuracy falls with the level.
const FALLING: [&str; 4] = [
    "object_recognition",
    "action_recognition",
    "emotion",
    "orientation",
];
/// Number of items per ability and level from which an encoder's true accuracy is computed.
const KNOWN: usize = 60;
/// Number of simulated exams of each kind per encoder.
const EXAMS: usize = 60;
/// Number of questions per fixed level; the adaptive exam has half as many in total.
const EACH: u64 = 12;
const HALF: u32 = 60;

/// An encoder in an ability: its share of right answers by level.
struct Examinee {
    chance: f64,
    shares: Vec<f64>,
}

impl Examinee {
    fn is_right(&self, level: u8, rng: &mut Rng) -> bool {
        rng.chance(self.shares[usize::from(level) - 1])
    }

    /// Posterior computed from all known items.
    fn known(&self) -> Posterior {
        let trials = (1..).zip(&self.shares).map(|(level, share)| {
            #[expect(clippy::cast_precision_loss, reason = "a few")]
            let right = share * KNOWN as f64;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a count"
            )]
            let right = right.round() as u64;
            Trials {
                level,
                chance: self.chance,
                right,
                wrong: KNOWN as u64 - right,
            }
        });
        Posterior::of(&trials.collect::<Vec<Trials>>())
    }

    /// Returns true if the shares follow a psychometric curve, as the staircase assumes. Their
    /// deviance must be within the 99 % quantile (chi squared with 10 levels less 3 parameters).
    fn follows_a_curve(&self) -> bool {
        let curve = self.known().curve();
        let deviance = (1..).zip(&self.shares).map(|(level, share)| {
            let expected = curve.right(f64::from(level), self.chance);
            let part = |seen: f64, expected: f64| {
                if seen > 0.0 {
                    seen * (seen / expected).ln()
                } else {
                    0.0
                }
            };
            #[expect(clippy::cast_precision_loss, reason = "a few")]
            let n = KNOWN as f64;
            2.0 * n * (part(*share, expected) + part(1.0 - share, 1.0 - expected))
        });
        deviance.sum::<f64>() <= 18.48
    }

    /// Simulates an exam with equally many questions at every level.
    fn fixed(&self, rng: &mut Rng) -> Posterior {
        let trials = (1..=10).map(|level| {
            let right = (0..EACH).filter(|_| self.is_right(level, rng)).count() as u64;
            Trials {
                level,
                chance: self.chance,
                right,
                wrong: EACH - right,
            }
        });
        Posterior::of(&trials.collect::<Vec<Trials>>())
    }

    /// Simulates an adaptive exam. Also returns its number of questions.
    fn adaptive(&self, staircase: Staircase, rng: &mut Rng) -> (Posterior, u32) {
        let (mut known, mut asked) = (Posterior::default(), 0);
        while !staircase.is_done(&known.acuity(0.95), asked) {
            let level = known.next_level(self.chance);
            known.update(Trial {
                level,
                chance: self.chance,
                right: self.is_right(level, rng),
            });
            asked += 1;
        }
        (known, asked)
    }
}

/// Threshold, limited to the range of levels.
fn threshold(known: &Posterior) -> f64 {
    known.acuity(0.95).threshold.clamp(1.0, 10.0)
}

/// Root mean square of errors.
#[expect(clippy::cast_precision_loss, reason = "thousands")]
fn root_mean_square(errors: &[f64]) -> f64 {
    (errors.iter().map(|error| error * error).sum::<f64>() / errors.len() as f64).sqrt()
}

/// For real encoders on generated items, 60 questions at adaptive levels estimate acuity as
/// precisely as 120 at fixed levels. This holds if the encoder follows a psychometric curve. An
/// encoder that does not (for example with as many errors at level 1 as in the middle) has no clear
/// threshold; its row is only printed.
#[test]
#[ignore = "it takes some minutes: cargo test --release --test exam_levels half -- --ignored --nocapture"]
fn half_of_the_questions_tell_the_acuity_of_encoders_as_well() {
    let exam = LevelledExam::new(14 * 10 * KNOWN, 61).whole();
    let mut rng = Rng::new(62, &[]);
    let (mut with_curve, mut all) = (Errors::default(), Errors::default());
    let mut without = 0;
    for ability in FALLING {
        let known = TrainingSet::Exam.items(ability);
        let asked = pictured_items(&exam.clone().of(&[ability]), |_| true);
        for encoder in Encoder::ALL {
            let counts = by_level(&predict(&train(encoder, ability, &known), &asked));
            let examinee = Examinee {
                chance: LevelledExam::chance(ability).unwrap(),
                shares: counts.iter().map(|(right, n)| right / n).collect(),
            };
            let errors = Errors::of(&examinee, &mut rng);
            let follows = examinee.follows_a_curve();
            println!(
                "{ability:20} {:10} {} {errors}; right by level {:.2?}",
                encoder.name(),
                if follows { "curve   " } else { "no curve" },
                examinee.shares,
            );
            if follows {
                with_curve.add(&errors);
            } else {
                without += 1;
            }
            all.add(&errors);
        }
    }
    println!("with a curve {with_curve}\nall {all}");
    let most = FALLING.len() * Encoder::ALL.len();
    assert!(4 * without <= most, "{without} of {most} have no curve");
    let [fixed, half, _] = with_curve
        .all
        .each_ref()
        .map(|errors| root_mean_square(errors));
    // The errors are themselves only known to a few percent.
    assert!(half <= 1.06 * fixed, "{half} {fixed}");
}

/// Errors of the acuity in levels: fixed levels, half as many adaptive questions, and a default
/// exam.
#[derive(Default)]
struct Errors {
    all: [Vec<f64>; 3],
    /// Number of questions in each default exam.
    questions: Vec<f64>,
}

impl Errors {
    fn of(examinee: &Examinee, rng: &mut Rng) -> Self {
        let exactly = Staircase {
            width: 0.0,
            least: HALF,
            most: HALF,
        };
        let truth = threshold(&examinee.known());
        let mut errors = Self::default();
        for _ in 0..EXAMS {
            let (half, _) = examinee.adaptive(exactly, rng);
            let (usual, asked) = examinee.adaptive(Staircase::default(), rng);
            let known = [examinee.fixed(rng), half, usual];
            for (errors, known) in errors.all.iter_mut().zip(known) {
                errors.push(threshold(&known) - truth);
            }
            errors.questions.push(f64::from(asked));
        }
        errors
    }

    fn add(&mut self, other: &Self) {
        for (all, more) in self.all.iter_mut().zip(&other.all) {
            all.extend(more);
        }
        self.questions.extend(&other.questions);
    }
}

impl std::fmt::Display for Errors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [fixed, half, usual] = self.all.each_ref().map(|errors| root_mean_square(errors));
        write!(
            f,
            "error of {} fixed {fixed:.2}, of {HALF} chosen {half:.2}, of {:.0} as usual {usual:.2}",
            10 * EACH,
            mean(&self.questions).0
        )
    }
}
