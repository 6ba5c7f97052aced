//! Finds the smallest random subset of samples that keeps the ranking of the models.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::agree::swaps;
use super::{Group, HeadlineValues, Selection, groups, observe};
use crate::metric::{
    ClusterSums, CorrelationError, kendall_tau_b, prefix_means, random_order, spearman_rho,
};
use base::job::Ticket;
use record::benchmark::Direction;
use record::{ItemId, ModelId};

/// Options of the search for a subset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SubsetOptions {
    /// Minimum tau-b between the rankings by the subset and by all samples.
    pub threshold: f64,
    /// Number of random draws for each size.
    pub draws: usize,
    /// Seed of the draws; the same seed gives the same subset.
    pub seed: u64,
}

impl Default for SubsetOptions {
    fn default() -> Self {
        Self {
            threshold: 0.9,
            draws: 200,
            seed: super::SEED,
        }
    }
}

/// Agreement of the rankings by random subsets of one size with the ranking by all samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SubsetAgreement {
    /// Number of samples in a subset.
    pub n: usize,
    /// Median of tau-b over the draws.
    pub median: f64,
    /// 5 % quantile of tau-b: at most one draw in twenty lies below it.
    pub low: f64,
}

/// Smallest random subset of an ability's samples that keeps the ranking.
#[derive(Clone, Debug, PartialEq)]
pub struct Subset {
    /// Benchmark that the ability belongs to.
    pub benchmark: String,
    /// Ability of the samples.
    pub ability: String,
    /// Headline metric that ranks the models.
    pub metric: String,
    /// Whether higher or lower is better.
    pub direction: Direction,
    /// Models with their scores over all samples and over the subset, best over all samples first.
    pub models: Vec<(String, [f64; 2])>,
    /// Number of all samples.
    pub of: usize,
    /// Agreement by rising size; the last entry is the set of all samples.
    pub curve: Vec<SubsetAgreement>,
    /// One item of each sample of the subset, in random order.
    pub chosen: Vec<ItemId>,
    /// Kendall's tau-b between scores on the chosen subset and on all samples.
    pub tau: Result<f64, CorrelationError>,
    /// Spearman's rho between scores on the chosen subset and on all samples.
    pub rho: Result<f64, CorrelationError>,
    /// Pairs of models that swap in the chosen subset; the model that is better over all samples
    /// comes first.
    pub swaps: Vec<(String, String)>,
}

/// Smallest subset size that is tried.
const SMALLEST: usize = 5;

/// Finds the smallest subset of each ability: the size at which nineteen of twenty random draws
/// reach the threshold of tau-b, and the first draw of this size that reaches it.
///
/// Samples are drawn without replacement. All answers to a sample, by any model and under any
/// condition, stay together.
pub fn subsets(selection: Selection<'_>, keeping: SubsetOptions) -> Vec<Subset> {
    groups(selection)
        .par_iter()
        .filter_map(|group| of_group(selection, group, keeping))
        .collect()
}

/// Sums of a group by sample, and its models' scores over all samples.
struct SampleSums<'a> {
    ticket: &'a Ticket,
    data: ClusterSums,
    /// One item of each sample.
    items: Vec<u32>,
    /// Model codes of the columns.
    models: Vec<u16>,
    sign: f64,
    all: Vec<f64>,
}

impl<'a> SampleSums<'a> {
    fn new(selection: Selection<'a>, observed: &HeadlineValues) -> Self {
        let mut models: Vec<u16> = observed.values.iter().map(|value| value.model).collect();
        models.sort_unstable();
        models.dedup();
        let sample_of = selection.table.sample_of();
        let mut data = ClusterSums::new(models.len());
        let (mut items, mut places) = (Vec::new(), BTreeMap::new());
        for value in &observed.values {
            let (Some(sample), Ok(column)) = (
                sample_of.get(value.item() as usize),
                models.binary_search(&value.model),
            ) else {
                continue;
            };
            let place = *places.entry(*sample).or_insert_with(|| {
                items.push(value.item());
                data.push_cluster()
            });
            data.add(place, column, value.value);
        }
        let order: Vec<u32> = (0..).take(items.len()).collect();
        let all = prefix_means(&data, &order, &[items.len()]);
        Self {
            ticket: selection.ticket,
            data,
            items,
            models,
            sign: observed.direction.sign(),
            all,
        }
    }

    fn order(&self, seed: u64, draw: usize) -> Vec<u32> {
        let count = u32::try_from(self.items.len()).unwrap_or(u32::MAX);
        random_order(count, seed.wrapping_add(draw as u64))
    }

    /// Returns tau-b for each size in each draw, as `sizes x draws`; 0 if a draw has no ranking.
    fn taus(&self, sizes: &[usize], keeping: SubsetOptions) -> Vec<Vec<f64>> {
        let of_draw = |draw: usize| -> Vec<f64> {
            let means = prefix_means(&self.data, &self.order(keeping.seed, draw), sizes);
            let tau = |means: &[f64]| kendall_tau_b(means, &self.all).unwrap_or_default();
            means.chunks(self.models.len().max(1)).map(tau).collect()
        };
        let draws: Vec<Vec<f64>> = (0..keeping.draws.max(1))
            .into_par_iter()
            .take_any_while(|_| self.ticket.is_wanted())
            .map(of_draw)
            .collect();
        let of_size = |at: usize| -> Vec<f64> {
            let taus = draws.iter().filter_map(|draw| draw.get(at));
            taus.copied().collect()
        };
        (0..sizes.len()).map(of_size).collect()
    }

    fn curve(&self, sizes: &[usize], keeping: SubsetOptions) -> Vec<SubsetAgreement> {
        let kept = |(&n, mut taus): (&usize, Vec<f64>)| {
            taus.sort_by(f64::total_cmp);
            let at = |place: usize| taus.get(place).copied().unwrap_or(f64::NAN);
            SubsetAgreement {
                n,
                median: at(taus.len() / 2),
                low: at(taus.len() / 20),
            }
        };
        sizes
            .iter()
            .zip(self.taus(sizes, keeping))
            .map(kept)
            .collect()
    }
}

fn of_group(selection: Selection<'_>, group: &Group, keeping: SubsetOptions) -> Option<Subset> {
    let observed = observe(selection, group)?;
    let samples = SampleSums::new(selection, &observed);
    let of = samples.items.len();
    let order = kendall_tau_b(&samples.all, &samples.all);
    let mut curve = match order {
        Ok(_) => samples.curve(&rising(SMALLEST.min(of), of, 24), keeping),
        Err(_) => Vec::new(),
    };
    // If rounding breaks a tie, not even all samples agree with themselves; then all samples are
    // chosen.
    let smallest = narrow(&samples, keeping, &mut curve).unwrap_or(of);
    let size = order.map_or(0, |_| smallest);
    let chosen = choose(&samples, keeping, size);
    let picked = prefix_means(&samples.data, &chosen, &[chosen.len()]);
    let names = selection.table.names();
    let mut models: Vec<(String, [f64; 2])> = (samples.models.iter().zip(&samples.all))
        .zip(&picked)
        .map(|((&code, &all), &picked)| (names.model(ModelId(code)).to_owned(), [all, picked]))
        .collect();
    models.sort_by(|(_, a), (_, b)| (samples.sign * b[0]).total_cmp(&(samples.sign * a[0])));
    let item = |&place: &u32| samples.items.get(place as usize).copied().map(ItemId);
    Some(Subset {
        benchmark: group.name.benchmark.clone(),
        ability: group.name.name.clone(),
        metric: observed.metric,
        direction: observed.direction,
        swaps: swaps(&models, [samples.sign; 2]),
        models,
        of,
        curve,
        chosen: chosen.iter().filter_map(item).collect(),
        tau: order.and_then(|_| kendall_tau_b(&picked, &samples.all)),
        rho: order.and_then(|_| spearman_rho(&picked, &samples.all)),
    })
}

/// Returns sizes from `low` to `high`, both included, in roughly equal ratios.
fn rising(low: usize, high: usize, count: usize) -> Vec<usize> {
    let (low, high) = (low.max(1), high.max(1));
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "sizes between two sizes"
    )]
    let size = |step: usize| {
        let share = step as f64 / count as f64;
        (low as f64 * (high as f64 / low as f64).powf(share)).round() as usize
    };
    let mut sizes: Vec<usize> = (0..=count).map(size).collect();
    sizes.dedup();
    sizes
}

/// Finds the smallest size that keeps the ranking, by adding sizes to the curve until neighbouring
/// sizes are reached.
fn narrow(
    samples: &SampleSums<'_>,
    keeping: SubsetOptions,
    curve: &mut Vec<SubsetAgreement>,
) -> Option<usize> {
    loop {
        // All samples agree with themselves, up to rounding.
        let at = curve
            .iter()
            .position(|kept| kept.low >= keeping.threshold - 1e-12)?;
        let found = curve.get(at)?.n;
        let Some(before) = at.checked_sub(1).and_then(|at| curve.get(at)) else {
            return Some(found);
        };
        let mut between = rising(before.n, found, 16);
        between.retain(|&size| size > before.n && size < found);
        if between.is_empty() {
            return Some(found);
        }
        curve.extend(samples.curve(&between, keeping));
        curve.sort_by_key(|kept| kept.n);
        curve.dedup_by_key(|kept| kept.n);
    }
}

/// Returns the first draw of a size that reaches the threshold, or else the first draw.
fn choose(samples: &SampleSums<'_>, keeping: SubsetOptions, size: usize) -> Vec<u32> {
    let of_draw = |draw| {
        let mut order = samples.order(keeping.seed, draw);
        order.truncate(size);
        order
    };
    let keeps = |order: &Vec<u32>| {
        let means = prefix_means(&samples.data, order, &[size]);
        kendall_tau_b(&means, &samples.all).is_ok_and(|tau| tau >= keeping.threshold)
    };
    let first = (0..keeping.draws).map(of_draw).find(keeps);
    first.unwrap_or_else(|| of_draw(0))
}
