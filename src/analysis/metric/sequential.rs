//! Tests a paired difference sequentially; the test is valid however often its result is read.
//!
//! The differences of a finite set, each in -1 to 1, arrive one after the other, in a random order
//! fixed in advance. For each candidate of their mean, bettors stake a fixed share of their
//! capital. They bet that the next difference is above, or below, the mean of the remaining
//! differences. If the candidate is the mean, the average capital is a nonnegative martingale: the
//! chance that it ever exceeds 1/alpha is at most alpha (Ville). The interval contains the
//! candidates that are not excluded. After the last difference, only the mean itself is left.
//!
//! Source: I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by
//! betting", JRSS-B 86 (2024), betting without replacement and the average over bettors
//! (diversified Kelly); and "Confidence sequences for sampling without replacement", `NeurIPS`
//! 2020.

use super::{Interval, random_order, real};

/// Shares of the capital that bettors stake. With at most 0.5, no bettor can lose more than its
/// capital: a difference is at most 2 away from the mean of the remaining differences.
const STAKES: [f64; 8] = [0.5, 0.35, 0.25, 0.18, 0.125, 0.088, 0.062, 0.03];
/// Tolerance for rounding errors of a mean.
const ROUNDING: f64 = 1e-9;
/// Number of candidates between the current mean and the farthest possible mean.
const CANDIDATES: u32 = 200;
/// Number of bisection steps between two candidates.
const HALVINGS: u32 = 20;
/// Number of simulated sets for an expected value.
const SETS: u32 = 40;

/// The bettors' capital against one candidate of the mean.
#[derive(Clone, Debug)]
struct Capital {
    /// Logarithm of each bettor's capital, for bets above the candidate and below it.
    logs: [[f64; 2]; STAKES.len()],
    /// True once no remaining values could make the candidate the mean.
    is_impossible: bool,
}

impl Capital {
    const NEW: Self = Self {
        logs: [[0.0; 2]; STAKES.len()],
        is_impossible: false,
    };

    /// Bets on the next difference. `rest` is the mean of the remaining differences, including the
    /// next, if the candidate is the true mean.
    fn bet(&mut self, difference: f64, rest: f64) {
        self.is_impossible |= rest.abs() > 1.0 + ROUNDING;
        let rest = rest.clamp(-1.0, 1.0);
        for (stake, [more, less]) in STAKES.iter().zip(&mut self.logs) {
            let gain = stake * (difference - rest);
            *more += gain.ln_1p();
            *less += (-gain).ln_1p();
        }
    }

    /// Returns the logarithm of the average capital.
    fn log(&self) -> f64 {
        if self.is_impossible {
            return f64::INFINITY;
        }
        let all = self.logs.as_flattened();
        let most = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = all.iter().map(|log| (log - most).exp()).sum();
        most + (sum / real(all.len() as u64)).ln()
    }
}

/// Sequential test of whether the mean difference of a finite set is 0.
#[derive(Clone, Debug)]
pub struct SequentialTest {
    /// Number of differences in the set.
    total: usize,
    /// Log capital at which a candidate is excluded.
    bound: f64,
    seen: Vec<f64>,
    sum: f64,
    /// Capital against the candidate 0.
    zero: Capital,
    is_clear: bool,
}

impl SequentialTest {
    /// Starts a test of `total` differences. The chance that it ever excludes a true mean is at
    /// most `alpha`, 0 to 1.
    pub fn new(total: usize, alpha: f64) -> Self {
        Self {
            total,
            bound: -alpha.ln(),
            seen: Vec::new(),
            sum: 0.0,
            zero: Capital::NEW,
            is_clear: false,
        }
    }

    /// Adds the next difference, in -1 to 1. Differences after the first `total` are ignored.
    pub fn add(&mut self, difference: f64) {
        if self.seen.len() >= self.total {
            return;
        }
        let left = real((self.total - self.seen.len()) as u64);
        self.zero.bet(difference, -self.sum / left);
        self.is_clear |= self.zero.log() >= self.bound;
        self.seen.push(difference);
        self.sum += difference;
    }

    /// Returns true once 0 is excluded.
    pub const fn is_clear(&self) -> bool {
        self.is_clear
    }

    /// Returns the number of differences added.
    pub const fn seen(&self) -> usize {
        self.seen.len()
    }

    /// Returns the number of differences in the set.
    pub const fn total(&self) -> usize {
        self.total
    }

    /// Returns the mean of the differences added; `None` before the first.
    pub fn mean(&self) -> Option<f64> {
        let count = real(self.seen.len() as u64);
        (!self.seen.is_empty()).then(|| self.sum / count)
    }

    /// Returns the interval of the set's mean; `None` before the first difference. Its coverage
    /// holds for any stopping time.
    pub fn interval(&self) -> Option<Interval> {
        let mean = self.mean()?;
        let total = real(self.total as u64);
        let left = real((self.total - self.seen.len()) as u64);
        Some(Interval {
            low: self.edge(mean, (self.sum - left) / total),
            high: self.edge(mean, (self.sum + left) / total),
        })
    }

    /// Returns the candidate farthest from `mean`, up to `farthest`, that is not excluded.
    fn edge(&self, mean: f64, farthest: f64) -> f64 {
        let at = |step: f64| farthest + (mean - farthest) * step / f64::from(CANDIDATES);
        let held = (0..=CANDIDATES).find(|step| !self.excludes(at(f64::from(*step))));
        let Some(held @ 1..) = held else {
            return if held == Some(0) { farthest } else { mean };
        };
        let (mut out, mut within) = (f64::from(held - 1), f64::from(held));
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(out, within);
            if self.excludes(at(middle)) {
                out = middle;
            } else {
                within = middle;
            }
        }
        at(out)
    }

    fn excludes(&self, candidate: f64) -> bool {
        let (mut capital, mut sum) = (Capital::NEW, 0.0);
        for (at, difference) in self.seen.iter().enumerate() {
            let left = real((self.total - at) as u64);
            let all = candidate * real(self.total as u64);
            capital.bet(*difference, (all - sum) / left);
            if capital.is_impossible {
                return true;
            }
            sum += difference;
        }
        capital.log() >= self.bound
    }
}

/// Returns the expected number of differences until a test of `total` differences is clear. Half of
/// the differences are assumed to be -1 or 1, with the mean `gap`. Simulated with a fixed seed.
pub fn expected_until_clear(total: usize, alpha: f64, gap: f64) -> f64 {
    let whole = u32::try_from(total).unwrap_or(u32::MAX);
    let size = f64::from(whole);
    let (above, either) = (size * (0.25 + gap / 2.0), size * 0.5);
    let value = |place: u32| match f64::from(place) {
        place if place < above => 1.0,
        place if place < either => -1.0,
        _ => 0.0,
    };
    let seen = (0..SETS).map(|seed| {
        let mut test = SequentialTest::new(total, alpha);
        for place in random_order(whole, u64::from(seed)) {
            test.add(value(place));
            if test.is_clear() {
                break;
            }
        }
        real(test.seen() as u64)
    });
    seen.sum::<f64>() / f64::from(SETS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALPHA: f64 = 0.05;

    /// Creates a set of differences: `above` are 1, `below` are -1 and the rest 0.
    fn set(size: usize, above: usize, below: usize) -> Vec<f64> {
        let value = |at: usize| match at {
            at if at < above => 1.0,
            at if at < above + below => -1.0,
            _ => 0.0,
        };
        (0..size).map(value).collect()
    }

    /// Adds a set in a random order until the test is clear or, with `until`, until this number of
    /// differences is added.
    fn seen(set: &[f64], seed: u64, until: Option<usize>) -> SequentialTest {
        let mut test = SequentialTest::new(set.len(), ALPHA);
        for place in random_order(set.len() as u32, seed) {
            if until.is_none() && test.is_clear() || until == Some(test.seen()) {
                break;
            }
            test.add(set[place as usize]);
        }
        test
    }

    #[test]
    fn equal_sides_stop_in_at_most_one_run_of_twenty_though_looked_at_after_every_answer() {
        // Pictures with one question and few or many differences, then with two and four questions.
        let pairs: Vec<f64> = set(300, 90, 90).into_iter().map(|one| one / 2.0).collect();
        let fours: Vec<f64> = (0..252).map(|at| f64::from(at % 9 - 4) / 4.0).collect();
        for set in [set(400, 30, 30), set(300, 120, 120), pairs, fours] {
            let runs = 2_000;
            let stops = (0..runs).filter(|seed| seen(&set, *seed, None).is_clear());
            let share = stops.count() as f64 / runs as f64;
            assert!(share <= ALPHA, "{share} of {}", set.len());
        }
    }

    #[test]
    fn the_interval_covers_whenever_the_test_is_stopped() {
        let set = set(200, 70, 50);
        let runs = 400;
        for until in [None, Some(10), Some(60), Some(150)] {
            let covers = |seed: &u64| !seen(&set, *seed, until).excludes(0.1);
            let share = (0..runs).filter(covers).count() as f64 / runs as f64;
            assert!(share >= 1.0 - ALPHA, "{until:?}: {share}");
            for test in (0..5).map(|seed| seen(&set, seed, until)) {
                let interval = test.interval().unwrap();
                assert_eq!(interval.contains(0.1), !test.excludes(0.1), "{interval:?}");
            }
        }
    }

    #[test]
    fn a_difference_of_a_tenth_needs_at_most_a_third_of_five_thousand() {
        for (above, below) in [(1_500, 1_000), (1_000, 500)] {
            let set = set(5_000, above, below);
            let runs = 60;
            let mut sum = 0;
            for seed in 0..runs {
                let test = seen(&set, seed, None);
                assert!(test.is_clear() && test.mean().unwrap() > 0.0);
                sum += test.seen();
            }
            let share = sum as f64 / (runs as f64 * 5_000.0);
            assert!(share <= 0.35, "{share}");
        }
        let expected = expected_until_clear(5_000, ALPHA, 0.1);
        assert!((100.0..1_750.0).contains(&expected), "{expected}");
        assert!(expected_until_clear(5_000, ALPHA, 0.2) < expected);
        assert!(expected_until_clear(40, ALPHA, 0.0) > 35.0);
    }

    #[test]
    fn all_of_the_set_leaves_its_mean_alone() {
        let set = set(50, 12, 7);
        let whole = seen(&set, 1, Some(50));
        let interval = whole.interval().unwrap();
        assert!((interval.low - 0.1).abs() < 1e-6 && (interval.high - 0.1).abs() < 1e-6);
        assert_eq!((whole.seen(), whole.total()), (50, 50));
        assert_eq!(SequentialTest::new(3, ALPHA).interval(), None);
    }

    #[test]
    fn a_clear_test_excludes_zero_from_its_interval() {
        let set = set(400, 160, 40);
        for seed in 0..40 {
            let test = seen(&set, seed, None);
            assert!(test.is_clear());
            let low = test.interval().unwrap().low;
            assert!(low >= 0.0, "{low}");
        }
    }
}
