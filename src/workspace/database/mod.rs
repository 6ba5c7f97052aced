//! Reads and writes data sets in a database, as in `eyechart publish --to clickhouse://…`.
//!
//! Rows, texts and sums are in separate tables. Each row contains the number of its publication. A
//! publication is valid once its line is in the table of runs, which is written last. Rows of
//! interrupted publications are therefore never read.
//!
//! Nothing is overwritten, and the newest version of a run is valid. So concurrent publications do
//! not lose data. The line of a run contains its numbers of rows and sums, and readers reject
//! incomplete runs.

mod block;
mod download;
mod insert;
mod open;
mod run_cells;
mod sums;
mod tables;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use reader::data_set::Run;
use store::Address;
use store::clickhouse::{ClickHouseError, DatabaseAddress, RowBuffer, Rows, Server, name};

use crate::publish::PublishError;
use tables::Table;

pub use download::{DatabaseDownload, Extent};
pub use insert::publish;
pub use open::OpenDatabase;
pub use sums::{DatabaseSums, SumsRequest};

/// Version of the table layout that this program reads and writes.
const LAYOUT: u32 = 2;

/// A database that contains data sets.
#[derive(Clone, Debug)]
pub struct Database {
    server: Server,
    place: DatabaseAddress,
}

/// A published run in its current version.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedRun {
    /// Metadata of the run, without a list of files.
    pub run: Run,
    /// Hash of the run's content.
    hash: String,
    /// Number of the publication that wrote its rows.
    load: u64,
    /// Version of the run. The highest version is the valid one.
    version: u64,
    /// Position of the run in the data set.
    place: u32,
    /// Number of rows: predictions and other records.
    rows: u64,
    /// Number of rows in the table of sums.
    cells: u64,
    /// Number of rows in the table of measures.
    measures: u64,
}

impl Database {
    /// Connects to the database of an address, with the password from the environment. Sends no
    /// query. `None` for other kinds of stores.
    ///
    /// # Errors
    /// The address is invalid, or the password cannot be sent.
    pub fn of(address: &Address) -> Option<Result<Self, ClickHouseError>> {
        let place = DatabaseAddress::of(address)?;
        Some(Server::open(&place).map(|server| Self::new(server, place)))
    }

    /// Wraps a database on a server.
    pub const fn new(server: Server, place: DatabaseAddress) -> Self {
        Self { server, place }
    }

    /// Returns the address of the database for display.
    pub fn shown(&self) -> String {
        self.place.to_string()
    }

    /// Returns the quoted name of a table, with the name of the database.
    fn table(&self, table: &Table) -> String {
        format!("{}.{}", name(self.place.database()), name(table.name))
    }

    fn failed(&self, why: ClickHouseError) -> PublishError {
        PublishError::Database {
            place: self.shown(),
            why,
        }
    }

    /// Returns the current runs, in order.
    ///
    /// # Errors
    /// The runs cannot be read, or another version of the program wrote them.
    pub fn runs(&self) -> Result<Vec<PublishedRun>, PublishError> {
        let columns = tables::RUNS.names();
        let sql = format!("SELECT {columns} FROM {}", self.table(&tables::RUNS));
        let go_on = &mut || ControlFlow::Continue(());
        let found = self.server.rows(&sql, go_on, read_run);
        let found = found.map_err(|why| self.failed(why))?;
        let mut newest: BTreeMap<[String; 3], PublishedRun> = BTreeMap::new();
        for found in found {
            let own = found.map_err(PublishError::Manifest)?;
            let key = own.key();
            match newest.get_mut(&key) {
                Some(known) if (known.version, known.load) >= (own.version, own.load) => {}
                Some(known) => *known = own,
                None => drop(newest.insert(key, own)),
            }
        }
        let mut newest: Vec<PublishedRun> = newest.into_values().collect();
        newest.sort_by_key(|run| run.place);
        Ok(newest)
    }
}

/// Parses a line of the table of runs. The inner error describes an invalid line.
fn read_run(row: &mut Rows<'_>) -> Result<Result<PublishedRun, String>, ClickHouseError> {
    let layout = row.u32()?;
    let [load, version] = [row.u64()?, row.u64()?];
    let place = row.u32()?;
    let hash = row.text()?;
    // These columns are for other programs; the metadata contains the same values.
    for _ in 0..3 {
        row.text()?;
    }
    row.option()?;
    row.u64()?;
    let [rows, cells, measures] = [row.u64()?, row.u64()?, row.u64()?];
    let facts = row.text()?;
    if layout != LAYOUT {
        return Ok(Err(format!(
            "its tables have layout {layout}, but this version of eyechart reads layout {LAYOUT}"
        )));
    }
    let damaged = |error| format!("a row of its runs table is damaged: {error}");
    let run = serde_json::from_str(&facts).map_err(damaged);
    Ok(run.map(|run| PublishedRun {
        run,
        hash,
        load,
        version,
        place,
        rows,
        cells,
        measures,
    }))
}

impl PublishedRun {
    /// Returns the key that identifies the run.
    fn key(&self) -> [String; 3] {
        key_of(&self.run)
    }

    /// Encodes the run as a line of the table of runs.
    fn write(&self, line: &mut RowBuffer) {
        let Run {
            origin,
            benchmark,
            model,
            n,
            ..
        } = &self.run;
        line.u32(LAYOUT).u64(self.load).u64(self.version);
        line.u32(self.place).text(&self.hash);
        line.text(origin).text(benchmark).text(model);
        line.option(self.run.run.as_deref());
        line.u64(*n).u64(self.rows).u64(self.cells);
        line.u64(self.measures).text(&facts(&self.run));
    }
}

fn key_of(run: &Run) -> [String; 3] {
    [&run.benchmark, &run.model, &run.origin].map(Clone::clone)
}

/// Formats a run's metadata as JSON.
fn facts(run: &Run) -> String {
    // Serialising strings and numbers cannot fail.
    serde_json::to_string(run).unwrap_or_default()
}

/// Formats a condition such as `load IN (1, 2)`.
fn of_loads<'a>(runs: impl IntoIterator<Item = &'a PublishedRun>) -> String {
    let loads: Vec<String> = runs.into_iter().map(|run| run.load.to_string()).collect();
    format!("load IN ({})", loads.join(", "))
}
