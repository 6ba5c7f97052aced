//! Asks the user about unclear names: whether two names mean one model, and which direction of a
//! metric is better.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use crossterm::event::KeyEvent;

use crate::action::Action;
use crate::change::{Change, Reply};
use crate::frame_output::ScrollState;
use crate::shared::AppState;
use crate::widget::prose::rows_of_all;
use base::config::Decision;
use base::format::visible;
use record::benchmark::Direction;

use super::part::{KeyLabel, Overlay, open};

/// A question about a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameQuestion {
    /// Are these two names the same model?
    Names([String; 2]),
    /// Is a higher or a lower score of this metric better?
    Direction(String),
}

/// Pending questions, the current one first.
#[derive(Clone, Debug)]
pub struct NameQuestions(Vec<NameQuestion>);

impl NameQuestions {
    /// Creates a popup; returns `None` without questions.
    pub fn new(unclear: Vec<NameQuestion>) -> Option<Self> {
        (!unclear.is_empty()).then_some(Self(unclear))
    }
}

impl NameQuestion {
    /// Returns the question, the names, the answers with their keys, and the config setting that
    /// also answers it.
    fn words(&self) -> (&'static str, Vec<&str>, [KeyLabel; 2], &'static str) {
        match self {
            Self::Names([one, other]) => (
                "one model or two?",
                vec![one, other],
                [("y", "one model: join their rows"), ("n", "two models")],
                "a models.csv with aliases",
            ),
            Self::Direction(metric) => (
                "which scores are better?",
                vec![
                    "models are not ranked by this metric until you choose:",
                    metric,
                ],
                [("h", "the higher ones"), ("l", "the lower ones")],
                "[metrics] in the settings",
            ),
        }
    }

    /// Returns the user's decision for a key.
    fn decision(&self, key: char) -> Option<Decision> {
        match (self, key) {
            (Self::Names(pair), 'y' | 'n') => Some(Decision::Join(pair.clone(), key == 'y')),
            (Self::Direction(metric), 'h' | 'l') => {
                let direction = if key == 'h' {
                    Direction::Higher
                } else {
                    Direction::Lower
                };
                Some(Decision::Direction(metric.clone(), direction.name()))
            }
            _ => None,
        }
    }
}

impl Overlay for NameQuestions {
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let theme = &shared.theme;
        let width = frame.area().width.saturating_sub(6).min(76);
        let Some(unclear) = self.0.first() else {
            return (Rect::default(), ScrollState::Nothing);
        };
        let (title, names, _, file) = unclear.words();
        let mut lines: Vec<Line<'_>> = (names.into_iter())
            .map(|name| Line::styled(visible(name).into_owned(), theme.text()))
            .collect();
        let kept = match self.0.len() - 1 {
            0 => format!("Your choice will be saved; {file} can also set it."),
            more => format!("Your choice will be saved. {more} more to answer."),
        };
        lines.extend([Line::default(), Line::styled(kept, theme.dim())]);
        let height = rows_of_all(&lines, width);
        let inner = open(shared, frame, title, (width, height));
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), inner);
        (inner, ScrollState::Nothing)
    }

    fn keys(&self, _: &AppState) -> Vec<KeyLabel> {
        let answers = self.0.first().into_iter().flat_map(|one| one.words().2);
        answers.chain([("Esc", "not now")]).collect()
    }

    fn key(&mut self, _: &AppState, key: KeyEvent) -> Reply {
        let letter = key.code.as_char().map(|letter| letter.to_ascii_lowercase());
        let unclear = self.0.first();
        let Some(said) = unclear
            .zip(letter)
            .and_then(|(unclear, letter)| unclear.decision(letter))
        else {
            return Reply::PassOn;
        };
        self.0.remove(0);
        let close = self.0.is_empty().then_some(Change::Close);
        let changes: Vec<Change> = close.into_iter().chain([Change::Decide(said)]).collect();
        changes.into()
    }

    fn act(&mut self, _: &AppState, action: Action) -> Reply {
        match action {
            Action::Back => Reply::with(Change::Close),
            _ => Reply::DONE,
        }
    }
}
