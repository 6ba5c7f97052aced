//! Popup with a grid of all open data: models by the abilities of all benchmarks, or models by
//! whole benchmarks.

use std::rc::Rc;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use crate::action::Action;
use crate::change::{Change, Reply};
use crate::frame_output::{ScrollSlot, ScrollState};
use crate::memo::Memo;
use crate::shared::AppState;
use crate::widget::heat_grid::{
    HeatCell, HeatCells, HeatColumn, HeatGrid, HeatGridState, HeatRow, HeatWidths,
};
use analysis::{ColumnKind, Matrix, MatrixCell, MatrixColumn, MatrixRow, matrix};
use base::format::{compact, fixed, visible};
use engine::Query;
use record::Generation;
use record::benchmark::{Direction, short_name};
use workspace::Lens;

use super::part::{CLOSE, KeyLabel, Overlay, grid_moved, open, short};

/// State of the grid popup.
#[derive(Clone, Debug, Default)]
pub struct MatrixGrid {
    over: ColumnKind,
    /// True if the cells show scores; false if they show ranks.
    scores: bool,
    cell: HeatGridState,
    found: Memo<Source, Matrix>,
    widths: Memo<(Source, bool), HeatWidths>,
}

/// Cache key of the grid: count of received answers, table, and kind of columns.
type Source = (u64, Generation, ColumnKind);

/// Returns a column's abbreviation, with two or three letters per name, and the full names of
/// benchmark and ability.
fn label(column: &MatrixColumn) -> (String, String) {
    let benchmark = visible(&column.benchmark);
    let paper = if column.is_printed { "*" } else { "" };
    let Some(ability) = &column.ability else {
        let letters = letters(&benchmark);
        return (format!("{letters}{paper}"), format!("{benchmark}{paper}"));
    };
    let split = column.split.as_deref().map(visible).unwrap_or_default();
    let initial: String = benchmark.chars().take(1).collect();
    (
        format!("{initial}{}", short_name(ability)),
        format!("{benchmark}{paper} {} {split}", visible(ability))
            .trim_end()
            .to_owned(),
    )
}

/// Abbreviates a benchmark: `ava` for `ava-bench`. If the name has more words, uses two letters of
/// the first word and one of the last: `exg` for `exam-gepbench`.
fn letters(benchmark: &str) -> String {
    let words: Vec<&str> = benchmark.split(['-', '_', ' ']).collect();
    match words.as_slice() {
        [first, .., last] if *last != "bench" => {
            let first = first.chars().take(2);
            first.chain(last.chars().take(1)).collect()
        }
        [first, ..] => first.chars().take(3).collect(),
        [] => String::new(),
    }
}

struct Grid<'a> {
    shared: &'a AppState,
    found: &'a Matrix,
    /// Total number of abilities, even if the columns are benchmarks.
    covered: u64,
    scores: bool,
}

impl HeatCells for Grid<'_> {
    fn total(&self) -> usize {
        self.found.rows.len()
    }

    fn row(&self, row: usize) -> HeatRow<'_> {
        let Some(row) = self.found.rows.get(row) else {
            return HeatRow::default();
        };
        let mut picked = self.shared.picked.iter();
        let mean = row.mean_score.0.map_or_else(|| "–".to_owned(), short);
        HeatRow {
            name: visible(&row.model).into_owned().into(),
            series: picked.position(|picked| *picked == row.model),
            lead: vec![
                mean.into(),
                fixed(row.mean_rank.0, 1).into(),
                format!("{}/{}", row.mean_rank.1, self.covered).into(),
            ],
            apart: false,
        }
    }

    fn cell(&self, row: usize, column: usize) -> HeatCell<'_> {
        let cell = self
            .found
            .rows
            .get(row)
            .and_then(|row| row.cells.get(column));
        let column = self.found.columns.get(column);
        column.map_or_else(HeatCell::default, |column| {
            self.text(column, cell.and_then(Option::as_ref))
        })
    }
}

impl Grid<'_> {
    fn text(&self, column: &MatrixColumn, cell: Option<&MatrixCell>) -> HeatCell<'static> {
        let Some(cell) = cell else {
            return HeatCell::plain(" ");
        };
        let places = column.models.saturating_sub(1).max(1);
        #[expect(clippy::cast_precision_loss, reason = "few models")]
        let heat = cell
            .rank
            .filter(|_| cell.parts >= column.parts && !cell.is_tied)
            .map_or(f64::NAN, |rank| (rank - 1.0) / places as f64);
        let text = match (self.scores, cell.rank) {
            (false, Some(rank)) => {
                let tie = if cell.is_tied { "=" } else { "" };
                format!(
                    "{}{tie}",
                    fixed(Some(rank), usize::from(rank.fract() > 0.0))
                )
            }
            _ => cell.score.map_or_else(|| "–".to_owned(), short),
        };
        HeatCell {
            text: text.into(),
            heat,
            best: cell.rank.is_some_and(|rank| rank <= 1.0) && !cell.is_tied,
        }
    }
}

impl MatrixGrid {
    fn source(&self, shared: &AppState) -> Source {
        let answers = shared.answers.revision;
        (answers, shared.table.generation(), self.over)
    }

    fn found(&self, shared: &AppState) -> Rc<Matrix> {
        self.found.of(self.source(shared), |(_, _, over)| {
            matrix(&shared.answers.scores, &shared.table.names().groups, *over)
        })
    }

    fn with_grid<T>(
        &self,
        shared: &AppState,
        found: &Matrix,
        use_it: impl FnOnce(HeatGrid<'_, Grid<'_>>) -> T,
    ) -> T {
        let labels: Vec<(String, String)> = found.columns.iter().map(label).collect();
        let columns: Vec<HeatColumn<'_>> = labels
            .iter()
            .map(|(short, long)| HeatColumn::new(short, long))
            .collect();
        let grid = Grid {
            shared,
            found,
            covered: covered(found),
            scores: self.scores,
        };
        let said = (self.source(shared), self.scores);
        let widths = self
            .widths
            .of(said, |_| HeatWidths::of(&grid, columns.len()));
        use_it(HeatGrid {
            theme: &shared.theme,
            lead: &["mean", "rank", "has"],
            columns: &columns,
            rows: &grid,
            widths: &widths,
        })
    }
}

/// Returns the total number of abilities, even if the columns are benchmarks.
fn covered(found: &Matrix) -> u64 {
    found.columns.iter().map(|column| column.parts).sum()
}

/// Describes the cell under the cursor.
fn sentence(column: &MatrixColumn, row: &MatrixRow, cell: Option<&MatrixCell>) -> String {
    let what = column.ability.as_deref().unwrap_or("all abilities");
    let split = column
        .split
        .as_ref()
        .map(|split| format!(" ({split})"))
        .unwrap_or_default();
    let paper = if column.is_printed { ", published" } else { "" };
    let head = format!(
        "{} in {} {what}{split}{paper}: ",
        row.model, column.benchmark
    );
    let Some(cell) = cell else {
        return format!("{head}not answered");
    };
    let metric = column
        .metric
        .as_deref()
        .map_or("mean of shares".into(), record::benchmark::metric_words);
    let arrow = column.direction.map_or("", Direction::arrow);
    let tie = if cell.is_tied { ", tied" } else { "" };
    let rank = cell
        .rank
        .map(|rank| format!(", rank {} of {}{tie}", fixed(Some(rank), 1), column.models));
    let parts =
        (column.parts > 1).then(|| format!(", {} of {} abilities", cell.parts, column.parts));
    let n = (cell.n > 0).then(|| format!(", n {}", compact(cell.n)));
    let group = column
        .group
        .as_ref()
        .map(|group| format!("; in means, the columns of {group} count as one column"));
    format!(
        "{head}{metric} {arrow} {}{}{}{}{}",
        fixed(cell.score, 3),
        rank.unwrap_or_default(),
        parts.unwrap_or_default(),
        n.unwrap_or_default(),
        group.unwrap_or_default()
    )
}

impl Overlay for MatrixGrid {
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let screen = frame.area();
        let found = self.found(shared);
        let rows = u16::try_from(found.rows.len()).unwrap_or(u16::MAX);
        let size = (
            screen.width.saturating_sub(4),
            rows.saturating_add(6).min(screen.height.saturating_sub(2)),
        );
        let title = match self.over {
            ColumnKind::Abilities => "all open logs: models × abilities",
            ColumnKind::Benchmarks | ColumnKind::Metrics => "all open logs: models × benchmarks",
        };
        let inner = open(shared, frame, title, size);
        let [top, foot] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(4)]).areas(inner);
        let mut state = self.cell;
        self.with_grid(shared, &found, |grid| {
            frame.render_stateful_widget(grid, top, &mut state);
        });
        let theme = &shared.theme;
        let here = found
            .columns
            .get(state.column)
            .zip(found.rows.get(state.row));
        let said = here.map(|(column, row)| {
            let cell = row.cells.get(state.column).and_then(Option::as_ref);
            visible(&sentence(column, row, cell)).into_owned()
        });
        let lines = vec![
            Line::styled("─".repeat(usize::from(foot.width)), theme.border()),
            Line::from(said.unwrap_or_else(|| "nothing is open".to_owned())),
            Line::styled(
                "means over the columns that a model has; = tied, no clear difference; * published",
                theme.dim(),
            ),
        ];
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), foot);
        (inner, ScrollState::Cell(state))
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::Cell(&mut self.cell)
    }

    fn keys(&self, _: &AppState) -> Vec<KeyLabel> {
        let cells = if self.scores { "ranks" } else { "scores" };
        let columns = match self.over {
            ColumnKind::Abilities => "benchmarks",
            ColumnKind::Benchmarks | ColumnKind::Metrics => "abilities",
        };
        vec![
            ("↑↓←→", "move"),
            ("Enter", "open"),
            ("v", cells),
            ("b", columns),
            CLOSE,
        ]
    }

    fn key(&mut self, _: &AppState, key: KeyEvent) -> Reply {
        if key.code != KeyCode::Char('v') || !key.modifiers.is_empty() {
            return Reply::PassOn;
        }
        self.scores = !self.scores;
        Reply::DONE
    }

    fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        let found = self.found(shared);
        match action {
            Action::NextBenchmark | Action::PreviousBenchmark => {
                self.over = match self.over {
                    ColumnKind::Abilities => ColumnKind::Benchmarks,
                    ColumnKind::Benchmarks | ColumnKind::Metrics => ColumnKind::Abilities,
                };
                self.cell.column = 0;
                Reply::DONE
            }
            Action::CopyCommand => Reply::PassOn,
            Action::Open => {
                let Some(column) = found.columns.get(self.cell.column) else {
                    return Reply::with(Change::Close);
                };
                let lens = Lens {
                    benchmark: column.benchmark.clone(),
                    ..shared.lens.whole()
                };
                let at = |ability: &String| {
                    let shown = shared.answers.columns(&column.benchmark);
                    shown
                        .iter()
                        .position(|score| score.ability == *ability && score.split == column.split)
                };
                let place = column.ability.as_ref().and_then(at).unwrap_or_default();
                Reply::from(vec![
                    Change::Close,
                    Change::Narrow(lens),
                    Change::Act(Action::ViewFingerprint),
                    Change::Cell(HeatGridState {
                        column: place,
                        ..HeatGridState::default()
                    }),
                ])
            }
            action => grid_moved(
                &mut self.cell,
                (found.rows.len(), found.columns.len()),
                action,
            ),
        }
    }

    fn query(&self, shared: &AppState) -> Option<Query> {
        let scope = engine::Scope {
            filter: shared.lens.filter.clone(),
            scoring: shared.lens.scoring,
            ..engine::Scope::default()
        };
        Some(
            engine::Matrix {
                scope,
                over: self.over,
            }
            .into(),
        )
    }
}
