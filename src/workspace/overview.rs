//! What is open, benchmark by benchmark.

use std::collections::BTreeMap;

use analysis::benchmarks;
use record::{Row, Source, Table};

/// A benchmark that is open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opened {
    /// Its name.
    pub benchmark: String,
    /// Items: a sample counts once for each condition.
    pub items: u64,
    /// Predictions.
    pub answers: u64,
    /// Published scores.
    pub printed: u64,
    /// Problems in the logs that have predictions of it.
    pub problems: u64,
    /// The logs that have predictions of it, as indices into the table's sources.
    pub logs: Vec<usize>,
}

/// The benchmarks of a table, in the order of [`benchmarks`].
#[must_use]
pub fn overview(table: &Table) -> Vec<Opened> {
    let mut found: BTreeMap<&str, Opened> = BTreeMap::new();
    let abilities = table.names().abilities.values();
    let of_code = |code: u16| {
        abilities
            .get(usize::from(code))
            .map(|it| it.benchmark.as_str())
    };
    for &code in table.ability_of() {
        if let Some(name) = of_code(code) {
            found.entry(name).or_default().items += 1;
        }
    }
    let mut of_source: Vec<Vec<&str>> = vec![Vec::new(); table.sources().len()];
    for (row, &unit) in (0..).zip(table.unit_of()) {
        let Some(ability) = table.ability(table.item(Row(row))) else {
            continue;
        };
        found.entry(&ability.benchmark).or_default().answers += 1;
        if let Some(names) = of_source.get_mut(unit as usize)
            && !names.contains(&ability.benchmark.as_str())
        {
            names.push(&ability.benchmark);
        }
    }
    for row in table.published() {
        found.entry(&row.benchmark).or_default().printed += 1;
    }
    for (at, (source, names)) in table.sources().iter().zip(of_source).enumerate() {
        // A problem of a log with several benchmarks counts once.
        if let Some(name) = names.first() {
            found.entry(name).or_default().problems += Source::problem_count(source);
        }
        for name in names {
            found.entry(name).or_default().logs.push(at);
        }
    }
    let known = benchmarks(table).into_iter();
    let opened = known.map(|benchmark| Opened {
        benchmark: benchmark.clone(),
        ..found.get(benchmark.as_str()).cloned().unwrap_or_default()
    });
    opened.collect()
}
