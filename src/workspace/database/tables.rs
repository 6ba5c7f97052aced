//! Defines the tables of a database with data sets, and creates them.

use std::thread;
use std::time::Duration;

use analysis::ITEMS;
use store::clickhouse::{ClickHouseError, DatabaseAddress, Server, name, text as literal};

use super::Database;
use crate::export::{LONG_TEXTS, SCORE, short_texts};
use crate::publish::cells;
use crate::publish::sums::SAID;

/// Server error codes: a table or database exists, or is being created.
const MAKES: [u32; 3] = [57, 82, 253];
/// Maximum number of attempts to create a table while other clients do the same.
const TRIES: u32 = 10;
/// Delay between these attempts.
const PAUSE: Duration = Duration::from_millis(200);

/// How to combine the values of a column over several sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Sum of integers.
    Count,
    /// Sum of integers modulo [`analysis::ITEMS`].
    Rest,
    /// Sum of floats.
    Total,
    /// Minimum of the values.
    Low,
    /// Maximum of the values.
    High,
}

/// Numeric columns of sums, with the way to combine each. All other columns describe the sum.
pub const SUMS: [(&str, Fold); 9] = [
    ("n", Fold::Count),
    ("samples", Fold::Count),
    ("items", Fold::Rest),
    ("total", Fold::Total),
    ("ones", Fold::Count),
    ("others", Fold::Count),
    ("low", Fold::Low),
    ("high", Fold::High),
    ("invalid", Fold::Count),
];

/// Column with the number of the cluster.
const CLUSTER: &str = "cluster";

/// Definition of a table.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Name without the database.
    pub name: &'static str,
    /// Column that determines the node of a row. All rows of a cluster of samples are on one node.
    by: &'static str,
    /// Sort key of the rows.
    order: &'static str,
    columns: fn() -> Vec<(String, &'static str)>,
}

/// List of the published runs.
pub const RUNS: Table = Table {
    name: "eyechart_runs",
    by: "load",
    order: "load",
    columns: || {
        owned(&[
            ("layout", "UInt32"),
            ("load", "UInt64"),
            ("version", "UInt64"),
            ("place", "UInt32"),
            ("hash", "String"),
            ("origin", "String"),
            ("benchmark", "String"),
            ("model", "String"),
            ("run", "Nullable(String)"),
            ("n", "UInt64"),
            ("rows", "UInt64"),
            ("cells", "UInt64"),
            ("measures", "UInt64"),
            ("facts", "String"),
        ])
    },
};

/// Rows without their long texts: model, sample, answer and score.
pub const ROWS: Table = Table {
    name: "eyechart_rows",
    by: "cluster",
    order: "load, row",
    columns: || {
        let mut columns = owned(&[("load", "UInt64"), ("row", "UInt32"), ("cluster", "UInt64")]);
        columns.extend(short_texts().map(|name| (name.to_owned(), "Nullable(String)")));
        columns.extend(owned(&[
            (SCORE, "Float64"),
            ("text_names", "Array(String)"),
            ("text_values", "Array(String)"),
            ("number_names", "Array(String)"),
            ("number_values", "Array(Float64)"),
        ]));
        columns
    },
};

/// Long texts of the rows: questions, answers, boxes.
pub const WORDS: Table = Table {
    name: "eyechart_texts",
    by: "cluster",
    order: "load, row",
    columns: || {
        let mut columns = owned(&[("load", "UInt64"), ("row", "UInt32"), ("cluster", "UInt64")]);
        columns.extend(LONG_TEXTS.map(|name| (name.to_owned(), "Nullable(String)")));
        columns
    },
};

/// Measures of each run, which describe its sums.
pub const MEASURES: Table = Table {
    name: "eyechart_measures",
    by: "measure",
    order: "load, measure",
    columns: || {
        let mut columns = owned(&[
            ("load", "UInt64"),
            ("measure", "UInt64"),
            ("sequence", "UInt32"),
            ("groups", "UInt64"),
            ("n", "UInt64"),
        ]);
        columns.extend(SAID.map(|name| (name.to_owned(), "Nullable(String)")));
        columns.extend(said_by_numbers().map(|name| (name.to_owned(), "Float64")));
        columns
    },
};

/// Sums by run, measure and cluster.
pub const CELLS: Table = Table {
    name: "eyechart_cells",
    by: "cluster",
    order: "load, measure, cluster",
    columns: || {
        let mut columns = owned(&[
            ("load", "UInt64"),
            ("measure", "UInt64"),
            ("cluster", "UInt64"),
        ]);
        columns.extend(SUMS.map(|(name, fold)| (name.to_owned(), fold.kind())));
        columns
    },
};

/// All tables, in the order in which they are written.
pub const ALL: [Table; 5] = [ROWS, WORDS, MEASURES, CELLS, RUNS];

fn owned(columns: &[(&'static str, &'static str)]) -> Vec<(String, &'static str)> {
    let columns = columns.iter();
    columns
        .map(|(name, kind)| ((*name).to_owned(), *kind))
        .collect()
}

/// Returns the numeric columns that describe a sum.
pub fn said_by_numbers() -> impl Iterator<Item = &'static str> {
    let is_sum = |name: &str| SUMS.iter().any(|(sum, _)| *sum == name);
    let numbers = cells::NUMBERS.into_iter();
    numbers.filter(move |name| *name != CLUSTER && !is_sum(name))
}

impl Fold {
    const fn kind(self) -> &'static str {
        match self {
            Self::Count | Self::Rest => "UInt64",
            Self::Total | Self::Low | Self::High => "Float64",
        }
    }

    /// Returns the SQL expression that combines the values of a column.
    pub fn of(self, column: &str) -> String {
        let column = name(column);
        match self {
            Self::Count | Self::Total => format!("sum({column})"),
            // An overflow at 2^64 does not change the remainder.
            Self::Rest => format!("toUInt64(sum({column}) % {ITEMS})"),
            Self::Low => format!("min({column})"),
            Self::High => format!("max({column})"),
        }
    }
}

impl Table {
    /// Returns the column names, separated by commas.
    pub fn names(&self) -> String {
        let columns = (self.columns)();
        let names: Vec<String> = columns.iter().map(|(column, _)| name(column)).collect();
        names.join(", ")
    }

    fn columns(&self) -> String {
        let columns = (self.columns)();
        let columns = columns
            .iter()
            .map(|(column, kind)| format!("{} {kind}", name(column)));
        columns.collect::<Vec<_>>().join(", ")
    }

    /// Returns the SQL that creates the table. In a cluster, creates a local table on each node,
    /// and a distributed table over them.
    fn create(&self, place: &DatabaseAddress, on: &str) -> Vec<String> {
        let database = name(place.database());
        let make = |table: &str, engine: &str| {
            let (table, columns) = (name(table), self.columns());
            format!(
                "CREATE TABLE IF NOT EXISTS {database}.{table}{on} ({columns}) ENGINE = {engine}"
            )
        };
        let own = format!(
            "MergeTree PARTITION BY tuple() ORDER BY ({}) SETTINGS index_granularity = 8192",
            self.order
        );
        let Some(cluster) = place.cluster() else {
            return vec![make(self.name, &own)];
        };
        let local = format!("{}_local", self.name);
        let over = format!(
            "Distributed({}, {database}, {}, {})",
            name(cluster),
            name(&local),
            name(self.by)
        );
        vec![make(&local, &own), make(self.name, &over)]
    }
}

impl Database {
    /// Creates missing tables on every node of the address. If the address lists no nodes, creates
    /// them on all nodes of the cluster, which then need a common Keeper.
    ///
    /// # Errors
    /// The tables cannot be created.
    pub(super) fn create(&self) -> Result<(), ClickHouseError> {
        let nodes = self.place.nodes();
        let on = match self.place.cluster() {
            Some(cluster) if nodes.is_empty() => format!(" ON CLUSTER {}", name(cluster)),
            _ => String::new(),
        };
        if self.has_tables(&self.server)? && nodes.is_empty() {
            return Ok(());
        }
        make(&self.server, &self.place, &on)?;
        for node in nodes {
            make(&self.server.at(&node)?, &node, "")?;
        }
        Ok(())
    }

    /// Returns true if all tables exist.
    fn has_tables(&self, server: &Server) -> Result<bool, ClickHouseError> {
        let names: Vec<String> = ALL.iter().map(|table| literal(table.name)).collect();
        let sql = format!(
            "SELECT count() FROM system.tables WHERE database = {} AND name IN ({})",
            literal(self.place.database()),
            names.join(", ")
        );
        let found = server.numbers(&sql)?;
        Ok(found.first() == Some(&(ALL.len() as u64)))
    }
}

fn make(server: &Server, place: &DatabaseAddress, on: &str) -> Result<(), ClickHouseError> {
    let sql = format!(
        "SELECT count() FROM system.databases WHERE name = {}",
        literal(place.database())
    );
    // The user may be allowed to write, but not to create a database.
    if server.numbers(&sql)?.first() == Some(&0) {
        let database = name(place.database());
        execute(
            server,
            &format!("CREATE DATABASE IF NOT EXISTS {database}{on}"),
        )?;
    }
    for table in ALL {
        for sql in table.create(place, on) {
            execute(server, &sql)?;
        }
    }
    Ok(())
}

/// Runs a statement that creates a table or database. Retries, because old servers refuse it while
/// another client does the same.
fn execute(server: &Server, sql: &str) -> Result<(), ClickHouseError> {
    for _ in 0..TRIES {
        match server.execute(sql) {
            Err(error) if error.code().is_some_and(|code| MAKES.contains(&code)) => {
                thread::sleep(PAUSE);
            }
            done => return done,
        }
    }
    server.execute(sql)
}
