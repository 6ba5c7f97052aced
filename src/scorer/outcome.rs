//! Defines the outcome of a rule for one prediction: its score, a second score, and whether the
//! answer could be read.

/// Outcome of one prediction under one rule.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Score under the headline metric, in its own unit: accuracy 0 or 1, ANLS 0 to 1, |p - g| /
    /// g, `GIoU` -1 to 1, `IoU` 0 to 1, `CIEDE2000` from 0. `None` if the rule leaves the sample
    /// out of the mean.
    pub score: Option<f64>,
    /// Second score of the same answer: right or wrong (0 or 1) for absolute depth and counting,
    /// `IoU` for boxes judged by centroid or `GIoU`, the Jaccard index for sets of options. `None`
    /// if the metric has no second score, or if the sample is left out of its mean.
    pub second: Option<f64>,
    /// Error |p - g| for a target of 0, where the relative error is undefined.
    pub error: Option<f64>,
    /// True if the answer could not be read.
    pub invalid: bool,
    /// True if the number read is below its target.
    pub below: bool,
    /// True if the target cannot be compared with any answer, for example `zebra` with the
    /// options A to D.
    pub no_target: bool,
}

impl Outcome {
    /// Creates the outcome of a readable answer; a score that is not finite becomes `None`.
    pub(super) fn scored(score: f64) -> Self {
        Self {
            score: Some(score).filter(|score| score.is_finite()),
            ..Self::default()
        }
    }

    /// Creates the outcome of a number: its error divided by the target. For a target of 0, only
    /// the absolute error is set.
    pub(super) fn relative_error(number: f64, target: f64) -> Self {
        let error = (number - target).abs();
        Self {
            below: number < target,
            error: (target == 0.0 && error.is_finite()).then_some(error),
            ..Self::scored(error / target.abs())
        }
    }

    /// Creates the outcome of a right (1) or wrong (0) answer.
    pub(super) fn judged(right: bool) -> Self {
        Self::scored(f64::from(u8::from(right)))
    }

    /// Creates the outcome of an answer that could not be read, with the scores that it still gets.
    pub(super) fn unreadable(score: Option<f64>, second: Option<f64>) -> Self {
        Self {
            score,
            second,
            invalid: true,
            ..Self::default()
        }
    }

    /// Creates the outcome of a sample that the rule leaves out of all means; the answer counts as
    /// readable.
    pub(super) fn left_out() -> Self {
        Self::default()
    }

    /// Creates the outcome of a sample without a usable target.
    pub(super) fn without_target() -> Self {
        Self {
            no_target: true,
            ..Self::default()
        }
    }

    /// Returns a copy with a second score.
    pub(super) fn with_second(self, second: f64) -> Self {
        Self {
            second: Some(second),
            ..self
        }
    }

    /// Returns a copy marked as unreadable or readable.
    pub(super) fn with_invalid(self, invalid: bool) -> Self {
        Self { invalid, ..self }
    }
}
