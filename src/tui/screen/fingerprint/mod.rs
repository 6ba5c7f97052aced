//! Each model's rank in each ability: its fingerprint. Below it the ability under the cursor, model by model.

mod charts;
mod data;
mod detail;
mod grid;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};

use crate::action::Action;
use crate::app::{App, Effect};
use crate::keymap::View;
use crate::widget::heat_grid::HeatGridState;
use analysis::Origin;

use super::moved;
pub use data::Cells;
use data::Fingerprint;

/// Columns beside the grid that a radar needs, and the narrowest screen that has room for both.
const RADAR: u16 = 40;
const WIDE: u16 = 110;
/// Most models that are picked.
const MOST_PICKED: usize = 3;

/// The cursor.
#[derive(Clone, Copy, Debug, Default)]
pub struct FingerprintState {
    /// The grid's.
    pub grid: HeatGridState,
    /// What the cells say.
    pub cells: Cells,
    /// Whether the radar is hidden for more bars.
    pub no_radar: bool,
}

/// Draws the screen.
pub fn render(app: &mut App, frame: &mut Frame<'_>, area: Rect) {
    let fingerprint = Fingerprint::new(app);
    let mut state = app.fingerprint.grid;
    let rows = u16::try_from(fingerprint.models.len()).unwrap_or(u16::MAX);
    let grid_height = rows.saturating_add(2).min((area.height * 3 / 5).max(8));
    let [top, detail, bottom] = Layout::vertical([
        Constraint::Length(grid_height),
        Constraint::Length(3),
        Constraint::Fill(1),
    ])
    .areas(area);
    grid::draw(app, &fingerprint, &mut state, frame, top);
    detail::draw(app, &fingerprint, &state, frame, detail);
    let radar = !app.fingerprint.no_radar && bottom.width >= WIDE && fingerprint.columns.len() > 2;
    let [left, right] = Layout::horizontal([
        Constraint::Fill(1),
        Constraint::Length(if radar {
            RADAR.max(bottom.width / 3)
        } else {
            0
        }),
    ])
    .areas(bottom);
    charts::draw_bars(app, &fingerprint, &state, frame, left);
    if radar {
        charts::draw_radar(app, &fingerprint, &state, frame, right);
    }
    app.fingerprint.grid = state;
}

/// The ability under the cursor.
pub fn ability_under_cursor(app: &App) -> Option<String> {
    let fingerprint = Fingerprint::new(app);
    let column = fingerprint
        .columns
        .get(app.fingerprint.grid.column)
        .or(fingerprint.columns.first());
    column.map(|column| column.ability.clone())
}

/// What an action does here.
pub fn update(app: &mut App, action: Action) -> Vec<Effect> {
    let fingerprint = Fingerprint::new(app);
    let (rows, columns) = (fingerprint.models.len(), fingerprint.columns.len());
    let grid = app.fingerprint.grid;
    let model = fingerprint
        .models
        .get(grid.row)
        .map(|row| row.model.clone());
    let ability = fingerprint
        .columns
        .get(grid.column)
        .map(|column| column.ability.clone());
    match action {
        Action::Left => app.fingerprint.grid.column = grid.column.saturating_sub(1),
        Action::Right => {
            app.fingerprint.grid.column = (grid.column + 1).min(columns.saturating_sub(1));
        }
        Action::Select => pick(app, model),
        Action::ToggleChart => app.fingerprint.no_radar = !app.fingerprint.no_radar,
        Action::ToggleRanks => {
            app.fingerprint.cells = match app.fingerprint.cells {
                Cells::Ranks => Cells::Scores,
                Cells::Scores => Cells::Gaps,
                Cells::Gaps => Cells::Intervals,
                Cells::Intervals => Cells::Ranks,
            };
        }
        Action::Open => return open(app, ability, model),
        Action::Copy => return model.map(Effect::Copy).into_iter().collect(),
        other => {
            if let Some(row) = moved(grid.row, rows, 10, other) {
                app.fingerprint.grid.row = row;
            }
        }
    }
    Vec::new()
}

/// The samples behind the cell, if it has any.
fn open(app: &mut App, ability: Option<String>, model: Option<String>) -> Vec<Effect> {
    let column = app.fingerprint.grid.column;
    let fingerprint = Fingerprint::new(app);
    if fingerprint
        .score(column, app.fingerprint.grid.row)
        .is_none_or(|score| score.origin == Origin::Published)
    {
        app.notice = Some("a printed score has no samples behind it".to_owned());
        return Vec::new();
    }
    let effects = app.go(View::Samples);
    app.lens.ability = ability;
    app.lens.model = model;
    app.lens.bin = None;
    drop(effects);
    app.refresh()
}

fn pick(app: &mut App, model: Option<String>) {
    let Some(model) = model else { return };
    if let Some(at) = app.picked.iter().position(|picked| *picked == model) {
        app.picked.remove(at);
    } else if app.picked.len() < MOST_PICKED {
        app.picked.push(model);
    } else {
        app.notice = Some("at most three models can be picked".to_owned());
    }
}

/// A click moves the cursor; a click on the cursor opens.
pub fn click(app: &mut App, area: Rect, x: u16, y: u16) -> Vec<Effect> {
    let Some(spot) = grid::spot_at(app, &Fingerprint::new(app), area, x, y) else {
        return Vec::new();
    };
    let before = (app.fingerprint.grid.row, app.fingerprint.grid.column);
    if let Some(row) = spot.row {
        app.fingerprint.grid.row = row;
    }
    if let Some(column) = spot.column {
        app.fingerprint.grid.column = column;
    }
    let same = before == (app.fingerprint.grid.row, app.fingerprint.grid.column);
    if same && spot.row.is_some() && spot.column.is_some() {
        update(app, Action::Open)
    } else {
        Vec::new()
    }
}
