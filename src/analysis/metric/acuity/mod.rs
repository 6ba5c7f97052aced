//! Estimates acuity, the level at which an observer reads half of the readable items, from right
//! and wrong answers at levels 1 (easy) to 10 (hard).
//!
//! The psychometric function is logistic in the level, with chance and lapse (F. A. Wichmann and
//! N. J. Hill, "The psychometric function: I", Perception & Psychophysics 63 (2001), equation 1).
//! Its parameters have a posterior on a grid, as in QUEST+ (A. B. Watson, "QUEST+: A general
//! multidimensional Bayesian adaptive psychometric method", Journal of Vision 17 (2017));
//! [`Posterior::next_level`] chooses the level of the next question.

mod grid;
mod planned;
mod staircase;
#[cfg(test)]
mod tests;

use super::Interval;
use grid::{LAPSES, POINTS, SLOPES, THRESHOLDS, point, prior, shapes, threshold};

pub use planned::{PlannedQuestions, expected_width};
pub use staircase::Staircase;

/// Hardest level; the easiest is 1.
pub const LEVELS: u8 = 10;

/// Psychometric curve: the probability of a right answer as a function of the level.
///
/// `p(x) = c + (1 - c - l) / (1 + exp(s (x - t)))`. At the threshold `t` it is
/// `c + (1 - c - l) / 2`: .625 with four options and .75 with two, without lapses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Psychometric {
    /// Level at which half of the readable items is read.
    pub threshold: f64,
    /// Steepness at the threshold: decrease of the log odds per level.
    pub slope: f64,
    /// Lapse rate: share of wrong answers to the easiest questions.
    pub lapse: f64,
}

impl Psychometric {
    /// Returns the probability of a right answer at a level. `chance` is the probability that a
    /// blind guess is right.
    pub fn right(&self, level: f64, chance: f64) -> f64 {
        let seen = 1.0 / (1.0 + (self.slope * (level - self.threshold)).exp());
        ((1.0 - chance - self.lapse) * seen).max(0.0) + chance
    }
}

/// Right or wrong answer to one question at a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// Level, 1 to [`LEVELS`].
    pub level: u8,
    /// Probability that a blind guess is right, 0 to 1.
    pub chance: f64,
    /// True if the answer is right.
    pub right: bool,
}

/// Counts of answers at one level with the same chance level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trials {
    /// Level, 1 to [`LEVELS`].
    pub level: u8,
    /// Probability that a blind guess is right, 0 to 1.
    pub chance: f64,
    /// Number of right answers.
    pub right: u64,
    /// Number of wrong answers.
    pub wrong: u64,
}

/// Position of a threshold relative to the levels; thresholds are not extrapolated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ThresholdPosition {
    /// Below level 1.
    Below,
    /// At this level, 1 to 10.
    At(f64),
    /// Above level 10.
    Above,
}

impl ThresholdPosition {
    /// Converts a threshold to its position.
    pub fn of(threshold: f64) -> Self {
        if threshold < 1.0 {
            Self::Below
        } else if threshold > f64::from(LEVELS) {
            Self::Above
        } else {
            Self::At(threshold)
        }
    }

    /// Returns the level; `None` outside the levels.
    pub const fn level(self) -> Option<f64> {
        match self {
            Self::At(level) => Some(level),
            Self::Below | Self::Above => None,
        }
    }

    /// Returns the text for tables: `6.3`, `< 1` or `> 10`.
    pub fn words(self) -> String {
        match self {
            Self::Below => "< 1".to_owned(),
            Self::At(level) => format!("{level:.1}"),
            Self::Above => format!("> {LEVELS}"),
        }
    }
}

/// Threshold with its interval, on an axis that extends beyond the levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acuity {
    /// Posterior median of the threshold, in levels.
    pub threshold: f64,
    /// Equal-tailed interval of the threshold.
    pub interval: Interval,
}

impl Acuity {
    /// Returns the position of the threshold.
    pub fn reach(&self) -> ThresholdPosition {
        ThresholdPosition::of(self.threshold)
    }

    /// Returns the positions of the interval's ends.
    pub fn ends(&self) -> [ThresholdPosition; 2] {
        [self.interval.low, self.interval.high].map(ThresholdPosition::of)
    }

    /// Returns the length of the interval within the levels.
    pub fn width(&self) -> f64 {
        let within = |level: f64| level.clamp(1.0, f64::from(LEVELS));
        within(self.interval.high) - within(self.interval.low)
    }
}

/// Posterior of an observer after some answers: a weight for each threshold, slope and lapse of a
/// grid.
///
/// The prior is flat in the threshold, which can lie outside the levels, and in the logarithm of
/// the slope. It favours small lapses.
#[derive(Clone, Debug, PartialEq)]
pub struct Posterior {
    /// Weights by threshold, slope and lapse, in this order; the sum is 1.
    weights: Vec<f64>,
}

impl Default for Posterior {
    fn default() -> Self {
        Self { weights: prior() }
    }
}

impl Posterior {
    /// Computes the posterior after some answers; their order does not matter.
    pub fn of(trials: &[Trials]) -> Self {
        Self::of_counts(trials.iter().map(|it| {
            let counts = [it.right, it.wrong].map(count);
            (it.level, it.chance, counts)
        }))
    }

    /// Computes the posterior from level, chance, and numbers of right and wrong answers, which
    /// need not be whole.
    fn of_counts(trials: impl Iterator<Item = (u8, f64, [f64; 2])>) -> Self {
        let mut logs: Vec<f64> = prior().into_iter().map(f64::ln).collect();
        for (level, chance, [right, wrong]) in trials {
            for_each(&mut logs, level, chance, |log, share| {
                *log += right * share.ln() + wrong * (1.0 - share).ln();
            });
        }
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut known = Self {
            weights: logs.into_iter().map(|log| (log - most).exp()).collect(),
        };
        known.normalise();
        known
    }

    /// Updates the posterior with one answer.
    pub fn update(&mut self, trial: Trial) {
        for_each(
            &mut self.weights,
            trial.level,
            trial.chance,
            |weight, share| {
                *weight *= if trial.right { share } else { 1.0 - share };
            },
        );
        self.normalise();
    }

    fn normalise(&mut self) {
        let sum: f64 = self.weights.iter().sum();
        for weight in &mut self.weights {
            *weight /= sum;
        }
    }

    /// Returns the weights of the thresholds, summed over slope and lapse.
    fn thresholds(&self) -> Vec<f64> {
        let parts = self.weights.chunks_exact(SLOPES.len() * LAPSES.len());
        parts.map(|part| part.iter().sum()).collect()
    }

    /// Returns the threshold with an interval of the given confidence.
    pub fn acuity(&self, confidence: f64) -> Acuity {
        let weights = self.thresholds();
        let tail = (1.0 - confidence) / 2.0;
        Acuity {
            threshold: quantile(&weights, 0.5),
            interval: Interval {
                low: quantile(&weights, tail),
                high: quantile(&weights, 1.0 - tail),
            },
        }
    }

    /// Returns the curve to draw: median threshold, with posterior means of slope and lapse.
    pub fn curve(&self) -> Psychometric {
        let mean = |of: fn(usize) -> f64| {
            let parts = self.weights.iter().enumerate();
            parts.map(|(at, weight)| weight * of(at)).sum::<f64>()
        };
        Psychometric {
            threshold: quantile(&self.thresholds(), 0.5),
            slope: mean(|at| point(at).slope.ln()).exp(),
            lapse: mean(|at| point(at).lapse),
        }
    }

    /// Returns the difference of two thresholds, `self` minus `other`, with its interval. Answers
    /// are assumed independent. Thresholds outside the levels are clamped, because no item tests
    /// them.
    pub fn difference(&self, other: &Self, confidence: f64) -> Acuity {
        let (one, other) = (self.thresholds(), other.thresholds());
        let mut sums = vec![0.0; 2 * THRESHOLDS - 1];
        for (at, weight) in one.iter().enumerate() {
            for (from, less) in other.iter().enumerate() {
                let gap = grid::clamped(at) + THRESHOLDS - 1 - grid::clamped(from);
                sums[gap] += weight * less;
            }
        }
        let zero = threshold(THRESHOLDS - 1);
        let tail = (1.0 - confidence) / 2.0;
        let at = |share: f64| quantile(&sums, share) - zero;
        Acuity {
            threshold: at(0.5),
            interval: Interval {
                low: at(tail),
                high: at(1.0 - tail),
            },
        }
    }
}

/// Calls `act` with the value and the probability of a right answer at each point of the grid.
fn for_each(values: &mut [f64], level: u8, chance: f64, act: impl Fn(&mut f64, f64)) {
    for (values, shape) in values.chunks_exact_mut(LAPSES.len()).zip(shapes(level)) {
        for (value, (lapse, _)) in values.iter_mut().zip(&LAPSES) {
            act(value, probability(*shape, *lapse, chance));
        }
    }
}

/// Returns the probability of a right answer if a share `seen` of the readable items is read.
fn probability(seen: f64, lapse: f64, chance: f64) -> f64 {
    // Clamped, because a guess can be right and a slip wrong: no answer is impossible.
    (chance + (1.0 - chance - lapse).max(0.0) * seen).clamp(LEAST, 1.0 - LEAST)
}

/// Minimum probability of a right or a wrong answer.
const LEAST: f64 = 1e-3;

/// Returns the quantile of the thresholds; each weight is spread evenly over its cell.
fn quantile(weights: &[f64], share: f64) -> f64 {
    let mut below = 0.0;
    for (at, weight) in weights.iter().enumerate() {
        if below + weight >= share && *weight > 0.0 {
            return threshold(at) + grid::STEP * ((share - below) / weight - 0.5);
        }
        below += weight;
    }
    threshold(weights.len().saturating_sub(1))
}

fn count(answers: u64) -> f64 {
    f64::from(u32::try_from(answers).unwrap_or(u32::MAX))
}

const _: () = assert!(POINTS == THRESHOLDS * SLOPES.len() * LAPSES.len());
