//! The sums over the rows of each run, by which other programs and larger tables are scored without reading them.

use std::collections::HashMap;

use analysis::{Cell, Selection, Statistic, Summed, stable_splits, summed};
use reader::data_set::{CELLS, Run};
use record::{ItemId, Record, Row, Scoring, Table};
use tabular::{Column, Error, Form, Writer};

use super::PublishError;
use super::encode::{File, Types, types};
use crate::export::GROUP;

/// The columns that hold texts.
const TEXTS: [&str; 10] = [
    "benchmark",
    "ability",
    "model",
    "run",
    "split",
    "metric",
    "statistic",
    "axis",
    "bin",
    "cluster",
];
/// The columns that hold numbers.
const NUMBERS: [&str; 8] = [
    "headline", "n", "total", "ones", "others", "low", "high", "invalid",
];
/// Digits of the hash that stands for a cluster.
const DIGITS: usize = 16;

/// What clusters are called in every data set: by the first picture of their first item, or by its sample.
#[derive(Debug)]
pub struct Clusters {
    /// By the code of a cluster: the first row that is in it.
    first: HashMap<u32, u32>,
    names: HashMap<u32, String>,
}

impl Clusters {
    /// Those of a table, without names yet.
    #[must_use]
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

    /// The cluster that a record names, if its row is the first of one.
    #[must_use]
    pub fn named(&self, table: &Table, row: u32, record: &Record) -> Option<(u32, String)> {
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
        Some((cluster, hash.chars().take(DIGITS).collect()))
    }

    /// Keeps names that [`Self::named`] gave.
    pub fn keep(&mut self, named: impl IntoIterator<Item = (u32, String)>) {
        self.names.extend(named);
    }
}

/// The cells of all runs, each in a file of its own where it has any, and the types of their columns. `part_of` says of
/// each row of the table which run it is in.
///
/// # Errors
/// They cannot be encoded.
pub fn cells(
    table: &Table,
    runs: &[Run],
    part_of: &[u32],
    clusters: &Clusters,
) -> Result<Vec<Option<File>>, PublishError> {
    let selection = Selection::all(table, Scoring::Harness);
    let mut by_run: Vec<Vec<(usize, Cell)>> = vec![Vec::new(); runs.len()];
    let found = summed(selection, &stable_splits(table), part_of);
    for (of, summed) in found.iter().enumerate() {
        for cell in &summed.cells {
            if let Some(cells) = by_run.get_mut(cell.part as usize) {
                cells.push((of, *cell));
            }
        }
    }
    let file = |(run, cells): (&Run, Vec<(usize, Cell)>)| {
        if cells.is_empty() {
            return Ok(None);
        }
        let rows: Vec<Line<'_>> = cells
            .iter()
            .map(|(of, cell)| Line::new(table, &found[*of], cell, clusters))
            .collect();
        let bytes = encode(&rows).map_err(|error| PublishError::Encode(error.to_string()))?;
        let name = format!("{} {}", run.model, run.benchmark);
        Ok(Some(File::new(CELLS, &name, bytes)))
    };
    runs.iter().zip(by_run).map(file).collect()
}

/// The types of the columns.
#[must_use]
pub fn column_types() -> Types {
    types(&columns())
}

fn columns() -> Vec<(String, bool)> {
    let texts = TEXTS.map(|name| (name.to_owned(), false));
    let numbers = NUMBERS.map(|name| (name.to_owned(), true));
    texts.into_iter().chain(numbers).collect()
}

/// One cell as a row.
struct Line<'a> {
    texts: [Option<&'a str>; TEXTS.len()],
    numbers: [Option<f64>; NUMBERS.len()],
}

impl<'a> Line<'a> {
    #[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 answers")]
    fn new(table: &'a Table, of: &'a Summed, cell: &Cell, clusters: &'a Clusters) -> Self {
        let names = table.names();
        let name = &names.models.values()[usize::from(cell.model)];
        let (model, run) = names.plain(name);
        let bin = of.bin.as_ref();
        let extreme = |value: f64| (cell.n > 0).then_some(value);
        Self {
            texts: [
                Some(&of.ability.benchmark),
                Some(&of.ability.name),
                Some(model),
                run,
                of.split.as_deref(),
                Some(&of.metric),
                Some(match of.statistic {
                    Statistic::RootMean => "root mean",
                    Statistic::Mean | Statistic::Median => "mean",
                }),
                bin.map(|(by, _)| by.as_str()),
                bin.map(|(_, bin)| bin.as_str()),
                clusters.names.get(&cell.cluster).map(String::as_str),
            ],
            numbers: [
                Some(f64::from(u8::from(of.headline))),
                Some(cell.n as f64),
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

fn encode(rows: &[Line<'_>]) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(Form::Parquet, &mut bytes, &columns())?;
    for group in rows.chunks(GROUP) {
        let texts = (0..TEXTS.len()).map(|at| {
            let column = group.iter().map(|row| row.texts[at].map(str::to_owned));
            Column::Text(column.collect())
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
