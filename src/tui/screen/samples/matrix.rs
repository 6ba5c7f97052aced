//! The matrix of all answers: a row per sample, a column per model, or per condition of one
//! model.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use crate::action::Action;
use crate::change::{Change, Reply, SampleRows};
use crate::frame_output::{FrameOutput, ScrollState, ViewArea};
use crate::screen::labels::label_sign;
use crate::screen::part::{self, grid_of, move_cursor, say, unknown, why_empty};
use crate::screen::sample::sign;
use crate::shared::{ListSource, Shared, key_of};
use crate::widget::line::Piece;
use crate::widget::table::{Column, ColumnWidth, Rows, Table, TableCell, TableState};
use analysis::{AnswerColumns, AnswerMatrix, AnsweredSample};
use base::format::{counted, visible};
use engine::Answers;
use record::Row;
use record::verdict::SampleKey;
use report::Grid;
use workspace::Lens;
use workspace::filter::quoted;
use workspace::page::list_row;

use super::list::{answer_words, target, telling};

/// Minimum width of an answer.
const ANSWER: u16 = 15;
/// Width of the id, and of the target.
const ID: u16 = 14;
/// Rows per page.
const PAGE: usize = 20;

/// State of the matrix.
#[derive(Clone, Copy, Debug, Default)]
pub struct Matrix {
    /// Cursor over the samples.
    table: TableState,
    /// Index of the column under the cursor.
    column: usize,
    /// Index of the first visible column.
    first: usize,
}

fn question(shared: &Shared) -> Answers {
    let lens = &shared.lens;
    match &lens.model {
        Some(model) if !shared.list.outline.conditions.is_empty() => Answers {
            scope: shared.scope(lens),
            beside: AnswerColumns::Conditions(model.clone()),
        },
        _ => Answers {
            scope: shared.scope(&Lens {
                model: None,
                versus: None,
                ..lens.clone()
            }),
            beside: AnswerColumns::Models(columns(shared)),
        },
    }
}

/// Returns the models that the matrix shows, as words for the trail: `2 of 5 models`. `None`
/// beside conditions of one model, which the lens names.
pub fn models_words(shared: &Shared) -> Option<String> {
    let AnswerColumns::Models(shown) = question(shared).beside else {
        return None;
    };
    let all = shared.answered().len();
    Some(match shown.len() {
        shown if shown == all => counted(all as u64, "model"),
        shown => format!("{shown} of {}", counted(all as u64, "model")),
    })
}

/// Returns filter terms of samples that a model of the columns answers wrongly, and of those on
/// which these models differ; `None` if the columns are all models, or conditions of one.
pub fn terms_of_shown(shared: &Shared) -> Option<[String; 2]> {
    let AnswerColumns::Models(shown) = question(shared).beside else {
        return None;
    };
    if shown.len() == shared.answered().len() {
        return None;
    }
    let any = |key: &str| {
        let terms = shown.iter().map(|model| format!("{key}:{}", quoted(model)));
        format!("({})", terms.collect::<Vec<_>>().join(" or "))
    };
    let wrong = any("wrong");
    Some([wrong.clone(), format!("{} {wrong}", any("right"))])
}

/// Returns the models of the columns: the selected ones if there are several; otherwise all, the
/// selected one first and the others by average rank.
fn columns(shared: &Shared) -> Vec<String> {
    let known = shared.answered();
    let mut models: Vec<String> = shared.picked.clone();
    models.retain(|model| known.contains(model));
    if models.len() > 1 {
        return models;
    }
    let rest = known
        .into_iter()
        .filter(|model| !shared.picked.contains(model));
    models.extend(rest);
    models
}

/// Returns the answer to the current query, if it has arrived.
fn known(shared: &Shared) -> Option<&AnswerMatrix> {
    part::known(&shared.answers.matrix, &question(shared))
}

/// Rows of the matrix, with the visible columns.
struct Cells<'a> {
    shared: &'a Shared,
    matrix: &'a AnswerMatrix,
    /// Indices of the visible columns.
    seen: std::ops::Range<usize>,
    cursor: (usize, usize),
}

impl Rows for Cells<'_> {
    fn total(&self) -> usize {
        self.matrix.rows.len()
    }

    fn cells(&self, at: usize) -> Vec<TableCell<'_>> {
        let Some(sample) = self.matrix.rows.get(at) else {
            return Vec::new();
        };
        let shared = self.shared;
        let theme = &shared.theme;
        let id = telling(shared, shared.table.sample_id(sample.item));
        let text = TableCell::visible;
        let wanted = sample.answers().next().map_or_else(String::new, |row| {
            let list = list_row(&shared.table, row, shared.lens.scoring);
            target(shared, &list).to_owned()
        });
        let mut cells = Vec::new();
        if has_verdicts(shared) {
            let first = sample.answers().next();
            let sign = first.map(|Row(row)| label_sign(shared, row));
            let sign = sign.unwrap_or_default();
            cells.push(TableCell::new(sign.content, sign.style));
        }
        cells.push(text(&id, theme.text()));
        cells.push(text(&wanted, theme.target()));
        for column in self.seen.clone() {
            let mut cell = self.answer(sample, column);
            if self.cursor == (at, column) {
                cell.style = cell.style.add_modifier(Modifier::REVERSED);
            }
            cells.push(cell);
        }
        cells
    }
}

impl Cells<'_> {
    fn answer(&self, sample: &AnsweredSample, column: usize) -> TableCell<'static> {
        let shared = self.shared;
        let Some(row) = sample.cell(column) else {
            return TableCell::new("·", shared.theme.dim());
        };
        let list = list_row(&shared.table, row, shared.lens.scoring);
        let (sign, style) = sign(&shared.theme, &list);
        let sign = if shared.marked.contains(&row.0) {
            "●"
        } else {
            sign
        };
        let (words, _) = answer_words(shared, &list, style);
        TableCell::new(format!("{sign} {}", visible(&words)), style)
    }

    /// Returns the visible predictions.
    fn rows(&self, state: &TableState, lines: usize) -> Vec<u32> {
        let samples = self.matrix.rows.iter().skip(state.offset).take(lines);
        let cells = samples.flat_map(|sample| {
            let seen = self.seen.clone();
            // All records of a sample contain the target, so one is enough.
            let first = sample.answers().next();
            first
                .into_iter()
                .chain(seen.filter_map(|column| sample.cell(column)))
        });
        let mut rows: Vec<u32> = cells.map(|Row(row)| row).collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }
}

/// Returns true if the rows have a sign of the verdict on their sample.
fn has_verdicts(shared: &Shared) -> bool {
    !shared.verdicts.book.is_empty()
}

/// Returns the width of the columns before the answers.
fn lead(shared: &Shared) -> u16 {
    2 * (ID + 2) + if has_verdicts(shared) { 3 } else { 0 }
}

/// Returns how many columns of answers fit, and the width of each.
fn room(shared: &Shared, area: Rect, count: usize) -> (usize, u16) {
    let left = area.width.saturating_sub(lead(shared) + 1);
    let fit = usize::from(left / (ANSWER + 2)).max(1);
    let shown = fit.min(count.max(1));
    let each = left / u16::try_from(shown).unwrap_or(1);
    (shown, each.saturating_sub(2).min(32))
}

impl Matrix {
    /// Draws the matrix, and queries it if needed.
    pub fn draw(self, shared: &Shared, frame: &mut Frame<'_>, room: ViewArea) -> FrameOutput {
        let mut drawn = self.draw_known(shared, frame, room);
        drawn.wanted.matrix = unknown(shared, &shared.answers.matrix, question(shared));
        drawn
    }

    fn draw_known(self, shared: &Shared, frame: &mut Frame<'_>, room_of: ViewArea) -> FrameOutput {
        let area = room_of.area;
        let Some(matrix) = known(shared) else {
            return say(shared, "Laying the answers side by side …", frame, area);
        };
        if matrix.rows.is_empty() {
            return say(shared, why_empty(shared), frame, area);
        }
        let mut state = self;
        state.first = state.first_in_sight(shared, matrix, area);
        state.with_table(shared, matrix, area, |table, cells| {
            frame.render_stateful_widget(table, area, &mut state.table);
            let mut drawn = FrameOutput::default();
            drawn.wanted.briefs = cells.rows(&state.table, area.height.into());
            drawn.view = ScrollState::Matrix(state);
            drawn
        })
    }

    /// Returns the visible part for copying; the answers of other cells are not loaded.
    pub fn grid(self, shared: &Shared, area: Rect) -> Option<Grid> {
        let matrix = known(shared)?;
        let first = self.table.offset;
        let last = first + usize::from(area.height.saturating_sub(1)).max(1);
        Some(self.with_table(shared, matrix, area, |table, cells| {
            grid_of(table.columns, cells, first..last)
        }))
    }

    fn first_in_sight(self, shared: &Shared, matrix: &AnswerMatrix, area: Rect) -> usize {
        let (count, _) = room(shared, area, matrix.columns.len());
        let most = matrix.columns.len().saturating_sub(count);
        let first = self
            .first
            .clamp((self.column + 1).saturating_sub(count), self.column);
        first.min(most)
    }

    /// Passes the table to `use_it`; it borrows its titles, so it cannot be returned.
    fn with_table<T>(
        self,
        shared: &Shared,
        matrix: &AnswerMatrix,
        area: Rect,
        use_it: impl FnOnce(Table<'_, Cells<'_>>, &Cells<'_>) -> T,
    ) -> T {
        let (count, each) = room(shared, area, matrix.columns.len());
        let last = (self.first + count).min(matrix.columns.len());
        let seen = self.first..last;
        let names = matrix.columns.get(seen.clone()).unwrap_or_default();
        let mut titles: Vec<String> = names
            .iter()
            .map(|name| visible(name).into_owned())
            .collect();
        // Marks hidden columns.
        if let (Some(title), true) = (titles.first_mut(), self.first > 0) {
            *title = format!("‹ {title}");
        }
        if let (Some(title), true) = (titles.last_mut(), last < matrix.columns.len()) {
            *title = format!("{title} ›");
        }
        let mut columns = Vec::new();
        if has_verdicts(shared) {
            columns.push(Column::text("", ColumnWidth::Fixed(1)));
        }
        columns.push(Column::text("sample", ColumnWidth::Fixed(ID)).keeping_end());
        columns.push(Column::text("target", ColumnWidth::Fixed(ID)));
        let answers = titles.iter();
        columns.extend(answers.map(|title| Column::text(title, ColumnWidth::Fixed(each))));
        let rows = Cells {
            shared,
            matrix,
            seen,
            cursor: (self.table.selected, self.column),
        };
        let table = Table::new(&shared.theme, &columns, &rows);
        use_it(table, &rows)
    }

    /// Returns a prediction for the sample under the cursor, that of the column if there is one.
    pub fn here(self, shared: &Shared) -> Option<u32> {
        let sample = known(shared)?.rows.get(self.table.selected)?;
        let row = sample.cell(self.column);
        row.or_else(|| sample.answers().next()).map(|Row(row)| row)
    }

    /// Moves the cursor to the next sample. Returns false at the last one.
    pub fn select_next(&mut self, shared: &Shared) -> bool {
        let count = known(shared).map_or(0, |matrix| matrix.rows.len());
        let is_there = self.table.selected + 1 < count;
        self.table.selected += usize::from(is_there);
        is_there
    }

    /// Moves the cursor to a sample, if the matrix has it.
    pub fn select(&mut self, shared: &Shared, key: &SampleKey) {
        let is_it = |sample: &AnsweredSample| {
            let first = sample.answers().next();
            first.is_some_and(|Row(row)| key_of(&shared.table, row) == *key)
        };
        let at = known(shared).and_then(|matrix| matrix.rows.iter().position(is_it));
        self.table.selected = at.unwrap_or(self.table.selected);
    }

    /// Performs an action on the matrix.
    pub fn act(&mut self, shared: &Shared, action: Action) -> Reply {
        let Some(matrix) = known(shared) else {
            return Reply::PassOn;
        };
        let last = matrix.columns.len().saturating_sub(1);
        match action {
            Action::Left => self.column = self.column.saturating_sub(1),
            Action::Right => self.column = (self.column + 1).min(last),
            Action::Open => return self.open(matrix),
            // While judging is off, Space selects; it is bound to this action.
            Action::JudgeOk => {
                let here = matrix.rows.get(self.table.selected);
                let here = here.and_then(|sample| sample.cell(self.column));
                return Vec::from_iter(here.map(|Row(row)| Change::Mark(row))).into();
            }
            other => return move_cursor(&mut self.table.selected, matrix.rows.len(), PAGE, other),
        }
        Reply::DONE
    }

    /// Opens the answer under the cursor in a list of its column.
    fn open(self, matrix: &AnswerMatrix) -> Reply {
        let Some(sample) = matrix.rows.get(self.table.selected) else {
            return Reply::DONE;
        };
        let Some(here) = sample.cell(self.column) else {
            return Reply::say("there is no answer here");
        };
        let column = matrix.rows.iter();
        let column = column.filter_map(|sample| sample.cell(self.column));
        let list: Vec<u32> = column.map(|Row(row)| row).collect();
        let at = list.iter().position(|row| *row == here.0);
        Reply::with(Change::OpenRows(Box::new(SampleRows {
            at: at.unwrap_or_default(),
            list,
            of: ListSource::Flagged,
            second: None,
        })))
    }

    /// Handles a click: moves the cursor, or opens the answer that is already under it.
    pub fn click(&mut self, shared: &Shared, area: Rect, (x, y): (u16, u16)) -> Vec<Change> {
        let Some(matrix) = known(shared) else {
            return Vec::new();
        };
        let state = self.table;
        let spot = self.with_table(shared, matrix, area, |table, _| {
            table.row_at(area, &state, x, y)
        });
        let (_, each) = room(shared, area, matrix.columns.len());
        let column = x.saturating_sub(area.x + lead(shared)) / (each + 2);
        let column = (self.first + usize::from(column)).min(matrix.columns.len().saturating_sub(1));
        match spot {
            Some(row) if (row, column) == (state.selected, self.column) => {
                vec![Change::Act(Action::Open)]
            }
            Some(row) => {
                self.table.selected = row;
                self.column = column;
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    /// Returns the cursor's position and the order of the samples.
    pub fn status(self, shared: &Shared) -> Vec<Piece<'static>> {
        let Some(matrix) = known(shared) else {
            return Vec::new();
        };
        let theme = &shared.theme;
        let at = format!("{} of {}", self.table.selected + 1, matrix.rows.len());
        let mut pieces = vec![Piece::new(at, theme.dim())];
        if let Some(sample) = matrix.rows.get(self.table.selected) {
            let count = sample.answers().count();
            if !sample.right.is_nan() {
                let words = format!("{:.0} % of {count} right", 100.0 * sample.right);
                pieces.push(Piece::new(words, theme.text()));
            }
        }
        let words = "samples with the most different answers first";
        pieces.push(Piece::new(words, theme.dim()));
        pieces
    }
}
