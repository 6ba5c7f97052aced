//! Popup to choose the tag that splits an ability, by typing a part of its name.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::part::{CLOSE, KeyLabel, Overlay, fuzzy, input, leaves, open};
use crate::change::{Change, Reply};
use crate::frame_output::{ScrollSlot, ScrollState};
use crate::shared::Shared;
use crate::widget::fit;
use crate::widget::line_edit::LineEdit;
use analysis::Split;
use base::format::visible;
use record::{Table, TagColumn};

/// Width of the popup in columns, and the lines for tags that divide nothing.
const WIDTH: u16 = 60;
const SAME: u16 = 3;
/// Lines above the list: the input and a blank line.
const ABOVE: u16 = 2;
/// Width of a shown value in columns.
const VALUE: u16 = 24;

/// Tags of the ability, with an input line and a cursor.
#[derive(Clone, Debug, Default)]
pub struct TagPicker {
    line: LineEdit,
    selected: usize,
    /// Tags with one value for all samples of the ability: `dataset kitti`.
    same: Vec<String>,
}

/// Returns the tags whose samples of an ability all have the same value, with that value.
fn same_tags(table: &Table, benchmark: &str, ability: &str) -> Vec<String> {
    let mut abilities = table.names().abilities.values().iter();
    let Some(code) = abilities.position(|it| it.benchmark == benchmark && it.name == ability)
    else {
        return Vec::new();
    };
    let items = table.ability_of().iter().enumerate();
    let own = items.filter(|(_, known)| usize::from(**known) == code);
    let own: Vec<usize> = own.map(|(item, _)| item).collect();
    let value = |tag: TagColumn<'_>, item: usize| {
        let number = tag.number(item).map(|number| number.to_string());
        number.or_else(|| tag.text(item).map(str::to_owned))
    };
    let entry = |name: &str| {
        let tag = table.tag(name)?;
        let mut values = own.iter().map(|item| value(tag, *item));
        let first = values.next()??;
        let is_same = values.all(|value| value.as_ref() == Some(&first));
        is_same.then(|| format!("{} {}", visible(name), fit(&visible(&first), VALUE)))
    };
    table.tag_names().filter_map(entry).collect()
}

impl TagPicker {
    /// Creates the popup with the cursor on the current tag.
    pub fn new(shared: &Shared) -> Self {
        let ability = shared.lens.ability.as_deref().unwrap_or_default();
        Self {
            line: LineEdit::default(),
            selected: shared.split_index(),
            same: same_tags(&shared.table, &shared.lens.benchmark, ability),
        }
    }

    /// Returns the splits whose names match what was typed, best first.
    fn found<'a>(&self, shared: &'a Shared) -> Vec<&'a Split> {
        let splits = shared.answers.splits.iter();
        fuzzy(self.line.text().trim(), splits, |split| split.name())
    }

    fn submit(&self, shared: &Shared) -> Vec<Change> {
        let found = self.found(shared);
        let split = found.get(self.selected.min(found.len().saturating_sub(1)));
        let tag = split.and_then(|split| split.parts.first());
        let tag = tag.map(|part| Change::Tag(part.name.clone()));
        std::iter::once(Change::Close).chain(tag).collect()
    }
}

impl Overlay for TagPicker {
    fn draw(&self, shared: &Shared, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let theme = &shared.theme;
        let found = self.found(shared);
        let selected = self.selected.min(found.len().saturating_sub(1));
        let foot = if self.same.is_empty() { 0 } else { SAME };
        let all = u16::try_from(shared.answers.splits.len()).unwrap_or(u16::MAX);
        let most = frame.area().height.saturating_sub(4);
        let height = all.max(1).saturating_add(ABOVE + foot).min(most);
        let inner = open(shared, frame, "split by tag", (WIDTH, height));
        let [top, list, below] = Layout::vertical([
            Constraint::Length(ABOVE),
            Constraint::Fill(1),
            Constraint::Length(foot),
        ])
        .areas(inner);
        input(shared, &self.line, frame, top);
        let first = selected.saturating_sub(usize::from(list.height).saturating_sub(1));
        let shown = found.iter().enumerate().skip(first);
        let line = |(at, split): (usize, &&Split)| {
            let is_here = at == selected;
            let style = if is_here {
                theme.cursor()
            } else {
                theme.text()
            };
            let name = split.name();
            Line::styled(fit(&visible(&name), list.width).into_owned(), style)
        };
        let mut lines: Vec<Line<'_>> = shown.take(usize::from(list.height)).map(line).collect();
        if found.is_empty() {
            lines.push(Line::styled("no such tag", theme.dim()));
        }
        frame.render_widget(Paragraph::new(lines), list);
        let same = format!("the same everywhere: {}", self.same.join(", "));
        let same = Paragraph::new(Line::styled(same, theme.dim()));
        frame.render_widget(same.wrap(Wrap { trim: true }), below);
        (inner, ScrollState::At(selected))
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::At(&mut self.selected)
    }

    fn keys(&self) -> Vec<KeyLabel> {
        vec![("↑↓", "choose"), ("Enter", "split by it"), CLOSE]
    }

    fn key(&mut self, shared: &Shared, key: KeyEvent) -> Reply {
        if let Some(change) = leaves(key) {
            return Reply::with(change);
        }
        match key.code {
            KeyCode::Enter => return self.submit(shared).into(),
            KeyCode::Up | KeyCode::BackTab => self.move_by(-1),
            KeyCode::Down | KeyCode::Tab => self.move_by(1),
            _ if self.line.on_key(key) => self.selected = 0,
            _ => {}
        }
        Reply::DONE
    }

    fn paste(&mut self, _: &Shared, text: &str) -> Vec<Change> {
        self.line.insert(text);
        self.selected = 0;
        Vec::new()
    }

    fn click(&mut self, shared: &Shared, line: usize, height: usize) -> Vec<Change> {
        let Some(line) = line.checked_sub(usize::from(ABOVE)) else {
            return Vec::new();
        };
        let foot = if self.same.is_empty() { 0 } else { SAME };
        let rows = height.saturating_sub(usize::from(ABOVE + foot));
        if line >= rows {
            return Vec::new();
        }
        self.selected = self.selected.saturating_sub(rows.saturating_sub(1)) + line;
        self.submit(shared)
    }
}
