//! Helpers for several views: list cursors, tables for copying, cached answers, and empty screens.

use std::borrow::Cow;
use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use crate::action::Action;
use crate::change::Reply;
use crate::frame_output::FrameOutput;
use crate::shared::AppState;
use crate::widget::table::{Column, Rows};
use analysis::metric::Interval;
use base::format::{compact, fixed, visible};
use engine::Query;
use record::Generation;
use report::{Align, Grid};
use workspace::filter;

/// Returns the new position of a cursor in a list of `count` rows; `None` for actions that do not
/// move it.
pub fn moved(at: usize, count: usize, page: usize, action: Action) -> Option<usize> {
    let last = count.saturating_sub(1);
    Some(match action {
        Action::Up => at.saturating_sub(1),
        Action::Down => (at + 1).min(last),
        Action::PageUp => at.saturating_sub(page),
        Action::PageDown => (at + page).min(last),
        Action::First => 0,
        Action::Last => last,
        _ => return None,
    })
}

/// Moves the cursor `at` in a list of `count` rows. Passes on actions that do not move it.
pub fn move_cursor(at: &mut usize, count: usize, page: usize, action: Action) -> Reply {
    moved(*at, count, page, action).map_or(Reply::PassOn, |row| {
        *at = row;
        Reply::DONE
    })
}

/// Moves the cursor to the clicked row. Returns true if it was already there, which opens the row.
pub fn click_again(selected: &mut usize, row: Option<usize>) -> bool {
    row.is_some_and(|row| std::mem::replace(selected, row) == row)
}

/// Returns the next or previous value of a list; wraps around.
pub fn next<T: Clone>(list: &[T], is_current: impl Fn(&T) -> bool, step: isize) -> Option<T> {
    let at = list.iter().position(is_current);
    let at = at.map_or(0, |at| {
        (at + list.len()).saturating_add_signed(step) % list.len().max(1)
    });
    list.get(at).cloned()
}

/// Returns the rows in `range` of a table, for copying.
pub fn grid_of(columns: &[Column<'_>], rows: &dyn Rows, range: Range<usize>) -> Grid {
    let column = |column: &Column<'_>| {
        let align = match column.align {
            Alignment::Right => Align::Right,
            Alignment::Left | Alignment::Center => Align::Left,
        };
        (visible(column.title).into_owned(), align)
    };
    let mut grid = Grid {
        columns: columns.iter().map(column).collect(),
        ..Grid::default()
    };
    for row in range.start..range.end.min(rows.total()) {
        let cells = rows.cells(row);
        grid.push(cells.iter().map(|cell| &*cell.text));
    }
    grid
}

/// An answer with its query and the generation of its table.
type QueriedAnswer<Q, A> = Option<(Q, Generation, A)>;

/// Returns the answer if it belongs to this query.
pub fn known<'a, Q: PartialEq, A>(answer: &'a QueriedAnswer<Q, A>, question: &Q) -> Option<&'a A> {
    let (asked, _, found) = answer.as_ref()?;
    (asked == question).then_some(found)
}

/// Returns the query, unless its answer for the current table has arrived or failed.
pub fn unknown<Q: Clone + Into<Query> + PartialEq, A>(
    shared: &AppState,
    answer: &QueriedAnswer<Q, A>,
    question: Q,
) -> Option<Q> {
    let now = shared.table.generation();
    let is_known = |(asked, of, _): &(Q, Generation, A)| *asked == question && *of == now;
    let lacks = !answer.as_ref().is_some_and(is_known)
        && shared.answers.failure(question.clone()).is_none();
    lacks.then_some(question)
}

/// Returns the text to show until an answer arrives. If the query failed, returns the reason.
pub fn instead(shared: &AppState, question: impl Into<Query>, waiting: &str) -> String {
    match shared.answers.failure(question) {
        Some(reason) => visible(&format!("no answer: {reason}")).into_owned(),
        None => waiting.to_owned(),
    }
}

/// Returns the progress of queries that read records for pictures or answers: `120 of 640`. Returns
/// `None` if no such query runs.
pub fn records_read() -> Option<String> {
    let counts = workspace::progress::progress()?;
    let [done, all] = counts.map(|count| compact(count as u64));
    Some(format!("{done} of {all}"))
}

/// Formats an interval: `[0.030, 0.224]`; a dash if there is none.
pub fn interval(interval: Option<Interval>) -> String {
    interval.map_or_else(
        || "–".to_owned(),
        |i| format!("[{}, {}]", fixed(Some(i.low), 3), fixed(Some(i.high), 3)),
    )
}

/// Draws a message in an otherwise empty area.
pub fn draw_text(shared: &AppState, text: &str, frame: &mut Frame<'_>, area: Rect) -> FrameOutput {
    let line = Line::styled(text.to_owned(), shared.theme.dim());
    let lines = Paragraph::new(vec![Line::default(), line]);
    frame.render_widget(lines.wrap(Wrap { trim: true }), area);
    FrameOutput::default()
}

/// Returns the message for an empty list of samples.
pub fn why_empty(shared: &AppState) -> Cow<'static, str> {
    if !shared.is_loaded() {
        return "Reading …".into();
    }
    if shared.is_published_only(&shared.lens.benchmark) || shared.table.is_empty() {
        return "Published scores have no samples behind them, only the table; b goes to the next benchmark."
            .into();
    }
    let filter = shared.lens.filter.trim();
    if filter.is_empty() {
        return "There are no samples here; Esc goes back.".into();
    }
    if !filter.contains(':') && filter::keys(&shared.table).iter().any(|key| key == filter) {
        return format!(
            "No sample contains the word {filter}; {filter}:VALUE selects by this field. F clears \
             the filter, Esc goes back."
        )
        .into();
    }
    "No sample passes the filter; F clears it, Esc goes back.".into()
}
