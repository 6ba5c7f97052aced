//! Asks the user for the meaning of a table's columns if no known format matches. A preview of the
//! resulting scores is updated while the user chooses.

mod lists;

use std::collections::HashSet;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use crate::action::Action;
use crate::change::{Change, Reply};
use crate::effect::ask;
use crate::frame_output::{ScrollSlot, ScrollState};
use crate::shared::AppState;
use crate::widget::table::{Column, ColumnWidth, ItemRows, Table, TableState};
use base::config::{ColumnMap, RowKind, parts};
use base::format::{counted, visible};
use engine::{Preview, PreviewScores, Query};
use record::benchmark::{Direction, SCORE};
use workspace::columns::{UnmappedTable, needed};

use super::part::{KeyLabel, MOVE, Overlay, click_list, open};
use lists::{FormLines, ScoreGrid, field_cells};

/// Maximum width of the form in columns.
const WIDTH: u16 = 150;

/// Form with a table of unknown columns, and the meaning chosen for each.
#[derive(Clone, Debug)]
pub struct ColumnForm {
    table: UnmappedTable,
    kind: RowKind,
    /// Field of each column; `None` for columns that are not read.
    fields: Vec<Option<&'static str>>,
    /// Fields of the columns for the other kind of rows, in case the user switches back.
    other: Vec<Option<&'static str>>,
    /// True if the names of score columns are abilities, false if they are metrics.
    names_abilities: bool,
    /// Direction of the scores, if the user chose one.
    direction: Option<Direction>,
    list: TableState,
    /// Cursor in the list of fields for a column, if that list is open.
    picker: Option<TableState>,
}

/// A line of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FormLine {
    /// Kind of each row: a prediction or published scores.
    Kind,
    /// A column of the table, by its index.
    Column(usize),
    /// Field whose values are the names of the score columns.
    ScoreNames,
    /// Whether higher or lower scores are better.
    Direction,
}

const fn other_kind(kind: RowKind) -> RowKind {
    match kind {
        RowKind::Samples => RowKind::Published,
        RowKind::Published => RowKind::Samples,
    }
}

impl ColumnForm {
    /// Creates the popup with the guessed meanings.
    pub fn new(table: UnmappedTable) -> Self {
        let guess = &table.guess;
        let columns = table.columns.iter();
        let fields: Vec<_> = columns.map(|(column, _)| guess.field_of(column)).collect();
        let kind = guess.kind.unwrap_or(RowKind::Samples);
        let other = other_kind(kind);
        let of_other = |(field, (_, cells)): (Option<&'static str>, &(String, Vec<String>))| {
            // Keep a field if both kinds of rows have it. Do not keep `scores`, which means
            // abilities for one kind and models for the other.
            let same = field.filter(|field| *field != "scores");
            let same = same.filter(|field| ColumnMap::fields(other).any(|known| known == *field));
            let is_score = other == RowKind::Published && are_numbers(cells);
            same.or(is_score.then_some("scores"))
        };
        let named = guess.score_names.as_deref();
        Self {
            other: fields
                .iter()
                .copied()
                .zip(&table.columns)
                .map(of_other)
                .collect(),
            names_abilities: kind == RowKind::Samples || named == Some("ability"),
            kind,
            fields,
            table,
            direction: None,
            // The first line is the kind of the rows.
            list: TableState {
                selected: 1,
                offset: 0,
            },
            picker: None,
        }
    }

    /// Returns the lines of the form. The lines about scores exist only if a column contains
    /// scores.
    fn lines(&self) -> Vec<FormLine> {
        let has = |field| self.fields.contains(&Some(field));
        let columns = (0..self.fields.len()).map(FormLine::Column);
        let has_direction = (has("score") || has("scores")) && !has("direction");
        let is_wide = self.kind == RowKind::Published && has("scores");
        let last = [
            is_wide.then_some(FormLine::ScoreNames),
            has_direction.then_some(FormLine::Direction),
        ];
        let first = std::iter::once(FormLine::Kind);
        first
            .chain(columns)
            .chain(last.into_iter().flatten())
            .collect()
    }

    fn here(&self) -> Option<FormLine> {
        self.lines().get(self.list.selected).copied()
    }

    /// Returns the name and the field of the column under the cursor.
    fn column_here(&self) -> Option<(&str, &'static str)> {
        let Some(FormLine::Column(at)) = self.here() else {
            return None;
        };
        let (name, _) = self.table.columns.get(at)?;
        Some((name, self.fields.get(at).copied()??))
    }

    /// Returns the fields to choose from; `None`, the first, means that the column is not read.
    fn choices(&self) -> Vec<Option<&'static str>> {
        let fields = ColumnMap::fields(self.kind).map(Some);
        std::iter::once(None).chain(fields).collect()
    }

    /// Changes the line under the cursor to its next or previous value.
    fn turn(&mut self, step: isize) {
        match self.here() {
            Some(FormLine::Kind) => {
                self.kind = other_kind(self.kind);
                std::mem::swap(&mut self.fields, &mut self.other);
            }
            Some(FormLine::Column(at)) => {
                let choices = self.choices();
                if let Some(field) = self.fields.get_mut(at) {
                    *field = next(&choices, *field, step);
                }
            }
            Some(FormLine::ScoreNames) => self.names_abilities = !self.names_abilities,
            Some(FormLine::Direction) => {
                let directions = [None, Some(Direction::Higher), Some(Direction::Lower)];
                self.direction = next(&directions, self.direction, step);
            }
            None => {}
        }
    }

    /// Removes the field of the column under the cursor from all other columns, if a field can have
    /// only one column.
    fn take_over(&mut self) {
        let Some((name, field)) = self.column_here() else {
            return;
        };
        if self.map().column(field) == Some(name) {
            let here = self.list.selected - 1;
            for (at, known) in self.fields.iter_mut().enumerate() {
                *known = known.filter(|known| at == here || *known != field);
            }
        }
    }

    fn map(&self) -> ColumnMap {
        let is_published = self.kind == RowKind::Published;
        let guess = &self.table.guess;
        let mut map = ColumnMap {
            kind: is_published.then_some(self.kind),
            ..ColumnMap::default()
        };
        if guess.is_published() == is_published {
            map.fixed.clone_from(&guess.fixed);
            map.xywh.clone_from(&guess.xywh);
            map.first_choice = guess.first_choice;
            map.letters.clone_from(&guess.letters);
            map.alternatives.clone_from(&guess.alternatives);
            map.yes_no = guess.yes_no;
        }
        for ((column, _), field) in self.table.columns.iter().zip(&self.fields) {
            map.assign(field.unwrap_or_default(), column.clone());
        }
        // Keep the columns of a box that was guessed.
        for field in ["target", "response"] {
            let path = guess.column(field).filter(|path| path.starts_with('['));
            let is_kept = |part: &str| {
                let mut columns = self.table.columns.iter().zip(&self.fields);
                columns.any(|((column, _), known)| column == part && *known == Some(field))
            };
            if let Some(path) = path.filter(|path| parts(path).all(is_kept)) {
                map.assign(field, path.to_owned());
            }
        }
        // A name with `*` is a pattern, so exclude the columns with another meaning from it.
        for ((column, _), field) in self.table.columns.iter().zip(&self.fields) {
            if *field != Some("scores") && map.score_name(column).is_some() {
                map.scores.push(format!("!{column}"));
            }
        }
        // If several columns have the same field, use the column under the cursor.
        if let Some((column, field)) = self
            .column_here()
            .filter(|(_, field)| map.column(field).is_some())
        {
            map.assign(field, column.to_owned());
        }
        let mut fixed =
            |field: &str, value: &str| map.fixed.insert(field.to_owned(), value.to_owned());
        if let Some(direction) = self.direction
            && self.lines().contains(&FormLine::Direction)
        {
            fixed("direction", direction.name());
        }
        if is_published && !map.scores.is_empty() && self.names_abilities {
            if map.metric.is_none() {
                fixed("metric", SCORE);
            }
            map.score_names = Some("ability".to_owned());
        }
        map
    }

    fn preview(&self, shared: &AppState) -> Option<Preview> {
        let map = self.map();
        map.has_answer().then(|| Preview {
            path: self.table.path.clone(),
            map: Box::new(map),
            ability: shared.request.ability.clone(),
        })
    }

    /// Returns the scores for the current choice. Until they are computed, returns the previous
    /// scores of this table.
    fn scores<'a>(&self, shared: &'a AppState) -> Option<&'a PreviewScores> {
        let (asked, found) = shared.answers.preview.as_ref()?;
        let is_of_table = asked.path == self.table.path && self.map().has_answer();
        is_of_table.then_some(&**found)
    }

    fn changed(&self, shared: &AppState) -> Reply {
        self.preview(shared)
            .map_or(Reply::DONE, |query| Reply::with(ask(query)))
    }

    /// Returns warnings about unclear or wrong columns, and a text about defaults.
    fn notes(&self, scores: Option<&PreviewScores>) -> (Vec<String>, String) {
        let map = self.map();
        let mut notes = self.table.doubts(&map);
        for problem in scores.into_iter().flat_map(|scores| &scores.problems) {
            let note = format!("{problem}.");
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        (notes, needed(&map))
    }

    /// Moves the cursor of the open list to the next field that begins with a letter.
    fn jump(&mut self, letter: char) -> Reply {
        let choices = self.choices();
        let Some(picker) = &mut self.picker else {
            return Reply::PassOn;
        };
        let fields = choices.iter().enumerate().cycle().skip(picker.selected + 1);
        let mut fields = fields.take(choices.len());
        let found = fields.find(|(_, field)| field.is_some_and(|field| field.starts_with(letter)));
        found.map_or(Reply::PassOn, |(at, _)| {
            picker.selected = at;
            Reply::DONE
        })
    }

    /// Handles an action while the list of fields is open.
    fn pick(&mut self, shared: &AppState, action: Action) -> Reply {
        let picked = self.picker.take().map_or(0, |picker| picker.selected);
        let choices = self.choices();
        if let (Some(FormLine::Column(at)), Action::Open) = (self.here(), action)
            && let Some(field) = self.fields.get_mut(at)
        {
            *field = choices.get(picked).copied().flatten();
            return self.changed(shared);
        }
        Reply::DONE
    }
}

/// Returns the value `step` places after another one; wraps around.
fn next<T: Copy + PartialEq>(values: &[T], value: T, step: isize) -> T {
    let at = values.iter().position(|known| *known == value);
    let at = (at.unwrap_or_default() + values.len()).saturating_add_signed(step);
    values
        .get(at % values.len().max(1))
        .copied()
        .unwrap_or(value)
}

/// Returns true if at least one cell is a number and all others are numbers or empty.
fn are_numbers(cells: &[String]) -> bool {
    let mut cells = cells.iter().filter(|cell| !cell.is_empty()).peekable();
    cells.peek().is_some() && cells.all(|cell| cell.parse::<f64>().is_ok())
}

/// Returns one popup per table. Tables with the same columns share a popup.
pub fn questions(tables: Vec<UnmappedTable>) -> Vec<ColumnForm> {
    let mut known = HashSet::new();
    let names = |table: &UnmappedTable| -> Vec<String> {
        table.columns.iter().map(|(name, _)| name.clone()).collect()
    };
    let tables = tables.into_iter();
    let tables = tables.filter(|table| known.insert(names(table)));
    tables.map(ColumnForm::new).collect()
}

/// Returns the number of predictions or scores that were read, and the properties that all scores
/// share.
fn caption(form: &ColumnForm, scores: &PreviewScores, grid: &ScoreGrid<'_>) -> String {
    let count = if form.kind == RowKind::Published {
        counted(scores.scores.len() as u64, "published score")
    } else {
        let count = counted(scores.predictions as u64, "prediction");
        let part = if scores.is_part { "the first " } else { "" };
        format!("{part}{count}")
    };
    let parts = std::iter::once(count).chain(grid.common());
    parts.collect::<Vec<_>>().join(" · ")
}

impl Overlay for ColumnForm {
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let (screen, theme) = (frame.area(), &shared.theme);
        let name = self.table.path.file_name().unwrap_or_default();
        let name = name.to_string_lossy();
        let title = format!("what are the columns of {}?", visible(&name));
        let scores = self.scores(shared);
        let grid = ScoreGrid::new(shared, scores.map_or(&[], |scores| &scores.scores));
        let (notes, defaults) = self.notes(scores);
        let lines = self.lines();
        let size = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        let height = screen.height.saturating_sub(4);
        let width = screen.width.saturating_sub(4).min(WIDTH);
        let shown = size(grid.models()).min(height / 5);
        let grid_height = if shown > 0 { shown + 2 } else { 0 };
        let length = notes.iter().chain([&defaults]);
        let length: u16 = length.map(|note| size(note.len()) / width.max(1) + 1).sum();
        let spare = height.saturating_sub(size(lines.len()).saturating_add(grid_height + 4));
        let notes_height = length.min(spare.max(height / 6));
        let rows = size(lines.len().max(self.choices().len()));
        let needed = rows.saturating_add(grid_height + notes_height + 4);
        let inner = open(shared, frame, &title, (width, height.min(needed)));
        let parts = [
            Constraint::Fill(1),
            Constraint::Length(2),
            Constraint::Length(grid_height),
            Constraint::Length(notes_height),
        ];
        let [list, head, below, foot] = Layout::vertical(parts).areas(inner);

        let mut state = self.picker.unwrap_or(self.list);
        if self.picker.is_some() {
            let at = self.list.selected.saturating_sub(1);
            let name = self.table.columns.get(at).map(|(name, _)| visible(name));
            let title = format!("use column {} as", name.unwrap_or_default());
            let columns = [
                Column::text("meaning", ColumnWidth::Fixed(12)),
                Column::text(&title, ColumnWidth::Share(1)),
            ];
            let fields = self.choices();
            let rows = ItemRows::new(&fields, |field| field_cells(shared, *field));
            frame.render_stateful_widget(Table::new(theme, &columns, &rows), list, &mut state);
        } else {
            let columns = FormLines::columns(self);
            let rows = FormLines {
                shared,
                form: self,
                lines,
                map: self.map(),
            };
            frame.render_stateful_widget(Table::new(theme, &columns, &rows), list, &mut state);
        }
        let head_text = scores.map_or_else(
            || "No scores yet.".to_owned(),
            |scores| caption(self, scores, &grid),
        );
        let is_old = scores.is_some() && !self.is_known(shared);
        let head_text = if is_old {
            format!("{head_text} · updating")
        } else {
            head_text
        };
        let lines = vec![Line::default(), Line::styled(head_text, theme.text())];
        frame.render_widget(Paragraph::new(lines), head);
        grid.draw(frame, below);
        let lines = notes
            .iter()
            .map(|note| Line::styled(visible(note), theme.warning()));
        let style = if self.map().has_answer() {
            theme.dim()
        } else {
            theme.warning()
        };
        let lines: Vec<Line<'_>> = lines.chain([Line::styled(defaults, style)]).collect();
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), foot);
        (inner, ScrollState::Table(state))
    }

    fn keys(&self, _: &AppState) -> Vec<KeyLabel> {
        if self.picker.is_some() {
            return vec![
                ("↑↓", "or first letter"),
                ("Enter", "choose"),
                ("Esc", "back"),
            ];
        }
        vec![
            MOVE,
            ("←→", "meaning"),
            ("Space", "list of meanings"),
            ("Enter", "save and open"),
            ("Esc", "not now"),
        ]
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::Table(self.picker.as_mut().unwrap_or(&mut self.list))
    }

    fn key(&mut self, shared: &AppState, key: KeyEvent) -> Reply {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return Reply::PassOn;
        }
        match (key.code, self.here()) {
            (KeyCode::Char(' '), _) if self.picker.is_some() => self.pick(shared, Action::Open),
            (KeyCode::Char(' '), Some(FormLine::Column(at))) => {
                let field = self.fields.get(at).copied().flatten();
                let selected = self.choices().iter().position(|known| *known == field);
                self.picker = Some(TableState {
                    selected: selected.unwrap_or_default(),
                    offset: 0,
                });
                Reply::DONE
            }
            (KeyCode::Char(letter), _) if letter != ' ' => self.jump(letter),
            (KeyCode::Char(_), _) => {
                self.turn(1);
                self.changed(shared)
            }
            _ => Reply::PassOn,
        }
    }

    fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        match action {
            action if self.picker.is_some() => return self.pick(shared, action),
            Action::Left => self.turn(-1),
            Action::Right => self.turn(1),
            Action::Open => {
                let map = self.map();
                // The form can be submitted once the choice suffices to read the table.
                if map.has_answer() {
                    return Reply::with(Change::Columns(Box::new(map)));
                }
                return Reply::say(needed(&map));
            }
            Action::Back | Action::Quit => {
                let key = shared.key(shared.view, Action::NameColumns);
                let later = Change::say(format!("{key} opens the form for the columns"));
                return vec![Change::Close, later].into();
            }
            _ => return Reply::DONE,
        }
        self.changed(shared)
    }

    fn move_by(&mut self, step: isize) {
        let (state, count) = if let Some(picker) = &mut self.picker {
            (picker, ColumnMap::fields(self.kind).count() + 1)
        } else {
            self.take_over();
            let count = self.lines().len();
            (&mut self.list, count)
        };
        let selected = state.selected.saturating_add_signed(step);
        state.selected = selected.min(count.saturating_sub(1));
    }

    fn click(&mut self, _: &AppState, line: usize, _: usize) -> Vec<Change> {
        self.take_over();
        click_list(self.picker.as_mut().unwrap_or(&mut self.list), line);
        self.move_by(0);
        Vec::new()
    }

    fn query(&self, shared: &AppState) -> Option<Query> {
        self.preview(shared).map(Query::from)
    }

    fn is_known(&self, shared: &AppState) -> bool {
        let known = shared.answers.preview.as_ref();
        known.is_some_and(|(asked, _)| Some(asked) == self.preview(shared).as_ref())
    }
}
