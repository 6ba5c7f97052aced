//! The fingerprint view: each model's rank in each ability. A chart below shows all models in the
//! ability under the cursor.

mod cells;
mod charts;
mod data;
mod detail;
mod explain;
mod grid;
mod legend;
mod worst;

use std::rc::Rc;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::widgets::Paragraph;

use crate::action::Action;
use crate::change::{Change, DrillDown, Reply};
use crate::effect::Effect;
use crate::frame_output::{FrameOutput, ScrollState, ViewArea};
use crate::memo::Memo;
use crate::shared::AppState;
use crate::view::{Breadth, Explanation, View, ViewInfo};
use crate::widget::heat_grid::HeatGridState;
use crate::widget::line::Piece;
use analysis::{Cost, Origin, SPLIT, Split};
use base::format::visible;
use engine::{Query, Report};
use record::Generation;
use workspace::Lens;
use workspace::filter::picking;

use super::part::moved;
use super::studies::{Study, studies};
use super::{SIDE_BY_SIDE, THREE_PANES, TWO_CHARTS};
pub use cells::Cells;
pub use data::share;
use data::{Fingerprint, Outline, Source};

/// Minimum width and height of a radar.
const RADAR: (u16, u16) = (40, 14);
/// Width reserved for the grid when the narrowest screen with a side pane shows the samples, in
/// cells.
const GRID: u16 = 81;
/// Minimum height below the grid for an empty line above the legend, in rows.
const ROOMY: u16 = 20;

const ABOUT: ViewInfo = ViewInfo {
    tab: Some(["1", "Fingerprint", "Finger"]),
    opened_by: Some(Action::ViewFingerprint),
    breadth: Breadth::Benchmark,
    needs_ability: false,
    keeps_versus: false,
    help: "Each row is a model, each column an ability. A cell is the model's rank there: 1 is \
           best, 2= is tied: with this many samples there is no clear difference from another \
           model. Only clear ranks are coloured. The lines below give the figures of the cell \
           under the cursor. Enter opens its samples. / filters samples and published scores: \
           model:NAME, or group:open for one group of a paper's models.",
};

/// State of the fingerprint view. Its cursor is in the shared state, because other views start with
/// the cursor's model and ability.
#[derive(Clone, Debug, Default)]
pub struct FingerprintView {
    /// Kind of content in the cells.
    pub cells: Cells,
    /// True to hide the radar, so that the chart gets its space.
    pub no_radar: bool,
    outline: Memo<Source, Outline>,
    widths: grid::Widths,
    costs: Memo<Generation, Vec<Cost>>,
    studies: Memo<(Generation, String), Vec<Study>>,
}

impl FingerprintView {
    fn fingerprint<'a>(&self, shared: &'a AppState) -> Fingerprint<'a> {
        Fingerprint::new(shared, &self.outline)
    }

    /// Returns the costs of the open runs, cached per table.
    fn costs(&self, shared: &AppState) -> Rc<Vec<Cost>> {
        let generation = shared.table.generation();
        let make = |_: &Generation| analysis::costs(&shared.table, &shared.prices);
        self.costs.of(generation, make)
    }

    /// Returns the commands that are useful for the open logs, cached per table and benchmark.
    fn studies(&self, shared: &AppState) -> Rc<Vec<Study>> {
        let key = (shared.table.generation(), shared.lens.benchmark.clone());
        let make = |(_, benchmark): &(Generation, String)| studies(&shared.table, benchmark);
        self.studies.of(key, make)
    }

    /// Opens the samples behind the cell. If there are none, shows a notice.
    fn open(&self, shared: &AppState) -> Vec<Change> {
        let Some(drill) = self.drill_down(shared) else {
            return vec![Change::say("a published score has no samples behind it")];
        };
        vec![drill.into()]
    }
}

/// Splits the area below the grid into a chart for this many models and the radar. The radar is on
/// the right in a wide area, and below in a tall area. Its area is empty if it does not fit.
fn chart_parts(area: Rect, models: u16, has_radar: bool) -> [Rect; 2] {
    let (width, height) = RADAR;
    // Space for the title, its rule, the axis, and an empty line after each model.
    let chart = models.saturating_mul(2).saturating_add(4);
    if has_radar && area.width >= TWO_CHARTS {
        let sides = [
            Constraint::Fill(1),
            Constraint::Length(width.max(area.width / 3)),
        ];
        return Layout::horizontal(sides).areas(area);
    }
    if has_radar && area.width >= width && area.height >= chart.saturating_add(height) {
        let parts = [Constraint::Length(chart), Constraint::Fill(1)];
        return Layout::vertical(parts).areas(area);
    }
    [area, Rect::default()]
}

/// Moves the cursor to the model's worst ability. If it is already there, moves it to the next
/// equally bad ability.
fn to_worst(shared: &AppState, fingerprint: &Fingerprint<'_>) -> Reply {
    let mut cell = shared.cell;
    let worst = worst::worst_columns(fingerprint, cell.row);
    let here = worst.iter().position(|column| *column == cell.column);
    let next = here.map_or(0, |at| (at + 1) % worst.len());
    let Some(column) = worst.get(next) else {
        return Reply::say("no score of this model can be compared");
    };
    cell.column = *column;
    let key = shared.key(shared.view, Action::WorstAbility);
    let said = worst::also(fingerprint, (cell.row, cell.column), &worst, &key);
    let moved = std::iter::once(Change::Cell(cell));
    moved
        .chain(said.map(Change::Say))
        .collect::<Vec<_>>()
        .into()
}

impl View for FingerprintView {
    fn about(&self) -> &'static ViewInfo {
        &ABOUT
    }

    fn explain(&self, shared: &AppState) -> Vec<Explanation> {
        let mut all = explain::explain(shared, &self.fingerprint(shared), self.cells);
        let studies = self.studies(shared);
        let style = shared.theme.accent();
        let command = |study: &Study| {
            let words = format!("{}; these logs contain {}", study.shows, study.found);
            Explanation::new(&study.command, style, words)
        };
        all.extend(studies.iter().map(command));
        all
    }

    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>, room: ViewArea) -> FrameOutput {
        let fingerprint = self.fingerprint(shared);
        let mut state = shared.cell;
        let area = room.area;
        let rows = u16::try_from(fingerprint.models.len()).unwrap_or(u16::MAX);
        let grid_height = rows.saturating_add(3).min((area.height * 3 / 5).max(8));
        let costs = self.costs(shared);
        let detail = detail::lines(shared, &fingerprint, &costs, area.width);
        let detail_height = u16::try_from(detail.len()).unwrap_or(u16::MAX);
        // An empty line before the legend prevents it from looking like a row.
        let gap = u16::from(area.height >= grid_height.saturating_add(ROOMY));
        let [top, _, legend, below, bottom] = Layout::vertical([
            Constraint::Length(grid_height),
            Constraint::Length(gap),
            Constraint::Length(1),
            Constraint::Length(detail_height),
            Constraint::Fill(1),
        ])
        .areas(area);
        self.with_grid(shared, &fingerprint, area.width, |grid| {
            frame.render_stateful_widget(grid, top, &mut state);
        });
        let words = legend::line(shared, &fingerprint, self.cells, legend.width);
        frame.render_widget(words, legend);
        frame.render_widget(Paragraph::new(detail), below);
        let has_radar = !self.no_radar
            && !fingerprint.is_alone
            && charts::has_radar(shared, &fingerprint, &state);
        let [chart, radar] = chart_parts(bottom, rows, has_radar);
        if fingerprint.is_alone {
            charts::draw_abilities(shared, &fingerprint, &state, frame, chart);
        } else {
            charts::draw_models(shared, &fingerprint, &state, frame, chart);
        }
        if !radar.is_empty() {
            charts::draw_radar(shared, &fingerprint, &state, frame, radar);
        }
        ScrollState::Cell(state).into()
    }

    fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        let fingerprint = self.fingerprint(shared);
        let (rows, columns) = (fingerprint.models.len(), fingerprint.columns.len());
        let mut cell = shared.cell;
        let model = || Some(fingerprint.models.get(cell.row)?.model.clone());
        match action {
            Action::Select => {
                return Vec::from_iter(model().map(Change::Pick)).into();
            }
            Action::Copy => {
                return Vec::from_iter(model().map(|model| Effect::Copy(model).into())).into();
            }
            Action::Open => return self.open(shared).into(),
            Action::WorstAbility => return to_worst(shared, &fingerprint),
            Action::ToggleChart => {
                self.no_radar = !self.no_radar;
                return Reply::DONE;
            }
            Action::ToggleRanks
                if fingerprint.after(self.cells) == fingerprint.supported(self.cells) =>
            {
                return Reply::say("only one model: scores are shown instead of ranks");
            }
            Action::ToggleRanks => {
                self.cells = fingerprint.after(self.cells);
                return Reply::DONE;
            }
            Action::Left => cell.column = cell.column.saturating_sub(1),
            Action::Right => cell.column = (cell.column + 1).min(columns.saturating_sub(1)),
            other => match moved(cell.row, rows, 10, other) {
                Some(row) => cell.row = row,
                None => return Reply::PassOn,
            },
        }
        Reply::with(Change::Cell(cell))
    }

    fn click(&mut self, shared: &AppState, area: Rect, (x, y): (u16, u16)) -> Vec<Change> {
        let mut cell = shared.cell;
        let fingerprint = self.fingerprint(shared);
        let spot = self.with_grid(shared, &fingerprint, area.width, |grid| {
            grid.cell_at(area, &shared.cell, x, y)
        });
        let Some(spot) = spot else {
            return Vec::new();
        };
        cell.row = spot.row.unwrap_or(cell.row);
        cell.column = spot.column.unwrap_or(cell.column);
        let same = (cell.row, cell.column) == (shared.cell.row, shared.cell.column);
        if same && spot.row.is_some() && spot.column.is_some() {
            self.open(shared)
        } else {
            vec![Change::Cell(cell)]
        }
    }

    /// The samples are in a side pane if all columns of the grid still fit.
    fn samples_from(&self, shared: &AppState) -> u16 {
        let fingerprint = self.fingerprint(shared);
        let fits = |width| self.with_grid(shared, &fingerprint, width, |grid| grid.fits(width));
        if fits(GRID) {
            THREE_PANES
        } else {
            SIDE_BY_SIDE
        }
    }

    fn drill_down(&self, shared: &AppState) -> Option<DrillDown> {
        let fingerprint = self.fingerprint(shared);
        let HeatGridState { row, column, .. } = shared.cell;
        let score = fingerprint.score(column, row)?;
        if score.origin == Origin::Published {
            return None;
        }
        let sampled = (score.origin == Origin::Samples).then(|| score.split.clone());
        Some(DrillDown::new(Lens {
            ability: Some(score.ability.clone()),
            model: fingerprint.models.get(row).map(|row| row.model.clone()),
            bin: sampled.flatten().map(|name| (Split::of_tag(SPLIT), name)),
            ..shared.lens.clone()
        }))
    }

    fn grid(&self, shared: &AppState, _: Rect) -> Option<report::Grid> {
        Some(grid::copied(shared, &self.fingerprint(shared), self.cells))
    }

    /// Warns if a filter selects answers by their outcome. Also shows the parts of names that the
    /// grid omits, and a command that is useful for these logs.
    fn status(&self, shared: &AppState) -> Vec<Piece<'static>> {
        let picked = picking(&shared.lens.filter);
        let words = picked.map(|terms| {
            format!(
                "not ranked: the filter selects answers by outcome ({})",
                visible(&terms)
            )
        });
        let words = words.map(|words| Piece::new(words, shared.theme.warning()));
        let names = self.fingerprint(shared).ends_of_names.words();
        let names = names.map(|names| Piece::new(names, shared.theme.dim()));
        let studies = self.studies(shared);
        let study = studies.first();
        let study = study.map(|study| format!("{}: {}", study.found, study.command));
        let study = study.map(|words| Piece::new(words, shared.theme.dim()));
        words.into_iter().chain(names).chain(study).collect()
    }

    fn query(&self, shared: &AppState) -> Option<Query> {
        Some(Report::over(&shared.scope(&shared.lens.whole())).into())
    }
}
