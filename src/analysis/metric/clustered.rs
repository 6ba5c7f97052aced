//! Computes means over clusters of samples (images), with standard error, degrees of freedom and
//! skewness.

/// Mean of samples that share clusters, with its uncertainty.
///
/// The error is the bias-reduced cluster-robust error (CR2). The degrees of freedom use
/// Satterthwaite's approximation for independent samples. With one sample per cluster, the error is
/// the usual standard error, and the degrees of freedom are the number of clusters minus one. If
/// one cluster contains most of the samples, about one degree of freedom is left.
///
/// Source: R. M. Bell and D. F. `McCaffrey`, "Bias reduction in standard errors for linear
/// regression with multi-stage samples", Survey Methodology 28 (2002); J. E. Pustejovsky and E.
/// Tipton, "Small-sample methods for cluster-robust variance estimation and hypothesis testing in
/// fixed effects models", JBES 36 (2018). For a mean the adjustment of a cluster with the share
/// `w` of the samples is `1 / sqrt(1 - w)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusteredMean {
    /// Mean of all samples.
    pub mean: f64,
    /// Standard error of the mean.
    pub error: f64,
    /// Degrees of freedom of the error.
    pub freedom: f64,
    /// Skewness of the mean. It is reduced if the degrees of freedom are few for the number of
    /// clusters: a single large cluster contains no information about skewness.
    pub skewness: f64,
    /// Number of clusters with samples.
    pub clusters: usize,
    /// Number of samples.
    pub n: f64,
}

impl ClusteredMean {
    /// Computes the mean from the sum and the number of samples of each cluster; `None` with
    /// fewer than two clusters.
    pub fn new(clusters: impl Iterator<Item = (f64, f64)> + Clone) -> Option<Self> {
        let filled = clusters.filter(|(_, n)| *n > 0.0);
        let (mut count, mut n, mut sum) = (0, 0.0, 0.0);
        for (own, of) in filled.clone() {
            count += 1;
            n += of;
            sum += own;
        }
        if count < 2 {
            return None;
        }
        let mean = sum / n;
        let (mut squares, mut cubes, mut adjusted) = (0.0, 0.0, 0.0);
        let (mut weights, mut levers, mut lever_squares) = (0.0, 0.0, 0.0);
        for (own, of) in filled {
            let (weight, apart) = (of / n, own - mean * of);
            let lever = weight * weight / (1.0 - weight);
            squares += apart * apart;
            cubes += apart * apart * apart;
            adjusted += apart * apart / (1.0 - weight);
            weights += weight * weight;
            levers += lever;
            lever_squares += lever * lever;
        }
        let freedom = 1.0 / (weights + levers * levers - lever_squares);
        let trust = freedom / (super::real(count as u64) - 1.0);
        let error = adjusted.sqrt() / n;
        let has_spread = error > ROUNDING * mean.abs();
        Some(Self {
            mean,
            error: if has_spread { error } else { 0.0 },
            freedom,
            skewness: if has_spread {
                cubes / squares.powf(1.5) * trust
            } else {
                0.0
            },
            clusters: count,
            n,
        })
    }
}

/// Returns the end of the interval of a mean at a quantile of Student's t, corrected for
/// skewness: `mean - error g(quantile)` with `g` the inverse of Hall's transformation. Falls as
/// the quantile grows.
pub fn without_skewness(mean: f64, error: f64, skewness: f64, quantile: f64) -> f64 {
    if skewness.abs() < 1e-9 {
        return mean - error * quantile;
    }
    let inner = 1.0 + skewness * (quantile - skewness / 6.0);
    mean - error * 3.0 / skewness * (inner.cbrt() - 1.0)
}

/// Applies Hall's transformation, which removes the skewness of a t value:
/// `T + b T²/3 + b² T³/27 + b/6`, with `b` the skewness of the mean. Grows with `t`.
///
/// Source: P. Hall, "On the removal of skewness by transformation", JRSS B 54 (1992), section 2.
pub fn transformed(t: f64, skewness: f64) -> f64 {
    let once = skewness * t * t;
    t + once / 3.0 + skewness * once * t / 27.0 + skewness / 6.0
}

/// Spreads below this share of the mean are rounding errors.
const ROUNDING: f64 = 1e-12;

#[cfg(test)]
mod tests {
    use super::*;

    fn of(clusters: &[(f64, f64)]) -> ClusteredMean {
        ClusteredMean::new(clusters.iter().copied()).unwrap()
    }

    #[test]
    fn independent_samples_have_the_usual_error() {
        let found = of(&[
            (0.5, 1.0),
            (0.25, 1.0),
            (0.5, 1.0),
            (-0.25, 1.0),
            (0.25, 1.0),
        ]);
        assert!((found.mean - 0.25).abs() < 1e-15);
        assert!((found.error - 0.306_186_2 / 5.0_f64.sqrt()).abs() < 1e-7);
        assert!((found.freedom - 4.0).abs() < 1e-12);
    }

    /// Computed independently with full matrices (the adjustment matrices' symmetric square roots,
    /// traces of `G'G`).
    #[test]
    fn unequal_clusters_have_fewer_degrees_of_freedom() {
        let found = of(&[(3.0, 4.0), (1.0, 2.0), (1.0, 1.0), (0.0, 1.0), (2.0, 8.0)]);
        assert!((found.mean - 0.4375).abs() < 1e-15);
        assert!(
            (found.error - 0.167_038_276_195_265).abs() < 1e-9,
            "{found:?}"
        );
        assert!(
            (found.freedom - 2.221_438_645_980_254).abs() < 1e-9,
            "{found:?}"
        );
    }

    #[test]
    fn a_transformation_and_its_inverse_agree() {
        for skewness in [-1.5, -0.2, 0.0, 0.4, 2.0] {
            for t in [-3.0, -0.5, 0.0, 1.0, 4.0] {
                let end = without_skewness(0.0, 1.0, skewness, transformed(t, skewness));
                assert!((end + t).abs() < 1e-9, "{skewness} {t}: {end}");
            }
        }
    }

    #[test]
    fn one_cluster_has_no_error() {
        assert_eq!(ClusteredMean::new([(3.0, 4.0)].into_iter()), None);
        assert_eq!(of(&[(0.1 + 0.2, 1.0), (0.3, 1.0)]).error, 0.0);
    }
}
