//! Writes the sums of a run to a database.

use std::collections::{BTreeMap, HashSet};

use analysis::{Cell, MeasureSums, first_bits};
use reader::data_set::Run;
use record::Table;
use store::clickhouse::RowBuffer;

use super::block::Block;
use super::facts;
use super::tables::{Fold, SUMS, said_by_numbers};
use crate::publish::PublishError;
use crate::publish::cells::{Clusters, Line as Sum};
use crate::publish::sums::SAID;

/// The sums of one run.
pub struct RunCells<'a> {
    /// The published table.
    pub table: &'a Table,
    /// Sums of all runs.
    pub sums: &'a [MeasureSums],
    /// Cells of the run, each with the index of its sum in `sums`.
    pub cells: &'a [(usize, Cell)],
}

/// A measure of one run: its encoded description, and counts.
struct Measure {
    place: u32,
    said: Vec<u8>,
    n: u64,
    clusters: HashSet<u64>,
}

impl RunCells<'_> {
    /// Returns a hash of the run's content, including the hash of its rows.
    pub fn hash(&self, clusters: &Clusters, rows: &blake3::Hash, run: &Run) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(rows.as_bytes());
        hasher.update(facts(run).as_bytes());
        for (of, cell) in self.cells {
            let sum = Sum::new(self.table, &self.sums[*of], cell, Some(clusters));
            let mut line = encode_description(&sum);
            write_sums(&mut line, &sum);
            hasher.update(line.bytes());
        }
        hasher.finalize().to_hex().to_string()
    }

    /// Writes cells and measures.
    ///
    /// # Errors
    /// The sums cannot be written.
    pub fn write(
        &self,
        clusters: &Clusters,
        load: u64,
        cells: &mut Block<'_>,
        measures: &mut Block<'_>,
    ) -> Result<(), PublishError> {
        let mut known: BTreeMap<u64, Measure> = BTreeMap::new();
        for (of, cell) in self.cells {
            let sum = Sum::new(self.table, &self.sums[*of], cell, Some(clusters));
            let said = encode_description(&sum).take();
            let id = first_bits(&blake3::hash(&said));
            let measure = known.entry(id).or_insert_with(|| Measure {
                place: u32::try_from(*of).unwrap_or(u32::MAX),
                said,
                n: 0,
                clusters: HashSet::new(),
            });
            measure.n += cell.n;
            measure.clusters.insert(cluster(&sum));
            cells.line.u64(load).u64(id);
            write_sums(&mut cells.line, &sum);
            cells.end_row()?;
        }
        for (id, measure) in known {
            let line = measures.line.u64(load).u64(id).u32(measure.place);
            line.u64(measure.clusters.len() as u64).u64(measure.n);
            line.raw(&measure.said);
            measures.end_row()?;
        }
        Ok(())
    }
}

/// Encodes the columns that describe a sum.
fn encode_description(sum: &Sum<'_>) -> RowBuffer {
    let mut line = RowBuffer::default();
    for name in SAID {
        line.option(sum.text(name));
    }
    for name in said_by_numbers() {
        line.f64(sum.number(name).unwrap_or(f64::NAN));
    }
    line
}

fn write_sums(line: &mut RowBuffer, sum: &Sum<'_>) {
    line.u64(cluster(sum));
    for (name, fold) in SUMS {
        let number = sum.number(name);
        match fold {
            Fold::Count | Fold::Rest => line.u64(whole(number)),
            Fold::Total => line.f64(number.unwrap_or_default()),
            Fold::Low => line.f64(number.unwrap_or(f64::INFINITY)),
            Fold::High => line.f64(number.unwrap_or(f64::NEG_INFINITY)),
        };
    }
}

fn cluster(sum: &Sum<'_>) -> u64 {
    whole(sum.number("cluster"))
}

/// Converts a whole number in a float column to an integer. The numbers are below 2^53.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts are whole and not negative"
)]
fn whole(number: Option<f64>) -> u64 {
    number.unwrap_or_default() as u64
}
