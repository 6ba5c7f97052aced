//! Ranks over the samples that all ranked models answered: how sure they are, and who is tied with whom.

use std::cell::OnceCell;

use super::common::{Common, Excluded, Keys};
use super::measure::{Measure, Statistic};
use super::standing::{Standing, best_first, median};
use super::{LEVEL, Selection};
use benchmark::Direction;
use job::Ticket;
use metric::{PairTest, mcnemar_exact, paired_t_test, rank_sets, tie_groups_of};

/// How a model is ranked in one measure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placement {
    /// Its score on the common samples; `None` where it is not ranked.
    pub score: Option<f64>,
    /// Common samples.
    pub n: u64,
    /// Why it is not ranked.
    pub excluded: Option<Excluded>,
    /// The ranks that it may have: with 95 % the sets of all models hold at once.
    pub ranks: Option<(u32, u32)>,
    /// Its tie groups, from 1: models that are not surely different from the best of the group. They may overlap.
    pub tie_groups: Vec<u32>,
}

/// The placement of each model code by a measure; `sets` asks for the sets of ranks, which takes tests of all pairs.
pub fn placements(
    measure: &Measure,
    standings: &[Standing],
    keys: &Keys<'_>,
    selection: Selection<'_>,
    sets: bool,
) -> Vec<Placement> {
    let common = Common::of(measure, keys, selection.coverage);
    let contest = Contest::new(measure, &common);
    let field = Field {
        models: &common.models,
        excluded: &common.excluded,
        n: common.n,
        scores: contest.scores(standings),
    };
    let sets = sets && measure.statistic != Statistic::Median && selection.ticket.is_wanted();
    place(&field, measure.direction, standings.len(), |order| {
        sets.then(|| contest.tests(order, selection.ticket))
    })
}

/// Who is ranked, and over what.
pub struct Field<'a> {
    /// Codes of the ranked models.
    pub models: &'a [u16],
    /// Models that are left out.
    pub excluded: &'a [(u16, Excluded)],
    /// Common samples.
    pub n: u64,
    /// The score of each ranked model on the common samples.
    pub scores: Vec<Option<f64>>,
}

/// The placement of each of `count` model codes. `tests` are those of all pairs of the ranked models, which are given the best
/// first; without them there are no sets of ranks.
pub fn place(
    field: &Field<'_>,
    direction: Direction,
    count: usize,
    tests: impl FnOnce(&[usize]) -> Option<Vec<PairTest>>,
) -> Vec<Placement> {
    let mut found = vec![Placement::default(); count];
    for (model, excluded) in field.excluded {
        found[usize::from(*model)].excluded = Some(*excluded);
    }
    for (&model, score) in field.models.iter().zip(&field.scores) {
        let own = &mut found[usize::from(model)];
        (own.score, own.n) = (*score, field.n);
    }
    // The best first, so that of two the first is the better one.
    let order = best_first(&field.scores, direction);
    let Some(tests) = tests(&order) else {
        return found;
    };
    let count = order.len();
    let places: Vec<usize> = (0..count).collect();
    let sets = rank_sets(count, &tests, LEVEL);
    let groups = tie_groups_of(count, &places, &tests, LEVEL);
    for ((&column, set), groups) in order.iter().zip(sets).zip(groups) {
        let own = &mut found[usize::from(field.models[column])];
        own.ranks = Some(set);
        own.tie_groups = groups;
    }
    found
}

/// Values by model and sample, and the cluster of each sample.
type Matrix = (Vec<Vec<f64>>, Vec<u32>);

/// The ranked models of a measure on the samples that all of them answered.
pub(super) struct Contest<'a> {
    measure: &'a Measure,
    common: &'a Common,
    matrix: OnceCell<Matrix>,
}

impl<'a> Contest<'a> {
    /// Of a measure's common samples.
    pub const fn new(measure: &'a Measure, common: &'a Common) -> Self {
        Self {
            measure,
            common,
            matrix: OnceCell::new(),
        }
    }

    /// The score of each ranked model on the common samples.
    pub fn scores(&self, standings: &[Standing]) -> Vec<Option<f64>> {
        let Self {
            measure, common, ..
        } = self;
        if common.is_all {
            let own = |model: &u16| standings[usize::from(*model)].score;
            return common.models.iter().map(own).collect();
        }
        if let Some(pooled) = &measure.pooled {
            return pooled.scores_over(measure, common);
        }
        let score = |values: Vec<f64>| match measure.statistic {
            _ if values.is_empty() => None,
            Statistic::Median => median(values),
            #[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 samples")]
            _ => Some(measure.finish(values.iter().sum::<f64>() / values.len() as f64)),
        };
        self.matrix().0.iter().cloned().map(score).collect()
    }

    /// The values of each ranked model on the common samples, the mean over repeats, and each sample's cluster.
    fn matrix(&self) -> &Matrix {
        self.matrix.get_or_init(|| self.new_matrix())
    }

    fn new_matrix(&self) -> Matrix {
        let Self {
            measure, common, ..
        } = self;
        let samples = usize::try_from(common.n).unwrap_or(usize::MAX);
        let most = common
            .models
            .iter()
            .max()
            .map_or(0, |most| usize::from(*most) + 1);
        let mut column_of = vec![None; most];
        for (column, &model) in common.models.iter().enumerate() {
            column_of[usize::from(model)] = Some(column);
        }
        let mut values = vec![vec![0.0; samples]; common.models.len()];
        let mut repeats = vec![vec![0_u32; samples]; common.models.len()];
        let mut clusters = vec![0; samples];
        for (place, sampled) in common.values(measure) {
            let at = place as usize;
            clusters[at] = sampled.cluster;
            let column = column_of.get(usize::from(sampled.model));
            if let Some(column) = column.copied().flatten() {
                let times = &mut repeats[column][at];
                *times += 1;
                let mean = &mut values[column][at];
                *mean += (sampled.value - *mean) / f64::from(*times);
            }
        }
        (values, clusters)
    }

    /// On how many common samples each of two columns has more than the other; `None` for a figure of a whole set.
    pub fn more(&self, a: usize, b: usize) -> Option<(u64, u64)> {
        let (values, _) = self.measure.pooled.is_none().then(|| self.matrix())?;
        let count = |own: usize, other: usize| {
            let pairs = values[own].iter().zip(&values[other]);
            pairs.filter(|(own, other)| own > other).count() as u64
        };
        Some((count(a, b), count(b, a)))
    }

    /// A test of each pair of models, which are numbered by their place in `order`.
    pub fn tests(&self, order: &[usize], ticket: &Ticket) -> Vec<PairTest> {
        if let Some(pooled) = &self.measure.pooled {
            return pooled.tests(self.measure, self.common, order, ticket);
        }
        let (values, clusters) = self.matrix();
        Sides::new(values, clusters).tests(order, ticket)
    }
}

/// The values of all models, ready for tests of pairs.
pub enum Sides {
    /// Independent samples that are right or wrong: a bit for each.
    Marks(Vec<Vec<u64>>),
    /// Sums over clusters, and the number of samples of each.
    Sums(Vec<Vec<f64>>, Vec<f64>),
}

impl Sides {
    fn new(values: &[Vec<f64>], clusters: &[u32]) -> Self {
        let (first, last) = (clusters.iter().min(), clusters.iter().max());
        let (Some(&first), Some(&last)) = (first, last) else {
            return Self::Marks(vec![Vec::new(); values.len()]);
        };
        let mut index_of: Vec<Option<usize>> = vec![None; (last - first) as usize + 1];
        let mut sizes: Vec<f64> = Vec::new();
        for cluster in clusters {
            let index = *index_of[(cluster - first) as usize].get_or_insert_with(|| {
                sizes.push(0.0);
                sizes.len() - 1
            });
            sizes[index] += 1.0;
        }
        if sizes.len() == clusters.len() && values.iter().flatten().copied().all(is_mark) {
            return Self::of_marks(values);
        }
        let sum = |values: &Vec<f64>| {
            let mut sums = vec![0.0; sizes.len()];
            for (value, cluster) in values.iter().zip(clusters) {
                if let Some(index) = index_of[(cluster - first) as usize] {
                    sums[index] += value;
                }
            }
            sums
        };
        Self::Sums(values.iter().map(sum).collect(), sizes)
    }

    /// From the sums of each model over the same clusters, and the number of samples of each cluster. `are_marks` says that
    /// every single value is 0 or 1.
    pub fn of_sums(sums: Vec<Vec<f64>>, sizes: Vec<f64>, are_marks: bool) -> Self {
        #[expect(clippy::float_cmp, reason = "a number of samples is whole")]
        let are_alone = sizes.iter().all(|size| *size == 1.0);
        if are_alone && are_marks {
            Self::of_marks(&sums)
        } else {
            Self::Sums(sums, sizes)
        }
    }

    #[expect(clippy::float_cmp, reason = "a mark is exactly 0 or 1")]
    fn of_marks(values: &[Vec<f64>]) -> Self {
        let pack = |marks: &Vec<f64>| {
            let words = marks.chunks(64);
            let pack = |word: &[f64]| {
                let bits = word.iter().rev();
                bits.fold(0, |bits, mark| bits << 1 | u64::from(*mark == 1.0))
            };
            words.map(pack).collect()
        };
        Self::Marks(values.iter().map(pack).collect())
    }

    /// A test of each pair of models, which are numbered by their place in `order`.
    pub fn tests(&self, order: &[usize], ticket: &Ticket) -> Vec<PairTest> {
        let mut tests = Vec::new();
        for (better, &a) in order.iter().enumerate() {
            if !ticket.is_wanted() {
                break;
            }
            let worse = order.iter().enumerate().skip(better + 1);
            tests.extend(worse.map(|(worse, &b)| PairTest {
                better,
                worse,
                p_value: self.p_value(a, b),
            }));
        }
        tests
    }

    /// The two-sided p value of the difference between two models.
    fn p_value(&self, a: usize, b: usize) -> f64 {
        match self {
            Self::Marks(marks) => {
                let count = |own: &[u64], other: &[u64]| {
                    let words = own.iter().zip(other);
                    words
                        .map(|(own, other)| u64::from((own & !other).count_ones()))
                        .sum()
                };
                mcnemar_exact(count(&marks[a], &marks[b]), count(&marks[b], &marks[a]))
            }
            Self::Sums(sums, sizes) => {
                let pairs = sums[a].iter().zip(&sums[b]);
                paired_t_test(pairs.map(|(a, b)| a - b), sizes)
            }
        }
    }
}

#[expect(clippy::float_cmp, reason = "a mark is exactly 0 or 1")]
fn is_mark(value: f64) -> bool {
    value == 0.0 || value == 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Sampled;
    use record::{Scoring, Table};

    fn placed(scores: &[&[f64]], coverage: f64) -> Vec<Placement> {
        let values = (0..).zip(scores).flat_map(|(model, scores)| {
            let known = (0..).zip(*scores).filter(|(_, score)| !score.is_nan());
            known.map(move |(item, score)| Sampled {
                row: item,
                item,
                cluster: item,
                model,
                value: *score,
            })
        });
        let measure = Measure::mean("accuracy", true, values.collect());
        let table = Table::default();
        let mut selection = Selection::all(&table, Scoring::Harness);
        selection.coverage = coverage;
        let standings = super::super::standing::standings(
            &measure,
            scores.len(),
            super::super::standing::Depth::Scores,
            selection.ticket,
        );
        placements(&measure, &standings, &Keys::of(&table), selection, true)
    }

    #[test]
    fn skipping_hard_samples_does_not_win() {
        let hard_skipped: Vec<f64> = (0..200)
            .map(|at| if at < 104 { 1.0 } else { f64::NAN })
            .collect();
        let whole: Vec<f64> = (0..200)
            .map(|at| f64::from(u8::from(at % 10 != 0)))
            .collect();
        let found = placed(&[&hard_skipped, &whole], 0.8);
        assert_eq!(found[0].score, None);
        assert_eq!(
            found[0].excluded.map(|why| (why.answered, why.of)),
            Some((104, 200))
        );
        assert_eq!((found[1].score, found[1].n), (Some(0.9), 200));
        // With a lower bound both are ranked, over the 104.
        let found = placed(&[&hard_skipped, &whole], 0.5);
        assert_eq!([found[0].n, found[1].n], [104, 104]);
        assert_eq!(found[0].score, Some(1.0));
        assert_eq!(found[1].score, Some(93.0 / 104.0));
    }

    #[test]
    fn equal_models_may_have_any_rank_and_are_tied() {
        let marks: Vec<f64> = (0..40).map(|at| f64::from(at % 2)).collect();
        for place in placed(&[&marks, &marks, &marks], 0.8) {
            assert_eq!(place.ranks, Some((1, 3)));
            assert_eq!(place.tie_groups, [1]);
        }
    }

    #[test]
    fn surely_different_models_have_ranks_of_their_own() {
        let none = [0.0; 40];
        let half: Vec<f64> = (0..40).map(|at| f64::from(at % 2)).collect();
        let found = placed(&[&none, &[1.0; 40], &half], 0.8);
        let ranks: Vec<_> = found.iter().map(|place| place.ranks).collect();
        assert_eq!(ranks, [Some((3, 3)), Some((1, 1)), Some((2, 2))]);
        let groups: Vec<_> = found.iter().map(|place| place.tie_groups.clone()).collect();
        assert_eq!(groups, [vec![3], vec![1], vec![2]]);
    }

    #[test]
    fn graded_scores_are_told_apart_too() {
        let low: Vec<f64> = (0..30).map(|at| f64::from(at % 7) / 20.0).collect();
        let high: Vec<f64> = low.iter().map(|score| score + 0.4).collect();
        let found = placed(&[&low, &high], 0.8);
        assert_eq!(
            [found[0].ranks, found[1].ranks],
            [Some((2, 2)), Some((1, 1))]
        );
    }
}
