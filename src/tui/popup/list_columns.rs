//! Popup to choose the columns of the sample list, their widths, and the sort order.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::Rect;

use super::part::{CLOSE, KeyLabel, MOVE, Overlay, click_list, draw_list};
use crate::action::Action;
use crate::change::{Change, Reply};
use crate::frame_output::{ScrollSlot, ScrollState};
use crate::screen::fields;
use crate::shared::{AppState, ColumnChoice, ListColumn};
use crate::widget::table::{Column, ColumnWidth, ItemRows, Table, TableCell, TableState};
use base::format::visible;

/// All columns, with a cursor.
#[derive(Clone, Copy, Debug, Default)]
pub struct ListColumns(TableState);

/// Returns all available columns: built-in columns, tags, and each model's answer.
fn known(shared: &AppState) -> Vec<ListColumn> {
    let has_several = shared.list.outline.pictures;
    let own = ListColumn::OWN.into_iter().skip(1);
    let own = own.filter(|column| has_several || *column != ListColumn::Pictures);
    let tags = shared.table.tag_names();
    let tags = tags.map(|name| ListColumn::Tag(name.to_owned()));
    let models = shared.answered().into_iter();
    own.chain(tags)
        .chain(models.map(ListColumn::AnswerOf))
        .collect()
}

/// Returns a column's description.
fn words(column: &ListColumn) -> String {
    match column {
        ListColumn::Tag(name) => format!("tag {}", visible(name)),
        ListColumn::AnswerOf(model) => format!("answer of {}", visible(model)),
        own => own.title().to_owned(),
    }
}

fn cells(shared: &AppState, column: &ListColumn, is_shown: bool) -> Vec<TableCell<'static>> {
    let theme = &shared.theme;
    let style = if is_shown { theme.text() } else { theme.dim() };
    let steps = shared.list.columns.wider.get(column);
    let width = match steps.copied().unwrap_or_default() {
        0 => String::new(),
        steps => format!("{steps:+}"),
    };
    let cell = |text: String| TableCell::new(text, style);
    let sign = if is_shown { "✓" } else { " " };
    vec![cell(sign.to_owned()), cell(words(column)), cell(width)]
}

impl ListColumns {
    fn here(self, shared: &AppState) -> Option<ListColumn> {
        let columns = known(shared);
        let last = columns.len().checked_sub(1)?;
        columns.into_iter().nth(self.0.selected.min(last))
    }

    /// Changes the settings of the column under the cursor.
    fn change(
        self,
        shared: &AppState,
        change: impl FnOnce(&mut ColumnChoice, ListColumn),
    ) -> Reply {
        let mut choice = shared.list.columns.clone();
        if let Some(column) = self.here(shared) {
            change(&mut choice, column);
        }
        Reply::with(Change::ListColumns(Box::new(choice)))
    }

    fn wider(self, shared: &AppState, steps: i16) -> Reply {
        self.change(shared, |choice, column| {
            let wider = choice.wider.entry(column).or_default();
            *wider = wider.saturating_add(steps).clamp(-6, 12);
        })
    }
}

impl Overlay for ListColumns {
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let (known, shown) = (known(shared), fields(shared));
        let columns = [
            Column::text("", ColumnWidth::Fixed(1)),
            Column::text("column", ColumnWidth::Share(1)),
            Column::number("wider", 6),
        ];
        let rows = ItemRows::new(&known, |column| {
            cells(shared, column, shown.contains(column))
        });
        let table = Table::new(&shared.theme, &columns, &rows);
        draw_list(shared, "columns of the list", table, self.0, frame)
    }

    fn keys(&self, _: &AppState) -> Vec<KeyLabel> {
        vec![
            MOVE,
            ("Space", "show or hide"),
            ("+-", "width"),
            ("Enter", "sort by it"),
            CLOSE,
        ]
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::Table(&mut self.0)
    }

    fn key(&mut self, shared: &AppState, key: KeyEvent) -> Reply {
        match key.code {
            KeyCode::Char(' ') => self.change(shared, |choice, column| {
                let is_shown = fields(shared).contains(&column);
                choice.shown.insert(column, !is_shown);
            }),
            KeyCode::Char('+' | '=') => self.wider(shared, 1),
            KeyCode::Char('-') => self.wider(shared, -1),
            _ => Reply::PassOn,
        }
    }

    fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        match (action, self.here(shared)) {
            (Action::Open, Some(column)) => vec![Change::Close, Change::SortBy(column)].into(),
            _ => Reply::with(Change::Close),
        }
    }

    fn click(&mut self, _: &AppState, line: usize, _: usize) -> Vec<Change> {
        click_list(&mut self.0, line);
        Vec::new()
    }
}
