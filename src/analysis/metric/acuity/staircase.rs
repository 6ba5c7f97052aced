//! Runs adaptive exams: chooses the next level and decides when to stop.

use super::grid::{LAPSES, SLOPES, shapes};
use super::{Acuity, LEVELS, Posterior, probability};

/// Stopping rule of an adaptive exam of one ability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Staircase {
    /// Target length of the 95 % interval, in levels.
    pub width: f64,
    /// Minimum number of questions.
    pub least: u32,
    /// Maximum number of questions.
    pub most: u32,
}

impl Default for Staircase {
    /// Returns a rule with an interval of two levels and 8 to 60 questions.
    fn default() -> Self {
        Self {
            width: 2.0,
            least: 8,
            most: 60,
        }
    }
}

impl Staircase {
    /// Returns true if the exam can stop after `asked` questions: the interval is short enough or
    /// outside the levels, or the maximum is reached.
    pub fn is_done(&self, acuity: &Acuity, asked: u32) -> bool {
        asked >= self.most || (asked >= self.least && acuity.width() <= self.width)
    }
}

impl Posterior {
    /// Returns the most informative level: the level with the smallest expected entropy of the
    /// thresholds after an answer. Slope and lapse are nuisance parameters.
    ///
    /// Source: L. L. Kontsevich and C. W. Tyler, "Bayesian adaptive estimation of psychometric
    /// slope and threshold", Vision Research 39 (1999), with the nuisance parameters summed out
    /// (N. Prins, "The psi-marginal adaptive method", Journal of Vision 13 (2013)).
    pub fn next_level(&self, chance: f64) -> u8 {
        let expected = (1..=LEVELS).map(|level| (level, self.expected_entropy(level, chance)));
        let best = expected.reduce(|best, other| if other.1 < best.1 { other } else { best });
        best.map_or(1, |(level, _)| level)
    }

    /// Returns the expected entropy of the thresholds after an answer at a level.
    fn expected_entropy(&self, level: u8, chance: f64) -> f64 {
        let of_threshold = |(weights, shapes): (&[f64], &[f64])| {
            let (mut right, mut wrong) = (0.0, 0.0);
            for (weights, shape) in weights.chunks_exact(LAPSES.len()).zip(shapes) {
                for (weight, (lapse, _)) in weights.iter().zip(&LAPSES) {
                    let share = probability(*shape, *lapse, chance);
                    right += weight * share;
                    wrong += weight * (1.0 - share);
                }
            }
            (right, wrong)
        };
        let weights = self.weights.chunks_exact(SLOPES.len() * LAPSES.len());
        let parts = weights.zip(shapes(level).chunks_exact(SLOPES.len()));
        let (right, wrong): (Vec<f64>, Vec<f64>) = parts.map(of_threshold).unzip();
        entropy(&right) + entropy(&wrong)
    }
}

/// Returns the entropy of weights, multiplied by their sum.
fn entropy(weights: &[f64]) -> f64 {
    let sum: f64 = weights.iter().sum();
    let parts = weights.iter().filter(|weight| **weight > 0.0);
    parts.map(|weight| -weight * (weight / sum).ln()).sum()
}
