//! Scores subgroups: the items in one bin of a tag or condition.

use std::collections::BTreeSet;
use std::ops::{Bound, Deref};

use rayon::prelude::*;

use super::measure::{Measure, MeasureOptions};
use super::model_result::{ModelResult, no_place, standings_of};
use super::split::{Part, Split, is_of_models};
use super::standing::Depth;
use super::{Group, Selection, groups};
use crate::metric::Interval;
use record::benchmark::{Bins, Direction, default_bins};
use record::{Ability, Facts, ROTATION, ReleaseDate, Table, TagColumn, Value};

/// Bin code of an item without the tag, or outside all bins.
const NOWHERE: u16 = u16::MAX;

/// Score of one model in one bin of a split.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Subgroup {
    /// Benchmark that the ability belongs to.
    pub benchmark: String,
    /// Model whose answers are scored.
    pub model: String,
    /// Ability of the samples in the bin.
    pub ability: String,
    /// Name of the split.
    pub by: String,
    /// Label of the bin.
    pub bin: String,
    /// Position of the bin in its split.
    pub order: u16,
    /// Position of the bin on a numeric axis; `None` for names.
    pub center: Option<f64>,
    /// Labels of both parts, if two attributes are crossed and the first is numeric.
    pub crossed: Option<[String; 2]>,
    /// Number of samples in the score's denominator.
    pub n: u64,
    /// Number of predictions that could not be read.
    pub invalid: u64,
    /// Metric of the score.
    pub metric: String,
    /// Whether higher or lower is better.
    pub direction: Direction,
    /// True if models are ranked by this metric.
    pub headline: bool,
    /// Score in the metric's unit; `None` without values.
    pub score: Option<f64>,
    /// 95 % interval; `None` if it cannot be estimated.
    pub ci: Option<Interval>,
}

/// Bin of every item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ItemBins {
    /// Labels of the bins, in order.
    pub labels: Vec<String>,
    /// Position of each bin on a numeric axis, its middle or its value; `NaN` for names.
    pub centers: Vec<f64>,
    /// Labels of both parts of each bin; empty unless two attributes are crossed and the first is
    /// numeric.
    pub crossed: Vec<[String; 2]>,
    /// Lower and upper bound of each bin on a numeric axis; empty for names and crossed splits.
    pub bounds: Vec<(Bound<f64>, Bound<f64>)>,
    /// Bin code of each item.
    pub of_item: Vec<u16>,
}

impl ItemBins {
    /// Returns the bin of an item; `None` if it is in no bin.
    pub fn bin(&self, item: u32) -> Option<u16> {
        self.of_item
            .get(item as usize)
            .copied()
            .filter(|&bin| bin != NOWHERE)
    }

    /// Maps the bins of items or models to rows; `of_rows` yields the index of each row's item or
    /// model.
    fn spread(self, of_rows: impl Iterator<Item = usize>) -> Self {
        let bin = |at: usize| self.of_item.get(at).copied().unwrap_or(NOWHERE);
        Self {
            of_item: of_rows.map(bin).collect(),
            ..self
        }
    }

    /// Crosses two sets of bins: one bin for each combination.
    fn cross(&self, other: &Self) -> Self {
        let width = u16::try_from(other.labels.len()).unwrap_or(NOWHERE);
        let pair = |(&a, &b): (&u16, &u16)| match (a, b) {
            (NOWHERE, _) | (_, NOWHERE) => NOWHERE,
            (a, b) => a.saturating_mul(width).saturating_add(b),
        };
        let pairs = self
            .labels
            .iter()
            .flat_map(|a| other.labels.iter().map(move |b| [a.clone(), b.clone()]));
        let pairs: Vec<[String; 2]> = pairs.collect();
        let is_simple = self.crossed.is_empty() && other.crossed.is_empty();
        let is_numeric =
            !self.centers.is_empty() && self.centers.iter().all(|center| center.is_finite());
        Self {
            labels: pairs.iter().map(|[a, b]| format!("{a} * {b}")).collect(),
            crossed: if is_simple && is_numeric {
                pairs
            } else {
                Vec::new()
            },
            centers: Vec::new(),
            bounds: Vec::new(),
            of_item: self.of_item.iter().zip(&other.of_item).map(pair).collect(),
        }
    }
}

/// Bin of every row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowBins {
    /// Bins, indexed by row instead of item.
    bins: ItemBins,
}

impl Deref for RowBins {
    type Target = ItemBins;

    fn deref(&self) -> &ItemBins {
        &self.bins
    }
}

/// Metrics to compute for each subgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metrics {
    /// Only the headline, which ranks models.
    Headline,
    /// All metrics.
    All,
}

impl Metrics {
    /// Returns all metrics, or only the headline.
    pub const fn of(all: bool) -> Self {
        if all { Self::All } else { Self::Headline }
    }
}

/// Scores all models in all bins of all splits.
pub fn subgroups(selection: Selection<'_>, splits: &[Split], metrics: Metrics) -> Vec<Subgroup> {
    let groups = groups(selection);
    let jobs: Vec<(&Split, RowBins)> = splits
        .iter()
        .map(|split| (split, bin_rows(selection.table, split)))
        .collect();
    let pairs: Vec<(&Split, &RowBins, &Group)> = jobs
        .iter()
        .flat_map(|(split, binned)| groups.iter().map(move |group| (*split, binned, group)))
        .collect();
    pairs
        .par_iter()
        .take_any_while(|_| selection.ticket.is_wanted())
        .flat_map_iter(|(split, binned, group)| of_split(selection, split, binned, group, metrics))
        .collect()
}

/// Fields shared by all scores of one bin.
pub(super) struct BinHeading<'a> {
    /// Benchmark and ability.
    pub ability: &'a Ability,
    /// Name of the split.
    pub by: &'a str,
    /// Label of the bin.
    pub label: &'a str,
    /// Position of the bin in its split.
    pub order: u16,
    /// Position of the bin on a numeric axis; `None` for names.
    pub center: Option<f64>,
    /// Labels of both parts of a crossed bin; see [`Subgroup::crossed`].
    pub crossed: Option<&'a [String; 2]>,
}

impl BinHeading<'_> {
    /// Creates the subgroup of a model in a measure.
    pub fn subgroup(&self, measure: &Measure, placed: ModelResult) -> Subgroup {
        Subgroup {
            benchmark: self.ability.benchmark.clone(),
            model: placed.model,
            ability: self.ability.name.clone(),
            by: self.by.to_owned(),
            bin: self.label.to_owned(),
            order: self.order,
            center: self.center,
            crossed: self.crossed.cloned(),
            n: placed.standing.n,
            invalid: placed.invalid,
            metric: measure.name.clone(),
            direction: measure.direction,
            headline: measure.headline,
            score: placed.standing.score,
            ci: placed.standing.interval,
        }
    }
}

fn of_split(
    selection: Selection<'_>,
    split: &Split,
    binned: &RowBins,
    group: &Group,
    metrics: Metrics,
) -> Vec<Subgroup> {
    let wanted = MeasureOptions {
        all: metrics == Metrics::All,
        rotational: joins_rotations(selection.table, split),
    };
    let of_bin = |(bin, rows): (u16, Vec<u32>)| {
        let part = Group {
            rows,
            ..group.clone_without_rows()
        };
        let place = usize::from(bin);
        let heading = BinHeading {
            ability: &group.name,
            by: &split.text,
            label: binned.labels.get(place).map_or("", String::as_str),
            order: bin,
            center: binned.centers.get(place).copied(),
            crossed: binned.crossed.get(place),
        };
        standings_of(
            selection,
            &part,
            wanted,
            Depth::Intervals,
            no_place,
            |measure, placed| heading.subgroup(measure, placed),
        )
    };
    let bins = by_bin(binned, group).into_iter();
    bins.flat_map(of_bin).collect()
}

/// Returns true if the rotations of a question can be in one bin, which is false for a split by
/// rotation or by answers.
pub(super) fn joins_rotations(table: &Table, split: &Split) -> bool {
    split.parts.iter().all(|part| part.name != ROTATION) && !split.is_of_answers(table)
}

/// Returns the rows of each non-empty bin, in order of the bins.
pub(super) fn by_bin(binned: &RowBins, group: &Group) -> Vec<(u16, Vec<u32>)> {
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); binned.labels.len()];
    for &row in &group.rows {
        let bin = binned.bin(row);
        if let Some(bin) = bin.and_then(|bin| rows.get_mut(usize::from(bin))) {
            bin.push(row);
        }
    }
    (0..)
        .zip(rows)
        .filter(|(_, rows)| !rows.is_empty())
        .collect()
}

/// Returns the bin of every row under a split by items, models, answers, or several of these. Parts
/// that divide models come last.
pub fn bin_rows(table: &Table, split: &Split) -> RowBins {
    let of_row = |part: &Part| {
        if is_of_models(table, part) {
            let models = table.model_of().iter();
            return bin_models(table, part).spread(models.map(|model| usize::from(*model)));
        }
        if let Some(tag) = table.answer_tag(&part.name) {
            return bin_tag(part, tag);
        }
        let items = table.item_of().iter();
        bin_part(table, part).spread(items.map(|item| *item as usize))
    };
    let mut parts: Vec<&Part> = split.parts.iter().collect();
    parts.sort_by_key(|part| is_of_models(table, part));
    let mut parts = parts.into_iter().map(of_row);
    let first = parts.next().unwrap_or_default();
    RowBins {
        bins: parts.fold(first, |crossed, part| crossed.cross(&part)),
    }
}

/// Returns the bin of every model; dates are binned by year unless the user gives bins.
fn bin_models(table: &Table, part: &Part) -> ItemBins {
    let names = table.names();
    let facts: Vec<Option<&Facts>> = (names.models.values().iter())
        .map(|name| names.facts(name))
        .collect();
    let number = |number: fn(&Facts) -> Option<f64>| -> Vec<f64> {
        let numbers = facts.iter().map(|facts| facts.and_then(number));
        numbers.map(|number| number.unwrap_or(f64::NAN)).collect()
    };
    let years = |facts: &Facts| facts.released.map(ReleaseDate::years);
    let texts: Vec<Option<String>> = match part.name.as_str() {
        "parameters" => {
            return bin_numbers(
                &part.name,
                part.bins.as_ref(),
                &number(|facts| facts.parameters),
            );
        }
        "released" if part.bins.is_some() => {
            return bin_numbers(&part.name, part.bins.as_ref(), &number(years));
        }
        "released" => (facts.iter())
            .map(|facts| facts.and_then(years).map(|years| years.floor().to_string()))
            .collect(),
        _ => (facts.iter())
            .map(|facts| facts.and_then(|facts| facts.family.clone()))
            .collect(),
    };
    let mut known: Vec<String> = texts.iter().flatten().cloned().collect();
    known.sort();
    known.dedup();
    let code = |text: &Option<String>| {
        let at = text
            .as_ref()
            .and_then(|text| known.binary_search(text).ok());
        at.and_then(|at| u32::try_from(at).ok()).unwrap_or(u32::MAX)
    };
    let codes: Vec<u32> = texts.iter().map(code).collect();
    bin_names(&known, &codes)
}

/// Returns the bin of every item under a split.
pub fn bin_items(table: &Table, split: &Split) -> ItemBins {
    let mut parts = split.parts.iter().map(|part| bin_part(table, part));
    let first = parts.next().unwrap_or_default();
    parts.fold(first, |crossed, part| crossed.cross(&part))
}

fn bin_part(table: &Table, part: &Part) -> ItemBins {
    match table.tag(&part.name) {
        Some(tag) => bin_tag(part, tag),
        None => bin_condition(table, part),
    }
}

fn bin_tag(part: &Part, tag: TagColumn<'_>) -> ItemBins {
    match tag {
        TagColumn::Text { names, codes } => bin_names(names, &codes.dense()),
        TagColumn::Number(values) => bin_numbers(&part.name, part.bins.as_ref(), &values.dense()),
    }
}

/// Creates one bin for each name, in alphabetical order.
fn bin_names(names: &[String], codes: &[u32]) -> ItemBins {
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|&code| names.get(code));
    let mut place = vec![NOWHERE; names.len()];
    for (bin, &code) in (0..NOWHERE).zip(&order) {
        if let Some(place) = place.get_mut(code) {
            *place = bin;
        }
    }
    ItemBins {
        labels: order
            .iter()
            .filter_map(|&code| names.get(code).cloned())
            .collect(),
        crossed: Vec::new(),
        centers: Vec::new(),
        bounds: Vec::new(),
        of_item: codes
            .iter()
            .map(|&code| place.get(code as usize).copied().unwrap_or(NOWHERE))
            .collect(),
    }
}

fn bin_condition(table: &Table, part: &Part) -> ItemBins {
    if let Some(values) = condition_numbers(table, &part.name) {
        return bin_numbers(&part.name, part.bins.as_ref(), &values);
    }
    let values = condition_values(table, &part.name);
    let mut names = record::Key::default();
    let codes: Vec<u32> = values
        .map(|value| value.map_or(u32::MAX, |value| names.code(value.to_string().as_str())))
        .collect();
    bin_names(names.values(), &codes)
}

/// Returns the value of a condition for each item.
fn condition_values<'a>(table: &'a Table, name: &str) -> impl Iterator<Item = Option<&'a Value>> {
    let conditions = table.names().conditions.iter();
    let known: Vec<Option<&Value>> = conditions.map(|labels| labels.get(name)).collect();
    let codes = table.condition_of().iter();
    codes.map(move |&code| known.get(usize::from(code)).copied().flatten())
}

/// Returns the value of a numeric condition for each item, `NaN` if the item has none. `None` if
/// some value is not a number.
pub(super) fn condition_numbers(table: &Table, name: &str) -> Option<Vec<f64>> {
    let mut known = table
        .names()
        .conditions
        .iter()
        .filter_map(|labels| labels.get(name));
    let number = |value: Option<&Value>| value.and_then(Value::number).unwrap_or(f64::NAN);
    known
        .all(|value| value.number().is_some())
        .then(|| condition_values(table, name).map(number).collect())
}

fn bin_numbers(name: &str, bins: Option<&Bins>, values: &[f64]) -> ItemBins {
    let chosen = bins
        .cloned()
        .unwrap_or_else(|| default_bins(name, distinct_whole(values)));
    super::bins::cut(&chosen, values)
}

/// Counts the distinct whole numbers; `None` if a value is not whole. Counts at most 65.
pub(super) fn distinct_whole(values: &[f64]) -> Option<usize> {
    let mut seen: BTreeSet<i64> = BTreeSet::new();
    for value in values.iter().filter(|value| !value.is_nan()) {
        if value.fract() != 0.0 || value.abs() > 1e15 {
            return None;
        }
        if seen.len() <= 64 {
            #[expect(clippy::cast_possible_truncation, reason = "a whole number below 1e15")]
            seen.insert(*value as i64);
        }
    }
    Some(seen.len())
}
