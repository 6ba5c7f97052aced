//! The rank heat grid.

use crate::shared::Shared;
use benchmark::short_name;
use format::{fixed, visible};
use record::Kind;
use widget::heat_grid::{HeatColumn, HeatGrid, HeatRow};

use super::data::{Cells, Column, Fingerprint, Row};

/// Three letters and the whole name of each column.
pub fn labels(columns: &[Column]) -> Vec<(String, String)> {
    let label = |column: &Column| {
        let name = visible(&column.ability).replace('_', " ");
        let short = short_name(&column.ability);
        match column.split.as_deref().map(visible) {
            None => (short, name),
            Some(split) => (short_split(&short, &split), format!("{name} {split}")),
        }
    };
    columns.iter().map(label).collect()
}

/// `eie` and `eih` for existence, easy and hard; `cir` for classification, `imagenet_r`.
fn short_split(ability: &str, split: &str) -> String {
    let initials: String = split
        .split('_')
        .filter_map(|word| word.chars().next())
        .take(2)
        .collect();
    let first = ability.chars().next();
    // First and last letter tell `ref` and `rel` apart.
    let last = ability
        .chars()
        .last()
        .filter(|_| initials.chars().count() < 2);
    first
        .into_iter()
        .chain(last)
        .chain(initials.chars())
        .collect()
}

/// The widget borrows its cells, so that it is lent and not given.
pub fn with_grid<T>(
    shared: &Shared,
    fingerprint: &Fingerprint<'_>,
    said: Cells,
    use_it: impl FnOnce(HeatGrid<'_>) -> T,
) -> T {
    let labels = labels(&fingerprint.columns);
    let columns: Vec<HeatColumn<'_>> = labels
        .iter()
        .map(|(short, long)| HeatColumn { short, long })
        .collect();
    let cells = |row| {
        (0..columns.len())
            .map(|column| fingerprint.cell(column, row, said))
            .collect()
    };
    let row = |(at, row): (usize, &Row)| HeatRow {
        name: visible(&fingerprint.name(row)).into_owned().into(),
        series: shared.picked.iter().position(|picked| *picked == row.model),
        lead: vec![match row.kind {
            Kind::Model => fixed(row.average, 2).into(),
            kind => kind.short().into(),
        }],
        cells: cells(at),
        apart: row.kind != Kind::Model,
    };
    let rows: Vec<HeatRow<'_>> = fingerprint.models.iter().enumerate().map(row).collect();
    use_it(HeatGrid {
        theme: &shared.theme,
        lead: &["avg"],
        columns: &columns,
        rows: &rows,
    })
}
