//! Predicts how precise the acuity of an exam will be, before any question is asked.

use super::{LEVELS, Posterior, Psychometric};

/// Thresholds of typical observers, in levels.
const THRESHOLDS: [f64; 5] = [2.5, 4.0, 5.5, 7.0, 8.5];
/// Slope and lapse of typical observers.
const TYPICAL: Psychometric = Psychometric {
    threshold: 0.0,
    slope: 1.4,
    lapse: 0.015,
};
/// Confidence level of the interval.
const CONFIDENCE: f64 = 0.95;

/// Questions that an exam will ask at one level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannedQuestions {
    /// Level, 1 to [`LEVELS`].
    pub level: u8,
    /// Probability that a blind guess is right, 0 to 1.
    pub chance: f64,
    /// Expected number of questions; can be a fraction.
    pub count: f64,
}

/// Returns the expected length, in levels, of the 95 % interval of acuity after these questions
/// about one ability. It is the mean over observers with thresholds spread over the levels. Each
/// observer gives its expected number of right answers. Without questions, the length is nine
/// levels.
pub fn expected_width(planned: &[PlannedQuestions]) -> f64 {
    let width = |threshold: f64| {
        let observer = Psychometric {
            threshold,
            ..TYPICAL
        };
        let counts = planned.iter().map(|it| {
            let right = observer.right(f64::from(it.level.clamp(1, LEVELS)), it.chance);
            (
                it.level,
                it.chance,
                [right, 1.0 - right].map(|share| share * it.count),
            )
        });
        Posterior::of_counts(counts).acuity(CONFIDENCE).width()
    };
    THRESHOLDS.map(width).iter().sum::<f64>() / 5.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn width(each: f64, chance: f64) -> f64 {
        let level = |level| PlannedQuestions {
            level,
            chance,
            count: each,
        };
        expected_width(&(1..=LEVELS).map(level).collect::<Vec<_>>())
    }

    /// Reference widths come from an independent program. Simulated observers with other slopes and
    /// lapses have mean widths of 2.81, 1.40 and 4.16.
    #[test]
    fn a_predicted_width_is_that_of_simulated_exams() {
        for (each, chance, expected) in [(4.0, 0.25, 2.93), (16.0, 0.25, 1.38), (4.0, 0.5, 4.17)] {
            let found = width(each, chance);
            assert!((found - expected).abs() < 0.02, "{each} {chance}: {found}");
        }
        assert!((expected_width(&[]) - 9.0).abs() < 1e-9);
    }

    #[test]
    fn more_questions_and_harder_guesses_are_more_precise() {
        let widths = [1.0, 2.0, 4.0, 8.0].map(|each| width(each, 0.25));
        assert!(widths.is_sorted_by(|one, other| one > other), "{widths:?}");
        assert!(width(4.0, 0.0) < width(4.0, 0.25) && width(4.0, 0.25) < width(4.0, 0.5));
    }
}
