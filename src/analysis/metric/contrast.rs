//! Compares a subgroup with the rest: independent groups of samples in clusters.

use std::ops::AddAssign;

use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::factorial::ln_binomial;

use super::student::student;
use super::{Interval, real, wilson};

/// Count, sum and sum of squares of scores relative to a shared centre.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Number of scores, as a float.
    pub n: f64,
    /// Sum of the scores minus the centre, which all tallies of a comparison share.
    pub sum: f64,
    /// Sum of the squares of the scores minus the centre.
    pub squares: f64,
}

impl Tally {
    /// Adds a score minus the centre.
    pub fn add(&mut self, score: f64) {
        self.n += 1.0;
        self.sum += score;
        self.squares += score * score;
    }
}

/// Sums over clusters (images) for a subgroup and for all samples of the cluster. They are
/// additive, and sufficient for a cluster-robust comparison of the subgroup with the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// Tally of the subgroup.
    pub tally: Tally,
    /// Number of clusters with a score in the subgroup.
    pub clusters: u64,
    /// Number of clusters with no score outside the subgroup.
    whole: u64,
    /// Sums of squares and products of the subgroup's `sum` and `n`: `sum^2`, `n^2`, `sum n`.
    own: [f64; 3],
    /// Sums of products of the subgroup's `sum` and `n` with the cluster's `sum` and `n`.
    across: [[f64; 2]; 2],
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.n += other.n;
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

impl Moments {
    /// Adds a cluster: the tally of its subgroup scores, and the tally of all its scores.
    pub fn add(&mut self, part: Tally, all: Tally) {
        *self += Self {
            tally: part,
            clusters: 1,
            whole: u64::from(part.n >= all.n),
            own: [part.sum * part.sum, part.n * part.n, part.sum * part.n],
            across: [part.sum, part.n].map(|own| [own * all.sum, own * all.n]),
        };
    }

    /// Returns the number of clusters with a score outside the subgroup; `all` are the moments of
    /// all samples.
    pub const fn clusters_outside(&self, all: &Self) -> u64 {
        all.clusters.saturating_sub(self.whole)
    }

    /// Returns the mean of the subgroup minus the centre; NaN without a score.
    pub fn mean(&self) -> f64 {
        self.tally.sum / self.tally.n
    }

    /// Computes the confidence interval of the subgroup's mean minus the centre at `level`. It is
    /// cluster-robust, with Student's t and one degree of freedom less than clusters. `None` with
    /// fewer than two clusters.
    pub fn mean_interval(&self, level: f64) -> Option<Interval> {
        let ([ss, nn, sn], mean) = (self.own, self.mean());
        let freedom = real(self.clusters.checked_sub(1).filter(|&rest| rest > 0)?);
        let square = (ss + mean * mean * nn - 2.0 * mean * sn).max(0.0) * (1.0 + 1.0 / freedom);
        let reach = square.sqrt() / self.tally.n * student(freedom, level)?;
        Some(Interval {
            low: mean - reach,
            high: mean + reach,
        })
    }
}

impl AddAssign for Moments {
    fn add_assign(&mut self, other: Self) {
        self.tally += other.tally;
        self.clusters += other.clusters;
        self.whole += other.whole;
        for (own, more) in self.own.iter_mut().zip(other.own) {
            *own += more;
        }
        for (own, more) in self
            .across
            .iter_mut()
            .flatten()
            .zip(other.across.into_iter().flatten())
        {
            *own += more;
        }
    }
}

/// Difference between a subgroup and the rest, with its tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contrast {
    /// Mean of the subgroup minus mean of the rest.
    pub difference: f64,
    /// Standard error of the difference.
    pub error: f64,
    /// Confidence interval of the difference; `None` if it was not requested.
    pub interval: Option<Interval>,
    /// One-sided p value: probability of a difference at most this large under the null
    /// hypothesis.
    pub p_less: f64,
    /// One-sided p value: probability of a difference at least this large under the null
    /// hypothesis.
    pub p_more: f64,
}

impl Contrast {
    /// Returns the two-sided p value: twice the smaller tail, at most 1 and never 0.
    pub fn p_value(&self) -> f64 {
        (2.0 * self.p_less.min(self.p_more)).clamp(f64::MIN_POSITIVE, 1.0)
    }

    /// Returns the one-sided p value in the direction of `sign`.
    pub fn p_towards(&self, sign: f64) -> f64 {
        let tail = if sign < 0.0 { self.p_less } else { self.p_more };
        tail.clamp(f64::MIN_POSITIVE, 1.0)
    }
}

/// Compares the mean of a subgroup with the mean of the rest of `all`, with clustered samples.
///
/// The larger of two variances is used. One is the sum of squared influences of the clusters on the
/// difference (sandwich estimator, as in a regression on subgroup membership with clustered
/// errors). The other is the variance for a random subgroup, with the variance within and between
/// clusters of `all`; it guards against subgroups that have little spread by chance. Student's t
/// has one degree of freedom less than the smaller side's number of clusters. The interval is
/// expensive and is computed only if `level` is given.
///
/// Returns `None` unless both sides have at least two clusters.
///
/// Source: K.-Y. Liang and S. L. Zeger, "Longitudinal data analysis using generalized linear
/// models", Biometrika 73 (1986), equation 5; variance components by moments as in S. R. Searle,
/// G. Casella and C. E. `McCulloch`, "Variance components" (1992), section 3.6; the conservative
/// degrees of freedom of W. G. Cochran, "Sampling techniques" (1977), section 4.14.
pub fn clustered_contrast(part: &Moments, all: &Moments, level: Option<f64>) -> Option<Contrast> {
    let fewest = part.clusters.min(part.clusters_outside(all));
    let freedom = real(fewest.checked_sub(1).filter(|&rest| rest > 0)?);
    let (inner, outer) = (part.mean(), rest_mean(part, all));
    let own = influence(part, all, [inner, outer]) * (1.0 + 1.0 / freedom);
    let error = own.max(chance(part, all)).sqrt();
    let difference = inner - outer;
    let law = StudentsT::new(0.0, 1.0, freedom).ok()?;
    let t = if error > 0.0 { difference / error } else { 0.0 };
    let reach = level
        .and_then(|level| student(freedom, level))
        .map(|quantile| quantile * error);
    Some(Contrast {
        difference,
        error,
        interval: reach.map(|reach| Interval {
            low: difference - reach,
            high: difference + reach,
        }),
        p_less: law.cdf(t),
        p_more: law.cdf(-t),
    })
}

fn rest_mean(part: &Moments, all: &Moments) -> f64 {
    (all.tally.sum - part.tally.sum) / (all.tally.n - part.tally.n)
}

/// Returns the variance of the difference: the sum of each cluster's squared influence, with
/// residuals around the two means.
fn influence(part: &Moments, all: &Moments, [inner, outer]: [f64; 2]) -> f64 {
    let (inside, outside) = (part.tally.n, all.tally.n - part.tally.n);
    // A cluster's influence is linear in (sum, n) of its subgroup and of all its samples.
    let own = [
        1.0 / inside + 1.0 / outside,
        -inner / inside - outer / outside,
    ];
    let whole = [-1.0 / outside, outer / outside];
    let square = |[sum, n]: [f64; 2], [ss, nn, sn]: [f64; 3]| {
        sum * sum * ss + n * n * nn + 2.0 * sum * n * sn
    };
    let mixed: f64 = (own.iter().zip(part.across))
        .map(|(own, row)| own * (whole[0] * row[0] + whole[1] * row[1]))
        .sum();
    (square(own, part.own) + square(whole, all.own) + 2.0 * mixed).max(0.0)
}

/// Returns the variance of the difference for a random subgroup of `all`.
fn chance(part: &Moments, all: &Moments) -> f64 {
    let (inside, outside) = (part.tally.n, all.tally.n - part.tally.n);
    let (n, mean) = (all.tally.n, all.mean());
    let total = (all.tally.squares - mean * all.tally.sum).max(0.0) / (n - 1.0);
    let [ss, nn, sn] = all.own;
    let of_clusters = ss + mean * mean * nn - 2.0 * mean * sn;
    let shared = nn - n;
    let between = if shared > 0.0 {
        ((of_clusters - n * total) / shared).clamp(0.0, total)
    } else {
        0.0
    };
    // The weight of a cluster is `own / inside - (all - own) / outside`.
    let (each, [_, [_, product]]) = (1.0 / inside + 1.0 / outside, part.across);
    let weights =
        each * each * part.own[1] - 2.0 * each / outside * product + nn / (outside * outside);
    (total - between) * each + between * weights
}

/// Number of right answers among some samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RightCount {
    /// Number of right answers.
    pub right: u64,
    /// Number of samples.
    pub n: u64,
}

/// Compares the share of right answers in a subgroup with the share in the rest, for independent
/// samples: Fisher's exact test and Newcombe's interval of the difference.
///
/// Returns `None` without samples on one side, with more right answers than samples, or unless
/// `0 < level < 1`.
///
/// Source: R. A. Fisher, "The logic of inductive inference", JRSS 98 (1935); the two-sided value
/// doubles the smaller tail. R. G. Newcombe, "Interval estimation for the difference between
/// independent proportions", Statistics in Medicine 17 (1998), method 10.
pub fn share_contrast(part: RightCount, rest: RightCount, level: f64) -> Option<Contrast> {
    let RightCount { right, n } = part;
    let (right_out, n_out) = (rest.right, rest.n);
    let (inner, outer) = (wilson(right, n, level)?, wilson(right_out, n_out, level)?);
    let (p, q) = (real(right) / real(n), real(right_out) / real(n_out));
    let (low, high) = (
        (p - inner.low).hypot(outer.high - q),
        (inner.high - p).hypot(q - outer.low),
    );
    let (p_less, p_more) = hypergeometric_tails(right, n, right + right_out, n + n_out);
    let common = (real(right) + real(right_out)) / (real(n) + real(n_out));
    Some(Contrast {
        difference: p - q,
        error: (common * (1.0 - common) * (1.0 / real(n) + 1.0 / real(n_out))).sqrt(),
        interval: Some(Interval {
            low: p - q - low,
            high: p - q + high,
        }),
        p_less,
        p_more,
    })
}

/// Returns the probabilities of at most and of at least `hits` marked items. `n` items are drawn at
/// random from `all` items, of which `marked` are marked.
fn hypergeometric_tails(hits: u64, n: u64, marked: u64, all: u64) -> (f64, f64) {
    let least = (n + marked).saturating_sub(all);
    let most = n.min(marked);
    let at = (ln_binomial(marked, hits) + ln_binomial(all - marked, n - hits)
        - ln_binomial(all, n))
    .exp();
    // Each term is computed from its neighbour, until further terms are negligible.
    let (mut below, mut term) = (0.0, at);
    for k in (least + 1..=hits).rev() {
        term *= real(k) * real(all + k - marked - n) / (real(marked + 1 - k) * real(n + 1 - k));
        below += term;
        if term < below * 1e-18 {
            break;
        }
    }
    let (mut above, mut term) = (0.0, at);
    for k in hits..most {
        term *= real(marked - k) * real(n - k) / (real(k + 1) * real(all + k + 1 - marked - n));
        above += term;
        if term < above * 1e-18 {
            break;
        }
    }
    ((below + at).min(1.0), (above + at).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(clusters: &[(&[f64], &[f64])]) -> (Moments, Moments) {
        let (mut part, mut all) = (Moments::default(), Moments::default());
        for (inside, outside) in clusters {
            let (mut own, mut whole) = (Tally::default(), Tally::default());
            for score in *inside {
                own.add(*score);
                whole.add(*score);
            }
            for score in *outside {
                whole.add(*score);
            }
            all.add(whole, whole);
            if own.n > 0.0 {
                part.add(own, whole);
            }
        }
        (part, all)
    }

    #[test]
    fn a_part_without_spread_is_not_certain() {
        let (part, all) = moments(&[
            (&[1.0], &[]),
            (&[1.0], &[]),
            (&[], &[0.0]),
            (&[], &[1.0]),
            (&[], &[0.0]),
        ]);
        let found = clustered_contrast(&part, &all, Some(0.95)).unwrap();
        assert!((found.difference - 2.0 / 3.0).abs() < 1e-12);
        assert!(found.error > 0.3 && found.p_value() > 0.05, "{found:?}");
    }

    #[test]
    fn one_cluster_cannot_be_compared() {
        let (part, all) = moments(&[(&[1.0, 0.5], &[]), (&[], &[0.0]), (&[], &[0.5])]);
        assert_eq!(clustered_contrast(&part, &all, Some(0.95)), None);
        assert_eq!(part.mean_interval(0.95), None);
        let none = RightCount { right: 0, n: 0 };
        let half = RightCount { right: 1, n: 2 };
        assert_eq!(share_contrast(none, half, 0.95), None);
    }

    #[test]
    fn no_difference_at_all_is_no_finding() {
        let (part, all) = moments(&[(&[0.5], &[]), (&[0.5], &[]), (&[], &[0.5]), (&[], &[0.5])]);
        let found = clustered_contrast(&part, &all, Some(0.95)).unwrap();
        assert_eq!((found.difference, found.p_value()), (0.0, 1.0));
    }

    #[test]
    fn moments_add_up() {
        let clusters: [(&[f64], &[f64]); 4] = [
            (&[0.2, 0.4], &[0.3]),
            (&[0.9], &[]),
            (&[], &[0.1, 0.2]),
            (&[0.5], &[0.6]),
        ];
        let (part, all) = moments(&clusters);
        let (mut sum, mut sum_all) = moments(&clusters[..2]);
        let (more, more_all) = moments(&clusters[2..]);
        sum += more;
        sum_all += more_all;
        assert_eq!(sum.clusters, part.clusters);
        let [one, other] = [(&part, &all), (&sum, &sum_all)]
            .map(|(part, all)| clustered_contrast(part, all, Some(0.95)).unwrap());
        assert!((one.error - other.error).abs() < 1e-15);
    }

    #[test]
    fn tails_of_a_small_table() {
        // At least three right of four, with six right of twelve in total: (15 * 20 + 15) / 495.
        let (less, more) = hypergeometric_tails(3, 4, 6, 12);
        assert!((more - 135.0 / 495.0).abs() < 1e-12, "{more}");
        assert!((less - 480.0 / 495.0).abs() < 1e-12, "{less}");
    }
}
