//! The filter popup: input line, count of matching samples, and completions.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget as _};

use super::part::{KeyLabel, Overlay, leaves, open};
use crate::change::{Change, Reply};
use crate::effect::ask;
use crate::frame_output::ScrollState;
use crate::shared::AppState;
use crate::widget::fit;
use crate::widget::line_edit::{LineEdit, LineInput};
use base::format::{compact, counted, visible};
use engine::{Count, ResultCounts};
use workspace::Lens;
use workspace::filter::{Candidate, Completion, FilterError};

/// Maximum number of visible completions.
const ROWS: u16 = 8;
/// Number of rows above the completions.
const ABOVE: usize = 3;
/// Widths of a completion's name and of its count, in columns.
const COLUMNS: (u16, u16) = (28, 8);
/// Examples shown for an empty line.
const EXAMPLES: [&str; 4] = [
    "ability:counting  score<0.5  correct:false  invalid:true  tag.count:10..20",
    "model:NAME  disagree:NAME  scorers:disagree  response~\"regex\"",
    "group:open  table:5  split:hard of published scores",
    "a space means and; or, not and ( ) work; a bare word searches all texts",
];

/// State of the filter popup.
#[derive(Clone, Debug, Default)]
pub struct FilterTyping {
    /// Line with the filter text.
    pub line: LineEdit,
    /// Count of matching samples, or the error in the filter.
    pub count: Option<Result<ResultCounts, FilterError>>,
    /// Index of the selected completion; `None` while the cursor is in the text.
    pub selected: Option<usize>,
    /// Index of the earlier filter in the line; 0 is the newest filter.
    recalled: Option<usize>,
    /// Text, cursor and completions of the last completion query.
    completion: Option<(String, usize, Completion)>,
}

impl FilterTyping {
    /// Creates the popup with a filter as text.
    pub fn new(text: &str) -> Self {
        Self {
            line: LineEdit::new(text),
            ..Self::default()
        }
    }

    /// Stores the completions for this text and cursor position.
    pub fn offer(&mut self, text: String, cursor: usize, completion: Completion) {
        let last = completion.candidates.len().checked_sub(1);
        self.selected = self.selected.zip(last).map(|(at, last)| at.min(last));
        self.completion = Some((text, cursor, completion));
    }

    fn candidates(&self) -> &[Candidate] {
        self.completion
            .as_ref()
            .map_or(&[], |(.., completion)| &completion.candidates)
    }

    /// Recalls an earlier or later filter from the history. After the newest filter, empties the
    /// line.
    fn recall(&mut self, earlier: &[String], step: isize) {
        let at = match (self.recalled, step > 0) {
            (None, true) => Some(0),
            (Some(at), true) => Some((at + 1).min(earlier.len().saturating_sub(1))),
            (at, false) => at.and_then(|at| at.checked_sub(1)),
        };
        let text = at.and_then(|at| earlier.iter().rev().nth(at));
        if at.is_some() && text.is_none() {
            return;
        }
        self.recalled = at;
        self.line = LineEdit::new(text.cloned().unwrap_or_default());
    }

    /// Returns true while the user browses the history.
    const fn is_recalling(&self) -> bool {
        self.recalled.is_some()
    }

    /// Inserts the selected completion, or the first one, into the line. Returns false if the
    /// completions are outdated.
    fn take(&mut self) -> bool {
        let Some((text, cursor, completion)) = &self.completion else {
            return false;
        };
        if text != self.line.text() || *cursor != self.line.cursor() {
            return false;
        }
        let Some(candidate) = completion.candidates.get(self.selected.unwrap_or(0)) else {
            return false;
        };
        let ends = completion.at.end >= text.len() && !candidate.insert.ends_with([':', ' ']);
        let with = format!("{}{}", candidate.insert, if ends { " " } else { "" });
        let at = completion.at.clone();
        self.line.replace(at, &with);
        self.selected = None;
        true
    }

    /// Returns the visible rows of the list and the index of the first one, for a popup of this
    /// height.
    fn list(&self, height: usize) -> (usize, usize) {
        let hint = self
            .completion
            .as_ref()
            .is_some_and(|(.., completion)| !completion.hint.is_empty());
        let rows = height.saturating_sub(ABOVE + usize::from(hint));
        (
            rows,
            self.selected
                .unwrap_or(0)
                .saturating_sub(rows.saturating_sub(1)),
        )
    }

    /// Inserts the completion on a line of a popup of this height, if there is one.
    fn take_at(&mut self, line: usize, height: usize) -> bool {
        let (rows, first) = self.list(height);
        let above = height.saturating_sub(rows);
        let row = line.checked_sub(above).filter(|row| *row < rows);
        let Some(row) = row
            .map(|row| row + first)
            .filter(|row| *row < self.candidates().len())
        else {
            return false;
        };
        self.selected = Some(row);
        self.take()
    }

    /// Returns the error in the text. Ignores an error at the end while a completion could correct
    /// it.
    fn wrong(&self) -> Option<&FilterError> {
        let error = self.count.as_ref()?.as_ref().err()?;
        let guessed = self
            .completion
            .as_ref()
            .is_some_and(|(.., completion)| completion.guessed);
        let ways = !guessed && !self.candidates().is_empty();
        let unfinished = error.at.end == error.text.len() && ways;
        (error.text == self.line.text() && !unfinished).then_some(error)
    }
}

impl FilterTyping {
    /// Queries the count and the completions for the text.
    pub fn typed(&mut self, shared: &AppState) -> Vec<Change> {
        self.selected = None;
        let (text, cursor) = (self.line.text().to_owned(), self.line.cursor());
        let lens = shared.lens.clone();
        let unfiltered = Lens {
            filter: String::new(),
            ..lens.clone()
        };
        let count = Count {
            scope: shared.scope(&unfiltered),
            filter: text.clone(),
        };
        let completion = engine::Completion { lens, text, cursor };
        vec![ask(count).into(), ask(completion).into()]
    }

    /// Sets the filter and closes the popup. If the filter has an error, the popup stays open.
    fn submit(&self) -> Vec<Change> {
        let text = self.line.text().trim().to_owned();
        if workspace::filter::parse(&text).is_err() || matches!(self.count, Some(Err(_))) {
            return Vec::new();
        }
        vec![Change::Close, Change::Filter(text)]
    }
}

impl Overlay for FilterTyping {
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let width = frame.area().width.saturating_sub(8).min(96);
        let inner = open(shared, frame, "filter", (width, ROWS + 3));
        let [input, says, list] = Layout::vertical([Length(2), Length(1), Fill(1)]).areas(inner);
        let line = LineInput {
            theme: &shared.theme,
            sign: "/",
            line: &self.line,
            wrong: self.wrong().map(|error| error.at.clone()),
        };
        frame.render_widget(line, input);
        frame.render_widget(status(shared, self), says);
        candidates(shared, self, usize::from(inner.height), frame, list);
        (inner, ScrollState::Nothing)
    }

    fn keys(&self, _: &AppState) -> Vec<KeyLabel> {
        vec![
            ("Enter", "filter"),
            ("Tab", "complete"),
            ("↑↓", "choose"),
            ("↑", "earlier filters"),
            ("Esc", "cancel"),
        ]
    }

    fn key(&mut self, shared: &AppState, key: KeyEvent) -> Reply {
        if let Some(change) = leaves(key) {
            return Reply::with(change);
        }
        match key.code {
            KeyCode::Enter if self.selected.is_none() => return self.submit().into(),
            KeyCode::Enter | KeyCode::Tab => {
                self.take();
            }
            KeyCode::Up if self.selected.is_none() => self.recall(&shared.filters, 1),
            KeyCode::Down if self.is_recalling() => self.recall(&shared.filters, -1),
            KeyCode::Up | KeyCode::BackTab => {
                self.move_by(-1);
                return Reply::DONE;
            }
            KeyCode::Down => {
                self.move_by(1);
                return Reply::DONE;
            }
            _ if self.line.on_key(key) => {}
            _ => return Reply::DONE,
        }
        self.typed(shared).into()
    }

    /// Moves the cursor in the list. Above the first row, the cursor is in the text.
    fn move_by(&mut self, step: isize) {
        let last = self.candidates().len().checked_sub(1);
        self.selected = match (self.selected, last) {
            (_, None) => None,
            (None, Some(_)) => (step > 0).then_some(0),
            (Some(0), _) if step < 0 => None,
            (Some(at), Some(last)) => Some(at.saturating_add_signed(step).min(last)),
        };
    }

    fn paste(&mut self, shared: &AppState, text: &str) -> Vec<Change> {
        self.line.insert(text);
        self.typed(shared)
    }

    fn click(&mut self, shared: &AppState, line: usize, height: usize) -> Vec<Change> {
        if self.take_at(line, height) {
            return self.typed(shared);
        }
        Vec::new()
    }
}

/// Returns the count of matching samples, or the error.
fn status<'a>(shared: &AppState, typing: &FilterTyping) -> Line<'a> {
    match &typing.count {
        None => Line::default(),
        Some(Ok(count)) => {
            let answers = counted(count.predictions as u64, "answer");
            let printed = counted(count.printed as u64, "published score");
            // Most filters do not apply to published scores, so omit their count if there are
            // answers.
            let is_published = shared.is_published_only(&shared.lens.benchmark);
            let words = match (count.predictions, count.printed) {
                (0, 1..) if is_published => printed,
                _ => answers,
            };
            Line::styled(format!("  {words}"), shared.theme.accent())
        }
        Some(Err(error)) => {
            let style = if typing.wrong().is_some() {
                shared.theme.error()
            } else {
                shared.theme.dim()
            };
            Line::styled(format!("  {}", visible(&error.what)), style)
        }
    }
}

fn candidates(
    shared: &AppState,
    typing: &FilterTyping,
    height: usize,
    frame: &mut Frame<'_>,
    area: Rect,
) {
    let found = typing.candidates();
    let hint = typing
        .completion
        .as_ref()
        .map_or("", |(.., completion)| &completion.hint);
    let mut lines: Vec<Line<'_>> = Vec::new();
    if !hint.is_empty() {
        lines.push(Line::styled(format!("  {hint}"), shared.theme.dim()));
    }
    let (rows, first) = typing.list(height);
    let shown = found.iter().enumerate().skip(first).take(rows);
    lines.extend(
        shown.map(|(at, found)| candidate(shared, found, area.width, typing.selected == Some(at))),
    );
    if lines.is_empty() {
        lines.extend(EXAMPLES.map(|text| Line::styled(format!("  {text}"), shared.theme.dim())));
    }
    Paragraph::new(lines).render(area, frame.buffer_mut());
}

fn candidate<'a>(shared: &AppState, found: &Candidate, width: u16, cursor: bool) -> Line<'a> {
    let style = |plain: Style| if cursor { shared.theme.cursor() } else { plain };
    let (name, count) = COLUMNS;
    let name = if found.what.is_empty() {
        width.saturating_sub(count + 4)
    } else {
        name
    };
    let what = width.saturating_sub(name + count + 4);
    let counted = found.count.map(compact).unwrap_or_default();
    let plain = if found.count == Some(0) {
        shared.theme.dim()
    } else {
        shared.theme.text()
    };
    Line::from(vec![
        Span::raw("  "),
        Span::styled(field(&found.name, name), style(plain)),
        Span::styled(field(&found.what, what), style(shared.theme.dim())),
        Span::styled(
            format!("{counted:>width$}", width = usize::from(count)),
            style(shared.theme.dim()),
        ),
    ])
}

/// Pads or cuts a text to a fixed width.
fn field(text: &str, room: u16) -> String {
    let text = visible(text);
    let text = fit(&text, room.saturating_sub(1));
    let used = crate::widget::width(&text);
    format!(
        "{text}{}",
        " ".repeat(usize::from(room.saturating_sub(used)))
    )
}
