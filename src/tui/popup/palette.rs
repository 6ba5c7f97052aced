//! The palette: fuzzy search over the view's actions. After `help ` it lists pages of the manual.
//! After `report ` and `export ` it shows the output file.

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::part::{CLOSE, KeyLabel, Overlay, fuzzy_letters, open};
use super::picker::{Picker, PickerKey};
use super::text::Text;
use crate::action::Action;
use crate::change::{Change, Reply};
use crate::frame_output::{ScrollSlot, ScrollState};
use crate::keymap::Bind;
use crate::order::{Order, OutputKind};
use crate::shared::AppState;
use crate::widget::fit;
use crate::widget::line_edit::LineEdit;
use base::format::visible;
use base::manual::Page;

/// Widths of the help text, of the action's name and of the key, in columns.
const COLUMNS: (u16, u16, u16) = (32, 20, 10);
/// Total width of the three columns, in cells.
const WIDTH: u16 = COLUMNS.0 + COLUMNS.1 + COLUMNS.2;

/// Width of a manual page's name, in cells.
const PAGE_NAME: u16 = 18;

/// A row of the keymap that matches the text.
#[derive(Clone, Debug)]
pub struct KeymapMatch<'a> {
    /// The matching row.
    pub bind: &'a Bind,
    /// Indices of the matched characters in a text of help, space and action name.
    pub letters: Vec<u32>,
}

/// Returns the keymap rows that match a text, best first; all rows for an empty text.
pub fn palette_matches<'a>(shared: &'a AppState, text: &str) -> Vec<KeymapMatch<'a>> {
    let words = |bind: &&Bind| format!("{} {}", bind.help, bind.action.name());
    let found = fuzzy_letters(text, shared.keymap.keys_for(shared.view), words);
    let mut once: Vec<KeymapMatch<'a>> = Vec::new();
    for (letters, bind) in found {
        if once.iter().all(|known| known.bind.action != bind.action) {
            once.push(KeymapMatch { bind, letters });
        }
    }
    once
}

/// Returns the manual pages for a text that begins with `help `. Lists pages whose name contains
/// the rest of the text, or else the page with the most similar name. Returns `None` for other
/// texts.
pub fn pages(text: &str) -> Option<Vec<&'static Page>> {
    let (command, topic) = text.trim_start().split_once(' ')?;
    if command != "help" {
        return None;
    }
    let topic = topic.trim().to_lowercase();
    let mut found: Vec<&Page> = base::manual::PAGES
        .iter()
        .filter(|page| page.name.contains(&topic))
        .collect();
    // An exact match comes first.
    found.sort_by_key(|page| page.name != topic);
    if found.is_empty() {
        let nearest = Page::named(&topic).err().and_then(|error| error.nearest);
        found.extend(nearest.and_then(|name| Page::named(name).ok()));
    }
    Some(found)
}

/// The palette: an input line above the matching actions.
#[derive(Clone, Debug)]
pub struct Palette(Picker);

impl Default for Palette {
    fn default() -> Self {
        Self::with(String::new())
    }
}

impl Palette {
    /// Creates the palette with a text.
    pub fn with(text: String) -> Self {
        Self(Picker {
            sign: ":",
            line: LineEdit::new(text),
            selected: 0,
        })
    }

    fn text(&self) -> &str {
        self.0.line.text()
    }

    fn submit(&self, shared: &AppState) -> Vec<Change> {
        let mut offers = offers(shared, self.text());
        let at = self.0.cursor(offers.len());
        let change = match (at < offers.len()).then(|| offers.swap_remove(at)) {
            None => None,
            Some(Offer::Page(page)) => Some(Change::pop_up(Text::page(page))),
            Some(Offer::File(order)) => Some(Change::Write(order)),
            Some(Offer::Endings(content)) => Some(Change::Write(Order::unnamed(content))),
            Some(Offer::Action(found)) => Some(match (self.0.text(), found.bind.action) {
                // The user typed only the command, without a file name.
                ("report", Action::Report) => Change::Write(Order::unnamed(OutputKind::Report)),
                ("export", Action::Export) => Change::Write(Order::unnamed(OutputKind::Export)),
                (_, action) => Change::Act(action),
            }),
        };
        std::iter::once(Change::Close).chain(change).collect()
    }
}

impl Overlay for Palette {
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let inner = open(shared, frame, "commands", (WIDTH, 16));
        let offers = offers(shared, self.text());
        let line = |at: usize, is_here, _| {
            let offer = offers.get(at).map(|offer| offer.line(shared, is_here));
            offer.unwrap_or_default()
        };
        self.0
            .draw(shared, frame, inner, offers.len(), line, "no such command");
        (inner, ScrollState::At(self.0.cursor(offers.len())))
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::At(&mut self.0.selected)
    }

    fn keys(&self, _: &AppState) -> Vec<KeyLabel> {
        vec![("↑↓", "choose"), ("Enter", "run"), CLOSE]
    }

    fn key(&mut self, shared: &AppState, key: KeyEvent) -> Reply {
        match self.0.key(key) {
            PickerKey::Leave(change) => Reply::with(*change),
            PickerKey::Submit => self.submit(shared).into(),
            PickerKey::Typed | PickerKey::Done => Reply::DONE,
        }
    }

    fn paste(&mut self, _: &AppState, text: &str) -> Vec<Change> {
        self.0.paste(text);
        Vec::new()
    }

    fn click(&mut self, shared: &AppState, line: usize, height: usize) -> Vec<Change> {
        let count = offers(shared, self.text()).len();
        if self.0.click(line, height, count) {
            return self.submit(shared);
        }
        Vec::new()
    }
}

/// A row of the palette.
enum Offer<'a> {
    Action(KeymapMatch<'a>),
    Page(&'static Page),
    File(Order),
    Endings(OutputKind),
}

fn offers<'a>(shared: &'a AppState, text: &str) -> Vec<Offer<'a>> {
    if let Some(order) = Order::parse(text) {
        let endings = order
            .name
            .is_empty()
            .then_some(Offer::Endings(order.content));
        return std::iter::once(Offer::File(order)).chain(endings).collect();
    }
    if let Some(pages) = pages(text) {
        return pages.into_iter().map(Offer::Page).collect();
    }
    let found = palette_matches(shared, text);
    if found.is_empty() {
        return pages_with(text).map(Offer::Page).collect();
    }
    found.into_iter().map(Offer::Action).collect()
}

/// Returns the manual pages that contain a text, for words that no command has.
fn pages_with(text: &str) -> impl Iterator<Item = &'static Page> {
    let text = text.trim().to_lowercase();
    let pages = base::manual::PAGES.iter();
    pages.filter(move |page| page.text.to_lowercase().contains(&text))
}

impl Offer<'_> {
    fn line<'a>(&self, shared: &AppState, cursor: bool) -> Line<'a> {
        match self {
            Self::Action(found) => row(shared, found, cursor),
            Self::Page(page) => page_row(shared, page, cursor),
            Self::File(order) => file_row(shared, order),
            Self::Endings(content) => endings_row(shared, *content),
        }
    }
}

/// Returns a line such as `Enter writes the report to exam-report.html`, or the reason why the name
/// cannot be used.
fn file_row<'a>(shared: &AppState, order: &Order) -> Line<'a> {
    let (words, style) = match order.file(shared.file_stem()) {
        Ok(target) => {
            let what = match order.content {
                OutputKind::Report => "the report",
                OutputKind::Export => "the samples of the lens",
            };
            let words = format!("Enter writes {what} to {}", target.path.display());
            (words, shared.theme.text())
        }
        Err(why) => (why, shared.theme.error()),
    };
    Line::styled(fit(&visible(&words), WIDTH).into_owned(), style)
}

/// Returns a line with the supported file extensions.
fn endings_row<'a>(shared: &AppState, content: OutputKind) -> Line<'a> {
    let words = match content {
        OutputKind::Report => "or a name that ends in .html, .md, .csv, .json, .jsonl or .txt",
        OutputKind::Export => "or a name that ends in .csv, .jsonl, .parquet or .arrow",
    };
    Line::styled(words, shared.theme.dim())
}

/// Formats a row: `help filters   Filters: which samples count`.
fn page_row<'a>(shared: &AppState, page: &Page, cursor: bool) -> Line<'a> {
    let style = |plain: Style| if cursor { shared.theme.cursor() } else { plain };
    let room = COLUMNS.0 + COLUMNS.1 + COLUMNS.2 - PAGE_NAME;
    let (name, title) = (format!("help {}", page.name), fit(page.title(), room));
    let width = usize::from(PAGE_NAME);
    Line::from(vec![
        Span::styled(format!("{name:<width$}"), style(shared.theme.text())),
        Span::styled(title.to_string(), style(shared.theme.dim())),
    ])
}

fn row<'a>(shared: &AppState, found: &KeymapMatch<'_>, cursor: bool) -> Line<'a> {
    let (words, name, key) = COLUMNS;
    let style = |plain: Style| if cursor { shared.theme.cursor() } else { plain };
    let bind = found.bind;
    let keys = bind
        .keys
        .first()
        .map(ToString::to_string)
        .unwrap_or_default();
    let mut spans = letters(&bind.help, words, 0, found, style(shared.theme.text()));
    let after = u32::try_from(bind.help.chars().count() + 1).unwrap_or(u32::MAX);
    spans.extend(letters(
        bind.action.name(),
        name,
        after,
        found,
        style(shared.theme.dim()),
    ));
    spans.push(Span::styled(
        format!("{keys:>width$}", width = usize::from(key)),
        style(shared.theme.accent()),
    ));
    Line::from(spans)
}

/// Pads a text to a width, and underlines the matched characters. `from` is the index of the text's
/// first character.
fn letters<'a>(
    text: &str,
    room: u16,
    from: u32,
    found: &KeymapMatch<'_>,
    style: Style,
) -> Vec<Span<'a>> {
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
