//! The palette: every action of the view by its words, those that are spelled most like the typed ones first.

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget as _};

use super::Typing;
use super::draw::open;
use crate::app::App;
use crate::keymap::Bind;
use crate::widget::fit;
use crate::widget::line_edit::LineInput;

/// Columns of the words, of the action's name and of the key.
const COLUMNS: (u16, u16, u16) = (32, 20, 10);

/// A row of the keymap that a text finds.
#[derive(Clone, Debug)]
pub struct Found<'a> {
    /// The row.
    pub bind: &'a Bind,
    /// The characters of the words and, after a space, of the name that were typed.
    pub letters: Vec<u32>,
}

/// The rows of the keymap that the palette offers for a text, the best first; all of them for none.
pub fn palette_matches<'a>(app: &'a App, text: &str) -> Vec<Found<'a>> {
    let pattern = Pattern::new(
        text,
        CaseMatching::Ignore,
        Normalization::Smart,
        AtomKind::Fuzzy,
    );
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut buffer = Vec::new();
    let score = |bind: &'a Bind| {
        let words = format!("{} {}", bind.help, bind.action.name());
        let mut letters = Vec::new();
        let score = pattern.indices(
            Utf32Str::new(&words, &mut buffer),
            &mut matcher,
            &mut letters,
        )?;
        Some((score, Found { bind, letters }))
    };
    let mut found: Vec<_> = app.keymap.keys_for(app.view).filter_map(score).collect();
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    let mut once: Vec<Found<'a>> = Vec::new();
    for (_, row) in found {
        if !once
            .iter()
            .any(|known| known.bind.action == row.bind.action)
        {
            once.push(row);
        }
    }
    once
}

/// Rows above the list: the line and a blank one.
const ABOVE: usize = 2;

impl Typing {
    /// The first row of the list that is seen, of so many.
    fn first(&self, rows: usize) -> usize {
        self.selected.saturating_sub(rows.saturating_sub(1))
    }

    /// The row of the list that lies on a line of a popup of this height.
    pub fn row_at(&self, line: usize, height: usize) -> Option<usize> {
        let line = line.checked_sub(ABOVE)?;
        Some(self.first(height.saturating_sub(ABOVE)) + line)
    }
}

/// Draws the palette.
pub fn render(app: &mut App, typing: &mut Typing, frame: &mut Frame<'_>) {
    let (words, name, key) = COLUMNS;
    let inner = open(app, frame, "do", words + name + key, 16);
    let found = palette_matches(app, typing.line.text());
    typing.selected = typing.selected.min(found.len().saturating_sub(1));
    let [top, list] = Layout::vertical([Constraint::Length(2), Constraint::Fill(1)]).areas(inner);
    let input = LineInput {
        theme: &app.theme,
        sign: ":",
        line: &typing.line,
        wrong: None,
    };
    frame.render_widget(input, top);
    let rows = usize::from(list.height);
    let shown = found.iter().enumerate().skip(typing.first(rows)).take(rows);
    let mut lines: Vec<Line<'_>> = shown
        .map(|(at, found)| row(app, found, at == typing.selected))
        .collect();
    if found.is_empty() {
        lines.push(Line::styled("nothing is called so", app.theme.dim()));
    }
    Paragraph::new(lines).render(list, frame.buffer_mut());
}

fn row<'a>(app: &App, found: &Found<'_>, cursor: bool) -> Line<'a> {
    let (words, name, key) = COLUMNS;
    let style = |plain: Style| if cursor { app.theme.cursor() } else { plain };
    let bind = found.bind;
    let keys = bind
        .keys
        .first()
        .map(ToString::to_string)
        .unwrap_or_default();
    let mut spans = letters(&bind.help, words, 0, found, style(app.theme.text()));
    let after = u32::try_from(bind.help.chars().count() + 1).unwrap_or(u32::MAX);
    spans.extend(letters(
        bind.action.name(),
        name,
        after,
        found,
        style(app.theme.dim()),
    ));
    spans.push(Span::styled(
        format!("{keys:>width$}", width = usize::from(key)),
        style(app.theme.accent()),
    ));
    Line::from(spans)
}

/// A text in a field, with the letters underlined that were typed; its first one is number `from`.
fn letters<'a>(text: &str, room: u16, from: u32, found: &Found<'_>, style: Style) -> Vec<Span<'a>> {
    let text = fit(text, room.saturating_sub(1));
    let mut spans: Vec<Span<'a>> = (from..)
        .zip(text.chars())
        .map(|(at, c)| {
            let typed = found.letters.contains(&at);
            let marked = style.add_modifier(Modifier::UNDERLINED | Modifier::BOLD);
            Span::styled(c.to_string(), if typed { marked } else { style })
        })
        .collect();
    let used = text.chars().count();
    spans.push(Span::styled(
        " ".repeat(usize::from(room).saturating_sub(used)),
        style,
    ));
    spans
}
