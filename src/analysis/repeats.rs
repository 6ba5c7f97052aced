//! Evaluates samples that a model answered several times: mean score, best of several tries,
//! majority vote, and the share of variance between repeats.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use super::common::without;
use super::standing::clusters_of;
use super::{Correctness, Group, LEVEL, Selection, groups};
use crate::metric::{Interval, share_interval};
use record::{ModelId, REPEATS, Row, is_repeated};

/// Values of k for `pass@k`, in addition to the maximum.
const TRIES: [u32; 3] = [2, 5, 10];

/// Statistics of one model's repeated answers in an ability.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Repeats {
    /// Benchmark that the ability belongs to.
    pub benchmark: String,
    /// Ability of the samples.
    pub ability: String,
    /// Model whose repeated answers are evaluated.
    pub model: String,
    /// Metric that scores the answers.
    pub metric: String,
    /// Number of samples answered at least twice.
    pub samples: u64,
    /// Smallest and largest number of answers per sample.
    pub tries: (u32, u32),
    /// Mean over the samples of each sample's mean score.
    pub mean: f64,
    /// Share of the variance of scores between answers to the same sample: 1 - ICC(1). It is 0 if
    /// all repeats of a sample have the same score, and 1 if samples differ only by chance. `None`
    /// with a single sample, or if all scores are equal.
    ///
    /// Source: P. E. Shrout and J. L. Fleiss, "Intraclass correlations", Psychological Bulletin
    /// 86 (1979), one-way random effects.
    pub between_repeats: Option<f64>,
    /// Share of samples with at least one right answer among k (`pass@k`), for several k.
    pub pass_at: Vec<AtK>,
    /// Share of samples whose most frequent answer is right; equally frequent answers share the
    /// vote. `None` if the log does not contain the parsed answers.
    pub majority: Option<AtK>,
}

/// Share of samples, for a number of answers per sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtK {
    /// Number of answers used per sample. For the majority vote, which uses all answers, the
    /// smallest number of answers per sample.
    pub k: u32,
    /// Share of samples, 0 to 1.
    pub score: f64,
    /// 95 % interval, clustered like the interval of a score.
    pub ci: Option<Interval>,
    /// Number of samples with at least `k` answers.
    pub n: u64,
}

/// All answers to one sample.
#[derive(Clone, Debug, Default)]
struct SampleTries {
    cluster: u32,
    scores: Vec<f64>,
    right: Vec<bool>,
    answers: Vec<u32>,
}

/// Returns the statistics of repeated answers by benchmark, ability and model; empty without
/// repeats.
pub fn repeats(selection: Selection<'_>) -> Vec<Repeats> {
    let conditions = &selection.table.names().conditions;
    if !conditions.iter().any(is_repeated) {
        return Vec::new();
    }
    let rest = without(conditions, &REPEATS);
    let correctness = Correctness::new(selection.table, selection.scoring);
    let groups = groups(selection);
    let ranked = groups.iter().filter(|group| !group.is_further_filter);
    ranked
        .flat_map(|group| of_group(selection, group, &rest, &correctness))
        .collect()
}

fn of_group(
    selection: Selection<'_>,
    group: &Group,
    rest: &[u16],
    correctness: &Correctness<'_>,
) -> Vec<Repeats> {
    let table = selection.table;
    let scores = table.scores(selection.scoring);
    let mut models: BTreeMap<u16, HashMap<(u32, u16), SampleTries>> = BTreeMap::new();
    for &row in &group.rows {
        let at = row as usize;
        let item = table.item_of()[at] as usize;
        if scores[at].is_nan() {
            continue;
        }
        let condition = usize::from(table.condition_of()[item]);
        let key = (table.sample_of()[item], rest[condition]);
        let model = models.entry(table.model_of()[at]).or_default();
        let tried = model.entry(key).or_default();
        tried.cluster = table.cluster_of()[item];
        tried.scores.push(scores[at]);
        tried.right.extend(correctness.is_right(Row(row)));
        tried
            .answers
            .push(table.answers().get(at).copied().unwrap_or_default());
    }
    let told = models.into_iter().filter_map(|(model, tried)| {
        let mut tried: Vec<((u32, u16), SampleTries)> = tried.into_iter().collect();
        tried.retain(|(_, tried)| tried.scores.len() > 1);
        tried.sort_by_key(|(key, _)| *key);
        let tried: Vec<SampleTries> = tried.into_iter().map(|(_, tried)| tried).collect();
        of_model(&tried).map(|told| Repeats {
            benchmark: group.name.benchmark.clone(),
            ability: group.name.name.clone(),
            model: table.names().model(ModelId(model)).to_owned(),
            metric: group.metric.clone(),
            ..told
        })
    });
    told.collect()
}

/// Computes one model's statistics, without names; `None` if no sample was answered twice.
#[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 answers")]
fn of_model(tried: &[SampleTries]) -> Option<Repeats> {
    let counts = || tried.iter().map(|tried| length(&tried.scores));
    let (fewest, most) = (counts().min()?, counts().max()?);
    let means = tried.iter().map(|tried| mean(&tried.scores));
    let mut ks: Vec<u32> = TRIES.into_iter().filter(|k| *k < most).collect();
    ks.push(most);
    let has_answers = tried
        .iter()
        .flat_map(|tried| &tried.answers)
        .any(|answer| *answer != 0);
    Some(Repeats {
        samples: tried.len() as u64,
        tries: (fewest, most),
        mean: means.sum::<f64>() / tried.len() as f64,
        between_repeats: between_repeats(tried),
        pass_at: ks
            .into_iter()
            .filter_map(|k| share(tried, k, pass_at))
            .collect(),
        majority: has_answers
            .then(|| share(tried, fewest, |tried, _| majority(tried)))
            .flatten(),
        ..Repeats::default()
    })
}

/// Computes a mean over the samples with at least `k` answers, with its interval.
#[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 answers")]
fn share(tried: &[SampleTries], k: u32, value: impl Fn(&SampleTries, u32) -> f64) -> Option<AtK> {
    // Samples with a graded metric but no threshold are skipped, because they are neither right nor
    // wrong.
    let enough = tried
        .iter()
        .filter(|tried| length(&tried.scores) >= k && tried.right.len() == tried.scores.len());
    let values: Vec<(u32, f64)> = enough.map(|one| (one.cluster, value(one, k))).collect();
    let clusters = clusters_of(values.iter().copied());
    let sum: f64 = values.iter().map(|(_, value)| value).sum();
    (!values.is_empty()).then(|| AtK {
        k,
        score: sum / values.len() as f64,
        ci: share_interval(&clusters, LEVEL),
        n: values.len() as u64,
    })
}

/// Returns the probability that at least one of `k` answers drawn from the sample's answers is
/// right, `1 - C(n - c, k) / C(n, k)`.
///
/// Source: M. Chen et al., "Evaluating Large Language Models Trained on Code" (2021), equation 1.
fn pass_at(tried: &SampleTries, k: u32) -> f64 {
    let n = length(&tried.right);
    let wrong = n - length_where(&tried.right);
    if wrong < k {
        return 1.0;
    }
    let all_wrong: f64 = (0..k)
        .map(|drawn| f64::from(wrong - drawn) / f64::from(n - drawn))
        .product();
    1.0 - all_wrong
}

/// Returns the share of right answers among the most frequent answers. Unreadable answers are
/// ignored.
fn majority(tried: &SampleTries) -> f64 {
    let mut votes: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
    let answers = tried.answers.iter().zip(&tried.right);
    for (answer, right) in answers.filter(|(answer, _)| **answer != 0) {
        let entry = votes.entry(*answer).or_default();
        entry.0 += 1;
        entry.1 += u32::from(*right);
    }
    let most = votes.values().map(|(count, _)| *count).max().unwrap_or(0);
    let winners = votes.values().filter(|(count, _)| *count == most);
    let shares: Vec<f64> = winners
        .map(|(count, right)| f64::from(*right) / f64::from(*count))
        .collect();
    if shares.is_empty() {
        0.0
    } else {
        mean(&shares)
    }
}

/// Computes [`Repeats::between_repeats`], which is 1 - ICC(1) of the scores.
#[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 answers")]
fn between_repeats(tried: &[SampleTries]) -> Option<f64> {
    let groups = tried.len() as f64;
    let count: f64 = tried.iter().map(|tried| tried.scores.len() as f64).sum();
    let all = tried.iter().flat_map(|tried| &tried.scores).sum::<f64>() / count;
    let (mut within, mut among, mut squares) = (0.0, 0.0, 0.0);
    for tried in tried {
        let (n, mean) = (tried.scores.len() as f64, mean(&tried.scores));
        within += tried
            .scores
            .iter()
            .map(|score| (score - mean).powi(2))
            .sum::<f64>();
        among += n * (mean - all).powi(2);
        squares += n * n;
    }
    let scores = || tried.iter().flat_map(|tried| tried.scores.iter().copied());
    let (low, high) = (
        scores().fold(f64::INFINITY, f64::min),
        scores().fold(f64::NEG_INFINITY, f64::max),
    );
    // Differences up to rounding are not variation.
    if groups < 2.0 || high - low <= 1e-12 * high.abs().max(1.0) {
        return None;
    }
    let within = within / (count - groups);
    let usual = (count - squares / count) / (groups - 1.0);
    let among = ((among / (groups - 1.0) - within) / usual).max(0.0);
    Some(within / (within + among))
}

#[expect(clippy::cast_precision_loss, reason = "no sample is asked 2^53 times")]
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn length<T>(values: &[T]) -> u32 {
    u32::try_from(values.len()).unwrap_or(u32::MAX)
}

fn length_where(right: &[bool]) -> u32 {
    u32::try_from(right.iter().filter(|right| **right).count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(answers: &[(u32, bool)]) -> SampleTries {
        SampleTries {
            cluster: 0,
            scores: answers
                .iter()
                .map(|(_, right)| f64::from(u8::from(*right)))
                .collect(),
            right: answers.iter().map(|(_, right)| *right).collect(),
            answers: answers.iter().map(|(answer, _)| *answer).collect(),
        }
    }

    /// Returns the mean over all ways to draw `k` answers.
    fn drawn(tried: &SampleTries, k: usize) -> f64 {
        let n = tried.right.len();
        let sets = (0..1_u32 << n).filter(|set| set.count_ones() as usize == k);
        let found: Vec<f64> = sets
            .map(|set| {
                let any = (0..n).any(|at| set >> at & 1 == 1 && tried.right[at]);
                f64::from(u8::from(any))
            })
            .collect();
        mean(&found)
    }

    #[test]
    fn pass_at_k_is_the_mean_over_all_draws_of_k_answers() {
        for right in 0..=5 {
            let answers: Vec<(u32, bool)> = (0..5).map(|at| (1, at < right)).collect();
            let tried = tried(&answers);
            for k in 1..=5 {
                let difference = pass_at(&tried, k) - drawn(&tried, k as usize);
                assert!(difference.abs() < 1e-12, "{right} right, {k} tries");
            }
        }
    }

    #[test]
    fn the_answer_given_most_often_wins_and_equal_ones_share() {
        let vote = |answers: &[(u32, bool)]| majority(&tried(answers));
        assert_eq!(vote(&[(1, true), (1, true), (2, false)]), 1.0);
        // Two of five are right and the wrong answers differ, so the right answer has the most
        // votes.
        let plural = [(1, true), (1, true), (2, false), (3, false), (4, false)];
        assert_eq!(vote(&plural), 1.0);
        assert_eq!(vote(&[(1, true), (2, false)]), 0.5);
        assert_eq!(vote(&[(0, false), (0, false), (1, true)]), 1.0);
        assert_eq!(vote(&[(0, false), (0, false)]), 0.0);
    }

    #[test]
    fn the_share_between_repeats_is_none_of_it_or_all_of_it() {
        let steady = [tried(&[(1, true); 4]), tried(&[(2, false); 4])];
        assert_eq!(between_repeats(&steady), Some(0.0));
        let mixed = || tried(&[(1, true), (2, false)]);
        assert_eq!(between_repeats(&[mixed(), mixed(), mixed()]), Some(1.0));
        assert_eq!(
            between_repeats(&[tried(&[(1, true); 3]), tried(&[(1, true); 3])]),
            None
        );
    }

    /// Computed by hand: scores 1 1 0 | 1 0 0 | 0 0 0, so MSB = 1/3, MSW = (2/3 + 2/3) / 6 = 2/9,
    /// and ICC(1) = (1/3 - 2/9) / (1/3 + 2 * 2/9) = 1/7.
    #[test]
    fn the_share_between_repeats_is_one_less_icc() {
        let scores = [[true, true, false], [true, false, false], [false; 3]];
        let tried: Vec<SampleTries> = scores
            .iter()
            .map(|row| tried(&row.map(|right| (u32::from(right) + 1, right))))
            .collect();
        let share = between_repeats(&tried).unwrap();
        assert!((share - 6.0 / 7.0).abs() < 1e-12, "{share}");
    }
}
