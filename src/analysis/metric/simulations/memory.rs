//! Simulates models with and without memorised keys: how well the memory test separates them, and
//! how often it flags a model without memory.
//!
//! `EYECHART_MEMORY_MODELS=400` sets the number of simulated models of each setting.

use super::*;
use crate::metric::{Memory, MemoryTest, TwinAnswers};

/// Models per setting in an ordinary run.
const MODELS: usize = 100;
/// Samples answered by each model.
const SAMPLES: usize = 300;

/// Abilities of a simulated model, and properties of its samples.
#[derive(Clone, Copy, Debug)]
struct Model {
    /// Mean chance to recognize the right answer on a mirrored picture.
    skill: f64,
    /// Number of options per question.
    options: f64,
    /// Share of answers that are always `left`.
    bias: f64,
    /// Share of samples whose key is `left`.
    lefts: f64,
    /// Amount by which flipped pictures are harder.
    harder: f64,
    /// Samples per picture.
    per_picture: usize,
}

const PLAIN: Model = Model {
    skill: 0.75,
    options: 2.0,
    bias: 0.0,
    lefts: 0.5,
    harder: 0.0,
    per_picture: 1,
};

fn models() -> usize {
    amount("EYECHART_MEMORY_MODELS", MODELS)
}

impl Model {
    /// Draws the test of a model that has memorised the given share of the keys.
    fn test(self, random: &mut Random, memorised: f64) -> MemoryTest {
        let answers = (0..SAMPLES).map(|at| {
            let is_left = random.happens(self.lefts);
            let (key, opposite) = if is_left {
                ("left", "right")
            } else {
                ("right", "left")
            };
            let chance = 1.0 / self.options;
            let skill = self.skill + 0.15 * random.normal();
            let is_memorised = random.happens(memorised);
            let mut view = |truth: f64, loss: f64| {
                let sees = random.happens((skill - loss).clamp(chance, 1.0));
                let confuses = random.happens(1.0 / (self.options - 1.0));
                let is_biased = random.happens(self.bias);
                match () {
                    () if is_memorised || is_biased && is_left => 1.0,
                    () if is_biased => -1.0,
                    () if sees => truth,
                    () if confuses => -truth,
                    () => 0.0,
                }
            };
            TwinAnswers {
                key: key.to_owned(),
                opposite: opposite.to_owned(),
                // The opposite key is right on mirrored pictures, the original key on flipped
                // pictures.
                kept: [view(-1.0, 0.0), view(1.0, self.harder)],
                cluster: at / self.per_picture,
            }
        });
        MemoryTest::new(&answers.collect::<Vec<_>>())
    }

    fn tests(self, random: &mut Random, memorised: f64) -> Vec<MemoryTest> {
        (0..models())
            .map(|_| self.test(random, memorised))
            .collect()
    }
}

/// Returns the evidence of memory: larger for smaller p values of a positive share.
fn evidence(test: &MemoryTest) -> f64 {
    let (share, p) = (test.share.unwrap(), test.p_value.unwrap());
    (1.0 - p) * share.signum()
}

/// Returns the area under the ROC curve: the chance that a model with memory shows more evidence
/// than one without. Equal evidence counts half.
fn separation(clean: &[MemoryTest], memorised: &[MemoryTest]) -> f64 {
    let pairs = clean
        .iter()
        .flat_map(|one| memorised.iter().map(move |it| (one, it)));
    let wins: f64 = pairs
        .map(
            |(one, other)| match evidence(other).total_cmp(&evidence(one)) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            },
        )
        .sum();
    wins / (clean.len() * memorised.len()) as f64
}

#[test]
fn memory_is_found_and_models_that_look_are_rarely_flagged() {
    let mut random = Random::new(38);
    let (mut flagged, mut clean_models) = (0, 0);
    for options in [2.0, 4.0] {
        for skill in [0.5, 0.75, 0.9, 0.98] {
            for model in [
                PLAIN,
                Model {
                    per_picture: 3,
                    ..PLAIN
                },
                Model {
                    bias: 0.3,
                    lefts: 0.7,
                    ..PLAIN
                },
            ] {
                let model = Model {
                    skill,
                    options,
                    ..model
                };
                let clean = model.tests(&mut random, 0.0);
                let own = clean
                    .iter()
                    .filter(|it| it.verdict() == Memory::Likely)
                    .count();
                // The limit is three standard errors above 5 % in one setting, and 5 % over all
                // settings.
                let most = 0.05 + 3.0 * (0.05 * 0.95 / models() as f64).sqrt();
                assert!(own as f64 <= most * models() as f64, "{model:?}: {own}");
                flagged += own;
                clean_models += models();
                let tenth = separation(&clean, &model.tests(&mut random, 0.1));
                assert!(tenth >= 0.8, "{model:?}: {tenth}");
                let third = separation(&clean, &model.tests(&mut random, 0.3));
                assert!(third >= 0.95, "{model:?}: {third}");
            }
        }
    }
    assert!(
        flagged as f64 <= 0.05 * clean_models as f64,
        "{flagged} of {clean_models} models that look are flagged"
    );
}

#[test]
fn harder_flipped_pictures_and_one_preferred_answer_flag_nobody() {
    let mut random = Random::new(39);
    for model in [
        Model {
            harder: 0.15,
            ..PLAIN
        },
        Model {
            bias: 1.0,
            lefts: 0.7,
            ..PLAIN
        },
        Model {
            bias: 1.0,
            lefts: 0.9,
            options: 4.0,
            ..PLAIN
        },
    ] {
        let clean = model.tests(&mut random, 0.0);
        let flagged = clean.iter().filter(|it| it.verdict() == Memory::Likely);
        assert!(
            flagged.count() as f64 <= 0.02 * models() as f64,
            "{model:?}"
        );
    }
}
