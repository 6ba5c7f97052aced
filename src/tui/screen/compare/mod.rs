//! The comparison view: two models side by side, the significance of their differences, and the
//! compared samples.

mod cells;
mod draw;
mod facet;
mod rows;
mod worse;

#[cfg(test)]
mod tests;

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::change::{Change, DrillDown, Reply};
use crate::effect::{Effect, ask};
use crate::frame_output::{FrameOutput, Pane, ScrollSlot, ViewArea};
use crate::shared::AppState;
use crate::view::{Breadth, Explanation, View, ViewInfo};
use crate::widget::table::TableState;
use analysis::{PairedDifference, Threshold};
use engine::{Compare, Query};
use report::Grid;
use workspace::Lens;
use workspace::page::Sort;

use super::part::{click_again, moved};
use facet::facets;
use rows::rows;

const ABOUT: ViewInfo = ViewInfo {
    tab: Some(["4", "Compare", "Compare"]),
    opened_by: Some(Action::ViewCompare),
    breadth: Breadth::Ability,
    needs_ability: false,
    keeps_versus: false,
    help: "Two models on the samples that both answered. A difference counts only if a paired test \
           finds it, adjusted for the number of tests shown; otherwise the smallest detectable \
           difference (80 % power) is given. Left and right move \
           between the cells of the table of right and wrong answers, after Tab all arrow keys do; \
           Enter opens the samples of a cell. % asks whether B is worse than A by more than a \
           margin.",
};

/// State of the comparison view.
#[derive(Clone, Debug, Default)]
pub struct CompareView {
    /// Cursor of the table.
    pub table: TableState,
    /// Index of the facet under the cursor.
    pub facet: usize,
    /// Tolerated loss of B in percentage points; `None` to omit this question.
    pub margin: Option<f64>,
}

impl CompareView {
    /// Queries the comparison in full.
    pub fn question(shared: &AppState) -> Option<Effect> {
        Self::ask_compared(shared, false)
    }

    /// Queries the comparison, or the splits first if they are missing.
    fn ask_compared(shared: &AppState, quick: bool) -> Option<Effect> {
        let ability = shared.lens.ability.as_ref();
        if let Some(splits) = ability.and_then(|_| shared.ask_splits()) {
            return Some(splits);
        }
        Self::compared(shared, quick).map(ask)
    }

    /// Returns the query: two models over all abilities of the benchmark, and over the bins of the
    /// lens's ability. It always includes all abilities, because p values are adjusted over all of
    /// them.
    fn compared(shared: &AppState, quick: bool) -> Option<Compare> {
        let ability = shared.lens.ability.clone();
        let split = ability.as_ref().and_then(|_| shared.split_of_samples());
        let by = split.map_or_else(String::new, |split| split.text);
        Some(Compare {
            sides: shared.compared()?,
            scope: shared.scope(&shared.lens.whole()),
            by: Some(by),
            within: ability,
            all: false,
            threshold: Threshold::Usual,
            quick,
        })
    }

    /// Returns the ability under the cursor.
    pub fn ability(&self, shared: &AppState) -> Option<String> {
        let row = *rows(shared).get(self.table.selected)?;
        Some(row.ability.name.clone())
    }

    /// Moves the cursor to an ability.
    pub fn go_to(&mut self, shared: &AppState, ability: &str) {
        let mut rows = rows(shared).into_iter();
        let at = rows.position(|row| row.ability.name == ability);
        self.table.selected = at.unwrap_or(self.table.selected);
    }

    /// Shows the bins of a row's ability; `Esc` goes back.
    fn split(&mut self, shared: &AppState, row: &PairedDifference) -> Change {
        self.table = TableState::default();
        Change::Narrow(Lens {
            ability: Some(row.ability.name.clone()),
            ..shared.lens.clone()
        })
    }

    /// Returns the samples of the selected facet, most informative first.
    fn drill(&self, shared: &AppState, row: &PairedDifference) -> Option<DrillDown> {
        let [a, b] = shared.compared()?;
        let facets = facets(row);
        let facet = facets.get(self.facet).or(facets.last())?;
        let terms = facet.filter(row, &a, &b);
        let bin = row.bin.as_ref().map(|(_, bin)| bin.clone());
        let lens = Lens {
            step: terms,
            ability: Some(row.ability.name.clone()),
            model: Some(a),
            versus: Some(b),
            bin: shared.split_of_samples().zip(bin),
            ..shared.lens.clone()
        };
        Some(DrillDown {
            sort: Some(Sort::Gap),
            second: true,
            ..DrillDown::new(lens)
        })
    }

    /// Opens the samples of the selected facet.
    fn open(&self, shared: &AppState, row: &PairedDifference) -> Option<Change> {
        self.drill(shared, row).map(Change::from)
    }
}

/// Moves the threshold of a row's metric by `steps`.
fn cut(row: &PairedDifference, steps: f64) -> Change {
    Change::Cut(row.ability.clone(), row.metric.clone(), steps)
}

/// Swaps the two models.
fn swapped(shared: &AppState) -> Option<Change> {
    let [a, b] = shared.compared()?;
    Some(Change::Pair([b, a]))
}

/// Makes the next model B. If the step is negative, makes the previous model A.
fn turned(shared: &AppState, step: isize) -> Option<Change> {
    let [a, b] = shared.compared()?;
    let (kept, turned) = if step > 0 { (&a, &b) } else { (&b, &a) };
    let known = shared.answered();
    let at = known.iter().position(|model| model == turned);
    let others = known.iter().cycle().skip(at.map_or(0, |at| at + 1));
    let mut others = others.take(known.len());
    let next = others.find(|model| *model != kept).cloned()?;
    Some(Change::Pair(if step > 0 { [a, next] } else { [next, b] }))
}

impl View for CompareView {
    fn about(&self) -> &'static ViewInfo {
        &ABOUT
    }

    fn explain(&self, shared: &AppState) -> Vec<Explanation> {
        let rows = rows(shared);
        let (Some(row), Some([a, b])) = (rows.get(self.table.selected), shared.compared()) else {
            return Vec::new();
        };
        rows::explain(shared, row, [&a, &b])
    }

    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>, room: ViewArea) -> FrameOutput {
        draw::draw(self, shared, frame, room.area)
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::Table(&mut self.table)
    }

    fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        let rows = rows(shared);
        let row = rows.get(self.table.selected).copied();
        let last_facet = row.map_or(0, |row| facets(row).len().saturating_sub(1));
        self.facet = self.facet.min(last_facet);
        if let (Pane::Cells, Some(row)) = (shared.pane, row)
            && let Action::Left | Action::Right | Action::Up | Action::Down = action
        {
            self.facet = cells::neighbour(row, self.facet, action);
            return Reply::DONE;
        }
        let change = match (action, row) {
            (Action::NextMargin, _) => {
                self.margin = worse::next(self.margin);
                None
            }
            (Action::Left, _) => {
                self.facet = self.facet.saturating_sub(1);
                None
            }
            (Action::Right, _) => {
                self.facet = (self.facet + 1).min(last_facet);
                None
            }
            (Action::NextModel, _) => turned(shared, 1),
            (Action::PreviousModel, _) => turned(shared, -1),
            (Action::SwapSides, _) => swapped(shared),
            (Action::NextTag | Action::PreviousTag, row) if shared.lens.ability.is_none() => {
                row.map(|row| self.split(shared, row))
            }
            (Action::Open, Some(row)) => self.open(shared, row),
            (Action::RaiseThreshold, Some(row)) => Some(cut(row, 1.0)),
            (Action::LowerThreshold, Some(row)) => Some(cut(row, -1.0)),
            (other, _) => {
                let Some(row) = moved(self.table.selected, rows.len(), 10, other) else {
                    return Reply::PassOn;
                };
                self.table.selected = row;
                None
            }
        };
        Vec::from_iter(change).into()
    }

    /// The samples are below the table at any screen width, so no side pane is used.
    fn samples_from(&self, _: &AppState) -> u16 {
        u16::MAX
    }

    fn free_area(&self, shared: &AppState, area: Rect) -> Rect {
        let [.., rest] = draw::parts(shared, area);
        rest
    }

    fn drill_down(&self, shared: &AppState) -> Option<DrillDown> {
        let row = *rows(shared).get(self.table.selected)?;
        self.drill(shared, row)
    }

    fn click(&mut self, shared: &AppState, area: Rect, (x, y): (u16, u16)) -> Vec<Change> {
        let [_, middle, foot, _] = draw::parts(shared, area);
        let here = rows(shared).get(self.table.selected).copied();
        let facet = here.and_then(|row| cells::facet_at(row, draw::cells_of(foot), (x, y)));
        if let (Some(row), Some(facet)) = (here, facet) {
            let opens = std::mem::replace(&mut self.facet, facet) == facet;
            return Vec::from_iter(self.open(shared, row).filter(|_| opens));
        }
        let row = draw::with_table(shared, middle.width, |table| {
            table.row_at(middle, &self.table, x, y)
        });
        if !click_again(&mut self.table.selected, row) {
            return Vec::new();
        }
        let row = rows(shared).get(self.table.selected).copied();
        Vec::from_iter(row.and_then(|row| self.open(shared, row)))
    }

    fn ask(&self, shared: &AppState) -> Vec<Effect> {
        Self::ask_compared(shared, true).into_iter().collect()
    }

    fn grid(&self, shared: &AppState, _: Rect) -> Option<Grid> {
        rows::grid(shared)
    }

    fn query(&self, shared: &AppState) -> Option<Query> {
        Self::compared(shared, false).map(Query::from)
    }
}
