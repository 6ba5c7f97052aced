//! Sums over predictions by model and cluster, from which scores and their intervals come again without the predictions.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::measure::{Measure, Sampled, Statistic, Wanted, measures};
use super::split::{Split, default_splits};
use super::subgroup::{bin_rows, by_bin, condition_numbers, distinct_whole};
use super::{Group, Selection, groups, groups_by_split};
use benchmark::{Bins, default_bins};
use record::{Ability, Table, TagColumn};

/// The condition whose values are the rotations that `TDBench` joins.
const ROTATION: &str = "rotation";

/// A measure of an ability, whole or in one bin, with its sums.
#[derive(Clone, Debug, PartialEq)]
pub struct Summed {
    /// Benchmark and ability.
    pub ability: Ability,
    /// The split of the data set, where the harness scores each by itself.
    pub split: Option<String>,
    /// Metric name.
    pub metric: String,
    /// Whether it is the metric that ranks.
    pub headline: bool,
    /// How the mean of the values becomes the number.
    pub statistic: Statistic,
    /// What is split by and the bin's label; `None`: all samples.
    pub bin: Option<(String, String)>,
    /// The sums, by part, model and cluster.
    pub cells: Vec<Cell>,
}

/// The values of one model in one cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cell {
    /// Which part of the table its predictions are in, as the caller counts them.
    pub part: u32,
    /// Model code.
    pub model: u16,
    /// What is resampled together.
    pub cluster: u32,
    /// Values.
    pub n: u64,
    /// Their sum.
    pub sum: f64,
    /// Values that are 1.
    pub right: u64,
    /// Values that are neither 0 nor 1.
    pub others: u64,
    /// The smallest value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
    /// Predictions whose answers could not be read; of the metric that ranks alone.
    pub invalid: u64,
}

/// What a table is split by without being asked, where the bins are the same whatever other predictions there are: not
/// where they hold equally many.
#[must_use]
pub fn stable_splits(table: &Table) -> Vec<Split> {
    let is_stable = |name: &str| {
        let values = match table.tag(name) {
            Some(TagColumn::Text { .. }) => return true,
            Some(TagColumn::Number(values)) => Some(values.dense().into_owned()),
            None => condition_numbers(table, name),
        };
        values.is_none_or(|values| {
            let bins = default_bins(name, distinct_whole(&values));
            !matches!(bins, Bins::Quantile(_))
        })
    };
    let mut splits = default_splits(table);
    splits.retain(|split| split.parts.iter().all(|part| is_stable(&part.name)));
    splits
}

/// The sums of a selection: of every metric over all samples, and of those that rank in each bin of some splits. `part_of`
/// says of each prediction of the table which part it is in; a value of several predictions is in the part of the first.
///
/// Figures that are no statistic of values, and medians, have no sums.
#[must_use]
pub fn summed(selection: Selection<'_>, splits: &[Split], part_of: &[u32]) -> Vec<Summed> {
    let by_split = groups_by_split(selection);
    let whole = by_split.par_iter().flat_map_iter(|group| {
        let wanted = Wanted {
            all: true,
            rotational: true,
        };
        of_group(selection, group, wanted, None, part_of)
    });
    let mut found: Vec<Summed> = whole.collect();
    let groups = groups(selection);
    for split in splits {
        let binned = bin_rows(selection.table, split);
        let wanted = Wanted {
            all: false,
            rotational: split.parts.iter().all(|part| part.name != ROTATION),
        };
        let of_bins = groups.par_iter().flat_map_iter(|group| {
            let bins = by_bin(selection, &binned, group).into_iter();
            bins.flat_map(|(bin, rows)| {
                let part = Group {
                    rows,
                    ..group.clone_without_rows()
                };
                let label = binned.labels.get(usize::from(bin)).cloned();
                let bin = (split.text.clone(), label.unwrap_or_default());
                of_group(selection, &part, wanted, Some(&bin), part_of)
            })
            .collect::<Vec<_>>()
        });
        found.extend(of_bins.collect::<Vec<_>>());
    }
    found
}

fn of_group(
    selection: Selection<'_>,
    group: &Group,
    wanted: Wanted,
    bin: Option<&(String, String)>,
    part_of: &[u32],
) -> Vec<Summed> {
    let measures = measures(selection, group, wanted).into_iter();
    let has_sums =
        |measure: &Measure| measure.pooled.is_none() && measure.statistic != Statistic::Median;
    let summed = |measure: Measure| Summed {
        ability: group.name.clone(),
        split: group.split.clone(),
        headline: measure.headline,
        statistic: measure.statistic,
        bin: bin.cloned(),
        cells: cells(selection, group, &measure, part_of),
        metric: measure.name,
    };
    measures.filter(has_sums).map(summed).collect()
}

/// The sums of a measure's values.
fn cells(selection: Selection<'_>, group: &Group, measure: &Measure, part_of: &[u32]) -> Vec<Cell> {
    let part = |row: u32| part_of.get(row as usize).copied().unwrap_or_default();
    let mut found: BTreeMap<(u32, u16, u32), Cell> = BTreeMap::new();
    for value in &measure.values {
        let key = (part(value.row), value.model, value.cluster);
        found.entry(key).or_insert_with(|| empty(key)).add(value);
    }
    if measure.headline {
        let table = selection.table;
        let (items, models, clusters) = (table.item_of(), table.model_of(), table.cluster_of());
        let flag = selection.scoring.invalid_flag();
        for &row in &group.rows {
            let at = row as usize;
            if table.flags()[at] & flag != 0 {
                let key = (part(row), models[at], clusters[items[at] as usize]);
                found.entry(key).or_insert_with(|| empty(key)).invalid += 1;
            }
        }
    }
    found.into_values().collect()
}

const fn empty((part, model, cluster): (u32, u16, u32)) -> Cell {
    Cell {
        part,
        model,
        cluster,
        n: 0,
        sum: 0.0,
        right: 0,
        others: 0,
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
        invalid: 0,
    }
}

impl Cell {
    #[expect(clippy::float_cmp, reason = "a right answer scores exactly 1")]
    fn add(&mut self, sampled: &Sampled) {
        let value = sampled.value;
        self.n += 1;
        self.sum += value;
        self.right += u64::from(value == 1.0);
        self.others += u64::from(value != 1.0 && value != 0.0);
        self.low = self.low.min(value);
        self.high = self.high.max(value);
    }
}
