//! What a popup is.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

use crate::action::Action;
use crate::change::{Change, Reply};
use crate::drawn::Scrolled;
use crate::effect::Effect;
use crate::shared::Shared;
use engine::Query;
use widget::heat_grid::HeatGridState;
use widget::line_edit::{LineEdit, LineInput};
use widget::popup::Popup as PopupFrame;
use widget::table::{Rows, Table, TableState};

/// Columns of a list.
const LIST: u16 = 64;
/// The lines of what is on screen and of its keys, which popups leave free where they can.
const FOOT: u16 = 2;

/// Something that lies over the screen: it owns its state, and draws without changing anything.
pub trait Overlay {
    /// Draws it; gives the place of its content, and how far that is scrolled.
    fn draw(&self, shared: &Shared, frame: &mut Frame<'_>) -> (Rect, Scrolled);

    /// Takes back how far its drawing was scrolled.
    fn keep(&mut self, _: Scrolled) {}

    /// What a key does that is no action here.
    fn key(&mut self, _: &Shared, _: KeyEvent) -> Reply {
        Reply::PassOn
    }

    /// What an action does that moves nothing.
    fn act(&mut self, _: &Shared, _: Action) -> Reply {
        Reply::with(Change::Close)
    }

    /// Its keys, for the key line, where those of the view below are typed into it.
    fn keys(&self) -> Option<&'static [(&'static str, &'static str)]> {
        None
    }

    /// Moves the list's cursor or the text.
    fn move_by(&mut self, _: isize) {}

    /// A text was pasted.
    fn paste(&mut self, _: &Shared, _: &str) -> Vec<Change> {
        Vec::new()
    }

    /// A line of its content was clicked, of so many.
    fn click(&mut self, _: &Shared, _: usize, _: usize) -> Vec<Change> {
        Vec::new()
    }

    /// The query whose answer it shows, which a command asks too.
    fn query(&self, _: &Shared) -> Option<Query> {
        None
    }

    /// Returns true if that answer is known.
    fn is_known(&self, _: &Shared) -> bool {
        true
    }
}

/// Draws the frame of a popup, beside the pictures where that can be; gives the place of its content.
pub fn open(
    shared: &Shared,
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

/// The whole of a popup whose content stands there: its frame and the columns beside the content.
pub fn outer(inner: Rect) -> Rect {
    Rect {
        x: inner.x.saturating_sub(2),
        y: inner.y.saturating_sub(1),
        width: inner.width.saturating_add(4),
        height: inner.height.saturating_add(2),
    }
}

/// Draws a list with keys below it, in as many rows as it needs and the screen has; gives the place of the list.
pub fn draw_list<R: Rows>(
    shared: &Shared,
    title: &str,
    table: Table<'_, R>,
    mut state: TableState,
    pairs: &[(&'static str, &'static str)],
    frame: &mut Frame<'_>,
) -> (Rect, Scrolled) {
    let rows = u16::try_from(table.rows.total()).unwrap_or(u16::MAX);
    let most = frame.area().height.saturating_sub(4);
    let height = rows.saturating_add(4).min(most);
    let inner = open(shared, frame, title, (LIST, height));
    let [list, below] = Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]).areas(inner);
    frame.render_stateful_widget(table, list, &mut state);
    frame.render_widget(keys(shared, pairs), below);
    (list, Scrolled::Table(state))
}

/// Moves the cursor of such a list to the line that was clicked.
pub fn click_list(state: &mut TableState, line: usize) {
    // Title and rule stand above.
    if let Some(row) = line.checked_sub(2) {
        state.selected = state.offset + row;
    }
}

/// Words and keys that do something: each pair is a key, which may be empty, and the words behind it.
pub fn keys(shared: &Shared, pairs: &[(&'static str, &'static str)]) -> Line<'static> {
    let theme = &shared.theme;
    let spans = pairs.iter().flat_map(|(key, words)| {
        [
            Span::styled(*key, theme.accent()),
            Span::styled(*words, theme.dim()),
        ]
    });
    spans.collect()
}

/// Moves the cursor of a grid of so many rows and columns; what moves nothing closes the popup.
pub fn grid_moved(
    cell: &mut HeatGridState,
    (rows, columns): (usize, usize),
    action: Action,
) -> Reply {
    // Rows that have gone since do not count.
    cell.row = cell.row.min(rows.saturating_sub(1));
    match action {
        Action::Left => cell.column = cell.column.saturating_sub(1),
        Action::Right => cell.column = (cell.column + 1).min(columns.saturating_sub(1)),
        _ => return Reply::with(Change::Close),
    }
    Reply::DONE
}

/// A score for a narrow cell: `.81`, `12.3`.
pub fn short(value: f64) -> String {
    let text = if value.abs() < 10.0 {
        format!("{value:.2}")
    } else {
        format!("{value:.0}")
    };
    text.replacen("0.", ".", usize::from(value.abs() < 1.0))
}

/// Draws a line that is being typed.
pub fn input(shared: &Shared, line: &LineEdit, frame: &mut Frame<'_>, area: Rect) {
    let input = LineInput {
        theme: &shared.theme,
        sign: "",
        line,
        wrong: None,
    };
    frame.render_widget(input, area);
}

/// The keys that leave any popup in which something is typed: for good, or for the screen below.
pub fn leaves(key: KeyEvent) -> Option<Change> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c') if control => Some(Effect::Quit.into()),
        KeyCode::Esc => Some(Change::Close),
        _ => None,
    }
}
