//! Popups: a stack over the screen, the topmost with the keyboard.

mod columns;
mod draw;
mod filter;
mod palette;
mod ranks;
mod scorers;
mod slices;

#[cfg(test)]
mod tests;

pub use draw::{open, render};
pub use filter::FilterTyping;
pub use palette::palette_matches;

use engine::Query;
use format::visible;
use record::{Problem, Table};

use super::action::Action;
use super::app::{App, Effect, ask};
use super::screen;
use super::widget::line_edit::LineEdit;
use super::widget::popup::KeyListState;
use super::widget::prose::ProseState;
use super::widget::table::TableState;

/// Problems that are listed at most; `eyechart check` lists all.
const LISTED: usize = 500;

/// Something that lies over the screen.
#[derive(Clone, Debug)]
pub enum Popup {
    /// The keys of the view.
    Help(KeyListState),
    /// Actions by name.
    Palette(Typing),
    /// The filter line.
    Filter(FilterTyping),
    /// The words that are looked for in the text below.
    Find(LineEdit),
    /// A note to a verdict.
    Note(LineEdit),
    /// What a wrong label should be.
    RightLabel(LineEdit),
    /// A setting of the live view, by its name.
    Field(&'static str, LineEdit),
    /// Wordings of one's own for a live model.
    Words(Box<screen::Editor>),
    /// A stop of the tour.
    Tour(usize),
    /// The subgroups that depart from the rest of their ability.
    Slices(TableState),
    /// What the ranks rest on.
    Ranks {
        /// The first line in sight.
        offset: usize,
    },
    /// What the columns of a table are.
    Columns(Box<columns::ColumnsAsked>),
    /// Where the two rules disagree.
    Scorers(TableState),
    /// A text to read.
    Text {
        /// What it is.
        title: String,
        /// The text, harmless.
        text: String,
        /// How far it is scrolled.
        state: ProseState,
    },
}

/// A text that is being typed over a list.
#[derive(Clone, Debug, Default)]
pub struct Typing {
    /// The text.
    pub line: LineEdit,
    /// The row that `Enter` takes.
    pub selected: usize,
}

impl Popup {
    /// The keys of the view.
    pub fn help() -> Self {
        Self::Help(KeyListState::default())
    }

    /// Actions by name.
    pub fn palette() -> Self {
        Self::Palette(Typing::default())
    }

    /// The filter line.
    pub fn filter(text: &str) -> Self {
        Self::Filter(FilterTyping::new(text))
    }

    /// A note to a verdict.
    pub fn note(text: &str) -> Self {
        Self::Note(LineEdit::new(text))
    }

    /// What could not be read.
    pub fn problems(table: &Table) -> Self {
        let sources = table.sources();
        let total: u64 = sources
            .iter()
            .map(|source| source.problems.len() as u64 + source.more_problems)
            .sum();
        let listed = sources
            .iter()
            .flat_map(|source| &source.problems)
            .take(LISTED);
        let mut lines: Vec<String> = listed
            .flat_map(|problem| [problem.place(), format!("  {}", worded(problem))])
            .map(|line| visible(&line).into_owned())
            .collect();
        if total > LISTED as u64 {
            lines.push(format!(
                "and {} more: eyechart check lists all",
                total - LISTED as u64
            ));
        }
        let mut text = lines.join("\n");
        if text.is_empty() {
            "Every row could be read.".clone_into(&mut text);
        }
        Self::Text {
            title: format::counted(total, "problem"),
            text,
            state: ProseState::default(),
        }
    }

    /// Where the records come from.
    pub fn sources(table: &Table) -> Self {
        let line = |source: &record::Source| {
            let path = source.path.display().to_string();
            let what = match (source.superseded, source.problems.len()) {
                (true, _) => "superseded by a newer run".to_owned(),
                (false, 0) => format!("{} rows", format::compact(source.rows)),
                (false, problems) => {
                    format!("{} rows, {problems} problems", format::compact(source.rows))
                }
            };
            format!("{}\n  {}, {what}\n", visible(&path), source.format)
        };
        let text: String = table.sources().iter().map(line).collect();
        Self::Text {
            title: format::counted(table.sources().len() as u64, "log"),
            text,
            state: ProseState::default(),
        }
    }

    /// The query whose answer it shows.
    pub fn query(&self, app: &App) -> Option<Query> {
        match self {
            Self::Slices(_) => Some(slices::query(app).into()),
            Self::Ranks { .. } => Some(ranks::query(app).into()),
            Self::Scorers(_) => Some(scorers::query(app).into()),
            _ => None,
        }
    }

    /// The same, if its answer is not known yet.
    pub fn unanswered(&self, app: &App) -> Option<Query> {
        let is_known = match self {
            Self::Slices(_) => slices::known(app).is_some(),
            Self::Ranks { .. } => ranks::known(app).is_some(),
            _ => scorers::known(app).is_some(),
        };
        self.query(app).filter(|_| !is_known)
    }

    /// Returns true if it shows something that a command prints.
    const fn command_of_its_own(&self) -> bool {
        matches!(
            self,
            Self::Slices(_) | Self::Ranks { .. } | Self::Scorers(_)
        )
    }

    /// The text that keys go into, if one is being typed.
    pub fn line_mut(&mut self) -> Option<&mut LineEdit> {
        match self {
            Self::Palette(typing) => Some(&mut typing.line),
            Self::Filter(typing) => Some(&mut typing.line),
            Self::Find(line) | Self::Note(line) | Self::RightLabel(line) | Self::Field(_, line) => {
                Some(line)
            }
            Self::Help(_)
            | Self::Tour(_)
            | Self::Words(_)
            | Self::Slices(_)
            | Self::Ranks { .. }
            | Self::Columns(_)
            | Self::Scorers(_)
            | Self::Text { .. } => None,
        }
    }

    /// Moves the list's cursor or the text.
    pub fn move_by(&mut self, step: isize) {
        match self {
            Self::Palette(typing) => {
                typing.selected = typing.selected.saturating_add_signed(step);
            }
            Self::Filter(typing) => typing.move_by(step),
            Self::Find(_)
            | Self::Note(_)
            | Self::RightLabel(_)
            | Self::Field(..)
            | Self::Words(_)
            | Self::Tour(_) => {}
            Self::Help(state) => state.offset = state.offset.saturating_add_signed(step),
            Self::Text { state, .. } => state.offset = state.offset.saturating_add_signed(step),
            Self::Slices(state) | Self::Scorers(state) => {
                state.selected = state.selected.saturating_add_signed(step);
            }
            Self::Ranks { offset } => *offset = offset.saturating_add_signed(step),
            Self::Columns(asked) => asked.move_by(step),
        }
    }
}

fn worded(problem: &Problem) -> String {
    if problem.pending {
        format!("{}; it may still be being written", problem.what)
    } else {
        problem.what.clone()
    }
}

impl App {
    /// Puts a popup on top.
    pub fn pop_up(&mut self, popup: Popup) -> Vec<Effect> {
        let question = popup.unanswered(self);
        self.popups.push(popup);
        question.map(ask).into_iter().collect()
    }

    /// An action while a popup has the keyboard; `None` when there is none.
    pub fn act_on_popup(&mut self, action: Action) -> Option<Vec<Effect>> {
        let popup = self.popups.last_mut()?;
        let is_text = matches!(popup, Popup::Text { .. });
        match action {
            Action::Find | Action::Filter if is_text => return Some(self.find()),
            Action::NextMatch if is_text => return Some(self.step_match(1)),
            Action::PreviousMatch if is_text => return Some(self.step_match(-1)),
            Action::Up => popup.move_by(-1),
            Action::Down => popup.move_by(1),
            Action::PageUp => popup.move_by(-10),
            Action::PageDown => popup.move_by(10),
            Action::First => popup.move_by(isize::MIN / 2),
            Action::Redraw => return Some(vec![Effect::Redraw]),
            Action::Suspend => return Some(vec![Effect::Suspend]),
            Action::Last => popup.move_by(isize::MAX / 2),
            Action::CopyCommand if popup.command_of_its_own() => return Some(self.copy_command()),
            Action::Open if matches!(popup, Popup::Slices(_)) => return Some(slices::open(self)),
            Action::Open if matches!(popup, Popup::Columns(_)) => return Some(columns::take(self)),
            Action::Left | Action::Right if matches!(popup, Popup::Columns(_)) => {
                if let Popup::Columns(asked) = popup {
                    asked.turn(if action == Action::Left { -1 } else { 1 });
                }
            }
            Action::Open if matches!(popup, Popup::Scorers(_)) => return Some(scorers::open(self)),
            Action::Left | Action::Right if matches!(popup, Popup::Ranks { .. }) => {
                return Some(screen::update(self, action));
            }
            _ => drop(self.popups.pop()),
        }
        Some(Vec::new())
    }
}
