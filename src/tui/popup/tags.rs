//! Popup to choose the tag that splits an ability, by typing a part of its name.

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::part::{CLOSE, KeyLabel, Overlay, fuzzy, open};
use super::picker::{ABOVE, Picker, PickerKey};
use crate::change::{Change, Reply};
use crate::frame_output::{ScrollSlot, ScrollState};
use crate::shared::AppState;
use crate::widget::fit;
use analysis::Split;
use base::format::visible;
use engine::{AutomaticTags, Query};
use record::{Table, TagColumn};

/// Width of the popup in columns.
const WIDTH: u16 = 60;
/// Maximum number of lines for tags that have the same value everywhere.
const SAME: u16 = 3;
/// Maximum width of a displayed value in columns.
const VALUE: u16 = 24;

/// Tags of the ability, with an input line and a cursor.
#[derive(Clone, Debug, Default)]
pub struct TagPicker {
    picker: Picker,
    /// Tags with the same value for all samples of the ability: `dataset kitti`.
    same: Vec<String>,
}

/// Returns the tags with the same value for all samples of an ability, with that value.
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
    pub fn new(shared: &AppState) -> Self {
        let ability = shared.lens.ability.as_deref().unwrap_or_default();
        Self {
            picker: Picker {
                selected: shared.split_index(),
                ..Picker::default()
            },
            same: same_tags(&shared.table, &shared.lens.benchmark, ability),
        }
    }

    /// Returns the splits whose names match the typed text, best first.
    fn found<'a>(&self, shared: &'a AppState) -> Vec<&'a Split> {
        let splits = shared.answers.splits.iter();
        fuzzy(self.picker.text(), splits, |split| split.name())
    }

    /// Returns the sentences below the list.
    fn notes(&self, shared: &AppState) -> Vec<String> {
        let reads = !self.is_known(shared);
        let reads = reads.then(|| "Pictures and answers are being read for more tags.".to_owned());
        let same = format!("the same in all samples: {}", self.same.join(", "));
        let same = (!self.same.is_empty()).then_some(same);
        reads.into_iter().chain(same).collect()
    }

    /// Returns the number of lines below the list.
    fn foot(&self, shared: &AppState) -> u16 {
        u16::from(!self.is_known(shared)) + if self.same.is_empty() { 0 } else { SAME }
    }

    fn submit(&self, shared: &AppState) -> Vec<Change> {
        let found = self.found(shared);
        let split = found.get(self.picker.cursor(found.len()));
        let tag = split.and_then(|split| split.parts.first());
        let tag = tag.map(|part| Change::Tag(part.name.clone()));
        std::iter::once(Change::Close).chain(tag).collect()
    }
}

impl Overlay for TagPicker {
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let theme = &shared.theme;
        let found = self.found(shared);
        let foot = self.foot(shared);
        let all = u16::try_from(shared.answers.splits.len()).unwrap_or(u16::MAX);
        let most = frame.area().height.saturating_sub(4);
        let height = all.max(1).saturating_add(ABOVE + foot).min(most);
        let inner = open(shared, frame, "split by tag", (WIDTH, height));
        let [list, below] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(foot)]).areas(inner);
        let line = |at: usize, is_here, width| {
            let style = if is_here {
                theme.cursor()
            } else {
                theme.text()
            };
            let name = found.get(at).map(|split| split.name()).unwrap_or_default();
            Line::styled(fit(&visible(&name), width).into_owned(), style)
        };
        (self.picker).draw(shared, frame, list, found.len(), line, "no such tag");
        let notes = self.notes(shared).into_iter();
        let notes: Vec<Line<'_>> = notes.map(|note| Line::styled(note, theme.dim())).collect();
        frame.render_widget(Paragraph::new(notes).wrap(Wrap { trim: true }), below);
        (inner, ScrollState::At(self.picker.cursor(found.len())))
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::At(&mut self.picker.selected)
    }

    fn keys(&self, _: &AppState) -> Vec<KeyLabel> {
        vec![("↑↓", "choose"), ("Enter", "split by it"), CLOSE]
    }

    fn key(&mut self, shared: &AppState, key: KeyEvent) -> Reply {
        match self.picker.key(key) {
            PickerKey::Leave(change) => Reply::with(*change),
            PickerKey::Submit => self.submit(shared).into(),
            PickerKey::Typed | PickerKey::Done => Reply::DONE,
        }
    }

    fn query(&self, shared: &AppState) -> Option<Query> {
        let scope = shared.scope(&shared.lens);
        Some(AutomaticTags { scope }.into())
    }

    /// Returns true if no further tags will be read. A data set that does not fit into memory is
    /// not read for tags.
    fn is_known(&self, shared: &AppState) -> bool {
        let table = &shared.table;
        let is_read = table.picture_facts().is_some() && table.answer_facts().is_some();
        is_read || shared.large.is_some()
    }

    fn paste(&mut self, _: &AppState, text: &str) -> Vec<Change> {
        self.picker.paste(text);
        Vec::new()
    }

    fn click(&mut self, shared: &AppState, line: usize, height: usize) -> Vec<Change> {
        let rows = height.saturating_sub(usize::from(self.foot(shared)));
        if self.picker.click(line, rows, self.found(shared).len()) {
            return self.submit(shared);
        }
        Vec::new()
    }
}
