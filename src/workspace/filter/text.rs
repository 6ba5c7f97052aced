//! Searches texts: names, questions and targets in memory, and responses in their logs.

use std::collections::BTreeMap;

use rayon::prelude::*;
use regex::{Regex, RegexBuilder};

use crate::text::response;
use record::{Row, Source, Table};

/// Test of a text.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// A regular expression.
    Regex(Regex),
    /// The text equals this, ignoring ASCII case.
    Equal(String),
    /// The text differs from this, ignoring ASCII case.
    Unequal(String),
}

impl Pattern {
    /// Creates a pattern for texts that contain `value`, ignoring case.
    pub fn contains(value: &str) -> Self {
        let literal = RegexBuilder::new(&regex::escape(value))
            .case_insensitive(true)
            .build();
        literal.map_or_else(|_| Self::Equal(value.to_owned()), Self::Regex)
    }

    /// Returns true if the text passes the test.
    pub fn matches(&self, text: &str) -> bool {
        match self {
            Self::Regex(regex) => regex.is_match(text),
            Self::Equal(value) => text.eq_ignore_ascii_case(value),
            Self::Unequal(value) => !text.eq_ignore_ascii_case(value),
        }
    }
}

/// Tests the responses of some predictions. Reads one log after another, each in the order of its
/// lines. Returns one flag per prediction of the table.
pub fn scan_responses(
    table: &Table,
    rows: impl Iterator<Item = Row>,
    pattern: &Pattern,
) -> Vec<bool> {
    let mut by_unit: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for Row(row) in rows {
        by_unit
            .entry(table.place(Row(row)).unit)
            .or_default()
            .push(row);
    }
    let jobs: Vec<(&Source, &[u32])> = by_unit
        .iter()
        .filter_map(|(&unit, rows)| Some((table.sources().get(unit as usize)?, rows)))
        .flat_map(|(source, rows)| rows.chunks(16_384).map(move |rows| (source, rows)))
        .collect();
    let found: Vec<u32> = jobs
        .par_iter()
        .flat_map_iter(|(source, rows)| scan(table, source, rows, pattern))
        .collect();
    let mut flags = vec![false; table.len()];
    for row in found {
        if let Some(flag) = flags.get_mut(row as usize) {
            *flag = true;
        }
    }
    flags
}

fn scan(table: &Table, source: &Source, rows: &[u32], pattern: &Pattern) -> Vec<u32> {
    let Ok(mut lines) = source.lines() else {
        return Vec::new();
    };
    let mut passes = |&row: &u32| {
        let line = lines.fetch(table.place(Row(row))).ok()?;
        let response = response(source, line)?;
        pattern.matches(&response).then_some(row)
    };
    rows.iter().filter_map(&mut passes).collect()
}
