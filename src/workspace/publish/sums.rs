//! Reads the sums of a data set.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use analysis::{Cell, MeasureSums, Statistic, SumsBin};
use base::job::Ticket;
use base::limits::Limit;
use reader::data_set::{Run, StoredFile, compare, compare_length};
use reader::tabular::{self, Batch, ColumnStatistics, TableFile};
use record::{Ability, ModelId, Rule};

use super::cells::{NUMBERS, OF_ROWS, ROOT_MEAN, TEXTS};

/// Kind of sums that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SumsScope<'a> {
    /// Sums over all samples, added up over all clusters.
    Totals,
    /// Sums over all samples, by cluster.
    Whole,
    /// Sums in the bins of a split, by cluster. Contains the name of the split.
    Bins(&'a str),
}

/// A run whose sums are read.
#[derive(Clone, Copy, Debug)]
pub struct SumsSource<'a> {
    /// Manifest entry of the run.
    pub run: &'a Run,
    /// Code of the run's model.
    pub model: ModelId,
    /// Names of the requested abilities.
    pub abilities: &'a BTreeSet<&'a str>,
}

/// Files that were already verified against the manifest. A file is hashed only once; later, only
/// its length is compared.
#[derive(Debug, Default)]
pub struct VerifiedFiles(Mutex<BTreeSet<PathBuf>>);

impl VerifiedFiles {
    /// Compares a file with the manifest: the first time by [`reader::data_set::compare()`], later
    /// by length.
    fn compare(&self, file: &StoredFile, folder: &Path) -> Result<(), String> {
        let path = file.below(folder);
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known().contains(&path) {
            let length = fs::metadata(&path).ok().map(|found| found.len());
            return compare_length(file, length);
        }
        compare(file, folder)?;
        known().insert(path);
        Ok(())
    }
}

/// Reads the sums of some runs in a folder, each measure and bin once. The part of a cell is the
/// index of its run in `runs`. Verifies the files against the manifest.
///
/// Sets [`MeasureSums::of_rows`] if runs that were published separately may contain answers of the
/// same model to the same samples.
///
/// # Errors
/// If a file of sums is missing or damaged; the message contains its name.
pub fn sums(
    folder: &Path,
    verified: &VerifiedFiles,
    runs: &[SumsSource<'_>],
    which: SumsScope<'_>,
    ticket: &Ticket,
) -> Result<Vec<MeasureSums>, String> {
    let wanted = runs.par_iter().enumerate();
    let wanted = wanted.filter(|(_, run)| !run.abilities.is_empty() && ticket.is_wanted());
    let read = wanted.map(|(part, run)| {
        let own = match (which, &run.run.totals) {
            (SumsScope::Totals, Some(totals)) => Some(totals),
            _ => run.run.cells.as_ref(),
        };
        let Some(file) = own else {
            return Ok(Vec::new());
        };
        let wanted = WantedSums {
            part: u32::try_from(part).unwrap_or(u32::MAX),
            run,
            which,
        };
        let found = verified
            .compare(file, folder)
            .and_then(|()| read_file(folder, file, wanted));
        found.map_err(|why| {
            let path = file.below(folder);
            let path = base::format::visible(&base::format::path(&path)).into_owned();
            format!("{path}: {why}; the sums over its answers are missing")
        })
    });
    let read: Result<Vec<Vec<MeasureSums>>, String> = read.collect();
    Ok(together(read?, runs, which))
}

/// Combines the sums of several runs. From totals alone, one cannot see whether runs share
/// clusters.
pub(crate) fn together(
    read: Vec<Vec<MeasureSums>>,
    runs: &[SumsSource<'_>],
    which: SumsScope<'_>,
) -> Vec<MeasureSums> {
    let mut found = joined(read);
    if which == SumsScope::Totals {
        mark_shared(&mut found, runs, |_| 0);
    } else {
        mark_shared(&mut found, runs, |cell| cell.cluster);
    }
    found
}

/// Identity of a measure and bin.
type Key = (
    Ability,
    Option<String>,
    String,
    String,
    bool,
    Option<(String, String)>,
);

/// Combines sums of the same measure and bin. Keeps their order.
fn joined(read: Vec<Vec<MeasureSums>>) -> Vec<MeasureSums> {
    let mut places: HashMap<Key, usize> = HashMap::new();
    let mut found: Vec<MeasureSums> = Vec::new();
    for summed in read.into_iter().flatten() {
        let bin = summed.bin.as_ref();
        let key = (
            summed.ability.clone(),
            summed.split.clone(),
            summed.scored_as.clone(),
            summed.metric.clone(),
            summed.headline,
            bin.map(|bin| (bin.by.clone(), bin.label.clone())),
        );
        match places.get(&key) {
            None => {
                places.insert(key, found.len());
                found.push(summed);
            }
            Some(&at) => {
                let known = &mut found[at];
                known.of_rows |= summed.of_rows;
                known.rules.extend(summed.rules);
                known.cells.extend(summed.cells);
            }
        }
    }
    found
}

/// Marks the measures of models that have values in one cluster from separately published runs.
fn mark_shared(found: &mut [MeasureSums], runs: &[SumsSource<'_>], cluster: impl Fn(&Cell) -> u64) {
    let mut together: HashMap<(ModelId, &str), BTreeSet<&str>> = HashMap::new();
    for run in runs {
        let known = together.entry((run.model, run.run.benchmark.as_str()));
        known.or_default().insert(&run.run.together);
    }
    let is_apart = |summed: &MeasureSums, model: u16| {
        let key = (ModelId(model), summed.ability.benchmark.as_str());
        together.get(&key).is_some_and(|known| known.len() > 1)
    };
    for summed in found {
        let cells = summed.cells.iter();
        let cells = cells.filter(|cell| is_apart(summed, cell.model));
        let mut known: HashMap<(u16, u64), &str> = HashMap::new();
        let mut shared = false;
        for cell in cells {
            let run = runs.get(cell.part as usize);
            let own = run.map_or("", |run| run.run.together.as_str());
            let first = known.entry((cell.model, cluster(cell))).or_insert(own);
            shared |= *first != own;
        }
        summed.of_rows |= shared;
    }
}

/// The sums that are read from one run.
#[derive(Clone, Copy)]
struct WantedSums<'a> {
    /// Index of the run.
    part: u32,
    run: &'a SumsSource<'a>,
    which: SumsScope<'a>,
}

fn read_file(
    folder: &Path,
    file: &StoredFile,
    wanted: WantedSums<'_>,
) -> Result<Vec<MeasureSums>, String> {
    let told = |error: tabular::Error| error.to_string();
    let most = file.bytes.saturating_mul(64).max(Limit::Unpacked.get());
    let mut opened = TableFile::open(&file.below(folder), most).map_err(told)?;
    let mut found = Vec::new();
    for at in 0..opened.parts() {
        let outline = Outline::of(&mut opened, at).map_err(told)?;
        if !outline.may_hold(wanted.run, wanted.which) {
            continue;
        }
        let rows = wanted_rows(&mut opened, at, &outline, wanted).map_err(told)?;
        if rows.is_empty() {
            continue;
        }
        let batch = opened.part_of(at, |name| outline.is_read(name), rows);
        let batch = batch.map_err(told)?;
        let columns = Columns::of(&batch, &outline).map_err(told)?;
        columns.add(wanted, &mut found);
    }
    Ok(found)
}

/// Returns the range of rows in a part of a file that may contain requested sums. Sums are sorted
/// by ability and split, so most other rows are skipped.
fn wanted_rows(
    file: &mut TableFile,
    at: usize,
    outline: &Outline,
    wanted: WantedSums<'_>,
) -> Result<Range<usize>, tabular::Error> {
    let [_, ability, .., axis, _] = &outline.texts;
    let all = 0..usize::try_from(outline.rows).unwrap_or(usize::MAX);
    let is_told = |known: &ColumnStatistics| outline.only(known).is_some();
    if is_told(ability) && is_told(axis) {
        return Ok(all);
    }
    let [_, ability_name, .., axis_name, _] = SAID;
    let batch = file.part(at, |name| {
        (name == ability_name && !is_told(ability)) || (name == axis_name && !is_told(axis))
    })?;
    let ability = outline.column(&batch, ability, ability_name)?;
    let axis = outline.column(&batch, axis, axis_name)?;
    let is_wanted = |row: &usize| {
        let is_own = match wanted.which {
            SumsScope::Totals | SumsScope::Whole => axis.at(*row).is_none(),
            SumsScope::Bins(by) => axis.at(*row) == Some(by),
        };
        is_own
            && ability
                .at(*row)
                .is_some_and(|name| wanted.run.abilities.contains(name))
    };
    let first = all.clone().find(is_wanted);
    let last = all.rev().find(is_wanted);
    Ok(first
        .zip(last)
        .map_or(0..0, |(first, last)| first..last + 1))
}

/// Statistics of the columns of a part, known before the part is read.
struct Outline {
    rows: u64,
    /// Statistics in the order of [`SAID`].
    texts: [ColumnStatistics; SAID.len()],
    /// Statistics in the order of [`NUMBERS`].
    numbers: [ColumnStatistics; NUMBERS.len()],
}

impl Outline {
    fn of(file: &mut TableFile, at: usize) -> Result<Self, tabular::Error> {
        let mut outline = Self {
            rows: file.rows(at)?,
            texts: Default::default(),
            numbers: Default::default(),
        };
        for (known, name) in outline.texts.iter_mut().zip(SAID) {
            *known = file.known(at, name)?;
        }
        for (known, name) in outline.numbers.iter_mut().zip(NUMBERS) {
            *known = file.known(at, name)?;
        }
        Ok(outline)
    }

    /// Returns false if no row of the part can be among the requested ones.
    fn may_hold(&self, run: &SumsSource<'_>, which: SumsScope<'_>) -> bool {
        let [_, ability, .., axis, _] = &self.texts;
        let [_, _, _, cluster, ..] = &self.numbers;
        let may_lack = |known: &ColumnStatistics| known.nulls != Some(0);
        let is_own = match which {
            SumsScope::Totals => may_lack(axis) && may_lack(cluster),
            SumsScope::Whole => may_lack(axis) && !self.is_empty(cluster),
            SumsScope::Bins(by) => {
                let is_within =
                    |(first, last): &TextBounds| first.as_str() <= by && by <= last.as_str();
                let may_be = axis.texts.as_ref().is_none_or(is_within);
                may_be && !self.is_empty(axis) && !self.is_empty(cluster)
            }
        };
        let is_within = |(first, last): &TextBounds| {
            let mut abilities = run.abilities.range(first.as_str()..);
            abilities.next().is_some_and(|name| *name <= last.as_str())
        };
        is_own && ability.texts.as_ref().is_none_or(is_within)
    }

    /// Returns true if all values of a column are null.
    fn is_empty(&self, known: &ColumnStatistics) -> bool {
        known.nulls == Some(self.rows)
    }

    /// Returns the value that all rows of a text column have, if the statistics prove that there is
    /// one.
    fn only<'a>(&self, known: &'a ColumnStatistics) -> Option<Column<Option<&'a str>>> {
        match (known.nulls, &known.texts) {
            (Some(0), Some((first, last))) if first == last => Some(Column::All(Some(first))),
            _ => self.is_empty(known).then_some(Column::All(None)),
        }
    }

    /// Returns a text column, from the statistics or from a batch that was read.
    fn column<'a>(
        &self,
        batch: &'a Batch,
        known: &'a ColumnStatistics,
        name: &str,
    ) -> Result<Column<Option<&'a str>>, tabular::Error> {
        match self.only(known) {
            Some(column) => Ok(column),
            None => Ok(Column::Each(batch.texts(name)?.ok_or(MISSING)?)),
        }
    }

    /// Returns true if a column must be read because its values do not follow from the statistics.
    fn is_read(&self, name: &str) -> bool {
        let place = |names: &[&str]| names.iter().position(|known| *known == name);
        let is_text = place(&SAID).is_some_and(|at| self.only(&self.texts[at]).is_none());
        is_text || place(&NUMBERS).is_some_and(|at| !self.is_empty(&self.numbers[at]))
    }
}

/// First and last text of a column.
type TextBounds = (String, String);

/// Values of a column, or a single value that all rows have.
enum Column<T> {
    Each(Vec<T>),
    All(T),
}

impl<T: Copy> Column<T> {
    #[inline]
    fn at(&self, row: usize) -> T {
        match self {
            Self::Each(values) => values[row],
            Self::All(value) => *value,
        }
    }
}

/// Columns of a part.
struct Columns<'a> {
    rows: usize,
    /// Columns in the order of [`SAID`].
    texts: Vec<Column<Option<&'a str>>>,
    /// Columns in the order of [`NUMBERS`].
    numbers: Vec<Column<f64>>,
}

const MISSING: tabular::Error = tabular::Error::Header("a column of sums is missing");

impl<'a> Columns<'a> {
    fn of(batch: &'a Batch, outline: &'a Outline) -> Result<Self, tabular::Error> {
        let text = |(known, name): (&'a ColumnStatistics, &str)| outline.column(batch, known, name);
        let number = |(known, name): (&ColumnStatistics, &str)| {
            if outline.is_empty(known) {
                return Ok(Column::All(f64::NAN));
            }
            Ok(Column::Each(batch.numbers(name)?.ok_or(MISSING)?))
        };
        let texts = outline.texts.iter().zip(SAID).map(text);
        let texts: Result<_, tabular::Error> = texts.collect();
        let numbers = outline.numbers.iter().zip(NUMBERS).map(number);
        let numbers: Result<_, tabular::Error> = numbers.collect();
        Ok(Self {
            rows: batch.rows(),
            texts: texts?,
            numbers: numbers?,
        })
    }

    /// Adds the requested rows.
    fn add(&self, wanted: WantedSums<'_>, found: &mut Vec<MeasureSums>) {
        let WantedSums { part, run, which } = wanted;
        let mut last: Option<[Option<&str>; SAID.len()]> = None;
        for row in 0..self.rows {
            // Neighbouring rows usually have the same values in these columns.
            let is_same = last.is_some_and(|last| {
                let mut texts = self.texts.iter().zip(&last);
                texts.all(|(column, last)| match column {
                    Column::All(_) => true,
                    Column::Each(values) => values[row] == *last,
                })
            });
            let key = match last {
                Some(last) if is_same => last,
                _ => std::array::from_fn(|column| self.texts[column].at(row)),
            };
            let values: Values = std::array::from_fn(|column| self.numbers[column].at(row));
            if !is_wanted(&key, &values, run, which) {
                continue;
            }
            if !is_same || found.is_empty() {
                found.push(summed(&key, part, &values));
                last = Some(key);
            }
            if let Some(summed) = found.last_mut() {
                summed.cells.push(cell(part, run.model, &values));
            }
        }
    }
}

/// Returns true if a row belongs to the requested sums.
fn is_wanted(
    texts: &[Option<&str>; SAID.len()],
    values: &Values,
    run: &SumsSource<'_>,
    which: SumsScope<'_>,
) -> bool {
    let [_, ability, .., axis, _] = *texts;
    let [_, _, _, cluster, ..] = *values;
    let is_own = match which {
        SumsScope::Totals => axis.is_none() && cluster.is_nan(),
        SumsScope::Whole => axis.is_none() && !cluster.is_nan(),
        SumsScope::Bins(by) => axis == Some(by) && !cluster.is_nan(),
    };
    is_own && ability.is_some_and(|ability| run.abilities.contains(ability))
}

/// Text columns that describe a sum.
pub(crate) const SAID: [&str; 9] = {
    let [benchmark, ability, _model, _run, split, rest @ ..] = TEXTS;
    let [scored_as, metric, statistic, rules, axis, bin] = rest;
    [
        benchmark, ability, split, scored_as, metric, statistic, rules, axis, bin,
    ]
};

/// Numbers of a row, in the order of [`NUMBERS`].
pub(crate) type Values = [f64; NUMBERS.len()];

/// Creates a measure without cells from the texts of a row.
pub(crate) fn summed(
    texts: &[Option<&str>; SAID.len()],
    part: u32,
    values: &Values,
) -> MeasureSums {
    let [
        benchmark,
        ability,
        split,
        scored_as,
        metric,
        statistic,
        rules,
        axis,
        bin,
    ] = texts.map(|text| text.map(str::to_owned));
    let rule = |name: &str| Rule::from_name(name).unwrap_or_default();
    let rules: Option<BTreeSet<Rule>> = rules.map(|rules| rules.split(' ').map(rule).collect());
    let [headline, place, center, ..] = *values;
    MeasureSums {
        ability: Ability {
            benchmark: benchmark.unwrap_or_default(),
            name: ability.unwrap_or_default(),
        },
        split,
        scored_as: scored_as.unwrap_or_default(),
        metric: metric.unwrap_or_default(),
        headline: headline > 0.5,
        statistic: match statistic.as_deref() {
            Some(ROOT_MEAN) => Statistic::RootMean,
            _ => Statistic::Mean,
        },
        of_rows: statistic.as_deref() == Some(OF_ROWS),
        bin: axis.map(|by| SumsBin {
            by,
            label: bin.unwrap_or_default(),
            place: (!place.is_nan()).then(|| u16::try_from(whole(place)).unwrap_or(u16::MAX)),
            center: Some(center).filter(|center| !center.is_nan()),
        }),
        rules: rules.into_iter().map(|rules| (part, rules)).collect(),
        cells: Vec::new(),
    }
}

fn cell(part: u32, ModelId(model): ModelId, values: &Values) -> Cell {
    let [
        _headline,
        _place,
        _center,
        cluster,
        n,
        samples,
        items,
        sum,
        right,
        others,
        low,
        high,
        invalid,
    ] = *values;
    let extreme = |value: f64, none: f64| if value.is_nan() { none } else { value };
    Cell {
        part,
        model,
        cluster: whole(cluster),
        n: whole(n),
        samples: whole(samples),
        items: whole(items),
        sum,
        right: whole(right),
        others: whole(others),
        low: extreme(low, f64::INFINITY),
        high: extreme(high, f64::NEG_INFINITY),
        invalid: whole(invalid),
    }
}

/// Converts a non-negative whole number from a float column.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast saturates, and NaN becomes 0"
)]
const fn whole(number: f64) -> u64 {
    number as u64
}
