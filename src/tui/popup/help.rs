//! The keys of the view, and what it shows.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::widgets::{Paragraph, Wrap};

use super::part::{Overlay, open};
use crate::drawn::Scrolled;
use crate::shared::Shared;
use format::visible;
use widget::popup::{KeyList, KeyListState};
use widget::prose::{Prose, ProseState};

/// The lowest screen whose help also says how pictures are shown.
const ROOMY: u16 = 30;

/// The keys of the view.
#[derive(Clone, Debug)]
pub struct Help {
    /// What the view shows and what to do in it.
    words: &'static str,
    state: KeyListState,
}

impl Help {
    /// The keys of the view on screen, below these words.
    pub fn new(words: &'static str) -> Self {
        Self {
            words,
            state: KeyListState::default(),
        }
    }
}

impl Overlay for Help {
    fn draw(&self, shared: &Shared, frame: &mut Frame<'_>) -> (Rect, Scrolled) {
        let rows: Vec<(String, String)> = shared
            .keymap
            .keys_for(shared.view)
            .map(|bind| (bind.keys_text(), bind.help.clone()))
            .collect();
        let items: Vec<(&str, &str)> = rows
            .iter()
            .map(|(keys, help)| (keys.as_str(), help.as_str()))
            .collect();
        let theme = &shared.theme;
        let list = KeyList {
            theme,
            items: &items,
        };
        let (width, height) = list.size(frame.area());
        let words = Prose {
            theme,
            text: self.words,
            mark: None,
            style: theme.text(),
        };
        let tall = words.height(width, frame.area().height);
        let shows = visible(&shared.pictures.how);
        let told = if shows.is_empty() || frame.area().height < ROOMY {
            0
        } else {
            3
        };
        let height = tall + 1 + height.saturating_add(told);
        let inner = open(shared, frame, shared.view.title(), (width, height));
        let [top, _, middle, bottom] = Layout::vertical([
            Constraint::Length(tall),
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(told),
        ])
        .areas(inner);
        let mut state = self.state;
        frame.render_stateful_widget(words, top, &mut ProseState::default());
        frame.render_stateful_widget(list, middle, &mut state);
        let shows = Paragraph::new(format!("\npictures: {shows}"));
        let shows = shows.style(theme.dim()).wrap(Wrap { trim: true });
        frame.render_widget(shows, bottom);
        (inner, Scrolled::Keys(state))
    }

    fn keep(&mut self, scrolled: Scrolled) {
        if let Scrolled::Keys(state) = scrolled {
            self.state = state;
        }
    }

    fn move_by(&mut self, step: isize) {
        self.state.offset = self.state.offset.saturating_add_signed(step);
    }
}
