//! Asks whether two names that look alike are those of one model.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use crossterm::event::{KeyCode, KeyEvent};

use crate::action::Action;
use crate::change::{Change, Reply};
use crate::drawn::Scrolled;
use crate::shared::Shared;
use format::visible;

use super::part::{Overlay, keys, open};

/// Pairs of names that are still to be asked about, the first one now.
#[derive(Clone, Debug)]
pub struct Alike {
    pairs: Vec<[String; 2]>,
}

impl Alike {
    /// Asks about each pair in turn; `None` without one.
    pub fn new(pairs: Vec<[String; 2]>) -> Option<Self> {
        (!pairs.is_empty()).then_some(Self { pairs })
    }

    /// Goes on with the next pair, if there is one.
    fn next(&mut self) -> Option<[String; 2]> {
        (!self.pairs.is_empty()).then(|| self.pairs.remove(0))
    }
}

impl Overlay for Alike {
    fn draw(&self, shared: &Shared, frame: &mut Frame<'_>) -> (Rect, Scrolled) {
        let theme = &shared.theme;
        let width = frame.area().width.saturating_sub(6).min(76);
        let inner = open(shared, frame, "one model or two?", (width, 7));
        let Some([one, other]) = self.pairs.first() else {
            return (inner, Scrolled::Nothing);
        };
        let more = self.pairs.len() - 1;
        let lines = vec![
            Line::styled(visible(one).into_owned(), theme.text()),
            Line::styled(visible(other).into_owned(), theme.text()),
            Line::default(),
            keys(
                shared,
                &[
                    ("y", " one model: join their rows   "),
                    ("n", " two models   "),
                    ("Esc", " not now"),
                ],
            ),
            Line::styled(
                match more {
                    0 => "The answer is kept; a models.csv with aliases says the same.".to_owned(),
                    more => format!("The answer is kept. {more} more to ask."),
                },
                theme.dim(),
            ),
        ];
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), inner);
        (inner, Scrolled::Nothing)
    }

    fn key(&mut self, _: &Shared, key: KeyEvent) -> Reply {
        let is_same = match key.code {
            KeyCode::Char('y' | 'Y') => true,
            KeyCode::Char('n' | 'N') => false,
            _ => return Reply::PassOn,
        };
        let Some(pair) = self.next() else {
            return Reply::with(Change::Close);
        };
        let mut changes = Vec::new();
        if self.pairs.is_empty() {
            changes.push(Change::Close);
        }
        changes.push(Change::Join(pair, is_same));
        changes.into()
    }

    fn act(&mut self, _: &Shared, action: Action) -> Reply {
        match action {
            Action::Back => Reply::with(Change::Close),
            _ => Reply::DONE,
        }
    }
}
