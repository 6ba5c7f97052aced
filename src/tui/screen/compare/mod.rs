//! Two models side by side: where they differ, how sure that is, and the samples behind it.

mod draw;
mod facet;
mod rows;
mod sides;

#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use crate::action::Action;
use crate::app::{self, App, Effect};
use crate::keymap::View;
use crate::widget::table::{Table, TableSpot, TableState};
use analysis::{Paired, Threshold};
use benchmark::{Direction, Metric};
use engine::Compare;
use workspace::page::Sort;

use super::{Second, moved, say};
use facet::facets;
use rows::List;

pub use draw::render;
pub use sides::{models, pin, turn};

/// The cursor.
#[derive(Clone, Debug, Default)]
pub struct CompareState {
    /// The table's.
    pub table: TableState,
    /// Which part of the row's samples.
    pub facet: usize,
    /// From which graded score on an answer counts as right; `None`: the metric's usual one.
    pub threshold: Option<f64>,
    /// Models that were chosen here, and what was picked in the fingerprint then.
    chosen: Option<([String; 2], Vec<String>)>,
}

/// Asks for the comparison, for a first answer or the final one.
pub fn ask(app: &App, quick: bool) -> Option<Effect> {
    if let Some(splits) = app.lens.ability.as_ref().and_then(|_| app.ask_splits()) {
        return Some(splits);
    }
    query(app, quick).map(app::ask)
}

/// The two models over all abilities of the benchmark, and over the bins of the lens's own: the family of tests stays
/// the same whichever ability is looked at.
pub fn query(app: &App, quick: bool) -> Option<Compare> {
    let (within, by) = match (&app.lens.ability, app.split()) {
        (Some(ability), Some(split)) => (Some(ability.clone()), split.text),
        _ => (None, String::new()),
    };
    let threshold = app.compare.threshold;
    Some(Compare {
        sides: sides::models(app)?,
        scope: app.scope(&app.lens.whole()),
        by: Some(by),
        within,
        all: false,
        threshold: threshold.map_or(Threshold::Usual, Threshold::At),
        quick,
    })
}

/// Whether the answer speaks of other models than the screen does: ranks may change while logs are read.
pub fn is_stale(app: &App) -> bool {
    let known = app.answers.comparison.as_ref();
    sides::models(app) != known.map(|known| known.models.clone())
}

/// The rows on screen: the abilities, or one of them and its bins.
fn rows(app: &App) -> Vec<&Paired> {
    let Some(known) = &app.answers.comparison else {
        return Vec::new();
    };
    if is_stale(app) {
        return Vec::new();
    }
    let of_lens = |row: &&Paired| {
        let ability = app.lens.ability.as_ref();
        row.headline && ability.is_none_or(|ability| *ability == row.ability.name)
    };
    let comparison = &known.comparison;
    let mut rows: Vec<&Paired> = comparison.abilities.iter().filter(of_lens).collect();
    if app.lens.ability.is_some() {
        let by = app.split().map(|split| split.text);
        let of_split = |row: &&Paired| row.bin.as_ref().map(|(by, _)| by) == by.as_ref();
        let bins = comparison.subgroups.iter().filter(of_lens);
        rows.extend(bins.filter(of_split));
    }
    rows
}

/// What an action does here.
pub fn update(app: &mut App, action: Action) -> Vec<Effect> {
    let rows = rows(app);
    let row = rows.get(app.compare.table.selected).copied().cloned();
    let count = rows.len();
    let last_facet = row
        .as_ref()
        .map_or(0, |row| facets(row).len().saturating_sub(1));
    app.compare.facet = app.compare.facet.min(last_facet);
    match (action, row) {
        (Action::Left, _) => app.compare.facet = app.compare.facet.saturating_sub(1),
        (Action::Right, _) => app.compare.facet = (app.compare.facet + 1).min(last_facet),
        (Action::Open, Some(row)) => return open(app, &row),
        (Action::NextTag | Action::PreviousTag, Some(row)) => return split(app, &row),
        (Action::SwapSides, _) => return sides::swap(app),
        (Action::RaiseThreshold, Some(row)) => return cut(app, &row, 1.0),
        (Action::LowerThreshold, Some(row)) => return cut(app, &row, -1.0),
        (other, _) => {
            if let Some(row) = moved(app.compare.table.selected, count, 10, other) {
                app.compare.table.selected = row;
            }
        }
    }
    Vec::new()
}

/// Shows the bins of a row's ability; `Esc` leads back.
fn split(app: &mut App, row: &Paired) -> Vec<Effect> {
    app.remember();
    app.lens.ability = Some(row.ability.name.clone());
    app.compare.table = TableState::default();
    app.refresh()
}

/// Moves the score from which on an answer is right.
fn cut(app: &mut App, row: &Paired, side: f64) -> Vec<Effect> {
    let Some(from) = row.threshold else {
        app.notice = Some("these answers are right or wrong without a threshold".to_owned());
        return Vec::new();
    };
    let steps = if row.metric == Metric::Ciede2000.name() {
        2.0
    } else {
        20.0
    };
    // Whole steps, so that going up and down again ends where it began.
    let moved = (from * steps + side).round() / steps;
    let least = match row.direction {
        Direction::Higher => -1.0,
        Direction::Lower => 0.0,
    };
    app.compare.threshold = Some(moved.max(least));
    app.refresh()
}

/// Opens the samples of the facet under the cursor, the most telling first.
fn open(app: &mut App, row: &Paired) -> Vec<Effect> {
    let Some([a, b]) = sides::models(app) else {
        return Vec::new();
    };
    let facets = facets(row);
    let Some(facet) = facets.get(app.compare.facet).or(facets.first()) else {
        return Vec::new();
    };
    let terms = facet.filter(row, &a, &b);
    let split = app.split();
    drop(app.go(View::Samples));
    app.lens.filter = match app.lens.filter.as_str() {
        "" => terms,
        filter => format!("({filter}) ({terms})"),
    };
    app.lens.ability = Some(row.ability.name.clone());
    app.lens.model = Some(a);
    app.lens.versus = Some(b);
    app.lens.bin = split.zip(row.bin.as_ref().map(|(_, bin)| bin.clone()));
    app.sort = Sort::Gap;
    app.sample.second = Second::default();
    app.reverse = false;
    app.samples.table = TableState::default();
    app.ask_all()
}

/// A click moves the cursor; a click on the cursor opens.
pub fn click(app: &mut App, area: Rect, x: u16, y: u16) -> Vec<Effect> {
    let [_, middle, _] = draw::parts(app, area);
    let rows = rows(app);
    let list = List::new(app, &rows, middle.width);
    let columns = list.columns();
    let table = Table {
        theme: &app.theme,
        columns: &columns,
        rows: &list,
        sorted: None,
    };
    match table.spot_at(middle, &app.compare.table, x, y) {
        Some(TableSpot::Row(row)) if row == app.compare.table.selected => update(app, Action::Open),
        Some(TableSpot::Row(row)) => {
            app.compare.table.selected = row;
            Vec::new()
        }
        _ => Vec::new(),
    }
}
