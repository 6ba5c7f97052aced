//! Ranks models on the samples that all ranked models answered, and tests their pairs.

use std::cell::OnceCell;
use std::sync::Arc;

use super::claims::Contestant;
use super::common::{CommonSamples, Exclusion};
use super::measure::{Measure, Statistic};
use super::standing::{Depth, Standing, best_first, median};
use crate::metric::{PairTests, mcnemar_exact, paired_t_test};
use base::job::Ticket;
use base::limits::Limit;
use record::benchmark::Direction;

/// Placement of a model in one measure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placement {
    /// Score on the common samples; `None` if the model is not ranked.
    pub score: Option<f64>,
    /// Number of common samples of all ranked models.
    pub n: u64,
    /// Reason why the model is not ranked.
    pub excluded: Option<Exclusion>,
    /// Place among the ranked models, with the tests of all pairs; `None` without tests.
    pub contestant: Option<Contestant>,
}

/// Ranked models with their scores on the common samples.
pub struct RankedModels<'a> {
    /// Codes of the ranked models.
    pub models: &'a [u16],
    /// Models that are not ranked, with the reason.
    pub excluded: &'a [(u16, Exclusion)],
    /// Number of common samples.
    pub n: u64,
    /// Score of each ranked model on the common samples.
    pub scores: Vec<Option<f64>>,
}

/// Computes the placement of each of `count` model codes. `tests` takes the ranked models, best
/// first, and returns the tests of all pairs. Rank sets need tests, and at most
/// [`Limit::TestedModels`] models.
pub fn place(
    field: &RankedModels<'_>,
    direction: Direction,
    count: usize,
    tests: impl FnOnce(&[usize]) -> Option<PairTests>,
) -> Vec<Placement> {
    let mut found = vec![Placement::default(); count];
    for (model, excluded) in field.excluded {
        found[usize::from(*model)].excluded = Some(*excluded);
    }
    for (&model, score) in field.models.iter().zip(&field.scores) {
        let own = &mut found[usize::from(model)];
        (own.score, own.n) = (*score, field.n);
    }
    // Best first, so that the first model of a pair is the better model.
    let order = best_first(&field.scores, direction);
    if order.len() > Limit::TestedModels.length() {
        return found;
    }
    let Some(tests) = tests(&order) else {
        return found;
    };
    let tests = Arc::new(tests);
    for (place, &column) in order.iter().enumerate() {
        let tests = Arc::clone(&tests);
        found[usize::from(field.models[column])].contestant = Some(Contestant { tests, place });
    }
    found
}

/// Values by model and sample, and the cluster of each sample.
type Matrix = (Vec<Vec<f64>>, Vec<u32>);

/// Values of the ranked models on the samples that all of them answered.
pub(super) struct Contest<'a> {
    measure: &'a Measure,
    common: &'a CommonSamples,
    matrix: OnceCell<Matrix>,
}

impl<'a> Contest<'a> {
    /// Creates the contest; values are collected on first use.
    pub const fn new(measure: &'a Measure, common: &'a CommonSamples) -> Self {
        Self {
            measure,
            common,
            matrix: OnceCell::new(),
        }
    }

    /// Computes the placement of each model code. With intervals, the models of a headline also get
    /// the tests of all pairs that rank sets need; medians have no tests.
    pub fn placements(
        &self,
        standings: &[Standing],
        depth: Depth,
        ticket: &Ticket,
    ) -> Vec<Placement> {
        let Self {
            measure, common, ..
        } = self;
        let field = RankedModels {
            models: &common.models,
            excluded: &common.excluded,
            n: common.n,
            scores: self.scores(standings),
        };
        let has_sets = measure.headline
            && depth == Depth::Intervals
            && measure.statistic != Statistic::Median
            && ticket.is_wanted();
        place(&field, measure.direction, standings.len(), |order| {
            has_sets.then(|| self.tests(order, ticket))
        })
    }

    /// Returns the score of each ranked model over the common samples.
    pub fn scores(&self, standings: &[Standing]) -> Vec<Option<f64>> {
        let Self {
            measure, common, ..
        } = self;
        // A standing can include values that are not used for ranking.
        let is_ranked = |model: &u16| standings[usize::from(*model)].n == common.n;
        if common.is_all && common.models.iter().all(is_ranked) {
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

    /// Returns the values of each ranked model on the common samples, averaged over repeats, and
    /// each sample's cluster.
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

    /// Returns the number of common samples on which column `a` has the larger value, and on which
    /// column `b` has it; `None` for a pooled figure.
    pub fn more(&self, a: usize, b: usize) -> Option<(u64, u64)> {
        let (values, _) = self.measure.pooled.is_none().then(|| self.matrix())?;
        let count = |own: usize, other: usize| {
            let pairs = values[own].iter().zip(&values[other]);
            pairs.filter(|(own, other)| own > other).count() as u64
        };
        Some((count(a, b), count(b, a)))
    }

    /// Tests each pair of models, numbered by their place in `order`.
    pub fn tests(&self, order: &[usize], ticket: &Ticket) -> PairTests {
        if let Some(pooled) = &self.measure.pooled {
            return pooled.tests(self.measure, self.common, order, ticket);
        }
        let (values, clusters) = self.matrix();
        PairTestData::new(values, clusters).tests(order, ticket)
    }
}

/// Values of all models, in a form for fast tests of pairs.
pub struct PairTestData {
    /// One bit per sample, by model; `None` unless samples are independent and all of the model's
    /// values are 0 or 1.
    marks: Vec<Option<Vec<u64>>>,
    /// Sum of each model's values by cluster.
    sums: Vec<Vec<f64>>,
    /// Number of samples by cluster.
    sizes: Vec<f64>,
}

impl PairTestData {
    fn new(values: &[Vec<f64>], clusters: &[u32]) -> Self {
        let (first, last) = (clusters.iter().min(), clusters.iter().max());
        let (Some(&first), Some(&last)) = (first, last) else {
            return Self::of_sums(vec![Vec::new(); values.len()], Vec::new());
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
        let sum = |values: &Vec<f64>| {
            let mut sums = vec![0.0; sizes.len()];
            for (value, cluster) in values.iter().zip(clusters) {
                if let Some(index) = index_of[(cluster - first) as usize] {
                    sums[index] += value;
                }
            }
            sums
        };
        Self::of_sums(values.iter().map(sum).collect(), sizes)
    }

    /// Creates the data from each model's sums over the same clusters, and the number of samples in
    /// each cluster.
    pub fn of_sums(sums: Vec<Vec<f64>>, sizes: Vec<f64>) -> Self {
        #[expect(clippy::float_cmp, reason = "a number of samples is whole")]
        let are_alone = sizes.iter().all(|size| *size == 1.0);
        let marks = |sums: &Vec<f64>| {
            let are_marks = are_alone && sums.iter().copied().all(is_mark);
            are_marks.then(|| packed(sums))
        };
        Self {
            marks: sums.iter().map(marks).collect(),
            sums,
            sizes,
        }
    }

    /// Tests each pair of models, numbered by their place in `order`.
    pub fn tests(&self, order: &[usize], ticket: &Ticket) -> PairTests {
        PairTests::new(order.len(), ticket, |better, worse| {
            self.p_value(order[better], order[worse])
        })
    }

    /// Computes the two-sided p value of the difference between two models.
    fn p_value(&self, a: usize, b: usize) -> f64 {
        if let (Some(of_a), Some(of_b)) = (&self.marks[a], &self.marks[b]) {
            let count = |own: &[u64], other: &[u64]| {
                let words = own.iter().zip(other);
                words
                    .map(|(own, other)| u64::from((own & !other).count_ones()))
                    .sum()
            };
            return mcnemar_exact(count(of_a, of_b), count(of_b, of_a));
        }
        let pairs = self.sums[a].iter().zip(&self.sums[b]);
        paired_t_test(pairs.map(|(a, b)| a - b), &self.sizes)
    }
}

/// Packs marks of 0 and 1 into bits.
#[expect(clippy::float_cmp, reason = "a mark is exactly 0 or 1")]
fn packed(marks: &[f64]) -> Vec<u64> {
    let pack = |word: &[f64]| {
        let bits = word.iter().rev();
        bits.fold(0, |bits, mark| bits << 1 | u64::from(*mark == 1.0))
    };
    marks.chunks(64).map(pack).collect()
}

#[expect(clippy::float_cmp, reason = "a mark is exactly 0 or 1")]
fn is_mark(value: f64) -> bool {
    value == 0.0 || value == 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LEVEL;
    use crate::common::Keys;
    use crate::measure::SampleValue;
    use crate::metric::{are_sure, holm_pairs, rank_sets, tie_groups_of};
    use crate::standing::standings;
    use base::job::FOR_GOOD;
    use record::Table;

    /// Returns rank set and tie groups of each placement, from the tests of this measure alone.
    fn standing(found: &[Placement]) -> Vec<((u32, u32), Vec<u32>)> {
        let own = found.iter().filter_map(|place| place.contestant.as_ref());
        let own: Vec<&Contestant> = own.collect();
        let tests = &own[0].tests;
        let sure = are_sure(&holm_pairs(tests.p_values()), LEVEL);
        let sets = rank_sets(tests, &sure);
        let groups = tie_groups_of(tests, &sure);
        let of = |one: &&Contestant| (sets[one.place], groups[one.place].clone());
        own.iter().map(of).collect()
    }

    fn placements_of(scores: &[&[f64]], coverage: f64) -> Vec<Placement> {
        let values = (0..).zip(scores).flat_map(|(model, scores)| {
            let known = (0..).zip(*scores).filter(|(_, score)| !score.is_nan());
            known.map(move |(item, score)| SampleValue {
                row: item,
                item,
                cluster: item,
                model,
                value: *score,
            })
        });
        let measure = Measure::mean("accuracy", values.collect()).headline();
        let table = Table::default();
        let standings = standings(&measure, scores.len(), Depth::Scores, &FOR_GOOD);
        let common = CommonSamples::of(&measure, &Keys::of(&table), coverage);
        Contest::new(&measure, &common).placements(&standings, Depth::Intervals, &FOR_GOOD)
    }

    #[test]
    fn skipping_hard_samples_does_not_win() {
        let hard_skipped: Vec<f64> = (0..200)
            .map(|at| if at < 104 { 1.0 } else { f64::NAN })
            .collect();
        let whole: Vec<f64> = (0..200)
            .map(|at| f64::from(u8::from(at % 10 != 0)))
            .collect();
        let found = placements_of(&[&hard_skipped, &whole], 0.8);
        assert_eq!(found[0].score, None);
        assert_eq!(
            found[0].excluded.map(|why| (why.answered, why.of)),
            Some((104, 200))
        );
        assert_eq!((found[1].score, found[1].n), (Some(0.9), 200));
        // With a lower coverage both models are ranked, on 104 samples.
        let found = placements_of(&[&hard_skipped, &whole], 0.5);
        assert_eq!([found[0].n, found[1].n], [104, 104]);
        assert_eq!(found[0].score, Some(1.0));
        assert_eq!(found[1].score, Some(93.0 / 104.0));
    }

    #[test]
    fn equal_models_may_have_any_rank_and_are_tied() {
        let marks: Vec<f64> = (0..40).map(|at| f64::from(at % 2)).collect();
        for place in standing(&placements_of(&[&marks, &marks, &marks], 0.8)) {
            assert_eq!(place, ((1, 3), vec![1]));
        }
    }

    #[test]
    fn surely_different_models_have_ranks_of_their_own() {
        let none = [0.0; 40];
        let half: Vec<f64> = (0..40).map(|at| f64::from(at % 2)).collect();
        let found = standing(&placements_of(&[&none, &[1.0; 40], &half], 0.8));
        let expected = [((3, 3), vec![3]), ((1, 1), vec![1]), ((2, 2), vec![2])];
        assert_eq!(found, expected);
    }

    #[test]
    fn graded_scores_are_told_apart_too() {
        let low: Vec<f64> = (0..30).map(|at| f64::from(at % 7) / 20.0).collect();
        let high: Vec<f64> = low.iter().map(|score| score + 0.4).collect();
        let found = standing(&placements_of(&[&low, &high], 0.8));
        assert_eq!([found[0].0, found[1].0], [(2, 2), (1, 1)]);
    }
}
