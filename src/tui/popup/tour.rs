//! A one-minute tour of the views.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::Rect;

use super::part::{KeyLabel, Overlay};
use crate::change::{Change, Reply};
use crate::frame_output::ScrollState;
use crate::keymap::ViewId;
use crate::shared::AppState;
use crate::widget::popup::Popup as PopupFrame;
use crate::widget::prose::{Prose, ProseState};

/// A stop of the tour: a view with an explanation.
pub struct TourStop {
    /// View of the stop.
    pub view: ViewId,
    /// Title of the stop.
    pub title: &'static str,
    /// What to look at and which keys to press.
    pub text: &'static str,
}

/// All stops, in order.
pub const TOUR: [TourStop; 7] = [
    TourStop {
        view: ViewId::Fingerprint,
        title: "the fingerprint",
        text: "A model's row of ranks is its fingerprint. Move with the arrows; Space selects a \
               model, and the chart shows the selected ones. b goes to the next benchmark, v shows \
               scores.",
    },
    TourStop {
        view: ViewId::Subgroups,
        title: "where a model fails",
        text: "The ability under the cursor, split by a tag. t takes another tag, # changes the \
               bins.",
    },
    TourStop {
        view: ViewId::Samples,
        title: "the samples behind a number",
        text: "Enter on any number opens exactly its samples. / filters them: correct:false \
               tag.count:10.. finds wrong answers with ten objects or more.",
    },
    TourStop {
        view: ViewId::Sample,
        title: "one sample",
        text: "Picture, question, answer. z zooms to the box, o hides the boxes, n and p step \
               through the list. The answers of all models are below.",
    },
    TourStop {
        view: ViewId::Compare,
        title: "is A better than B",
        text: "Two models on the same samples, with a paired test. It also shows when there is no \
               clear difference.",
    },
    TourStop {
        view: ViewId::Audit,
        title: "is the label right",
        text: "Judge each label with one key. The result: the label error rate with its \
               interval, and the ranks without the samples that you flagged.",
    },
    TourStop {
        view: ViewId::Fingerprint,
        title: "that is all",
        text: "? explains the view you are in, : finds any command by name, Esc goes back, q quits.",
    },
];

/// A stop of the tour, by its index.
#[derive(Clone, Copy, Debug)]
pub struct Tour(pub usize);

impl Overlay for Tour {
    /// Draws the stop at the bottom, so that the items that it describes stay visible.
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let at = self.0;
        let nothing = (Rect::ZERO, ScrollState::Nothing);
        let Some(stop) = TOUR.get(at) else {
            return nothing;
        };
        let screen = frame.area();
        let text = Prose {
            theme: &shared.theme,
            text: stop.text,
            mark: None,
            style: shared.theme.text(),
        };
        let width = 72.min(screen.width.saturating_sub(6));
        let tall = text.height(width, screen.height);
        let low = Rect {
            y: screen.bottom().saturating_sub(tall + 5).max(screen.y),
            height: (tall + 3).min(screen.height),
            ..screen
        };
        let popup = PopupFrame {
            theme: &shared.theme,
            title: &format!("{} of {}: {}", at + 1, TOUR.len(), stop.title),
            width,
            height: tall,
            beside: &[],
            foot: 0,
        };
        let inner = popup.inner(low);
        frame.render_widget(popup, low);
        frame.render_stateful_widget(text, inner, &mut ProseState::default());
        (inner, ScrollState::Nothing)
    }

    fn keys(&self, _: &AppState) -> Vec<KeyLabel> {
        vec![("Enter", "next"), ("←", "back"), ("Esc", "end")]
    }

    fn key(&mut self, _: &AppState, key: KeyEvent) -> Reply {
        let next = match key.code {
            KeyCode::Enter | KeyCode::Right | KeyCode::Char(' ') => self.0 + 1,
            KeyCode::Left | KeyCode::Backspace => self.0.saturating_sub(1),
            _ => return Reply::PassOn,
        };
        Reply::with(Change::Tour(next))
    }
}
