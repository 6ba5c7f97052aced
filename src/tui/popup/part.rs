//! The popup trait, and helpers to draw popups.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use ratatui::Frame;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::change::{Change, Reply};
use crate::effect::Effect;
use crate::frame_output::{ScrollSlot, ScrollState};
use crate::shared::AppState;
use crate::widget::heat_grid::HeatGridState;
use crate::widget::line_edit::{LineEdit, LineInput};
use crate::widget::popup::Popup as PopupFrame;
use crate::widget::table::{Rows, Table, TableState};
use engine::Query;

/// Width of a list in columns.
const LIST: u16 = 64;
/// Number of lines at the bottom (status and keys) that popups do not cover if possible.
const FOOT: u16 = 2;

/// A key and its label on the key line.
pub type KeyLabel = (&'static str, &'static str);
/// Keys that move the cursor of a list or scroll a text.
pub const MOVE: KeyLabel = ("↑↓", "move");
/// Key that closes a popup.
pub const CLOSE: KeyLabel = ("Esc", "close");

/// A popup. It owns its state; drawing does not change it.
pub trait Overlay {
    /// Draws the popup. Returns the area and scroll position of its content.
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState);

    /// Returns the scroll position or cursor to update after drawing.
    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::Nothing
    }

    /// Handles a key to which this popup has bound no action.
    fn key(&mut self, _: &AppState, _: KeyEvent) -> Reply {
        Reply::PassOn
    }

    /// Handles an action that does not move the cursor.
    fn act(&mut self, _: &AppState, _: Action) -> Reply {
        Reply::with(Change::Close)
    }

    /// Returns the keys for the key line. If empty, the key line shows the view's keys.
    fn keys(&self, _: &AppState) -> Vec<KeyLabel> {
        vec![MOVE, CLOSE]
    }

    /// Moves the list's cursor, or scrolls the text.
    fn move_by(&mut self, step: isize) {
        self.scroll_slot().move_by(step);
    }

    /// Handles pasted text.
    fn paste(&mut self, _: &AppState, _: &str) -> Vec<Change> {
        Vec::new()
    }

    /// Handles a click on the content. The arguments are the line of the click and the height of
    /// the content.
    fn click(&mut self, _: &AppState, _: usize, _: usize) -> Vec<Change> {
        Vec::new()
    }

    /// Returns the query for the popup's data, which the copied command also uses.
    fn query(&self, _: &AppState) -> Option<Query> {
        None
    }

    /// Returns true if the answer has arrived.
    fn is_known(&self, _: &AppState) -> bool {
        true
    }
}

/// Draws the frame of a popup. If possible, the popup does not cover pictures. Returns the area of
/// its content.
pub fn open(
    shared: &AppState,
    frame: &mut Frame<'_>,
    title: &str,
    (width, height): (u16, u16),
) -> Rect {
    let popup = PopupFrame {
        theme: &shared.theme,
        title,
        width,
        height,
        beside: &shared.pictures.areas,
        foot: FOOT,
    };
    let inner = popup.inner(frame.area());
    frame.render_widget(popup, frame.area());
    inner
}

/// Returns the size of the screen minus these columns and rows.
pub fn screen_less(frame: &Frame<'_>, [columns, rows]: [u16; 2]) -> (u16, u16) {
    let Rect { width, height, .. } = frame.area();
    (width.saturating_sub(columns), height.saturating_sub(rows))
}

/// Returns the area of a popup including its frame, from the area of its content.
pub fn outer(inner: Rect) -> Rect {
    Rect {
        x: inner.x.saturating_sub(2),
        y: inner.y.saturating_sub(1),
        width: inner.width.saturating_add(4),
        height: inner.height.saturating_add(2),
    }
}

/// Draws a list with as many rows as needed and possible. Returns its area.
pub fn draw_list<R: Rows>(
    shared: &AppState,
    title: &str,
    table: Table<'_, R>,
    mut state: TableState,
    frame: &mut Frame<'_>,
) -> (Rect, ScrollState) {
    let rows = u16::try_from(table.rows.total()).unwrap_or(u16::MAX);
    let most = frame.area().height.saturating_sub(4);
    let height = rows.saturating_add(3).min(most);
    let inner = open(shared, frame, title, (LIST, height));
    frame.render_stateful_widget(table, inner, &mut state);
    (inner, ScrollState::Table(state))
}

/// Moves the cursor of a list to the clicked line.
pub fn click_list(state: &mut TableState, line: usize) {
    // Title and rule are above the rows.
    if let Some(row) = line.checked_sub(2) {
        state.selected = state.offset + row;
    }
}

/// Moves the cursor of a grid of this size. Any other action closes the popup.
pub fn grid_moved(
    cell: &mut HeatGridState,
    (rows, columns): (usize, usize),
    action: Action,
) -> Reply {
    // The grid may have become smaller since the last move.
    cell.row = cell.row.min(rows.saturating_sub(1));
    match action {
        Action::Left => cell.column = cell.column.saturating_sub(1),
        Action::Right => cell.column = (cell.column + 1).min(columns.saturating_sub(1)),
        _ => return Reply::with(Change::Close),
    }
    Reply::DONE
}

/// Formats a score for a narrow cell: `.81`, `12.3`.
pub fn short(value: f64) -> String {
    let text = if value.abs() < 10.0 {
        format!("{value:.2}")
    } else {
        format!("{value:.0}")
    };
    text.replacen("0.", ".", usize::from(value.abs() < 1.0))
}

/// Returns the items whose names contain the letters of a text in this order, best match first. An
/// empty text returns all items in their original order.
pub fn fuzzy<T>(text: &str, items: impl Iterator<Item = T>, name: impl Fn(&T) -> String) -> Vec<T> {
    let found = fuzzy_letters(text, items, name).into_iter();
    found.map(|(_, item)| item).collect()
}

/// Returns the same items as [`fuzzy`], each with the indices of the matched characters.
pub fn fuzzy_letters<T>(
    text: &str,
    items: impl Iterator<Item = T>,
    name: impl Fn(&T) -> String,
) -> Vec<(Vec<u32>, T)> {
    let (ignore, smart) = (CaseMatching::Ignore, Normalization::Smart);
    let pattern = Pattern::new(text, ignore, smart, AtomKind::Fuzzy);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut buffer = Vec::new();
    let score = |item: T| {
        let (name, mut letters) = (name(&item), Vec::new());
        let name = Utf32Str::new(&name, &mut buffer);
        let score = pattern.indices(name, &mut matcher, &mut letters)?;
        Some((score, (letters, item)))
    };
    let mut found: Vec<_> = items.filter_map(score).collect();
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    found.into_iter().map(|(_, matched)| matched).collect()
}

/// Draws an input line without a prompt sign.
pub fn input(shared: &AppState, line: &LineEdit, frame: &mut Frame<'_>, area: Rect) {
    let input = LineInput {
        theme: &shared.theme,
        sign: "",
        line,
        wrong: None,
    };
    frame.render_widget(input, area);
}

/// Returns the change for keys that close any input popup: Ctrl-C quits the program, Esc closes the
/// popup.
pub fn leaves(key: KeyEvent) -> Option<Change> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c') if control => Some(Effect::Quit.into()),
        KeyCode::Esc => Some(Change::Close),
        _ => None,
    }
}
