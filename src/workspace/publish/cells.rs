//! Computes sums over the rows of each run. With them, scores are computed without reading the
//! rows.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use analysis::{Cell, MeasureSums, Selection, Statistic, stable_splits, summed};
use reader::data_set::{CELLS, Run};
use reader::tabular::{Column, Error, Form, Kind, Writer};
use record::{ItemId, Record, Row, Scoring, Table};

use super::PublishError;
use super::encode::{File, Types, types};
use crate::export::GROUP;

/// Names of the text columns.
pub const TEXTS: [&str; 11] = [
    "benchmark",
    "ability",
    "model",
    "run",
    "split",
    "scored_as",
    "metric",
    "statistic",
    "rules",
    "axis",
    "bin",
];
/// Names of the number columns.
pub const NUMBERS: [&str; 13] = [
    "headline", "place", "center", "cluster", "n", "samples", "items", "total", "ones", "others",
    "low", "high", "invalid",
];
/// Name for the scoring rule if no log states a rule.
const UNSTATED: &str = "unstated";
/// Name of the statistic "square root of a mean".
pub const ROOT_MEAN: &str = "root mean";
/// Name for measures without sums, for which the rows must be read.
pub const OF_ROWS: &str = "rows";
/// Number of hexadecimal digits of a cluster's hash. Numbers of this length fit exactly into 64-bit
/// floats.
const DIGITS: usize = 13;

/// Names of clusters, which are the same in every data set. A name is derived from the first
/// picture of the cluster's first item or, without pictures, from its sample.
#[derive(Debug)]
pub struct Clusters {
    /// First row of each cluster, by its code.
    first: HashMap<u32, u32>,
    names: HashMap<u32, u64>,
}

impl Clusters {
    /// Finds the clusters of a table. They have no names yet.
    pub fn of(table: &Table) -> Self {
        let mut first: HashMap<u32, (u32, u32)> = HashMap::new();
        for (row, &item) in (0..).zip(table.item_of()) {
            let cluster = table.cluster_of()[item as usize];
            let known = first.entry(cluster).or_insert((item, row));
            *known = (*known).min((item, row));
        }
        let first = first.into_iter().map(|(cluster, (_, row))| (cluster, row));
        Self {
            first: first.collect(),
            names: HashMap::new(),
        }
    }

    /// Returns the code and the name of a cluster if the row is its first row.
    pub fn named(&self, table: &Table, row: u32, record: &Record) -> Option<(u32, u64)> {
        let ItemId(item) = table.item(Row(row));
        let cluster = table.cluster_of()[item as usize];
        if self.first.get(&cluster) != Some(&row) {
            return None;
        }
        let told = match record.content.images.first() {
            Some(image) => format!("{image:?}"),
            None => format!(
                "{}\0{}\0{}",
                record.benchmark, record.ability, record.sample_id
            ),
        };
        let hash = blake3::hash(told.as_bytes()).to_hex();
        let digits = hash.get(..DIGITS)?;
        Some((cluster, u64::from_str_radix(digits, 16).ok()?))
    }

    /// Returns the name of a row's cluster as a number; 0 if the cluster has no name yet.
    pub fn number(&self, table: &Table, row: u32) -> u64 {
        let ItemId(item) = table.item(Row(row));
        let name = self.names.get(&table.cluster_of()[item as usize]);
        name.copied().unwrap_or_default()
    }

    /// Stores the names returned by [`Self::named`].
    pub fn keep(&mut self, named: impl IntoIterator<Item = (u32, u64)>) {
        self.names.extend(named);
    }
}

/// Files of the sums of a run.
pub struct Summary {
    /// File of sums per cluster.
    pub cells: File,
    /// File of sums over all clusters.
    pub totals: File,
    /// Splits for which there are sums.
    pub splits: Vec<String>,
}

/// Encodes the cells of all runs; `None` for a run without cells. `part_of` contains the run of
/// each row.
///
/// # Errors
/// The sums cannot be encoded.
pub fn cells(
    table: &Table,
    runs: &[Run],
    part_of: &[u32],
    clusters: &Clusters,
) -> Result<Vec<Option<Summary>>, PublishError> {
    let found = sums(table, part_of);
    let by_run = by_run(&found, runs.len());
    let file = |(run, cells): (&Run, Vec<(usize, Cell)>)| {
        if cells.is_empty() {
            return Ok(None);
        }
        let totals = totals(&found, &cells);
        let totals: Vec<Line<'_>> = totals
            .iter()
            .map(|(of, cell)| Line::new(table, &found[*of], cell, None))
            .collect();
        let lines: Vec<Line<'_>> = cells
            .iter()
            .map(|(of, cell)| Line::new(table, &found[*of], cell, Some(clusters)))
            .collect();
        let name = format!("{} {}", run.model, run.benchmark);
        let file = |name: &str, lines: &[Line<'_>]| -> Result<File, PublishError> {
            let bytes = encode(lines);
            let bytes = bytes.map_err(|error| PublishError::Encode(error.to_string()))?;
            Ok(File::new(CELLS, name, bytes))
        };
        Ok(Some(Summary {
            cells: file(&name, &lines)?,
            totals: file(&format!("totals {name}"), &totals)?,
            splits: splits(&found),
        }))
    };
    runs.iter().zip(by_run).map(file).collect()
}

/// Computes the sums over the rows of a table. `part_of` contains the run of each row.
pub fn sums(table: &Table, part_of: &[u32]) -> Vec<MeasureSums> {
    let selection = Selection::all(table, Scoring::Harness);
    summed(selection, &stable_splits(table), part_of)
}

/// Distributes the cells to their runs, each with the index of its sum.
pub fn by_run(sums: &[MeasureSums], runs: usize) -> Vec<Vec<(usize, Cell)>> {
    let mut by_run: Vec<Vec<(usize, Cell)>> = vec![Vec::new(); runs];
    for (of, summed) in sums.iter().enumerate() {
        for cell in &summed.cells {
            if let Some(cells) = by_run.get_mut(cell.part as usize) {
                cells.push((of, *cell));
            }
        }
    }
    by_run
}

/// Returns the names of the splits for which there are sums.
pub fn splits(sums: &[MeasureSums]) -> Vec<String> {
    let splits = sums.iter().filter_map(|summed| summed.bin.as_ref());
    let splits: BTreeSet<String> = splits.map(|bin| bin.by.clone()).collect();
    splits.into_iter().collect()
}

/// Adds up the cells of sums without bins over all clusters. With these totals, scores are computed
/// faster.
fn totals(found: &[MeasureSums], cells: &[(usize, Cell)]) -> Vec<(usize, Cell)> {
    let mut totals: BTreeMap<(usize, u16), Cell> = BTreeMap::new();
    let whole = cells.iter().filter(|(of, _)| found[*of].bin.is_none());
    for (of, cell) in whole {
        let known = totals.entry((*of, cell.model));
        known.and_modify(|sum| sum.join(cell)).or_insert(*cell);
    }
    let totals = totals.into_iter();
    totals.map(|((of, _), cell)| (of, cell)).collect()
}

/// Returns the types of the columns in files of sums, by name of the column.
pub fn column_types() -> Types {
    types(&columns())
}

fn columns() -> Vec<(String, Kind)> {
    let texts = TEXTS.map(|name| (name.to_owned(), Kind::Text));
    let numbers = NUMBERS.map(|name| (name.to_owned(), Kind::Number));
    texts.into_iter().chain(numbers).collect()
}

/// One cell as a row of the file.
pub struct Line<'a> {
    texts: [Option<Cow<'a, str>>; TEXTS.len()],
    numbers: [Option<f64>; NUMBERS.len()],
}

impl<'a> Line<'a> {
    /// Returns the text in a column.
    pub fn text(&self, name: &str) -> Option<&str> {
        let at = TEXTS.iter().position(|known| *known == name)?;
        self.texts[at].as_deref()
    }

    /// Returns the number in a column.
    pub fn number(&self, name: &str) -> Option<f64> {
        let at = NUMBERS.iter().position(|known| *known == name)?;
        self.numbers[at]
    }

    /// Creates the row of a cell. Without clusters, creates the row of a total.
    #[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 answers")]
    pub fn new(
        table: &'a Table,
        of: &'a MeasureSums,
        cell: &Cell,
        clusters: Option<&Clusters>,
    ) -> Self {
        let names = table.names();
        let name = &names.models.values()[usize::from(cell.model)];
        let (model, run) = names.plain(name);
        let bin = of.bin.as_ref();
        let extreme = |value: f64| (cell.n > 0).then_some(value);
        let rules = of.rules.get(&cell.part).map(|rules| {
            let names = rules.iter().map(|rule| rule.name().unwrap_or(UNSTATED));
            names.collect::<Vec<_>>().join(" ")
        });
        let cluster = u32::try_from(cell.cluster).ok();
        let cluster = clusters.and_then(|clusters| clusters.names.get(&cluster?));
        let text = |text: &'a str| Some(Cow::Borrowed(text));
        Self {
            texts: [
                text(&of.ability.benchmark),
                text(&of.ability.name),
                text(model),
                run.and_then(text),
                of.split.as_deref().and_then(text),
                text(&of.scored_as),
                text(&of.metric),
                text(match of.statistic {
                    _ if of.of_rows => OF_ROWS,
                    Statistic::RootMean => ROOT_MEAN,
                    Statistic::Mean | Statistic::Median => "mean",
                }),
                rules.map(Cow::Owned),
                bin.and_then(|bin| text(&bin.by)),
                bin.and_then(|bin| text(&bin.label)),
            ],
            numbers: [
                Some(f64::from(u8::from(of.headline))),
                bin.and_then(|bin| bin.place).map(f64::from),
                bin.and_then(|bin| bin.center),
                cluster.map(|cluster| *cluster as f64),
                Some(cell.n as f64),
                Some(cell.samples as f64),
                Some(cell.items as f64),
                Some(cell.sum),
                Some(cell.right as f64),
                Some(cell.others as f64),
                extreme(cell.low),
                extreme(cell.high),
                Some(cell.invalid as f64),
            ],
        }
    }
}

fn encode(lines: &[Line<'_>]) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(Form::Parquet, &mut bytes, &columns())?;
    for group in lines.chunks(GROUP) {
        let texts = (0..TEXTS.len()).map(|at| {
            let column = group.iter().map(|row| row.texts[at].as_deref());
            Column::Text(column.map(|text| text.map(Cow::Borrowed)).collect())
        });
        let numbers = (0..NUMBERS.len()).map(|at| {
            let column = group.iter().map(|row| row.numbers[at]);
            Column::Number(column.collect())
        });
        writer.write(texts.chain(numbers).collect())?;
    }
    writer.finish()?;
    Ok(bytes)
}
