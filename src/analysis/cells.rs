//! Sums predictions by model and cluster; scores and their intervals can be computed from the
//! sums alone.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use rayon::prelude::*;

use super::measure::{Measure, MeasureOptions, SampleValue, Statistic, measures};
use super::score::rule_of_row;
use super::split::{Split, default_splits};
use super::subgroup::{bin_rows, by_bin, condition_numbers, distinct_whole, joins_rotations};
use super::{Group, Selection, groups, groups_by_split};
use record::benchmark::{Bins, default_bins};
use record::{Ability, ItemId, Labels, REPEATS, Rule, Table, TagColumn, is_repeated};

/// Modulus for sums of hashes: they stay exact in a column of 64-bit floating point numbers.
pub const ITEMS: u64 = 1 << 53;

/// Sums of one measure of an ability, over all samples or in one bin.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasureSums {
    /// Benchmark and ability.
    pub ability: Ability,
    /// Split of the data set; only where the harness scores splits separately.
    pub split: Option<String>,
    /// Metric under which the log scores the predictions.
    pub scored_as: String,
    /// Metric of the measure; can be derived from the predictions' metric.
    pub metric: String,
    /// Whether models are ranked by this metric.
    pub headline: bool,
    /// Formula that turns the mean of the values into the score.
    pub statistic: Statistic,
    /// Bin of a split; `None` for all samples.
    pub bin: Option<SumsBin>,
    /// True if the figure cannot be computed from sums: a median, or a pooled figure such as AP.
    /// The cells then only show which models answered.
    pub of_rows: bool,
    /// Scoring rules by part; empty in bins.
    pub rules: BTreeMap<u32, BTreeSet<Rule>>,
    /// Sums by part, model and cluster. The first measure also has empty cells for models that
    /// answered without a value.
    pub cells: Vec<Cell>,
}

/// Key of a cell: part, model and cluster.
type CellKey = (u32, u16, u64);

/// Bin of a split.
#[derive(Clone, Debug, PartialEq)]
pub struct SumsBin {
    /// Name of the tag or condition that the samples are split by.
    pub by: String,
    /// Label of the bin.
    pub label: String,
    /// Position among the bins; `None` if it depends on the loaded predictions.
    pub place: Option<u16>,
    /// Position on a numeric axis; `None` for a bin of names.
    pub center: Option<f64>,
}

/// Sums of the values of one model in one cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cell {
    /// Part of the table that holds the predictions, by the caller's numbering.
    pub part: u32,
    /// Code of the model in the table.
    pub model: u16,
    /// Cluster that is resampled as a whole.
    pub cluster: u64,
    /// Number of values.
    pub n: u64,
    /// Number of distinct samples; less than `n` where samples were answered repeatedly.
    pub samples: u64,
    /// Sum, modulo [`ITEMS`], of hashes of the samples and their conditions; the number of a
    /// repeat is ignored. Two models answered the same samples of a cluster if both `samples` and
    /// this sum are equal, up to hash collisions.
    pub items: u64,
    /// Sum of the values.
    pub sum: f64,
    /// Number of values equal to 1.
    pub right: u64,
    /// Number of values other than 0 and 1.
    pub others: u64,
    /// Smallest value.
    pub low: f64,
    /// Largest value.
    pub high: f64,
    /// Number of predictions whose answers could not be read; only for the ranking metric.
    pub invalid: u64,
}

/// Returns the default splits of a table whose bins do not depend on the other predictions. Bins
/// of equal counts are excluded.
pub fn stable_splits(table: &Table) -> Vec<Split> {
    let is_stable = |name: &str| {
        let bins = number_bins(table, name);
        bins.is_none_or(|bins| !matches!(bins, Bins::Quantile(_)))
    };
    let mut splits = default_splits(table);
    splits.retain(|split| split.parts.iter().all(|part| is_stable(&part.name)));
    splits
}

/// Sums a selection: every metric over all samples, and the ranking metrics in each bin of
/// `splits`. `part_of` maps each prediction of the table to its part; a value of several
/// predictions belongs to the part of the first.
///
/// Medians and pooled figures have no sums and are marked by [`MeasureSums::of_rows`].
pub fn summed(selection: Selection<'_>, splits: &[Split], part_of: &[u32]) -> Vec<MeasureSums> {
    let source = Rows {
        selection,
        part_of,
        samples: SampleHashes::of(selection.table),
    };
    let by_split = groups_by_split(selection);
    let whole = by_split.par_iter().flat_map_iter(|group| {
        let wanted = MeasureOptions {
            all: true,
            rotational: true,
        };
        source.sums(group, wanted, None)
    });
    let mut found: Vec<MeasureSums> = whole.collect();
    let groups = groups(selection);
    for split in splits {
        let binned = bin_rows(selection.table, split);
        let wanted = MeasureOptions {
            all: false,
            rotational: joins_rotations(selection.table, split),
        };
        let is_fixed = has_fixed_places(selection.table, split);
        let of_bins = groups.par_iter().flat_map_iter(|group| {
            let bins = by_bin(&binned, group).into_iter();
            bins.flat_map(|(bin, rows)| {
                let part = Group {
                    rows,
                    ..group.clone_without_rows()
                };
                let at = usize::from(bin);
                let bin = SumsBin {
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

/// Returns true if a split by one numeric tag always has the same bins.
fn has_fixed_places(table: &Table, split: &Split) -> bool {
    let [part] = split.parts.as_slice() else {
        return false;
    };
    number_bins(table, &part.name).is_some_and(|bins| !matches!(bins, Bins::Values))
}

/// Returns the default bins of a tag or condition whose values are numbers; `None` for texts.
fn number_bins(table: &Table, name: &str) -> Option<Bins> {
    let values = match table.tag(name) {
        Some(TagColumn::Text { .. }) => return None,
        Some(TagColumn::Number(values)) => values.dense().into_owned(),
        None => condition_numbers(table, name)?,
    };
    Some(default_bins(name, distinct_whole(&values)))
}

/// Predictions to sum.
struct Rows<'a> {
    selection: Selection<'a>,
    part_of: &'a [u32],
    samples: SampleHashes<'a>,
}

impl Rows<'_> {
    /// Sums the measures of a group.
    fn sums(
        &self,
        group: &Group,
        wanted: MeasureOptions,
        bin: Option<&SumsBin>,
    ) -> Vec<MeasureSums> {
        let measures = measures(self.selection, group, wanted).into_iter();
        let rules = if bin.is_none() {
            self.rules(group)
        } else {
            BTreeMap::new()
        };
        let summed = |(at, measure): (usize, Measure)| {
            let of_rows = measure.pooled.is_some() || measure.statistic == Statistic::Median;
            MeasureSums {
                ability: group.name.clone(),
                split: group.split.clone(),
                scored_as: group.metric.clone(),
                headline: measure.headline,
                statistic: measure.statistic,
                bin: bin.cloned(),
                of_rows,
                rules: rules.clone(),
                cells: self.cells(group, &measure, at == 0, of_rows),
                metric: measure.name,
            }
        };
        measures.enumerate().map(summed).collect()
    }

    fn part(&self, row: u32) -> u32 {
        self.part_of.get(row as usize).copied().unwrap_or_default()
    }

    /// Collects the scoring rules of each part of a group.
    fn rules(&self, group: &Group) -> BTreeMap<u32, BTreeSet<Rule>> {
        let mut found: BTreeMap<u32, BTreeSet<Rule>> = BTreeMap::new();
        for &row in &group.rows {
            let rules = found.entry(self.part(row)).or_default();
            rules.insert(rule_of_row(self.selection, row));
        }
        found
    }

    /// Sums the values of a measure. Adds empty cells for models that answered to the first
    /// measure, and to figures without sums.
    fn cells(&self, group: &Group, measure: &Measure, is_first: bool, of_rows: bool) -> Vec<Cell> {
        let mut found: BTreeMap<CellKey, Cell> = BTreeMap::new();
        // A model can have several values of one sample if samples are repeated.
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

    /// Adds a cell for every model that answered. For the first measure, counts the unreadable
    /// answers.
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

/// Hashes of samples, to compare which samples two models answered.
struct SampleHashes<'a> {
    table: &'a Table,
    /// Hash of each condition without the numbers of repeats.
    conditions: Vec<u64>,
    repeated: bool,
}

impl<'a> SampleHashes<'a> {
    fn of(table: &'a Table) -> Self {
        let conditions = &table.names().conditions;
        let hash = |labels: &Labels| {
            let mut hasher = blake3::Hasher::new();
            for (name, value) in labels
                .iter()
                .filter(|(name, _)| !REPEATS.contains(&name.as_str()))
            {
                hasher.update(format!("{name}\0{value}\0").as_bytes());
            }
            first_bits(&hasher.finalize())
        };
        Self {
            table,
            conditions: conditions.iter().map(hash).collect(),
            repeated: conditions.iter().any(is_repeated),
        }
    }

    /// Hashes an item's sample; the condition is included unless a value spans several
    /// conditions.
    fn hash(&self, item: u32, by_question: bool) -> u64 {
        let id = self.table.sample_id(ItemId(item));
        let own = first_bits(&blake3::hash(id.as_bytes()));
        let condition = self.table.condition_of().get(item as usize);
        let condition = condition.and_then(|code| self.conditions.get(usize::from(*code)));
        match condition.filter(|_| !by_question) {
            // Multiplying by an odd number loses no bits; the rotation separates sample and
            // condition.
            Some(condition) => own.wrapping_mul(condition | 1).rotate_left(23) ^ own,
            None => own,
        }
    }
}

/// Returns the first eight bytes of a hash as a number.
#[must_use]
pub fn first_bits(hash: &blake3::Hash) -> u64 {
    let bytes = hash.as_bytes().iter().take(8);
    bytes.fold(0, |bits, byte| bits << 8 | u64::from(*byte))
}

fn empty((part, model, cluster): CellKey) -> Cell {
    Cell {
        part,
        model,
        cluster,
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
        ..Cell::default()
    }
}

impl Cell {
    /// Adds the sums of another cell of the same model and cluster.
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
    fn add(&mut self, sampled: &SampleValue) {
        let value = sampled.value;
        self.n += 1;
        self.sum += value;
        self.right += u64::from(value == 1.0);
        self.others += u64::from(value != 1.0 && value != 0.0);
        self.low = self.low.min(value);
        self.high = self.high.max(value);
    }
}
