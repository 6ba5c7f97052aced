//! What a rule makes of one prediction: its score, a second score, and whether it could be read.

/// The score of one sample under one rule.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Score under the headline metric, in that metric's own unit: accuracy 0 or 1, ANLS 0 to 1, |p - g| / g,
    /// `GIoU` -1 to 1, `IoU` 0 to 1, `CIEDE2000` from 0. `None`: the rule leaves this sample out of the mean.
    pub score: Option<f64>,
    /// A second score of the same answer: right or wrong (0 or 1) for absolute depth and counting, `IoU` for
    /// boxes judged by centroid or `GIoU`, the Jaccard index for sets of options. `None`: there is none, or the sample is left out of its mean.
    pub second: Option<f64>,
    /// The error |p - g| where the score is a share of a target of 0, and so none.
    pub error: Option<f64>,
    /// The answer could not be read.
    pub invalid: bool,
    /// The number that was read lies below its target.
    pub below: bool,
    /// The sample has no target that the rule can compare an answer with: `zebra` among the options A to D.
    pub no_target: bool,
}

impl Outcome {
    /// An answer that was read and scored; a score that is no finite number is left out.
    pub(super) fn scored(score: f64) -> Self {
        Self {
            score: Some(score).filter(|score| score.is_finite()),
            ..Self::default()
        }
    }

    /// The error of a number as a share of its target; of a target of 0 the error alone is known.
    pub(super) fn relative_error(number: f64, target: f64) -> Self {
        let error = (number - target).abs();
        Self {
            below: number < target,
            error: (target == 0.0 && error.is_finite()).then_some(error),
            ..Self::scored(error / target.abs())
        }
    }

    /// Right or wrong as 1 or 0.
    pub(super) fn judged(right: bool) -> Self {
        Self::scored(f64::from(u8::from(right)))
    }

    /// An answer that could not be read, with what it scores all the same.
    pub(super) fn unreadable(score: Option<f64>, second: Option<f64>) -> Self {
        Self {
            score,
            second,
            invalid: true,
            ..Self::default()
        }
    }

    /// A sample that the rule leaves out: in no mean, and no fault of the answer.
    pub(super) fn left_out() -> Self {
        Self::default()
    }

    /// A sample without a usable target.
    pub(super) fn without_target() -> Self {
        Self {
            no_target: true,
            ..Self::default()
        }
    }

    /// The same with a second score.
    pub(super) fn with_second(self, second: f64) -> Self {
        Self {
            second: Some(second),
            ..self
        }
    }

    /// The same, marked as unreadable or not.
    pub(super) fn with_invalid(self, invalid: bool) -> Self {
        Self { invalid, ..self }
    }
}
