//! Popup to group samples by answer, target, look, or a tag.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::Rect;

use super::part::{CLOSE, KeyLabel, MOVE, Overlay, click_list, draw_list};
use crate::action::Action;
use crate::change::{Change, Reply};
use crate::frame_output::{ScrollSlot, ScrollState};
use crate::shared::AppState;
use crate::widget::table::{Column, ColumnWidth, ItemRows, Table, TableCell, TableState};
use base::format::visible;
use workspace::answered::{GroupBy, telling_tags};

/// Available groupings, with a cursor.
#[derive(Clone, Debug, Default)]
pub struct GroupPicker {
    ways: Vec<Option<GroupBy>>,
    table: TableState,
}

fn cells(shared: &AppState, way: Option<&GroupBy>) -> Vec<TableCell<'static>> {
    let theme = &shared.theme;
    let is_now = way == shared.list.group.as_ref();
    let style = if is_now { theme.accent() } else { theme.text() };
    let (name, about) = match way {
        None => ("none", "one sheet, in the order of the list"),
        Some(GroupBy::Answer) => ("answer", "the answer read from the response"),
        Some(GroupBy::Target) => ("target", "the right answer"),
        Some(GroupBy::Tag(name)) => (name.as_str(), "tag or condition"),
        Some(GroupBy::Look(_)) => ("look", "similar pictures, or similar embeddings"),
    };
    let cell = |text: String, style| TableCell::new(text, style);
    let sign = if is_now { "✓" } else { " " };
    vec![
        cell(sign.to_owned(), style),
        cell(visible(name).into_owned(), style),
        cell(about.to_owned(), theme.dim()),
    ]
}

impl GroupPicker {
    /// Creates the popup with the cursor on the current grouping.
    pub fn new(shared: &AppState) -> Self {
        let tags = telling_tags(&shared.table, &shared.list.rows);
        let look = GroupBy::Look(shared.request.embeddings.clone());
        let own = [
            None,
            Some(GroupBy::Answer),
            Some(GroupBy::Target),
            Some(look),
        ];
        let tags = tags.into_iter().map(|name| Some(GroupBy::Tag(name)));
        let ways: Vec<Option<GroupBy>> = own.into_iter().chain(tags).collect();
        let at = ways.iter().position(|way| *way == shared.list.group);
        let table = TableState {
            selected: at.unwrap_or_default(),
            ..TableState::default()
        };
        Self { ways, table }
    }

    fn choose(&self) -> Reply {
        let way = self
            .ways
            .get(self.table.selected)
            .cloned()
            .unwrap_or_default();
        vec![Change::Close, Change::Group(way)].into()
    }
}

impl Overlay for GroupPicker {
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let rows = ItemRows::new(&self.ways, |way| cells(shared, way.as_ref()));
        let columns = [
            Column::text("", ColumnWidth::Fixed(1)),
            Column::text("by", ColumnWidth::Share(2)),
            Column::text("", ColumnWidth::Share(3)),
        ];
        let table = Table::new(&shared.theme, &columns, &rows);
        draw_list(shared, "group samples by", table, self.table, frame)
    }

    fn keys(&self, _: &AppState) -> Vec<KeyLabel> {
        vec![MOVE, ("Enter", "group"), CLOSE]
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::Table(&mut self.table)
    }

    fn key(&mut self, _: &AppState, key: KeyEvent) -> Reply {
        match key.code {
            KeyCode::Char(' ') => self.choose(),
            _ => Reply::PassOn,
        }
    }

    fn act(&mut self, _: &AppState, action: Action) -> Reply {
        match action {
            Action::Open => self.choose(),
            _ => Reply::with(Change::Close),
        }
    }

    fn move_by(&mut self, step: isize) {
        let last = self.ways.len().saturating_sub(1);
        let at = self.table.selected.saturating_add_signed(step);
        self.table.selected = at.min(last);
    }

    fn click(&mut self, _: &AppState, line: usize, _: usize) -> Vec<Change> {
        click_list(&mut self.table, line);
        Vec::new()
    }
}
