//! Popup to go to a benchmark, ability, model, sample or saved view by typing letters of its name.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::part::{CLOSE, KeyLabel, Overlay, fuzzy, open};
use super::picker::{Picker, PickerKey};
use crate::change::{Change, Reply, SampleRows};
use crate::effect::Effect;
use crate::frame_output::{ScrollSlot, ScrollState};
use crate::keymap::ViewId;
use crate::saved_views::SavedViewChange;
use crate::shared::{AppState, ListSource};
use crate::widget::fit;
use base::format::visible;
use record::{Ability, ItemId, Row, Table};
use workspace::Lens;

/// Width and height of the popup in cells.
const SIZE: (u16, u16) = (60, 18);
/// Width of the column with the kind of place, in cells.
const KIND: usize = 11;
/// Minimum number of typed letters at which samples are searched.
const LETTERS: usize = 2;
/// Maximum number of matching samples that are ranked.
const MATCHES: usize = 5_000;

/// A place in the program to go to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Benchmark(String),
    Ability(Ability),
    /// A model of the current benchmark.
    Model(String),
    /// A sample of the current benchmark.
    Sample(ItemId),
    /// A saved view, by name.
    View(String),
}

impl Place {
    fn kind(&self) -> &'static str {
        match self {
            Self::Benchmark(_) => "benchmark",
            Self::Ability(_) => "ability",
            Self::Model(_) => "model",
            Self::Sample(_) => "sample",
            Self::View(_) => "saved view",
        }
    }

    fn name(&self, table: &Table) -> String {
        match self {
            Self::Benchmark(name) | Self::Model(name) | Self::View(name) => name.clone(),
            Self::Ability(ability) => format!("{} › {}", ability.benchmark, ability.name),
            Self::Sample(item) => table.sample_id(*item).to_owned(),
        }
    }

    /// Returns the changes that open the place. They set the lens as if the user went there by
    /// keys. A sample opens with all its answers.
    fn changes(self, shared: &AppState) -> Vec<Change> {
        let narrow = |benchmark: &str, lens: Lens| {
            // The Overview has no benchmark of its own.
            let is_outside =
                shared.view == ViewId::Overview || lens.benchmark != shared.lens.benchmark;
            let benchmark = is_outside.then(|| Change::Benchmark(benchmark.to_owned()));
            benchmark
                .into_iter()
                .chain([Change::Narrow(lens)])
                .collect()
        };
        match self {
            Self::View(name) => vec![Change::SavedView(name)],
            Self::Benchmark(name) => vec![Change::Benchmark(name)],
            Self::Ability(ability) => {
                let lens = Lens {
                    benchmark: ability.benchmark.clone(),
                    ability: Some(ability.name),
                    ..shared.lens.whole()
                };
                narrow(&ability.benchmark, lens)
            }
            Self::Model(model) => {
                let lens = Lens {
                    model: Some(model),
                    ..shared.lens.clone()
                };
                narrow(&shared.lens.benchmark, lens)
            }
            Self::Sample(item) => {
                let rows = (0..shared.table.len()).filter_map(|row| u32::try_from(row).ok());
                let list = rows.filter(|row| shared.table.item(Row(*row)) == item);
                vec![Change::OpenRows(Box::new(SampleRows {
                    list: list.collect(),
                    of: ListSource::Flagged,
                    at: 0,
                    second: None,
                }))]
            }
        }
    }
}

/// Places that match the typed text, with a cursor.
#[derive(Clone, Debug)]
pub struct JumpPicker {
    picker: Picker,
    /// Places that are not samples: saved views, models, benchmarks and abilities.
    named: Vec<Place>,
    found: Vec<Place>,
}

impl JumpPicker {
    /// Creates the popup with all places except samples, which are searched later.
    pub fn new(shared: &AppState) -> Self {
        let benchmarks = shared.answers.opened.iter();
        let benchmarks = benchmarks.map(|opened| Place::Benchmark(opened.benchmark.clone()));
        let abilities = shared.table.names().abilities.values().iter();
        let models = shared.models().into_iter().map(Place::Model);
        let saved = shared.saved.names(&shared.table);
        let saved = saved.into_iter().map(Place::View);
        let named = saved.chain(models).chain(benchmarks);
        let named: Vec<Place> = named
            .chain(abilities.cloned().map(Place::Ability))
            .collect();
        Self {
            picker: Picker::default(),
            found: named.clone(),
            named,
        }
    }

    /// Searches again, after the text has changed.
    fn search(&mut self, shared: &AppState) {
        let typed = self.picker.text();
        let table = &shared.table;
        let abilities = table.names().abilities.values().iter();
        let own = abilities.map(|ability| ability.benchmark == shared.lens.benchmark);
        let own: Vec<bool> = own.collect();
        let is_own = |code: u16| own.get(usize::from(code)).copied().unwrap_or_default();
        let items = (0..).map(ItemId).zip(table.ability_of());
        let samples = items
            .filter(|(_, code)| is_own(**code))
            .map(|(item, _)| item);
        // A fast check that excludes most samples before the remaining ones are ranked.
        let is_like = |item: &ItemId| {
            let mut id = table.sample_id(*item).bytes();
            let mut letters = typed.bytes().filter(|letter| *letter != b' ');
            letters.all(|letter| id.any(|other| other.eq_ignore_ascii_case(&letter)))
        };
        let most = if typed.len() < LETTERS { 0 } else { MATCHES };
        let samples = samples.filter(is_like).take(most);
        let places = self.named.iter().cloned().chain(samples.map(Place::Sample));
        self.found = fuzzy(typed, places, |place| place.name(table));
    }

    fn submit(&self, shared: &AppState) -> Vec<Change> {
        let changes = self.here().cloned().map(|place| place.changes(shared));
        std::iter::once(Change::Close)
            .chain(changes.into_iter().flatten())
            .collect()
    }

    /// Returns the place under the cursor.
    fn here(&self) -> Option<&Place> {
        self.found.get(self.picker.cursor(self.found.len()))
    }

    /// Deletes the saved view under the cursor.
    fn delete(&mut self) -> Option<Change> {
        let here = self.here()?.clone();
        let Place::View(name) = &here else {
            return None;
        };
        let change = SavedViewChange::Delete(name.clone());
        self.named.retain(|place| *place != here);
        self.found.retain(|place| *place != here);
        Some(Effect::ChangeViews(change).into())
    }
}

impl Overlay for JumpPicker {
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let theme = &shared.theme;
        let inner = open(shared, frame, "go to", SIZE);
        let row = |at: usize, is_here, width: u16| {
            let Some(place) = self.found.get(at) else {
                return Line::default();
            };
            let style = if is_here {
                theme.cursor()
            } else {
                theme.text()
            };
            let room = width.saturating_sub(u16::try_from(KIND).unwrap_or_default());
            let name = place.name(&shared.table);
            Line::from(vec![
                Span::styled(format!("{:KIND$}", place.kind()), theme.dim()),
                Span::styled(fit(&visible(&name), room).into_owned(), style),
            ])
        };
        let benchmark = visible(&shared.lens.benchmark);
        let empty = format!("nothing in {benchmark} has this name");
        let count = self.found.len();
        self.picker.draw(shared, frame, inner, count, row, &empty);
        (inner, ScrollState::At(self.picker.cursor(count)))
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::At(&mut self.picker.selected)
    }

    fn keys(&self, _: &AppState) -> Vec<KeyLabel> {
        let is_saved = matches!(self.here(), Some(Place::View(_)));
        let delete = is_saved.then_some(("Del", "delete view"));
        let keys = [("↑↓", "choose"), ("Enter", "go there")];
        keys.into_iter().chain(delete).chain([CLOSE]).collect()
    }

    fn key(&mut self, shared: &AppState, key: KeyEvent) -> Reply {
        if key.code == KeyCode::Delete
            && let Some(change) = self.delete()
        {
            return Reply::with(change);
        }
        match self.picker.key(key) {
            PickerKey::Leave(change) => return Reply::with(*change),
            PickerKey::Submit => return self.submit(shared).into(),
            PickerKey::Typed => self.search(shared),
            PickerKey::Done => {}
        }
        Reply::DONE
    }

    fn paste(&mut self, shared: &AppState, text: &str) -> Vec<Change> {
        self.picker.paste(text);
        self.search(shared);
        Vec::new()
    }

    fn click(&mut self, shared: &AppState, line: usize, height: usize) -> Vec<Change> {
        if self.picker.click(line, height, self.found.len()) {
            return self.submit(shared);
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::App;
    use crate::tests::{opened, press, screen};

    fn jumped(app: &mut App, letters: &str) {
        press(app, "'");
        let keys: Vec<String> = letters.chars().map(String::from).collect();
        press(app, &keys.join(" "));
        press(app, "enter");
    }

    #[test]
    fn letters_lead_to_a_model_an_ability_and_a_sample() {
        let mut app = opened("sample_runs/exam");
        jumped(&mut app, "emot");
        let ability = |app: &App| app.shared.lens.ability.clone();
        assert_eq!(ability(&app).as_deref(), Some("emotion"));
        assert_eq!(app.shared.view, ViewId::Fingerprint);
        press(&mut app, "3");
        jumped(&mut app, "gabor");
        assert_eq!(app.shared.lens.model.as_deref(), Some("gabor"));
        assert_eq!(ability(&app).as_deref(), Some("emotion"));
        jumped(&mut app, "color0079");
        assert_eq!(app.shared.view, ViewId::Sample);
        let shown = screen(&mut app, 100, 30);
        assert!(shown.contains("color-0079"), "{shown}");
        assert_eq!(app.shared.list.rows.len(), 5, "its answers");
        press(&mut app, "esc");
        assert_eq!(app.shared.view, ViewId::Samples);
    }

    #[test]
    fn nothing_that_matches_leads_nowhere() {
        let mut app = opened("sample_runs/exam");
        let before = (app.shared.view, app.shared.lens.clone());
        jumped(&mut app, "zqzq");
        assert_eq!((app.shared.view, app.shared.lens.clone()), before);
        assert!(app.popups.is_empty());
    }
}
