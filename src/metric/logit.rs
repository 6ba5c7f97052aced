//! Interval of a figure between 0 and 1 whose error is known from resamples.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::{Interval, real, share_interval, tails};

/// Two-sided interval at confidence `level` of a figure of a whole set, such as AP, from its value, the standard
/// deviation of the figure over resamples of the set, and the number of clusters (images) in it.
///
/// Student's t with the number of clusters less one, on the logit scale, on which a figure near an end of its
/// scale is about symmetric. At an end, where resamples do not differ, the interval of a share of as many
/// independent samples. `None` with fewer than two clusters, without an error inside the scale, or unless
/// `0 < level < 1`.
///
/// Source: A. Agresti, "Categorical data analysis" (2002), section 3.1, for intervals on the logit scale by the
/// delta method; B. Efron and R. J. Tibshirani, "An introduction to the bootstrap" (1993), chapter 12, for the
/// bootstrap error in a t interval.
#[must_use]
pub fn logit_interval(value: f64, error: f64, clusters: u64, level: f64) -> Option<Interval> {
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
    let student = StudentsT::new(0.0, 1.0, real(clusters - 1)).ok()?;
    let reach = student.inverse_cdf(tails(level)?.1) * error / (value * (1.0 - value));
    let middle = (value / (1.0 - value)).ln();
    let back = |logit: f64| 1.0 / (1.0 + (-logit).exp());
    Some(Interval {
        low: back(middle - reach),
        high: back(middle + reach),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_holds_the_value_and_stays_on_the_scale() {
        for value in [0.01, 0.3, 0.5, 0.97] {
            let found = logit_interval(value, 0.05, 40, 0.95).unwrap();
            assert!(found.contains(value) && found.low > 0.0 && found.high < 1.0);
        }
        let middle = logit_interval(0.5, 0.01, 1_000_000, 0.95).unwrap();
        assert!((middle.high - 0.519_6).abs() < 1e-4, "{middle:?}");
    }

    #[test]
    fn ends_of_the_scale_have_an_interval_and_single_images_none() {
        let found = logit_interval(0.0, 0.0, 30, 0.95).unwrap();
        assert!(found.low == 0.0 && found.high > 0.05);
        assert_eq!(logit_interval(0.4, 0.1, 1, 0.95), None);
        assert_eq!(logit_interval(0.4, 0.0, 9, 0.95), None);
    }
}
