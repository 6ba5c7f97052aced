//! Computes the interval of a figure between 0 and 1 from its spread over resamples.

use super::student::student;
use super::{Interval, real, share_interval};

/// Bias of a figure that takes maxima, relative to the further bias in resamples. The bias falls
/// with about the root of the number of clusters, and a resample contains .632 of them:
/// `1 / (.632^-.5 - 1)`.
const BIAS_OVER_RESAMPLES: f64 = 3.88;

/// Spread of a pooled figure over resamples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Mean over the resamples.
    pub mean: f64,
    /// Standard deviation over the resamples.
    pub error: f64,
}

impl Spread {
    /// Computes the spread of the draws; `NaN` is skipped.
    #[expect(clippy::cast_precision_loss, reason = "counts of draws")]
    pub fn of(draws: impl Iterator<Item = f64> + Clone) -> Self {
        let known = draws.filter(|draw| !draw.is_nan());
        let n = known.clone().count() as f64;
        let mean = known.clone().sum::<f64>() / n;
        let squares: f64 = known.map(|draw| (draw - mean).powi(2)).sum();
        Self {
            mean,
            error: (squares / (n - 1.0).max(1.0)).sqrt(),
        }
    }
}

/// Computes the two-sided interval at confidence `level` of a pooled figure, for example AP. Inputs
/// are its value, its spread over resamples, and the number of clusters (images).
///
/// A figure that takes maxima, as AP does of precision, is too high in small sets, and even
/// higher in their resamples. The lower end is corrected for this bias, estimated from the
/// resamples.
///
/// Uses Student's t with one degree of freedom less than clusters. On the logit scale, even a
/// figure near 0 or 1 is nearly symmetric. At 0 or 1, resamples do not differ; the interval of a
/// share of as many independent samples as clusters is used instead. `None` with fewer than two
/// clusters, if a value between 0 and 1 has no error, or unless `0 < level < 1`.
///
/// Source: A. Agresti, "Categorical data analysis" (2002), section 3.1, for intervals on the
/// logit scale by the delta method; B. Efron and R. J. Tibshirani, "An introduction to the
/// bootstrap" (1993), chapter 12, for the bootstrap error in a t interval.
pub fn logit_interval(value: f64, spread: Spread, clusters: u64, level: f64) -> Option<Interval> {
    let error = spread.error;
    if clusters < 2 {
        return None;
    }
    if value <= 0.0 || value >= 1.0 {
        let same = usize::try_from(clusters).unwrap_or(usize::MAX);
        return share_interval(&vec![(value.clamp(0.0, 1.0), 1); same], level);
    }
    if error <= 0.0 || error.is_nan() {
        return None;
    }
    let quantile = student(real(clusters - 1), level)?;
    let bias = BIAS_OVER_RESAMPLES * (spread.mean - value).max(0.0);
    let end = |centre: f64, side: f64| {
        let reach = quantile * error / (centre * (1.0 - centre));
        let logit = (centre / (1.0 - centre)).ln() + side * reach;
        1.0 / (1.0 + (-logit).exp())
    };
    Some(Interval {
        low: end((value - bias).max(0.5 * value), -1.0),
        high: end(value, 1.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spread without bias around a value.
    fn even(mean: f64, error: f64) -> Spread {
        Spread { mean, error }
    }

    #[test]
    fn the_interval_holds_the_value_and_stays_on_the_scale() {
        for value in [0.01, 0.3, 0.5, 0.97] {
            let found = logit_interval(value, even(value, 0.05), 40, 0.95).unwrap();
            assert!(found.contains(value) && found.low > 0.0 && found.high < 1.0);
        }
        let middle = logit_interval(0.5, even(0.5, 0.01), 1_000_000, 0.95).unwrap();
        assert!((middle.high - 0.519_6).abs() < 1e-4, "{middle:?}");
    }

    #[test]
    fn ends_of_the_scale_have_an_interval_and_single_images_none() {
        let found = logit_interval(0.0, even(0.0, 0.0), 30, 0.95).unwrap();
        assert!(found.low == 0.0 && found.high > 0.05);
        assert_eq!(logit_interval(0.4, even(0.4, 0.1), 1, 0.95), None);
        assert_eq!(logit_interval(0.4, even(0.4, 0.0), 9, 0.95), None);
    }
}
