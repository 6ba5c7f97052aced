//! Counts right/wrong patterns over the four rotations, and derives the `TDBench` scores.
//!
//! `RotationalEval` asks each question on the picture rotated by 0, 90, 180 and 270 degrees.
//! Sixteen counts are sufficient for the scores and their intervals, because resampling questions
//! is the same as resampling patterns.

use base::job::Ticket;

use super::{
    ClusterSums, Interval, Mixture, Unsolved, bootstrap_means, percentile_interval, real,
    solve_mixture, wilson,
};

/// Rotations in degrees, in the order of a pattern's bits.
pub const ROTATIONS: [u16; 4] = [0, 90, 180, 270];

/// Number of right/wrong patterns over four rotations.
const PATTERNS: usize = 1 << ROTATIONS.len();
/// Index of the pattern that is right at every rotation.
const ALL_RIGHT: usize = PATTERNS - 1;

/// Number of questions of one model and ability by right/wrong pattern. Source: `TDBench`,
/// sections 3.4 and 4.3.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rotations {
    /// Number of questions by pattern; bit `i` of the index is set if rotation `i` of
    /// [`ROTATIONS`] was right.
    pub patterns: [u64; PATTERNS],
}

/// Confidence intervals of a model's reliability; `None` if an interval does not exist.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MixtureIntervals {
    /// Share of questions right at all rotations (Wilson).
    pub re: Option<Interval>,
    /// Share of known questions (bootstrap, like the intervals below).
    pub theta: Option<Interval>,
    /// Accuracy on known questions (bootstrap).
    pub r: Option<Interval>,
    /// Accuracy on guessed questions (bootstrap).
    pub g: Option<Interval>,
    /// Adjusted accuracy `theta r`.
    pub a_adj: Option<Interval>,
}

impl Rotations {
    /// Counts one question by whether it is right at each of [`ROTATIONS`].
    pub fn add(&mut self, right: [bool; ROTATIONS.len()]) {
        let pattern = right
            .iter()
            .rev()
            .fold(0, |pattern, &right| pattern << 1 | usize::from(right));
        self.patterns[pattern] += 1;
    }

    /// Returns the number of questions over all patterns.
    pub fn n(&self) -> u64 {
        self.patterns.iter().sum()
    }

    /// Returns VE, the share of questions right at one rotation (index into [`ROTATIONS`]);
    /// `None` without questions.
    pub fn ve(&self, rotation: usize) -> Option<f64> {
        self.share(|pattern| u64::from(rotation < ROTATIONS.len() && pattern >> rotation & 1 == 1))
    }

    /// Returns the mean VE over the four rotations; `None` without questions.
    pub fn ve_mean(&self) -> Option<f64> {
        self.share(|pattern| u64::from(pattern.count_ones()))
            .map(|right| right / real(ROTATIONS.len() as u64))
    }

    /// Returns RE, the headline score: the share of questions right at all four rotations.
    pub fn re(&self) -> Option<f64> {
        self.share(|pattern| u64::from(pattern == ALL_RIGHT))
    }

    /// Returns MA: the share of questions wrong at all four rotations.
    pub fn ma(&self) -> Option<f64> {
        self.share(|pattern| u64::from(pattern == 0))
    }

    /// Solves the mixture of known and guessed questions.
    ///
    /// # Errors
    /// Fails like [`solve_mixture`], and without questions.
    pub fn solve(&self) -> Result<Mixture, Unsolved> {
        match (self.re(), self.ve_mean(), self.ma()) {
            (Some(re), Some(ve), Some(ma)) => solve_mixture(re, ve, ma),
            _ => Err(Unsolved::NoSolution),
        }
    }

    /// Computes the intervals at `level` (0.95 for 95 %); the intervals of the mixture use `draws`
    /// resamples of the questions.
    ///
    /// Resamples without a solution are skipped; the mixture has no intervals if fewer than half of
    /// the resamples have a solution. Intervals can exist where [`Self::solve`] fails.
    pub fn interval(
        &self,
        draws: usize,
        seed: u64,
        level: f64,
        ticket: &Ticket,
    ) -> MixtureIntervals {
        let rates = bootstrap_means(&self.rates_by_question(), draws, seed, ticket);
        let (rates, _) = rates.as_chunks();
        let solved: Vec<Mixture> = rates
            .iter()
            .filter_map(|&[re, ve, ma]| solve_mixture(re, ve, ma).ok())
            .collect();
        let interval = |parameter: fn(&Mixture) -> f64| {
            let mut values: Vec<f64> = solved.iter().map(parameter).collect();
            if 2 * values.len() < draws {
                None
            } else {
                percentile_interval(&mut values, level)
            }
        };
        MixtureIntervals {
            re: wilson(self.patterns[ALL_RIGHT], self.n(), level),
            theta: interval(|mixture| mixture.theta),
            r: interval(|mixture| mixture.r),
            g: interval(|mixture| mixture.g),
            a_adj: interval(Mixture::a_adj),
        }
    }

    /// Creates a cluster for each question with the columns RE, VE and MA. Quarters are summed
    /// without rounding, so a share of 1 stays 1.
    fn rates_by_question(&self) -> ClusterSums {
        let mut data = ClusterSums::new(3);
        for (pattern, &questions) in self.patterns.iter().enumerate() {
            let right = f64::from(pattern.count_ones()) / 4.0;
            let rates = [
                f64::from(pattern == ALL_RIGHT),
                right,
                f64::from(pattern == 0),
            ];
            for _ in 0..questions {
                let question = data.push_cluster();
                for (column, rate) in rates.into_iter().enumerate() {
                    data.add(question, column, rate);
                }
            }
        }
        data
    }

    /// Divides the weighted count of questions by the number of all questions; `None` without a
    /// question.
    fn share(&self, weight: impl Fn(usize) -> u64) -> Option<f64> {
        let counted: u64 = self
            .patterns
            .iter()
            .enumerate()
            .map(|(pattern, n)| weight(pattern) * n)
            .sum();
        (self.n() > 0).then(|| real(counted) / real(self.n()))
    }
}

/// Returns the name of a pattern: one digit for each rotation, 1 for right. `1101` is right at 0,
/// 90 and 270 degrees.
pub fn pattern_name(pattern: usize) -> String {
    (0..ROTATIONS.len())
        .map(|rotation| {
            if pattern >> rotation & 1 == 1 {
                '1'
            } else {
                '0'
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use base::job::FOR_GOOD;

    use super::super::re_ve_ma;
    use super::*;

    /// Returns the expected counts of a model that knows 60 % of the questions (right at 90 %) and
    /// guesses the rest (right at 25 %).
    fn expected_patterns(n: f64) -> Rotations {
        let probability = |p: f64, right: u32| {
            p.powi(right.cast_signed()) * (1.0 - p).powi(4 - right.cast_signed())
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "small counts"
        )]
        let patterns = std::array::from_fn(|pattern| {
            let right = pattern.count_ones();
            (n * (0.6 * probability(0.9, right) + 0.4 * probability(0.25, right))).round() as u64
        });
        Rotations { patterns }
    }

    #[test]
    fn a_pattern_reads_in_the_order_of_rotations() {
        let mut rotations = Rotations::default();
        rotations.add([true, true, false, true]);
        let pattern = rotations.patterns.iter().position(|&n| n == 1).unwrap();
        assert_eq!(pattern_name(pattern), "1101");
        assert_eq!(
            [0, 1, 2, 3, 4].map(|rotation| rotations.ve(rotation)),
            [1.0, 1.0, 0.0, 1.0, 0.0].map(Some)
        );
    }

    #[test]
    fn rates_are_shares_of_questions() {
        let mut rotations = Rotations::default();
        for right in [
            [true; 4],
            [false; 4],
            [true, false, false, false],
            [true, true, true, false],
        ] {
            rotations.add(right);
        }
        assert_eq!(rotations.n(), 4);
        assert_eq!(rotations.re(), Some(0.25));
        assert_eq!(rotations.ma(), Some(0.25));
        assert_eq!(rotations.ve_mean(), Some(0.5));
    }

    #[test]
    fn no_questions_no_numbers() {
        let none = Rotations::default();
        assert_eq!(
            (none.re(), none.ve(0), none.ve_mean(), none.ma()),
            (None, None, None, None)
        );
        assert_eq!(none.solve(), Err(Unsolved::NoSolution));
        let intervals = none.interval(100, 1, 0.95, &FOR_GOOD);
        assert_eq!(
            (intervals.re, intervals.theta, intervals.a_adj),
            (None, None, None)
        );
    }

    #[test]
    fn the_mixture_is_found_again_and_its_intervals_hold_it() {
        let rotations = expected_patterns(100_000.0);
        let mixture = rotations.solve().unwrap();
        assert!(
            (mixture.theta - 0.6).abs() < 1e-3
                && (mixture.r - 0.9).abs() < 1e-3
                && (mixture.g - 0.25).abs() < 1e-3
        );
        let few = expected_patterns(200.0).interval(1000, 7, 0.95, &FOR_GOOD);
        let (re, _, _) = re_ve_ma(0.6, 0.9, 0.25);
        for (interval, truth) in [
            (few.re, re),
            (few.theta, 0.6),
            (few.r, 0.9),
            (few.g, 0.25),
            (few.a_adj, 0.54),
        ] {
            let interval = interval.unwrap();
            assert!(
                interval.contains(truth) && interval.high - interval.low < 0.3,
                "{truth}: {interval:?}"
            );
        }
    }

    #[test]
    fn resamples_without_a_solution_give_no_interval() {
        let count = |wrong, mixed, right| {
            let mut rotations = Rotations::default();
            rotations.patterns[0] = wrong;
            rotations.patterns[0b0111] = mixed;
            rotations.patterns[ALL_RIGHT] = right;
            rotations
        };
        let (mostly_consistent, all_right) = (count(44, 6, 50), count(0, 0, 50));
        assert_eq!(mostly_consistent.solve(), Err(Unsolved::NoSolution));
        assert_eq!(all_right.solve(), Err(Unsolved::Degenerate));
        for rotations in [mostly_consistent, all_right] {
            let intervals = rotations.interval(200, 1, 0.95, &FOR_GOOD);
            assert_eq!((intervals.theta, intervals.r), (None, None));
            assert!(intervals.re.is_some());
        }
    }
}
