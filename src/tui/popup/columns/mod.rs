//! Asks the user for the meaning of a table's columns if no known format matches.

use std::collections::HashSet;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use crate::action::Action;
use crate::change::{Change, Reply};
use crate::frame_output::ScrollState;
use crate::shared::Shared;
use crate::widget::table::{Column, ColumnWidth, Rows, Table, TableCell, TableState};
use base::config::ColumnMap;
use base::format::visible;
use workspace::columns::{UnmappedTable, needed};

use super::part::{Overlay, open};

/// Possible meanings of a column; the first one is none.
const FIELDS: [&str; 17] = [
    "",
    "sample_id",
    "model",
    "ability",
    "question",
    "choices",
    "target",
    "response",
    "score",
    "image",
    "tags",
    "condition",
    "benchmark",
    "parsed",
    "metric",
    "direction",
    "split",
];

/// A table with unknown columns, and the meaning chosen for each.
#[derive(Clone, Debug)]
pub struct ColumnForm {
    table: UnmappedTable,
    /// Index into [`FIELDS`] for each column.
    fields: Vec<usize>,
    list: TableState,
}

impl ColumnForm {
    /// Creates the popup with meanings guessed from the column names.
    pub fn new(table: UnmappedTable) -> Self {
        let guess = &table.guess;
        let field_of = |column: &String| {
            let one = |field: &&str| guess.column(field) == Some(column);
            let several = [
                ("choices", &guess.choices),
                ("tags", &guess.tags),
                ("condition", &guess.condition),
            ];
            let several = several
                .into_iter()
                .find(|(_, columns)| columns.contains(column));
            let field = several.map(|(field, _)| field);
            FIELDS
                .iter()
                .position(|known| one(known) || Some(*known) == field)
                .unwrap_or_default()
        };
        let fields = table
            .columns
            .iter()
            .map(|(column, _)| field_of(column))
            .collect();
        Self {
            table,
            fields,
            list: TableState::default(),
        }
    }

    /// Cycles the meaning of the column under the cursor.
    fn turn(&mut self, step: isize) {
        if let Some(field) = self.fields.get_mut(self.list.selected) {
            *field = (*field + FIELDS.len()).saturating_add_signed(step) % FIELDS.len();
        }
    }

    fn map(&self) -> ColumnMap {
        let mut map = ColumnMap::default();
        for ((column, _), field) in self.table.columns.iter().zip(&self.fields) {
            map.assign(FIELDS.get(*field).unwrap_or(&""), column.clone());
        }
        map
    }
}

/// Returns one popup per table; tables with the same columns share one.
pub fn questions(tables: Vec<UnmappedTable>) -> Vec<ColumnForm> {
    let mut known = HashSet::new();
    let names = |table: &UnmappedTable| -> Vec<String> {
        table.columns.iter().map(|(name, _)| name.clone()).collect()
    };
    let tables = tables.into_iter();
    let tables = tables.filter(|table| known.insert(names(table)));
    tables.map(ColumnForm::new).collect()
}

struct List<'a> {
    shared: &'a Shared,
    asked: &'a ColumnForm,
}

impl Rows for List<'_> {
    fn total(&self) -> usize {
        self.asked.table.columns.len()
    }

    fn cells(&self, row: usize) -> Vec<TableCell<'_>> {
        let theme = &self.shared.theme;
        let Some((column, example)) = self.asked.table.columns.get(row) else {
            return Vec::new();
        };
        let field = self
            .asked
            .fields
            .get(row)
            .and_then(|field| FIELDS.get(*field));
        let field = field.copied().unwrap_or_default();
        let cell = |text: &str, style| TableCell {
            text: visible(text).into_owned().into(),
            style,
        };
        vec![
            cell(column, theme.text()),
            match field {
                "" => cell("–", theme.dim()),
                field => cell(field, theme.accent()),
            },
            cell(example, theme.dim()),
        ]
    }
}

impl Overlay for ColumnForm {
    fn draw(&self, shared: &Shared, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let screen = frame.area();
        let width = screen.width.saturating_sub(6).min(110);
        let rows = u16::try_from(self.table.columns.len()).unwrap_or(u16::MAX);
        let height = rows.saturating_add(6).min(screen.height.saturating_sub(6));
        let name = self.table.path.file_name().unwrap_or_default();
        let title = format!(
            "what are the columns of {}?",
            visible(&name.to_string_lossy())
        );
        let inner = open(shared, frame, &title, (width, height));
        let [table, foot] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(4)]).areas(inner);
        let columns = [
            Column::text("column", ColumnWidth::Share(3)),
            Column::text("meaning", ColumnWidth::Fixed(10)),
            Column::text("for example", ColumnWidth::Share(5)),
        ];
        let mut state = self.list;
        let list = List {
            shared,
            asked: self,
        };
        let widget = Table {
            theme: &shared.theme,
            columns: &columns,
            rows: &list,
            sorted: None,
        };
        frame.render_stateful_widget(widget, table, &mut state);
        let lines = vec![
            Line::default(),
            Line::styled(needed(&self.map()), shared.theme.dim()),
            Line::styled(
                "← → meaning   Enter opens the file and saves this   Esc not now",
                shared.theme.text(),
            ),
        ];
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), foot);
        (inner, ScrollState::Table(state))
    }

    fn keep(&mut self, scrolled: ScrollState) {
        if let ScrollState::Table(list) = scrolled {
            self.list = list;
        }
    }

    fn act(&mut self, _: &Shared, action: Action) -> Reply {
        match action {
            Action::Left => self.turn(-1),
            Action::Right => self.turn(1),
            Action::Open => {
                let map = self.map();
                // The answers are accepted once they suffice for reading.
                if map.has_answer() {
                    return Reply::with(Change::Columns(Box::new(map)));
                }
            }
            _ => return Reply::with(Change::Close),
        }
        Reply::DONE
    }

    fn move_by(&mut self, step: isize) {
        let last = self.fields.len().saturating_sub(1);
        let selected = self.list.selected.saturating_add_signed(step);
        self.list.selected = selected.min(last);
    }
}
