//! Summarises the open data, per benchmark.

use std::collections::BTreeMap;

use analysis::benchmarks;
use record::{Row, Source, Table};

/// Summary of an opened benchmark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BenchmarkSummary {
    /// Benchmark, as named in the logs.
    pub benchmark: String,
    /// Number of items. A sample counts once per condition.
    pub items: u64,
    /// Number of predictions.
    pub answers: u64,
    /// Number of published scores.
    pub printed: u64,
    /// Number of problems in logs with predictions of this benchmark.
    pub problems: u64,
    /// Logs with predictions of this benchmark, as indices of the table's sources.
    pub logs: Vec<usize>,
}

/// Summarises the benchmarks of a table, in the order of [`benchmarks`].
pub fn overview(table: &Table) -> Vec<BenchmarkSummary> {
    let mut found: BTreeMap<&str, BenchmarkSummary> = BTreeMap::new();
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
        // Count the problems of a log that has several benchmarks only once.
        if let Some(name) = names.first() {
            found.entry(name).or_default().problems += Source::problem_count(source);
        }
        for name in names {
            found.entry(name).or_default().logs.push(at);
        }
    }
    let known = benchmarks(table).into_iter();
    let opened = known.map(|benchmark| BenchmarkSummary {
        benchmark: benchmark.clone(),
        ..found.get(benchmark.as_str()).cloned().unwrap_or_default()
    });
    opened.collect()
}
