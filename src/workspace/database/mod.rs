//! Data sets in a database: what `eyechart publish --to clickhouse://…` writes, and how it is read.
//!
//! Rows, texts and sums lie in tables of their own, each row under the number of the publishing that wrote it. A publishing
//! counts when its line in the table of runs is there, which comes last: who stops before it leaves rows under a number that
//! nobody reads. Nothing is written over, and of several states of a run the newest counts, so that of several who publish
//! at a time none is lost. Each line says how many rows and sums belong to it, and whoever reads fewer refuses them.

mod block;
mod bring;
mod found;
mod insert;
mod open;
mod sums;
mod tables;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use clickhouse::{ClickHouseError, Line, Place, Rows, Server, name};
use reader::data_set::Run;
use store::Address;

use crate::publish::PublishError;
use tables::Table;

pub use bring::Brought;
pub use insert::publish;
pub use open::OpenDatabase;
pub use sums::{DatabaseSums, WantedSums};

/// The layout of the tables that this program writes and reads.
const LAYOUT: u32 = 2;

/// A database with data sets.
#[derive(Clone, Debug)]
pub struct Database {
    server: Server,
    place: Place,
}

/// A run that counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// What is known of it without its rows. It has no files.
    pub run: Run,
    /// A hash of everything that it holds.
    hash: String,
    /// The publishing that wrote its rows.
    load: u64,
    /// Which state of the run it is.
    version: u64,
    /// Its place among the runs.
    place: u32,
    /// Its rows: predictions, and what it tells beside them.
    rows: u64,
    /// Its sums: lines of the table.
    cells: u64,
    /// What they are sums of.
    measures: u64,
}

impl Database {
    /// The database of an address, with the password of this process's environment; `None` if the address is that of
    /// another kind of store. Nothing is asked of it yet.
    ///
    /// # Errors
    /// The address is wrong, or the password cannot be sent.
    #[must_use]
    pub fn of(address: &Address) -> Option<Result<Self, ClickHouseError>> {
        let place = Place::of(address)?;
        Some(Server::open(&place).map(|server| Self::new(server, place)))
    }

    /// A database of a server.
    #[must_use]
    pub const fn new(server: Server, place: Place) -> Self {
        Self { server, place }
    }

    /// Where it is, as it may be shown.
    #[must_use]
    pub fn shown(&self) -> String {
        self.place.to_string()
    }

    /// The name of a table with that of the database.
    fn table(&self, table: &Table) -> String {
        format!("{}.{}", name(self.place.database()), name(table.name))
    }

    fn failed(&self, why: ClickHouseError) -> PublishError {
        PublishError::Database {
            place: self.shown(),
            why,
        }
    }

    /// The runs that count, in their order.
    ///
    /// # Errors
    /// They cannot be had, or another version wrote them.
    pub fn runs(&self) -> Result<Vec<Published>, PublishError> {
        let columns = tables::RUNS.names();
        let sql = format!("SELECT {columns} FROM {}", self.table(&tables::RUNS));
        let go_on = &mut || ControlFlow::Continue(());
        let found = self.server.rows(&sql, go_on, read_run);
        let found = found.map_err(|why| self.failed(why))?;
        let mut newest: BTreeMap<[String; 3], Published> = BTreeMap::new();
        for found in found {
            let own = found.map_err(PublishError::Manifest)?;
            let key = own.key();
            match newest.get_mut(&key) {
                Some(known) if (known.version, known.load) >= (own.version, own.load) => {}
                Some(known) => *known = own,
                None => drop(newest.insert(key, own)),
            }
        }
        let mut newest: Vec<Published> = newest.into_values().collect();
        newest.sort_by_key(|run| run.place);
        Ok(newest)
    }
}

/// A line of the table of runs; or why it cannot be understood.
fn read_run(row: &mut Rows<'_>) -> Result<Result<Published, String>, ClickHouseError> {
    let layout = row.u32()?;
    let [load, version] = [row.u64()?, row.u64()?];
    let place = row.u32()?;
    let hash = row.text()?;
    // For other programs; the facts have them too.
    for _ in 0..3 {
        row.text()?;
    }
    row.option()?;
    row.u64()?;
    let [rows, cells, measures] = [row.u64()?, row.u64()?, row.u64()?];
    let facts = row.text()?;
    if layout != LAYOUT {
        return Ok(Err(format!(
            "its tables have layout {layout}, and this version of eyechart reads layout {LAYOUT}"
        )));
    }
    let damaged = |error| format!("a line of its runs is damaged: {error}");
    let run = serde_json::from_str(&facts).map_err(damaged);
    Ok(run.map(|run| Published {
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

impl Published {
    /// What tells it from other runs.
    fn key(&self) -> [String; 3] {
        key_of(&self.run)
    }

    /// Adds its line.
    fn write(&self, line: &mut Line) {
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

/// What is known of a run, as JSON.
fn facts(run: &Run) -> String {
    // Texts and numbers can be written.
    serde_json::to_string(run).unwrap_or_default()
}

/// `load IN (1, 2)`.
fn of_loads<'a>(runs: impl IntoIterator<Item = &'a Published>) -> String {
    let loads: Vec<String> = runs.into_iter().map(|run| run.load.to_string()).collect();
    format!("load IN ({})", loads.join(", "))
}
