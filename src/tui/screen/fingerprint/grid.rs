//! The rank heat grid.

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::app::App;
use crate::widget::heat_grid::{HeatColumn, HeatGrid, HeatGridState, HeatRow, HeatSpot};
use benchmark::short_name;
use format::{fixed, visible};
use record::Kind;

use super::data::{Column, Fingerprint, Row};

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

/// Draws the grid.
pub fn draw(
    app: &App,
    fingerprint: &Fingerprint<'_>,
    state: &mut HeatGridState,
    frame: &mut Frame<'_>,
    area: Rect,
) {
    with_grid(app, fingerprint, |grid| {
        frame.render_stateful_widget(grid, area, state);
    });
}

/// What lies at a place of the screen.
pub fn spot_at(
    app: &App,
    fingerprint: &Fingerprint<'_>,
    area: Rect,
    x: u16,
    y: u16,
) -> Option<HeatSpot> {
    with_grid(app, fingerprint, |grid| {
        grid.cell_at(area, &app.fingerprint.grid, x, y)
    })
}

/// The widget borrows its cells, so that it is lent and not given.
fn with_grid<T>(
    app: &App,
    fingerprint: &Fingerprint<'_>,
    use_it: impl FnOnce(HeatGrid<'_>) -> T,
) -> T {
    let labels = labels(&fingerprint.columns);
    let columns: Vec<HeatColumn<'_>> = labels
        .iter()
        .map(|(short, long)| HeatColumn { short, long })
        .collect();
    let cells = |row| {
        (0..columns.len())
            .map(|column| fingerprint.cell(column, row, app.fingerprint.cells))
            .collect()
    };
    let row = |(at, row): (usize, &Row)| HeatRow {
        name: visible(&row.model).into_owned().into(),
        series: app.picked.iter().position(|picked| *picked == row.model),
        lead: vec![match row.kind {
            Kind::Model => fixed(row.average, 2).into(),
            kind => kind.short().into(),
        }],
        cells: cells(at),
        apart: row.kind != Kind::Model,
    };
    let rows: Vec<HeatRow<'_>> = fingerprint.models.iter().enumerate().map(row).collect();
    use_it(HeatGrid {
        theme: &app.theme,
        lead: &["avg"],
        columns: &columns,
        rows: &rows,
    })
}
