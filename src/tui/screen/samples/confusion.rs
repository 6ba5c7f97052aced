//! The confusion matrix: counts of answers for each target. Opening a cell shows its samples.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use crate::action::Action;
use crate::change::{Change, DrillDown, Reply};
use crate::frame_output::{FrameOutput, ScrollState, ViewArea};
use crate::screen::part::{self, draw_text, instead, move_cursor, unknown};
use crate::shared::{AppState, Look};
use crate::view::Explanation;
use crate::widget::fit;
use crate::widget::heat_grid::{
    HeatCell, HeatCells, HeatColumn, HeatGrid, HeatGridState, HeatRow, HeatSpot, HeatWidths,
};
use crate::widget::line::Piece;
use base::format::{compact, counted, visible};
use report::{Align, Grid};
use workspace::Lens;
use workspace::answered::{Class, ClassName, Confusion};

/// Maximum width of a column's title in cells.
const TITLE: u16 = 8;
/// Maximum width of a row's name, in cells.
const NAME: u16 = 28;
/// Number of rows that a page key moves.
const PAGE: usize = 10;
/// Number of lines below the grid.
const FOOT: u16 = 4;

/// State of the confusion matrix.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConfusionGrid {
    cell: HeatGridState,
}

/// Returns the lens of the matrix. If the lens has no model and one model is selected, uses that
/// model.
fn lens(shared: &AppState) -> Lens {
    let model = match (&shared.lens.model, shared.picked.as_slice()) {
        (None, [one]) => Some(one.clone()),
        (known, _) => known.clone(),
    };
    Lens {
        model,
        versus: None,
        ..shared.lens.clone()
    }
}

fn question(shared: &AppState) -> engine::Confusion {
    engine::Confusion {
        scope: shared.scope(&lens(shared)),
    }
}

/// Returns the answer to the current query, if it has arrived and its targets are classes.
fn known(shared: &AppState) -> Option<&Confusion> {
    found(shared).filter(|found| !is_measured(found))
}

/// Returns the answer to the current query, if it has arrived.
fn found(shared: &AppState) -> Option<&Confusion> {
    part::known(&shared.answers.confusion, &question(shared))
}

/// Returns true if the targets are measurements: numbers, of which some have decimals.
fn is_measured(found: &Confusion) -> bool {
    let mut numbers = found.targets.iter().filter_map(|class| match &class.name {
        ClassName::Value(name) => Some(name.trim().parse::<f64>()),
        ClassName::Others(_) | ClassName::Unparsed => None,
    });
    let is_number = |number: &Result<f64, _>| number.as_ref().is_ok_and(|it| it.is_finite());
    let has_decimals = |number: &Result<f64, _>| number.as_ref().is_ok_and(|it| it.fract() != 0.0);
    numbers.clone().all(|number| is_number(&number)) && numbers.any(|number| has_decimals(&number))
}

/// Returns the title of a row or column.
fn title(class: &Class) -> String {
    match &class.name {
        ClassName::Value(name) => visible(name).into_owned(),
        ClassName::Others(count) => format!("{} others", compact(*count as u64)),
        ClassName::Unparsed => "unparsed".to_owned(),
    }
}

/// Returns `answered “beach”`, or a phrase for the classes of other and unparsed answers.
fn answered(class: &Class) -> String {
    match &class.name {
        ClassName::Value(name) => format!("answered “{}”", visible(name)),
        ClassName::Others(count) => {
            format!("answered one of {} other values", compact(*count as u64))
        }
        ClassName::Unparsed => "answers that could not be read".to_owned(),
    }
}

struct Cells<'a> {
    found: &'a Confusion,
    titles: &'a [String],
}

impl HeatCells for Cells<'_> {
    fn total(&self) -> usize {
        self.found.targets.len()
    }

    fn row(&self, row: usize) -> HeatRow<'_> {
        let (Some(class), Some(title)) = (self.found.targets.get(row), self.titles.get(row)) else {
            return HeatRow::default();
        };
        HeatRow {
            name: fit(title, NAME),
            series: None,
            lead: vec![compact(class.count).into()],
            apart: matches!(class.name, ClassName::Others(_)),
        }
    }

    fn cell(&self, row: usize, column: usize) -> HeatCell<'_> {
        let cell = self.found.cell(row, column);
        let of_row = self.found.targets.get(row).map_or(0, |class| class.count);
        let is_diagonal = self.found.is_diagonal(row, column);
        if cell.count == 0 {
            return HeatCell::plain(if is_diagonal { "[0]" } else { "·" });
        }
        #[expect(clippy::cast_precision_loss, reason = "only selects a colour")]
        let share = cell.count as f64 / of_row.max(1) as f64;
        HeatCell {
            text: if is_diagonal {
                format!("[{}]", compact(cell.count)).into()
            } else {
                compact(cell.count).into()
            },
            // High counts are good on the diagonal and bad in other cells.
            heat: if is_diagonal {
                1.0 - share
            } else {
                0.5 + share / 2.0
            },
            best: is_diagonal,
        }
    }
}

/// Returns the matrix for copying, with one row per target and one column per answer.
pub fn grid(shared: &AppState) -> Option<Grid> {
    let found = known(shared)?;
    let answers = found
        .answers
        .iter()
        .map(|class| (title(class), Align::Right));
    let head = std::iter::once(("target".to_owned(), Align::Left));
    let mut grid = Grid {
        columns: head.chain(answers).collect(),
        ..Grid::default()
    };
    for (row, class) in found.targets.iter().enumerate() {
        let counts = (0..found.answers.len()).map(|column| found.cell(row, column).count);
        let counts = counts.map(|count| count.to_string());
        let cells: Vec<String> = std::iter::once(title(class)).chain(counts).collect();
        grid.push(cells.iter().map(String::as_str));
    }
    Some(grid)
}

impl ConfusionGrid {
    /// Draws the matrix, and queries it if needed.
    pub fn draw(self, shared: &AppState, frame: &mut Frame<'_>, room: ViewArea) -> FrameOutput {
        let mut drawn = self.draw_known(shared, frame, room.area);
        drawn.wanted.confusion = unknown(shared, &shared.answers.confusion, question(shared));
        drawn
    }

    fn draw_known(self, shared: &AppState, frame: &mut Frame<'_>, area: Rect) -> FrameOutput {
        let Some(found) = found(shared) else {
            let waiting = "Reading every answer …";
            return draw_text(
                shared,
                &instead(shared, question(shared), waiting),
                frame,
                area,
            );
        };
        if is_measured(found) {
            let words = "There is no matrix for measured numbers. v shows the next layout.";
            return draw_text(shared, words, frame, area);
        }
        if found.targets.is_empty() {
            let words = "There is no matrix for boxes and colours. v shows the next layout.";
            return draw_text(shared, words, frame, area);
        }
        let [top, foot] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(FOOT)]).areas(area);
        let mut state = self.cell;
        with_grid(shared, found, |grid| {
            frame.render_stateful_widget(grid, top, &mut state);
        });
        let theme = &shared.theme;
        let lines = vec![
            Line::styled("─".repeat(usize::from(foot.width)), theme.border()),
            Line::styled(sentence(found, state), theme.text()),
            Line::styled(notes(shared, found), theme.dim()),
        ];
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), foot);
        ScrollState::Confusion(Self { cell: state }).into()
    }

    /// Performs an action on the matrix.
    pub fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        let Some(found) = known(shared) else {
            return Reply::PassOn;
        };
        let last = found.answers.len().saturating_sub(1);
        match action {
            Action::Left => self.cell.column = self.cell.column.saturating_sub(1),
            Action::Right => self.cell.column = (self.cell.column + 1).min(last),
            Action::Open => return self.open(shared, found),
            Action::JudgeOk | Action::SelectAll | Action::SelectRange => {
                return Reply::say("press Enter to open these samples; Space selects them there");
            }
            Action::JudgeWrongLabel | Action::JudgeAmbiguous | Action::JudgeBadImage => {
                return Reply::say("press Enter to open these samples; judge their labels there");
            }
            other => return move_cursor(&mut self.cell.row, found.targets.len(), PAGE, other),
        }
        Reply::DONE
    }

    /// Opens the samples of the cell under the cursor as a drill-down step.
    fn open(self, shared: &AppState, found: &Confusion) -> Reply {
        let HeatGridState { row, column, .. } = self.cell;
        if found.cell(row, column).count == 0 {
            return Reply::say("this cell has no samples");
        }
        let Some(expression) = found.expression(row, column) else {
            return Reply::DONE;
        };
        let lens = lens(shared);
        let step = if lens.step.is_empty() {
            expression
        } else {
            format!("({}) {expression}", lens.step)
        };
        let drill = DrillDown::new(Lens { step, ..lens });
        let look = if shared.pictures.are_off() {
            Look::List
        } else {
            Look::Sheet
        };
        vec![drill.into(), Change::Look(look)].into()
    }

    /// Handles a click. A click moves the cursor to the cell; a second click opens the cell.
    pub fn click(&mut self, shared: &AppState, area: Rect, (x, y): (u16, u16)) -> Vec<Change> {
        let Some(found) = known(shared) else {
            return Vec::new();
        };
        let [top, _] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(FOOT)]).areas(area);
        let spot = with_grid(shared, found, |grid| grid.cell_at(top, &self.cell, x, y));
        let Some(HeatSpot {
            row: Some(row),
            column,
        }) = spot
        else {
            return Vec::new();
        };
        let column = column.unwrap_or(self.cell.column);
        if (row, column) == (self.cell.row, self.cell.column) {
            return vec![Change::Act(Action::Open)];
        }
        (self.cell.row, self.cell.column) = (row, column);
        Vec::new()
    }

    /// Explains the cell under the cursor, and the symbols around it.
    pub fn explain(self, shared: &AppState) -> Vec<Explanation> {
        let Some(found) = known(shared) else {
            return Vec::new();
        };
        let theme = &shared.theme;
        let HeatGridState { row, column, .. } = self.cell;
        let cell = found.cell(row, column);
        let dim = theme.dim();
        let mut explained = vec![
            Explanation::new(
                compact(cell.count),
                theme.text(),
                sentence(found, self.cell),
            ),
            Explanation::new(
                "row",
                dim,
                "a target; n counts its answers; colours are shares of a row",
            ),
            Explanation::new(
                "column",
                dim,
                "the answer that was read; in brackets where it equals the target",
            ),
            Explanation::new("unparsed", dim, "responses whose answer could not be read"),
        ];
        let many = |class: &&Class| matches!(class.name, ClassName::Others(_));
        if let Some(others) = found.targets.iter().chain(&found.answers).find(many) {
            let words = "targets or answers too rare for a row or column of their own";
            explained.push(Explanation::new(title(others), dim, words));
        }
        explained
    }

    /// Returns the number of answers in the matrix, for the status line.
    pub fn status(shared: &AppState) -> Vec<Piece<'static>> {
        let dim = shared.theme.dim();
        let words = |found: &Confusion| format!("{} answers", compact(found.total()));
        let mut pieces: Vec<Piece<'static>> = known(shared)
            .into_iter()
            .map(|found| Piece::new(words(found), dim))
            .collect();
        pieces.push(Piece::new("rows are targets, columns answers", dim));
        pieces
    }
}

/// Builds the grid and passes it to `use_it`. The grid borrows its titles, so it cannot be
/// returned.
fn with_grid<T>(
    shared: &AppState,
    found: &Confusion,
    use_it: impl FnOnce(HeatGrid<'_, Cells<'_>>) -> T,
) -> T {
    let titles: Vec<String> = found.targets.iter().map(title).collect();
    let heads: Vec<String> = found.answers.iter().map(title).collect();
    let short: Vec<_> = heads.iter().map(|head| fit(head, TITLE)).collect();
    let long: Vec<_> = heads.iter().map(|head| fit(head, 2 * TITLE)).collect();
    let columns: Vec<HeatColumn<'_>> = short
        .iter()
        .zip(&long)
        .map(|(short, long)| HeatColumn {
            short,
            long,
            ..HeatColumn::default()
        })
        .collect();
    let cells = Cells {
        found,
        titles: &titles,
    };
    let widths = HeatWidths::of(&cells, columns.len());
    use_it(HeatGrid {
        theme: &shared.theme,
        lead: &["n"],
        columns: &columns,
        rows: &cells,
        widths: &widths,
    })
}

/// Describes the cell under the cursor: `target “beach”, answered “forest”: 3 of 41 (7 %); 0 of
/// them right; Enter shows them`.
fn sentence(found: &Confusion, state: HeatGridState) -> String {
    let cell = found.cell(state.row, state.column);
    let (Some(target), Some(answer)) = (
        found.targets.get(state.row),
        found.answers.get(state.column),
    ) else {
        return String::new();
    };
    let target_words = match &target.name {
        ClassName::Value(name) => format!("target “{}”", visible(name)),
        ClassName::Others(count) => format!("one of {} other targets", compact(*count as u64)),
        ClassName::Unparsed => String::new(),
    };
    let head = format!("{target_words}, {}: ", answered(answer));
    if cell.count == 0 {
        return format!("{head}none of {}", compact(target.count));
    }
    let share = cell.count * 100 / target.count.max(1);
    // Omit the usual case: the whole diagonal is right and all other cells are wrong.
    let usual = if found.is_diagonal(state.row, state.column) {
        cell.count
    } else {
        0
    };
    let right = if cell.right == usual {
        String::new()
    } else {
        format!(", {} right by the current rules", compact(cell.right))
    };
    let [count, of] = [cell.count, target.count].map(compact);
    format!("{head}{count} of {of} ({share} %){right}; Enter shows them")
}

/// Returns the model that gave the answers, and notes about omitted answers.
fn notes(shared: &AppState, found: &Confusion) -> String {
    let model = match lens(shared).model {
        Some(model) => format!("model {}", visible(&model)),
        None => match shared.answered().len() {
            0 | 1 => String::new(),
            several => format!("all {several} models together; m selects one"),
        },
    };
    let letters = "options by letter: their texts differ from sample to sample";
    let left_out = counted(found.left_out, "answer");
    let left_out = format!("left out: {left_out} with boxes, colours or no target");
    let notes = [
        (!model.is_empty()).then_some(model),
        found.by_letter.then(|| letters.to_owned()),
        (found.left_out > 0).then_some(left_out),
    ];
    let notes: Vec<String> = notes.into_iter().flatten().collect();
    notes.join(" · ")
}
