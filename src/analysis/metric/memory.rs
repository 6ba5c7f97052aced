//! Tests whether a model answers changed pictures with the answer keys of the original pictures.
//!
//! A picture is mirrored left to right, and flipped top to bottom. Half a turn is both at once, so
//! the key of the picture after half a turn (the opposite key) relates to one changed picture as
//! the original key relates to the other. A model that looks at the pictures confuses the sides
//! equally often in both directions. Over both pictures it gives the original key as often as the
//! opposite key, at any skill and any difficulty. A model that memorised a key gives this key for
//! both pictures.
//!
//! If flipping does not change the key, the opposite key is right on the mirrored picture and the
//! original key on the flipped picture. The flipped picture then shows how hard a changed picture
//! is. An upside-down picture is assumed to be at least as hard as a mirrored one.
//!
//! A preference for one answer has no effect: within each pair of keys, samples with one key are
//! compared with samples with the other key, as in N. Mantel, "Chi-square tests with one degree of
//! freedom", JASA 58 (1963).

use std::collections::BTreeMap;

use super::{DifferenceTest, Interval, real};

/// Confidence level of the interval.
const LEVEL: f64 = 0.95;
/// Minimum size of a pair of keys whose samples count as independent. A smaller pair is one
/// cluster, because each of its samples changes the mean noticeably.
const INDEPENDENT: usize = 8;
/// Minimum weighted number of samples for a test.
const MIN_WEIGHT: f64 = 20.0;
/// Smallest weight and leaning that is not a rounding error; below it, all keys are alike.
const LEAST: f64 = 1e-9;

/// A model's answers to the mirrored and the flipped picture of one sample.
#[derive(Clone, Debug, PartialEq)]
pub struct TwinAnswers {
    /// Right answer to the original picture.
    pub key: String,
    /// Right answer to the picture after half a turn; not equal to `key`.
    pub opposite: String,
    /// For the mirrored and the flipped picture: 1 if the answer is `key`, -1 if it is `opposite`,
    /// 0 for any other answer; NaN without an answer.
    pub kept: [f64; 2],
    /// Cluster; samples on one picture share it.
    pub cluster: usize,
}

base::named_enum! {
    /// Whether a model has memorised keys. The names appear in JSON.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Memory {
        /// Original keys are given more often than errors can explain.
        Likely = "likely",
        /// Original keys are not given more often than errors can explain.
        NoSign = "no_sign",
        /// There are too few samples, or all keys are alike.
        Unknown = "unknown",
    }
}

impl Memory {
    /// Returns the text for screens and reports.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Likely => "keys are probably memorised",
            Self::NoSign => "no sign of memorised keys",
            Self::Unknown => "cannot tell: too few samples, or keys all alike",
        }
    }
}

/// Test of one model's memory of keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MemoryTest {
    /// Number of samples with answers to both changed pictures.
    pub n: u64,
    /// Number of these samples with the original key as the answer to both.
    pub kept: u64,
    /// Estimated share of memorised keys; can be below 0 by chance, or if flipped pictures are
    /// harder than mirrored pictures. `None` if it cannot be estimated.
    pub share: Option<f64>,
    /// 95 % interval of `share`; `None` without a spread.
    pub interval: Option<Interval>,
    /// Two-sided p value of the hypothesis that the share is 0.
    pub p_value: Option<f64>,
    /// p value adjusted over the tests that are reported together; equal to `p_value` for one test.
    pub p_adjusted: Option<f64>,
}

impl TwinAnswers {
    /// Returns the two keys in a fixed order.
    fn pair(&self) -> [&str; 2] {
        let mut pair = [self.key.as_str(), self.opposite.as_str()];
        pair.sort_unstable();
        pair
    }

    /// Returns 1 if the key is the first of the pair, else -1.
    fn side(&self) -> f64 {
        if self.key < self.opposite { 1.0 } else { -1.0 }
    }

    /// Returns how often the answer is the first key of the pair, minus how often it is the second.
    fn lean(&self) -> f64 {
        self.side() * self.kept.iter().sum::<f64>()
    }
}

/// Sums over a cluster: half the leaning towards the keys, the weight, and whether any answer leans
/// differently from the mean.
#[derive(Clone, Copy, Debug, Default)]
struct ClusterSum {
    leaning: f64,
    weight: f64,
    has_moved: bool,
}

impl MemoryTest {
    /// Tests the answers of one model. Samples without answers to both pictures are left out.
    pub fn new(answers: &[TwinAnswers]) -> Self {
        let is_whole = |it: &&TwinAnswers| it.kept.iter().all(|kept| kept.is_finite());
        let whole: Vec<&TwinAnswers> = answers.iter().filter(is_whole).collect();
        let kept_both = |it: &&&TwinAnswers| it.kept.iter().sum::<f64>() > 1.5;
        let found = Self {
            n: whole.len() as u64,
            kept: whole.iter().filter(kept_both).count() as u64,
            ..Self::default()
        };
        let sums = cluster_sums(&whole);
        let weight: f64 = sums.iter().map(|it| it.weight).sum();
        if sums.len() < 2 || weight < MIN_WEIGHT {
            return found;
        }
        let moved = sums.iter().filter(|it| it.has_moved).count() as u64;
        let influences = sums.iter().map(|it| (it.leaning, it.weight));
        let test = DifferenceTest::of_influences(influences, moved);
        let p_value = Some(test.p_value());
        Self {
            share: Some(sums.iter().map(|it| it.leaning).sum::<f64>() / weight),
            interval: test.interval(LEVEL),
            p_value,
            p_adjusted: p_value,
            ..found
        }
    }

    /// Returns the result without a test, for samples that were selected by their outcome.
    #[must_use]
    pub fn untested(self) -> Self {
        Self {
            share: None,
            interval: None,
            p_value: None,
            p_adjusted: None,
            ..self
        }
    }

    /// Returns whether keys are memorised. The chance of any false alarm among the tests adjusted
    /// together is at most 5 %.
    pub fn verdict(&self) -> Memory {
        match (self.share, self.p_adjusted) {
            (Some(share), Some(p)) if share > 0.0 && p <= 1.0 - LEVEL => Memory::Likely,
            (Some(_), Some(_)) => Memory::NoSign,
            _ => Memory::Unknown,
        }
    }
}

/// Returns the sums of the clusters with a weight. Within a pair of keys, keys and answers are
/// centred on their mean. A pair with a single sample is not centred: an answer that occurs once
/// shows no preference.
fn cluster_sums(answers: &[&TwinAnswers]) -> Vec<ClusterSum> {
    let mut pairs: BTreeMap<[&str; 2], Vec<&TwinAnswers>> = BTreeMap::new();
    for answer in answers {
        pairs.entry(answer.pair()).or_default().push(answer);
    }
    let mut sums: BTreeMap<(bool, usize), ClusterSum> = BTreeMap::new();
    for (at, pair) in pairs.values().enumerate() {
        let is_single = pair.len() == 1;
        let mean = |value: fn(&TwinAnswers) -> f64| {
            let sum: f64 = pair.iter().map(|it| value(it)).sum();
            if is_single {
                0.0
            } else {
                sum / real(pair.len() as u64)
            }
        };
        let (side, lean) = (mean(TwinAnswers::side), mean(TwinAnswers::lean));
        for one in pair {
            let place = if is_single || pair.len() >= INDEPENDENT {
                (false, one.cluster)
            } else {
                (true, at)
            };
            let apart = one.side() - side;
            let sum = sums.entry(place).or_default();
            sum.leaning += 0.5 * apart * (one.lean() - lean);
            sum.weight += apart * apart;
            sum.has_moved |= one.lean() != 0.0 && (one.lean() - lean).abs() > LEAST;
        }
    }
    sums.into_values().filter(|it| it.weight > LEAST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests answers to samples whose keys alternate between `left` and `right`; `kept` returns the
    /// answers to a sample.
    fn test(kept: impl Fn(usize) -> [f64; 2]) -> MemoryTest {
        let answer = |at: usize| {
            let (key, opposite) = if at.is_multiple_of(2) {
                ("left", "right")
            } else {
                ("right", "left")
            };
            TwinAnswers {
                key: key.to_owned(),
                opposite: opposite.to_owned(),
                kept: kept(at),
                cluster: at,
            }
        };
        MemoryTest::new(&(0..40).map(answer).collect::<Vec<_>>())
    }

    #[test]
    fn a_perfect_model_has_no_memory_and_a_key_that_stays_is_one() {
        let perfect = test(|_| [-1.0, 1.0]);
        assert_eq!((perfect.n, perfect.kept), (40, 0));
        assert_eq!((perfect.share, perfect.p_value), (Some(0.0), Some(1.0)));
        assert_eq!(perfect.verdict(), Memory::NoSign);
        let memorised = test(|_| [1.0, 1.0]);
        assert_eq!((memorised.kept, memorised.share), (40, Some(1.0)));
        assert_eq!(memorised.verdict(), Memory::Likely);
        // Ten of forty keys are memorised, five on each side.
        let some = test(|at| if at < 10 { [1.0, 1.0] } else { [-1.0, 1.0] });
        assert_eq!((some.kept, some.share), (10, Some(0.25)));
        assert_eq!(some.verdict(), Memory::Likely);
        assert!(
            some.interval
                .is_some_and(|it| it.low > 0.0 && it.contains(0.25))
        );
    }

    #[test]
    fn a_preferred_answer_and_equal_errors_are_no_memory() {
        // Always answering "left" gives the key of even samples and the opposite key of odd
        // samples.
        let left = test(|at| {
            if at.is_multiple_of(2) {
                [1.0; 2]
            } else {
                [-1.0; 2]
            }
        });
        assert_eq!((left.kept, left.share), (20, Some(0.0)));
        assert_eq!(left.verdict(), Memory::NoSign);
        // The answers are wrong on twelve mirrored and on twelve flipped pictures.
        let errs = |at: usize| match at {
            0..12 => [1.0, 1.0],
            12..24 => [-1.0, -1.0],
            _ => [-1.0, 1.0],
        };
        let errs = test(errs);
        assert_eq!((errs.kept, errs.share), (12, Some(0.0)));
        assert_eq!(errs.verdict(), Memory::NoSign);
    }

    #[test]
    fn few_samples_and_keys_all_alike_decide_nothing() {
        let answer = |at: usize| TwinAnswers {
            key: "left".to_owned(),
            opposite: "right".to_owned(),
            kept: [1.0, if at == 0 { f64::NAN } else { 1.0 }],
            cluster: at,
        };
        let alike = MemoryTest::new(&(0..100).map(answer).collect::<Vec<_>>());
        assert_eq!((alike.n, alike.kept, alike.share), (99, 99, None));
        assert_eq!(alike.verdict(), Memory::Unknown);
        assert_eq!(MemoryTest::new(&[]).verdict(), Memory::Unknown);
        // Keys that occur only once show no preference.
        let boxes = |count: usize| {
            let boxed = (0..count).map(|at| TwinAnswers {
                key: format!("{at} 0 1 1"),
                opposite: format!("{at} 8 9 9"),
                kept: [f64::from(u8::from(at < 8)), f64::from(u8::from(at < 8))],
                cluster: at,
            });
            MemoryTest::new(&boxed.collect::<Vec<_>>())
        };
        assert_eq!(boxes(19).share, None);
        assert_eq!(boxes(80).share, Some(0.1));
        assert_eq!(boxes(80).verdict(), Memory::Likely);
        assert_eq!(boxes(80).untested().verdict(), Memory::Unknown);
    }
}
