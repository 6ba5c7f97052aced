//! Popup to go to a benchmark, ability, model or sample by typing some of its letters.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::part::{CLOSE, KeyLabel, Overlay, fuzzy, input, leaves, open};
use crate::change::{Change, Reply, SampleRows};
use crate::frame_output::{ScrollSlot, ScrollState};
use crate::keymap::ViewId;
use crate::shared::{ListSource, Shared};
use crate::widget::fit;
use crate::widget::line_edit::LineEdit;
use base::format::visible;
use record::{Ability, ItemId, Row, Table};
use workspace::Lens;

/// Width and height of the popup.
const SIZE: (u16, u16) = (60, 18);
/// Lines above the list: the input and a blank line.
const ABOVE: u16 = 2;
/// Width of the kind of place.
const KIND: usize = 11;
/// Letters from which samples are searched, and the number of samples that are.
const LETTERS: usize = 2;
const SAMPLES: usize = 200_000;

/// A place to go to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Benchmark(String),
    Ability(Ability),
    /// A model of the current benchmark.
    Model(String),
    /// A sample of the current benchmark.
    Sample(ItemId),
}

impl Place {
    fn kind(&self) -> &'static str {
        match self {
            Self::Benchmark(_) => "benchmark",
            Self::Ability(_) => "ability",
            Self::Model(_) => "model",
            Self::Sample(_) => "sample",
        }
    }

    fn name(&self, table: &Table) -> String {
        match self {
            Self::Benchmark(name) | Self::Model(name) => name.clone(),
            Self::Ability(ability) => format!("{} › {}", ability.benchmark, ability.name),
            Self::Sample(item) => table.sample_id(*item).to_owned(),
        }
    }

    /// Returns the changes that lead there. The lens is set as its own keys set it; a sample opens
    /// with all its answers.
    fn changes(self, shared: &Shared) -> Vec<Change> {
        let narrow = |benchmark: &str, lens: Lens| {
            // The Overview has no single benchmark.
            let is_outside =
                shared.view == ViewId::Overview || lens.benchmark != shared.lens.benchmark;
            let benchmark = is_outside.then(|| Change::Benchmark(benchmark.to_owned()));
            benchmark
                .into_iter()
                .chain([Change::Narrow(lens)])
                .collect()
        };
        match self {
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

/// Places that match what was typed, with a cursor.
#[derive(Clone, Debug)]
pub struct JumpPicker {
    line: LineEdit,
    selected: usize,
    /// Benchmarks, abilities and models.
    named: Vec<Place>,
    found: Vec<Place>,
}

impl JumpPicker {
    /// Creates the popup with all benchmarks, abilities and models.
    pub fn new(shared: &Shared) -> Self {
        let benchmarks = shared.answers.opened.iter();
        let benchmarks = benchmarks.map(|opened| Place::Benchmark(opened.benchmark.clone()));
        let abilities = shared.table.names().abilities.values().iter();
        let models = shared.models().into_iter().map(Place::Model);
        let named = models.chain(benchmarks);
        let named: Vec<Place> = named
            .chain(abilities.cloned().map(Place::Ability))
            .collect();
        Self {
            line: LineEdit::default(),
            selected: 0,
            found: named.clone(),
            named,
        }
    }

    /// Searches again, after the text has changed.
    fn search(&mut self, shared: &Shared) {
        let typed = self.line.text().trim().to_owned();
        let table = &shared.table;
        let is_own = |item: &ItemId| {
            let ability = table.ability(*item);
            ability.is_some_and(|ability| ability.benchmark == shared.lens.benchmark)
        };
        let items = (0..table.ability_of().len()).filter_map(|item| u32::try_from(item).ok());
        let most = if typed.len() < LETTERS { 0 } else { SAMPLES };
        let samples = items.map(ItemId).filter(is_own).take(most);
        let places = self.named.iter().cloned().chain(samples.map(Place::Sample));
        self.found = fuzzy(&typed, places, |place| place.name(table));
        self.selected = 0;
    }

    fn submit(&self, shared: &Shared) -> Vec<Change> {
        let place = self.found.get(self.here()).cloned();
        let changes = place.map_or_else(Vec::new, |place| place.changes(shared));
        std::iter::once(Change::Close).chain(changes).collect()
    }

    /// Returns the position of the cursor.
    fn here(&self) -> usize {
        self.selected.min(self.found.len().saturating_sub(1))
    }
}

impl Overlay for JumpPicker {
    fn draw(&self, shared: &Shared, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let theme = &shared.theme;
        let inner = open(shared, frame, "go to", SIZE);
        let [top, list] =
            Layout::vertical([Constraint::Length(ABOVE), Constraint::Fill(1)]).areas(inner);
        input(shared, &self.line, frame, top);
        let height = usize::from(list.height);
        let selected = self.here();
        let first = selected.saturating_sub(height.saturating_sub(1));
        let shown = self.found.iter().enumerate().skip(first).take(height);
        let line = |(at, place): (usize, &Place)| {
            let style = if at == selected {
                theme.cursor()
            } else {
                theme.text()
            };
            let room = list
                .width
                .saturating_sub(u16::try_from(KIND).unwrap_or_default());
            let name = place.name(&shared.table);
            Line::from(vec![
                Span::styled(format!("{:KIND$}", place.kind()), theme.dim()),
                Span::styled(fit(&visible(&name), room).into_owned(), style),
            ])
        };
        let mut lines: Vec<Line<'_>> = shown.map(line).collect();
        if self.found.is_empty() {
            let text = format!(
                "nothing in {} is called that",
                visible(&shared.lens.benchmark)
            );
            lines.push(Line::styled(text, theme.dim()));
        }
        frame.render_widget(Paragraph::new(lines), list);
        (inner, ScrollState::At(selected))
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::At(&mut self.selected)
    }

    fn keys(&self) -> Vec<KeyLabel> {
        vec![("↑↓", "choose"), ("Enter", "go there"), CLOSE]
    }

    fn key(&mut self, shared: &Shared, key: KeyEvent) -> Reply {
        if let Some(change) = leaves(key) {
            return Reply::with(change);
        }
        match key.code {
            KeyCode::Enter => return self.submit(shared).into(),
            KeyCode::Up | KeyCode::BackTab => self.move_by(-1),
            KeyCode::Down | KeyCode::Tab => self.move_by(1),
            _ if self.line.on_key(key) => self.search(shared),
            _ => {}
        }
        Reply::DONE
    }

    fn paste(&mut self, shared: &Shared, text: &str) -> Vec<Change> {
        self.line.insert(text);
        self.search(shared);
        Vec::new()
    }

    fn click(&mut self, shared: &Shared, line: usize, height: usize) -> Vec<Change> {
        let Some(line) = line.checked_sub(usize::from(ABOVE)) else {
            return Vec::new();
        };
        let rows = height.saturating_sub(usize::from(ABOVE));
        self.selected = self.here().saturating_sub(rows.saturating_sub(1)) + line;
        self.submit(shared)
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
