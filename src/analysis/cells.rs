//! Sums over predictions by model and cluster, from which scores and their intervals come again without the predictions.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use rayon::prelude::*;

use super::measure::{Measure, Sampled, Statistic, Wanted, measures};
use super::score::rule_of_row;
use super::split::{Split, default_splits};
use super::subgroup::{ROTATION, bin_rows, by_bin, condition_numbers, distinct_whole};
use super::{Group, Selection, groups, groups_by_split};
use benchmark::{Bins, default_bins};
use record::{Ability, ItemId, Labels, REPEAT, Rule, Table, TagColumn};

/// Sums of hashes are smaller than this, so that a column of 64-bit floating point numbers holds them.
pub const ITEMS: u64 = 1 << 53;

/// A measure of an ability, whole or in one bin, with its sums.
#[derive(Clone, Debug, PartialEq)]
pub struct Summed {
    /// Benchmark and ability.
    pub ability: Ability,
    /// The split of the data set, where the harness scores each by itself.
    pub split: Option<String>,
    /// The metric under which the predictions are scored, each in one.
    pub scored_as: String,
    /// Metric name.
    pub metric: String,
    /// Whether it is the metric that ranks.
    pub headline: bool,
    /// How the mean of the values becomes the number.
    pub statistic: Statistic,
    /// What is split by and the bin; `None`: all samples.
    pub bin: Option<SummedBin>,
    /// It is no statistic of sums, such as a median or a figure of whole sets: cells only say who answered, and rows are
    /// needed.
    pub of_rows: bool,
    /// By part, the rules that score; of no use in bins.
    pub rules: BTreeMap<u32, BTreeSet<Rule>>,
    /// The sums, by part, model and cluster. Of the first measure of an ability, of a split or of a bin also cells without
    /// a value, of who answered and has none.
    pub cells: Vec<Cell>,
}

/// Part, model and cluster.
type CellKey = (u32, u16, u64);

/// A bin of a split.
#[derive(Clone, Debug, PartialEq)]
pub struct SummedBin {
    /// What is split by.
    pub by: String,
    /// The bin's label.
    pub label: String,
    /// Its place among the bins, where that does not depend on which predictions there are.
    pub place: Option<u16>,
    /// Where it stands on a numeric axis; `None` for names.
    pub center: Option<f64>,
}

/// The values of one model in one cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cell {
    /// Which part of the table its predictions are in, as the caller counts them.
    pub part: u32,
    /// Model code.
    pub model: u16,
    /// What is resampled together.
    pub cluster: u64,
    /// Values.
    pub n: u64,
    /// The samples that they are values of: fewer than values where a sample was answered repeatedly.
    pub samples: u64,
    /// The sum, modulo [`ITEMS`], of hashes of those samples under the conditions that tell values apart, but without the
    /// number of a repeat: two models have values of the same samples of a cluster if and only if their numbers of samples
    /// and these sums are the same, as far as a hash can tell.
    pub items: u64,
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
/// Figures that are no statistic of values, and medians, have no sums, and say so.
#[must_use]
pub fn summed(selection: Selection<'_>, splits: &[Split], part_of: &[u32]) -> Vec<Summed> {
    let source = Rows {
        selection,
        part_of,
        samples: Samples::of(selection.table),
    };
    let by_split = groups_by_split(selection);
    let whole = by_split.par_iter().flat_map_iter(|group| {
        let wanted = Wanted {
            all: true,
            rotational: true,
        };
        source.sums(group, wanted, None)
    });
    let mut found: Vec<Summed> = whole.collect();
    let groups = groups(selection);
    for split in splits {
        let binned = bin_rows(selection.table, split);
        let wanted = Wanted {
            all: false,
            rotational: split.parts.iter().all(|part| part.name != ROTATION),
        };
        let is_fixed = has_fixed_places(selection.table, split);
        let of_bins = groups.par_iter().flat_map_iter(|group| {
            let bins = by_bin(selection, &binned, group).into_iter();
            bins.flat_map(|(bin, rows)| {
                let part = Group {
                    rows,
                    ..group.clone_without_rows()
                };
                let at = usize::from(bin);
                let bin = SummedBin {
                    by: split.text.clone(),
                    label: binned.labels.get(at).cloned().unwrap_or_default(),
                    place: is_fixed.then_some(bin),
                    center: binned.centers.get(at).copied(),
                };
                source.sums(&part, wanted, Some(&bin))
            })
            .collect::<Vec<_>>()
        });
        found.extend(of_bins.collect::<Vec<_>>());
    }
    found
}

/// Returns true if the bins of a split by one tag are the same, and as many, whatever predictions there are.
fn has_fixed_places(table: &Table, split: &Split) -> bool {
    let [part] = split.parts.as_slice() else {
        return false;
    };
    let values = match table.tag(&part.name) {
        Some(TagColumn::Text { .. }) => return false,
        Some(TagColumn::Number(values)) => Some(values.dense().into_owned()),
        None => condition_numbers(table, &part.name),
    };
    values.is_some_and(|values| {
        let bins = default_bins(&part.name, distinct_whole(&values));
        !matches!(bins, Bins::Values)
    })
}

/// The predictions that are added up.
struct Rows<'a> {
    selection: Selection<'a>,
    part_of: &'a [u32],
    samples: Samples<'a>,
}

impl Rows<'_> {
    /// The sums of the measures of a group.
    fn sums(&self, group: &Group, wanted: Wanted, bin: Option<&SummedBin>) -> Vec<Summed> {
        let measures = measures(self.selection, group, wanted).into_iter();
        let rules = if bin.is_none() {
            self.rules(group)
        } else {
            BTreeMap::new()
        };
        let summed = |(at, measure): (usize, Measure)| {
            let of_rows = measure.pooled.is_some() || measure.statistic == Statistic::Median;
            Summed {
                ability: group.name.clone(),
                split: group.split.clone(),
                scored_as: group.metric.clone(),
                headline: measure.headline,
                statistic: measure.statistic,
                bin: bin.cloned(),
                of_rows,
                rules: rules.clone(),
                cells: self.cells(group, &measure, (at == 0, of_rows)),
                metric: measure.name,
            }
        };
        measures.enumerate().map(summed).collect()
    }

    fn part(&self, row: u32) -> u32 {
        self.part_of.get(row as usize).copied().unwrap_or_default()
    }

    /// The rules of each part of a group.
    fn rules(&self, group: &Group) -> BTreeMap<u32, BTreeSet<Rule>> {
        let mut found: BTreeMap<u32, BTreeSet<Rule>> = BTreeMap::new();
        for &row in &group.rows {
            let rules = found.entry(self.part(row)).or_default();
            rules.insert(rule_of_row(self.selection, row));
        }
        found
    }

    /// The sums of a measure's values; of the first one also who answered at all.
    fn cells(
        &self,
        group: &Group,
        measure: &Measure,
        (is_first, of_rows): (bool, bool),
    ) -> Vec<Cell> {
        let mut found: BTreeMap<CellKey, Cell> = BTreeMap::new();
        // Who repeats a sample has several values of it.
        let mut known: HashSet<(u16, u64)> = HashSet::new();
        for value in measure.values.iter().filter(|_| !of_rows) {
            let key = (self.part(value.row), value.model, value.cluster.into());
            let hash = self.samples.hash(value.item, measure.by_question);
            let is_new = !self.samples.repeated || known.insert((value.model, hash));
            let cell = found.entry(key).or_insert_with(|| empty(key));
            cell.add(value);
            if is_new {
                cell.samples += 1;
                cell.items = cell.items.wrapping_add(hash) % ITEMS;
            }
        }
        if is_first || of_rows {
            self.count_answers(group, is_first, &mut found);
        }
        found.into_values().collect()
    }

    /// Adds who answered, and once how many of the answers could not be read.
    fn count_answers(&self, group: &Group, is_first: bool, found: &mut BTreeMap<CellKey, Cell>) {
        let table = self.selection.table;
        let (items, models, clusters) = (table.item_of(), table.model_of(), table.cluster_of());
        let flag = self.selection.scoring.invalid_flag();
        for &row in &group.rows {
            let at = row as usize;
            let cluster = clusters[items[at] as usize];
            let key = (self.part(row), models[at], cluster.into());
            let cell = found.entry(key).or_insert_with(|| empty(key));
            let is_invalid = is_first && table.flags()[at] & flag != 0;
            cell.invalid += u64::from(is_invalid);
        }
    }
}

/// A hash of each sample, by which two models are known to have answered the same ones.
struct Samples<'a> {
    table: &'a Table,
    /// By condition: a hash of it without the number of the repeat.
    conditions: Vec<u64>,
    repeated: bool,
}

impl<'a> Samples<'a> {
    fn of(table: &'a Table) -> Self {
        let conditions = &table.names().conditions;
        let hash = |labels: &Labels| {
            let mut hasher = blake3::Hasher::new();
            for (name, value) in labels.iter().filter(|(name, _)| *name != REPEAT) {
                hasher.update(format!("{name}\0{value}\0").as_bytes());
            }
            first_bits(&hasher.finalize())
        };
        Self {
            table,
            conditions: conditions.iter().map(hash).collect(),
            repeated: conditions.iter().any(|labels| labels.contains_key(REPEAT)),
        }
    }

    /// The hash of the sample of an item, under its condition unless a value is of several.
    fn hash(&self, item: u32, by_question: bool) -> u64 {
        let id = self.table.sample_id(ItemId(item));
        let own = first_bits(&blake3::hash(id.as_bytes()));
        let condition = self.table.condition_of().get(item as usize);
        let condition = condition.and_then(|code| self.conditions.get(usize::from(*code)));
        match condition.filter(|_| !by_question) {
            // An odd factor loses no bit, and tells a sample from its condition.
            Some(condition) => own.wrapping_mul(condition | 1).rotate_left(23) ^ own,
            None => own,
        }
    }
}

/// The first eight bytes of a hash.
fn first_bits(hash: &blake3::Hash) -> u64 {
    let bytes = hash.as_bytes().iter().take(8);
    bytes.fold(0, |bits, byte| bits << 8 | u64::from(*byte))
}

const fn empty((part, model, cluster): CellKey) -> Cell {
    Cell {
        part,
        model,
        cluster,
        n: 0,
        samples: 0,
        items: 0,
        sum: 0.0,
        right: 0,
        others: 0,
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
        invalid: 0,
    }
}

impl Cell {
    /// Adds what another one of the same model and cluster holds.
    pub fn join(&mut self, other: &Self) {
        self.n += other.n;
        self.samples += other.samples;
        self.items = self.items.wrapping_add(other.items) % ITEMS;
        self.sum += other.sum;
        self.right += other.right;
        self.others += other.others;
        self.low = self.low.min(other.low);
        self.high = self.high.max(other.high);
        self.invalid += other.invalid;
    }

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
