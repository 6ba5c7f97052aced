//! The tables of a database with data sets, and how they are made.

use std::thread;
use std::time::Duration;

use analysis::ITEMS;
use clickhouse::{ClickHouseError, Place, Server, name, text as literal};

use super::Database;
use crate::export::{LONG_TEXTS, SCORE, short_texts};
use crate::publish::cells;
use crate::publish::sums::SAID;

/// The server's numbers of the errors with which it says that a table or a database is there, or is being made.
const MAKES: [u32; 3] = [57, 82, 253];
/// How often making is tried beside another client, and the pause between.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(200);

/// What a column of sums holds of several sums together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// The sum of whole numbers.
    Count,
    /// The sum of whole numbers modulo [`analysis::ITEMS`].
    Rest,
    /// The sum of numbers.
    Total,
    /// The smallest number.
    Low,
    /// The largest number.
    High,
}

/// The columns of sums that are numbers, each with what several are together. All others say what is summed.
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

/// The column that says whose sums they are.
const CLUSTER: &str = "cluster";

/// A table.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// The column by which its rows are spread over the nodes of a cluster: all rows of one cluster of samples lie on one.
    by: &'static str,
    /// By what they are sorted.
    order: &'static str,
    columns: fn() -> Vec<(String, &'static str)>,
}

/// The runs that count.
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

/// Narrow columns of the rows: who answered what how well.
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

/// The texts that belong to the rows: questions, answers, boxes.
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

/// What sums are of, run by run.
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

/// All of them, each after those that it says something of.
pub const ALL: [Table; 5] = [ROWS, WORDS, MEASURES, CELLS, RUNS];

fn owned(columns: &[(&'static str, &'static str)]) -> Vec<(String, &'static str)> {
    let columns = columns.iter();
    columns
        .map(|(name, kind)| ((*name).to_owned(), *kind))
        .collect()
}

/// The columns of numbers that say what sums are of.
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

    /// What several are together.
    pub fn of(self, column: &str) -> String {
        let column = name(column);
        match self {
            Self::Count | Self::Total => format!("sum({column})"),
            // A sum that wraps at 2^64 has the same rest.
            Self::Rest => format!("toUInt64(sum({column}) % {ITEMS})"),
            Self::Low => format!("min({column})"),
            Self::High => format!("max({column})"),
        }
    }
}

impl Table {
    /// The names of its columns, between commas.
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

    /// The SQL that makes it: the tables of one node, and over them the one that all nodes have together.
    fn create(&self, place: &Place, on: &str) -> Vec<String> {
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
    /// Makes the tables where they are not there yet: on every node that the address names, and without any on all nodes of
    /// the cluster, which share a Keeper then.
    ///
    /// # Errors
    /// They cannot be made.
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

    /// Returns true if all tables are there.
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

fn make(server: &Server, place: &Place, on: &str) -> Result<(), ClickHouseError> {
    let sql = format!(
        "SELECT count() FROM system.databases WHERE name = {}",
        literal(place.database())
    );
    // Who may write into it may not be allowed to make one.
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

/// Makes something that is not there. Old servers refuse it while another client makes the same.
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
