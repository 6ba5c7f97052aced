//! Asks what the columns of a table are that no format knows.

use std::collections::HashSet;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use crate::app::{App, Effect, Loading};
use crate::widget::table::{Column, ColumnWidth, Rows, Table, TableCell, TableState};
use config::ColumnMap;
use format::visible;
use workspace::columns::{Unmapped, needed};

use super::Popup;
use super::draw::open;

/// What a column can be; nothing comes first.
const FIELDS: [&str; 15] = [
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
];

/// A table, and what each of its columns is said to be.
#[derive(Clone, Debug)]
pub struct ColumnsAsked {
    table: Unmapped,
    /// One index into the fields for each column.
    fields: Vec<usize>,
    list: TableState,
}

impl ColumnsAsked {
    /// The columns with what their names say.
    pub fn new(table: Unmapped) -> Self {
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

    /// Moves the cursor.
    pub fn move_by(&mut self, step: isize) {
        let last = self.fields.len().saturating_sub(1);
        let selected = self.list.selected.saturating_add_signed(step);
        self.list.selected = selected.min(last);
    }

    /// Takes another field for the column under the cursor.
    pub fn turn(&mut self, step: isize) {
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

impl App {
    /// Asks what the columns of tables are, one table after the other, and once for all that have the same columns.
    pub fn ask_for_columns(&mut self, tables: Vec<Unmapped>) {
        let mut known = HashSet::new();
        let names = |table: &Unmapped| -> Vec<String> {
            table.columns.iter().map(|(name, _)| name.clone()).collect()
        };
        let mut asked: Vec<Popup> = tables
            .into_iter()
            .filter(|table| known.insert(names(table)))
            .map(|table| Popup::Columns(Box::new(ColumnsAsked::new(table))))
            .collect();
        asked.reverse();
        self.popups.extend(asked);
    }
}

struct List<'a> {
    app: &'a App,
    asked: &'a ColumnsAsked,
}

impl Rows for List<'_> {
    fn total(&self) -> usize {
        self.asked.table.columns.len()
    }

    fn cells(&self, row: usize) -> Vec<TableCell<'_>> {
        let theme = &self.app.theme;
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

/// Draws the question.
pub fn draw(app: &mut App, asked: &mut ColumnsAsked, frame: &mut Frame<'_>) {
    let screen = frame.area();
    let width = screen.width.saturating_sub(6).min(110);
    let rows = u16::try_from(asked.table.columns.len()).unwrap_or(u16::MAX);
    let height = rows.saturating_add(6).min(screen.height.saturating_sub(6));
    let name = asked.table.path.file_name().unwrap_or_default();
    let title = format!(
        "what are the columns of {}?",
        visible(&name.to_string_lossy())
    );
    let inner = open(app, frame, &title, width, height);
    let [table, foot] = Layout::vertical([Constraint::Fill(1), Constraint::Length(4)]).areas(inner);
    let columns = [
        Column::text("column", ColumnWidth::Share(3)),
        Column::text("is", ColumnWidth::Fixed(10)),
        Column::text("for example", ColumnWidth::Share(5)),
    ];
    let mut state = asked.list;
    let list = List { app, asked };
    let widget = Table {
        theme: &app.theme,
        columns: &columns,
        rows: &list,
        sorted: None,
    };
    frame.render_stateful_widget(widget, table, &mut state);
    let lines = vec![
        Line::default(),
        Line::styled(needed(&asked.map()), app.theme.dim()),
        Line::styled(
            "← → what it is   Enter opens the file and remembers this   Esc not now",
            app.theme.text(),
        ),
    ];
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), foot);
    asked.list = state;
}

/// Takes what was said, if it is enough.
pub fn take(app: &mut App) -> Vec<Effect> {
    let Some(Popup::Columns(asked)) = app.popups.last() else {
        return Vec::new();
    };
    let map = asked.map();
    if map.response.is_none() && map.score.is_none() {
        return Vec::new();
    }
    // Everything is read again, and what is unknown still is asked for again.
    app.popups
        .retain(|popup| !matches!(popup, Popup::Columns(_)));
    app.loading = Loading::Starting;
    vec![Effect::MapColumns(Box::new(map))]
}
