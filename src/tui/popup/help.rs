//! The help: explains the figures on screen, and lists the view's keys by purpose.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::part::{Overlay, open};
use crate::frame_output::{ScrollSlot, ScrollState};
use crate::keymap::{KeyConflict, Purpose};
use crate::shared::AppState;
use crate::view::Explanation;
use crate::widget::{fit, width};
use base::format::visible;
use base::format::wrap;

/// Maximum width of the popup, because long lines are hard to read.
const WIDEST: u16 = 110;
/// Number of columns between a symbol and its meaning, and between columns of keys.
const GAP: u16 = 3;

/// State of the help popup.
#[derive(Clone, Debug)]
pub struct Help {
    /// Introduction to the view.
    words: &'static str,
    /// Explanations of the figures on screen.
    explained: Vec<Explanation>,
    /// Index of the first visible line.
    offset: usize,
}

impl Help {
    /// Creates the popup from a view's introduction and explanations.
    pub const fn new(words: &'static str, explained: Vec<Explanation>) -> Self {
        Self {
            words,
            explained,
            offset: 0,
        }
    }

    /// Returns the whole help, wrapped to a width.
    fn lines(&self, shared: &AppState, columns: u16) -> Vec<Line<'static>> {
        let theme = &shared.theme;
        let mut lines = paragraph(self.words, columns, 0);
        if !self.explained.is_empty() {
            lines.push(Line::default());
            lines.push(Line::styled("On this screen", theme.header()));
            let widest = self.explained.iter().map(|one| width(&one.sign.content));
            let signs = widest.max().unwrap_or_default().min(columns / 3);
            for one in &self.explained {
                let sign = fit(&one.sign.content, signs).into_owned();
                let room = signs.saturating_sub(width(&sign));
                let mut meaning = paragraph(&one.words, columns, signs + GAP + 2);
                if let Some(first) = meaning.first_mut() {
                    let words = std::mem::take(first);
                    let words = words.to_string();
                    *first = Line::from(vec![
                        Span::raw(" ".repeat(usize::from(room + 2))),
                        Span::styled(sign, one.sign.style),
                        Span::raw(" ".repeat(usize::from(GAP))),
                        Span::raw(words.trim_start().to_owned()),
                    ]);
                }
                lines.extend(meaning);
            }
        }
        lines.extend(keys(shared, columns));
        lines.extend(conflict_lines(shared, columns));
        let shows = visible(&shared.pictures.how);
        if !shows.is_empty() {
            lines.push(Line::default());
            let shows = paragraph(&format!("pictures: {shows}"), columns, 0);
            lines.extend(shows.into_iter().map(|line| line.style(theme.dim())));
        }
        lines
    }
}

/// Wraps a text to a width, with an indent.
fn paragraph(text: &str, columns: u16, indent: u16) -> Vec<Line<'static>> {
    let room = columns.saturating_sub(indent).max(1);
    let before = " ".repeat(usize::from(indent));
    let line = |range: std::ops::Range<usize>| {
        let words = text.get(range).unwrap_or_default();
        Line::from(format!("{before}{}", words.trim_end()))
    };
    wrap(text, room).map(line).collect()
}

/// Returns the view's keys group by group, in as many columns as fit.
fn keys(shared: &AppState, columns: u16) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let rows: Vec<(Purpose, String, String)> = shared
        .keymap
        .keys_for(shared.view)
        .map(|bind| {
            let purpose = Purpose::of(bind.action);
            (purpose, bind.keys_text(), bind.help.clone())
        })
        .collect();
    let widest = |text: fn(&(Purpose, String, String)) -> &String| {
        rows.iter().map(|row| width(text(row))).max().unwrap_or(0)
    };
    let (key, words) = (widest(|row| &row.1), widest(|row| &row.2));
    let cell = key + 2 + words;
    let across = usize::from(columns.saturating_add(GAP) / (cell + GAP)).max(1);
    let mut lines = Vec::new();
    for purpose in Purpose::ALL {
        let own: Vec<_> = rows.iter().filter(|row| row.0 == purpose).collect();
        if own.is_empty() {
            continue;
        }
        lines.push(Line::default());
        lines.push(Line::styled(purpose.name(), theme.header()));
        let down = own.len().div_ceil(across);
        for at in 0..down {
            let mut spans = Vec::new();
            for (_, keys, words) in own.iter().skip(at).step_by(down) {
                let before = usize::from(key.saturating_sub(width(keys)));
                let behind = usize::from((cell - key - 2).saturating_sub(width(words)) + GAP);
                spans.push(Span::raw(" ".repeat(before)));
                spans.push(Span::styled(keys.clone(), theme.accent()));
                spans.push(Span::raw(format!("  {words}{}", " ".repeat(behind))));
            }
            lines.push(Line::from(spans));
        }
    }
    lines
}

/// Returns lines about keys that the user's keymap replaces in embedded rows.
fn conflict_lines(shared: &AppState, columns: u16) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let words = |taken: &KeyConflict| {
        let now = shared.keymap.row_of(shared.view, taken.now);
        let now = now.map_or(taken.now.name(), |row| row.help.as_str());
        format!(
            "{}: “{now}” in your keymap, “{}” by default",
            taken.key, taken.before
        )
    };
    let lines = shared.keymap.conflicts_in(shared.view).map(words);
    let lines = lines.flat_map(|words| paragraph(&visible(&words), columns, 2));
    let mut lines: Vec<Line<'static>> = lines.collect();
    if !lines.is_empty() {
        let title = "Keys that your keymap changes; the palette still has the old actions";
        lines.insert(0, Line::styled(title, theme.header()));
        lines.insert(0, Line::default());
    }
    lines
}

impl Overlay for Help {
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let columns = frame.area().width.saturating_sub(6).min(WIDEST);
        let lines = self.lines(shared, columns);
        let tall = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        let inner = open(shared, frame, shared.view.title(), (columns, tall));
        let seen = usize::from(inner.height);
        let last = lines.len().saturating_sub(seen);
        let offset = self.offset.min(last);
        let style = shared.theme.text();
        let text: Vec<Line<'static>> = lines.into_iter().skip(offset).take(seen).collect();
        frame.render_widget(Paragraph::new(text).style(style), inner);
        let corner = |y: u16| Rect::new(inner.right().saturating_sub(1), y, 1, 1);
        let more = |sign: &'static str| Line::styled(sign, shared.theme.accent());
        if offset > 0 && inner.width > 1 {
            frame.render_widget(more("↑"), corner(inner.y).intersection(inner));
        }
        if offset < last && inner.width > 1 {
            let end = inner.bottom().saturating_sub(1);
            frame.render_widget(more("↓"), corner(end).intersection(inner));
        }
        (inner, ScrollState::At(offset))
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::At(&mut self.offset)
    }
}
