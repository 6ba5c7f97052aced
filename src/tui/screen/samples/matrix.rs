//! The matrix of all answers. Each row is a sample. Each column is a model, or a condition of a
//! single model. Tall rows contain the sample's picture.

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::change::{Change, Reply, SampleRows};
use crate::frame_output::{FrameOutput, ScrollState, ViewArea};
use crate::screen::labels::label_sign;
use crate::screen::names::SharedEnds;
use crate::screen::part::{self, draw_text, grid_of, instead, move_cursor, unknown, why_empty};
use crate::screen::sample::sign;
use crate::shared::{AppState, ListSource, key_of};
use crate::widget::line::Piece;
use crate::widget::table::{Column, ColumnWidth, HEADER, Rows, Table, TableCell, TableState};
use analysis::{AnswerColumns, AnswerMatrix, AnsweredSample};
use base::format::{counted, visible};
use engine::Answers;
use record::Row;
use record::verdict::SampleKey;
use report::Grid;
use workspace::Lens;
use workspace::filter::quoted;
use workspace::page::list_row;

use super::list::{answer_words, condition, target, telling};
use super::measures::{ID, Measures, has_pictures};
use super::tile::draw_thumbs;

/// Number of rows that a page key moves.
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
    /// The user's choice to show or hide pictures. By default, a tall screen shows sharp pictures.
    pictures: Option<bool>,
}

fn question(shared: &AppState) -> Answers {
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

/// Returns the number of models in the matrix, for the trail: `2 of 5 models`. Returns `None` if
/// the columns are conditions of one model, which the trail already contains.
pub fn models_words(shared: &AppState) -> Option<String> {
    let AnswerColumns::Models(shown) = question(shared).beside else {
        return None;
    };
    let all = shared.answered().len();
    Some(match shown.len() {
        shown if shown == all => counted(all as u64, "model"),
        shown => format!("{shown} of {}", counted(all as u64, "model")),
    })
}

/// Returns two filter terms for the models in the columns. The first selects samples that one of
/// these models answers wrongly. The second selects samples on which these models differ. Returns
/// `None` if the columns are all models, or conditions of one model.
pub fn terms_of_shown(shared: &AppState) -> Option<[String; 2]> {
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

/// Removes a term made by [`terms_of_shown`], for any models, from the start of an expression.
/// Returns whether the term selects samples on which models differ, and the rest of the expression.
pub fn without_terms_of_models(step: &str) -> Option<(bool, &str)> {
    if let Some(rest) = without_group(step, "right").and_then(|rest| rest.strip_prefix(' ')) {
        return Some((true, without_group(rest, "wrong")?));
    }
    Some((false, without_group(step, "wrong")?))
}

/// Removes a group such as `(wrong:a or wrong:"b c")` from the start of an expression.
fn without_group<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let mut rest = text.strip_prefix('(')?;
    loop {
        rest = rest.strip_prefix(key)?.strip_prefix(':')?;
        rest = match rest.strip_prefix('"') {
            Some(quoted) => {
                let mut before = ' ';
                let end = quoted.find(|c| {
                    let is_end = c == '"' && before != '\\';
                    before = c;
                    is_end
                })?;
                quoted.get(end + 1..)?
            }
            None => rest.trim_start_matches(|c: char| c != ' ' && c != ')'),
        };
        match rest.strip_prefix(" or ") {
            Some(next) => rest = next,
            None => return rest.strip_prefix(')'),
        }
    }
}

/// Returns the models of the columns. Several selected models are the only columns. Otherwise all
/// models are columns, with a selected model first and the others by average rank.
fn columns(shared: &AppState) -> Vec<String> {
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
fn known(shared: &AppState) -> Option<&AnswerMatrix> {
    part::known(&shared.answers.matrix, &question(shared))
}

/// Rows of the matrix, with the visible columns.
struct Cells<'a> {
    shared: &'a AppState,
    matrix: &'a AnswerMatrix,
    /// Indices of the visible columns.
    seen: std::ops::Range<usize>,
    /// True if the rows have pictures.
    pictured: bool,
    /// True if each row starts with the sign of the verdict on its sample.
    judged: bool,
    /// True if rows contain their conditions, because the columns do not.
    named: bool,
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
        let mut id = telling(shared, shared.table.sample_id(sample.item)).into_owned();
        let text = TableCell::visible;
        let mut wanted = String::new();
        if let Some(row) = sample.answers().next() {
            let list = list_row(&shared.table, row, shared.lens.scoring);
            target(shared, &list).clone_into(&mut wanted);
            // If a sample has several rows, they differ in their condition.
            if self.named && !shared.list.outline.conditions.is_empty() {
                id = format!("{id} {}", condition(shared, &list));
            }
        }
        let mut cells = Vec::new();
        if self.judged {
            let first = sample.answers().next();
            let sign = first.map(|Row(row)| label_sign(shared, row));
            let sign = sign.unwrap_or_default();
            cells.push(TableCell::new(sign.content, sign.style));
        }
        cells.push(text(&id, theme.text()));
        if self.pictured {
            cells.push(TableCell::default());
        }
        cells.push(text(&wanted, theme.target()));
        cells.extend(self.seen.clone().map(|column| self.answer(sample, column)));
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

    /// Returns the predictions in visible cells.
    fn rows(&self, state: &TableState, lines: usize) -> Vec<u32> {
        let samples = self.matrix.rows.iter().skip(state.offset).take(lines);
        let cells = samples.flat_map(|sample| {
            let seen = self.seen.clone();
            // All records of a sample contain the target, so one record is enough.
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

/// Returns the shared parts of the columns' names, which the titles omit.
fn ends(matrix: &AnswerMatrix) -> SharedEnds {
    SharedEnds::new(matrix.columns.iter().map(String::as_str))
}

impl Matrix {
    /// Draws the matrix, and queries it if needed.
    pub fn draw(self, shared: &AppState, frame: &mut Frame<'_>, room: ViewArea) -> FrameOutput {
        let mut drawn = self.draw_known(shared, frame, room);
        drawn.wanted.matrix = unknown(shared, &shared.answers.matrix, question(shared));
        drawn
    }

    fn draw_known(self, shared: &AppState, frame: &mut Frame<'_>, room: ViewArea) -> FrameOutput {
        let area = room.area;
        let Some(matrix) = known(shared) else {
            let waiting = "Collecting the answers …";
            return draw_text(
                shared,
                &instead(shared, question(shared), waiting),
                frame,
                area,
            );
        };
        if matrix.rows.is_empty() {
            return draw_text(shared, &why_empty(shared), frame, area);
        }
        let measures = Measures::new(shared, matrix, self.pictures, area);
        let mut state = self;
        state.first = state.first_in_sight(matrix, measures);
        let briefs = state.with_table(shared, matrix, measures, |table, cells| {
            frame.render_stateful_widget(table, area, &mut state.table);
            cells.rows(&state.table, area.height.into())
        });
        let thumbs = measures.thumbs(matrix, (state.table, state.column), area);
        let mut drawn = draw_thumbs(shared, &thumbs, false, frame, room);
        drawn.wanted.briefs = briefs;
        drawn.view = ScrollState::Matrix(state);
        drawn
    }

    /// Returns the visible part for copying, because the answers of other cells are not loaded.
    pub fn grid(self, shared: &AppState, area: Rect) -> Option<Grid> {
        let matrix = known(shared)?;
        // The copied table contains no pictures.
        let measures = Measures::new(shared, matrix, Some(false), area);
        let lines = Measures::new(shared, matrix, self.pictures, area).lines;
        let first = self.table.offset;
        let last = first + usize::from(area.height.saturating_sub(HEADER) / lines).max(1);
        let mut grid = self.with_table(shared, matrix, measures, |table, cells| {
            grid_of(table.columns, cells, first..last)
        });
        // Shortened names are clear only on this screen, so copy full names.
        let names = matrix.columns.iter().skip(self.first);
        let before = 2 + usize::from(measures.judged);
        for ((title, _), name) in grid.columns.iter_mut().skip(before).zip(names) {
            *title = visible(name).into_owned();
        }
        Some(grid)
    }

    fn first_in_sight(self, matrix: &AnswerMatrix, measures: Measures) -> usize {
        let count = measures.shown;
        let most = matrix.columns.len().saturating_sub(count);
        let first = self
            .first
            .clamp((self.column + 1).saturating_sub(count), self.column);
        first.min(most)
    }

    /// Builds the table and passes it to `use_it`. The table borrows its titles, so it cannot be
    /// returned.
    fn with_table<T>(
        self,
        shared: &AppState,
        matrix: &AnswerMatrix,
        measures: Measures,
        use_it: impl FnOnce(Table<'_, Cells<'_>>, &Cells<'_>) -> T,
    ) -> T {
        let Measures {
            judged,
            picture,
            lines,
            ..
        } = measures;
        let last = (self.first + measures.shown).min(matrix.columns.len());
        let seen = self.first..last;
        let ends = ends(matrix);
        let names = matrix.columns.get(seen.clone()).unwrap_or_default();
        let mut titles: Vec<String> = names
            .iter()
            .map(|name| visible(ends.cut(name)).into_owned())
            .collect();
        // Mark hidden columns.
        if let (Some(title), true) = (titles.first_mut(), self.first > 0) {
            *title = format!("‹ {title}");
        }
        if let (Some(title), true) = (titles.last_mut(), last < matrix.columns.len()) {
            *title = format!("{title} ›");
        }
        let fixed = |title, width| Column::text(title, ColumnWidth::Fixed(width));
        let mut columns = Vec::new();
        if judged {
            columns.push(Column::text("", ColumnWidth::Fixed(1)));
        }
        columns.push(fixed("sample", ID).keeping_end());
        let pictured = picture > 0;
        if pictured {
            columns.push(fixed("picture", picture));
        }
        columns.push(fixed("target", ID));
        let before = columns.len();
        columns.extend(titles.iter().map(|title| fixed(title, measures.answer)));
        let of_models = |asked: &Answers| matches!(asked.beside, AnswerColumns::Models(_));
        let rows = Cells {
            shared,
            matrix,
            seen,
            pictured,
            judged,
            named: of_models(&question(shared)),
        };
        let table = Table {
            lines,
            column: Some(before + self.column.saturating_sub(self.first)),
            ..Table::new(&shared.theme, &columns, &rows)
        };
        use_it(table, &rows)
    }

    /// Returns a prediction for the sample under the cursor, preferably from the cursor's column.
    pub fn here(self, shared: &AppState) -> Option<u32> {
        let sample = known(shared)?.rows.get(self.table.selected)?;
        let row = sample.cell(self.column);
        row.or_else(|| sample.answers().next()).map(|Row(row)| row)
    }

    /// Moves the cursor to the next sample. Returns false at the last one.
    pub fn select_next(&mut self, shared: &AppState) -> bool {
        let count = known(shared).map_or(0, |matrix| matrix.rows.len());
        let is_there = self.table.selected + 1 < count;
        self.table.selected += usize::from(is_there);
        is_there
    }

    /// Moves the cursor to a sample, if the matrix contains it.
    pub fn select(&mut self, shared: &AppState, key: &SampleKey) {
        let is_it = |sample: &AnsweredSample| {
            let first = sample.answers().next();
            first.is_some_and(|Row(row)| key_of(&shared.table, row) == *key)
        };
        let at = known(shared).and_then(|matrix| matrix.rows.iter().position(is_it));
        self.table.selected = at.unwrap_or(self.table.selected);
    }

    /// Performs an action on the matrix.
    pub fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        let Some(matrix) = known(shared) else {
            return Reply::PassOn;
        };
        let last = matrix.columns.len().saturating_sub(1);
        match action {
            Action::Left => self.column = self.column.saturating_sub(1),
            Action::Right => self.column = (self.column + 1).min(last),
            Action::ZoomIn | Action::ZoomOut => return self.zoom(shared, matrix, action),
            Action::Open => return self.open(matrix),
            // While judging is off, Space, the key of this action, selects.
            Action::JudgeOk => {
                let here = matrix.rows.get(self.table.selected);
                let here = here.and_then(|sample| sample.cell(self.column));
                return Vec::from_iter(here.map(|Row(row)| Change::Mark(row))).into();
            }
            other => return move_cursor(&mut self.table.selected, matrix.rows.len(), PAGE, other),
        }
        Reply::DONE
    }

    /// Shows or hides pictures in the rows.
    fn zoom(&mut self, shared: &AppState, matrix: &AnswerMatrix, action: Action) -> Reply {
        let is_on = action == Action::ZoomIn;
        self.pictures = Some(is_on);
        if is_on && shared.pictures.are_off() {
            return Reply::say("pictures are off; --images auto shows them");
        }
        if is_on && !has_pictures(shared, matrix) {
            return Reply::say("these samples have no pictures");
        }
        Reply::DONE
    }

    /// Opens the answer under the cursor, in a list of its column.
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

    /// Handles a click. A click moves the cursor to the answer; a second click opens the answer.
    pub fn click(&mut self, shared: &AppState, area: Rect, (x, y): (u16, u16)) -> Vec<Change> {
        let Some(matrix) = known(shared) else {
            return Vec::new();
        };
        let state = self.table;
        let measures = Measures::new(shared, matrix, self.pictures, area);
        let spot = self.with_table(shared, matrix, measures, |table, _| {
            table.row_at(area, &state, x, y)
        });
        let column = x.saturating_sub(area.x + measures.lead()) / (measures.answer + 2);
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

    /// Returns the cursor's position and the order of the samples, for the status line.
    pub fn status(self, shared: &AppState) -> Vec<Piece<'static>> {
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
        let names = ends(matrix).words();
        pieces.extend(names.map(|words| Piece::new(words, theme.dim())));
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::Look;
    use crate::tests::{opened, press, screen};

    #[test]
    fn a_copied_matrix_has_the_rows_on_screen() {
        let mut app = opened("sample_runs/exam");
        press(&mut app, "3 v v");
        assert_eq!(app.shared.list.look, Look::Matrix);
        // The first frame requests answers, and the second frame contains them.
        screen(&mut app, 80, 24);
        screen(&mut app, 80, 24);
        let copied = Matrix::default().grid(&app.shared, Rect::new(0, 0, 80, 12));
        assert_eq!(copied.map(|copied| copied.rows.len()), Some(10));
    }
}
