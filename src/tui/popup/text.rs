//! A text to read.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::Rect;

use super::part::{Overlay, open};
use crate::action::Action;
use crate::change::{Change, Find, Reply};
use crate::drawn::Scrolled;
use crate::shared::Shared;
use format::visible;
use record::{Problem, Source, Table};
use widget::prose::{Prose, ProseState, wrap};
use widget::text::fit;

/// Problems that are listed at most; `eyechart check` lists all.
const LISTED: usize = 500;
/// Characters of a setting that are shown.
const LONGEST: u16 = 60;

/// A text to read.
#[derive(Clone, Debug)]
pub struct Text {
    /// What it is.
    pub title: String,
    /// The text, harmless.
    pub words: String,
    /// How far it is scrolled.
    pub state: ProseState,
}

impl Text {
    /// A command that was copied.
    pub fn copied(command: String) -> Self {
        Self {
            title: "copied".to_owned(),
            words: command,
            state: ProseState::default(),
        }
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
        Self {
            title: format::counted(total, "problem"),
            words: text,
            state: ProseState::default(),
        }
    }

    /// Where the records come from.
    pub fn sources(table: &Table) -> Self {
        let line = |source: &record::Source| {
            let path = source.path.display().to_string();
            let what = match (source.superseded, source.problems.len()) {
                (true, _) => "superseded by another run of the same".to_owned(),
                (false, 0) => format!("{} rows", format::compact(source.rows)),
                (false, problems) => {
                    format!("{} rows, {problems} problems", format::compact(source.rows))
                }
            };
            let run = source.run.run.as_ref().map_or_else(String::new, |run| {
                format!("  run {}{}\n", visible(run), settings(table, source))
            });
            format!("{}\n  {}, {what}\n{run}", visible(&path), source.format)
        };
        let text: String = table.sources().iter().map(line).collect();
        Self {
            title: format::counted(table.sources().len() as u64, "log"),
            words: text,
            state: ProseState::default(),
        }
    }
}

/// The settings of a log in which it differs from other runs of its model on the same data: `: shots 5, limit 6`.
fn settings(table: &Table, source: &Source) -> String {
    let of_same = |other: &&Source| {
        !other.superseded
            && (&other.run.model, &other.run.dataset) == (&source.run.model, &source.run.dataset)
    };
    let others: Vec<&Source> = table.sources().iter().filter(of_same).collect();
    let differs = |(name, value): &(&&str, &String)| {
        others
            .iter()
            .any(|other| other.settings.get(**name) != Some(*value))
    };
    let told = source.settings.iter().filter(differs);
    let told = told.map(|(name, value)| format!("{name} {}", fit(&visible(value), LONGEST)));
    let told: Vec<String> = told.collect();
    if told.is_empty() {
        String::new()
    } else {
        format!(": {}", told.join(", "))
    }
}

fn worded(problem: &Problem) -> String {
    if problem.pending {
        format!("{}; it may still be being written", problem.what)
    } else {
        problem.what.clone()
    }
}

impl Overlay for Text {
    fn draw(&self, shared: &Shared, frame: &mut Frame<'_>) -> (Rect, Scrolled) {
        let title = format!("{}  (/ finds, n N go on)", self.title);
        let screen = frame.area();
        let width = screen.width.saturating_sub(8);
        let lines = wrap(&self.words, width).count().max(1);
        let rows = u16::try_from(lines).unwrap_or(u16::MAX);
        let height = rows.min(screen.height.saturating_sub(6));
        let inner = open(shared, frame, &title, (width, height));
        let prose = Prose {
            theme: &shared.theme,
            text: &self.words,
            mark: None,
            style: shared.theme.text(),
        };
        let mut state = self.state.clone();
        frame.render_stateful_widget(prose, inner, &mut state);
        (inner, Scrolled::Text(state))
    }

    fn keep(&mut self, scrolled: Scrolled) {
        if let Scrolled::Text(state) = scrolled {
            self.state = state;
        }
    }

    /// `n` and `N` go on looking for words, as in a pager.
    fn key(&mut self, _: &Shared, key: KeyEvent) -> Reply {
        let step = match key.code {
            KeyCode::Char('n') => 1,
            KeyCode::Char('N') => -1,
            _ => return Reply::PassOn,
        };
        if self.state.search.wanted().is_empty() {
            return Reply::PassOn;
        }
        Reply::with(Change::Find(Find::By(step)))
    }

    fn act(&mut self, _: &Shared, action: Action) -> Reply {
        Reply::with(match action {
            Action::Find | Action::Filter => Change::Find(Find::Open),
            Action::NextMatch => Change::Find(Find::By(1)),
            Action::PreviousMatch => Change::Find(Find::By(-1)),
            _ => Change::Close,
        })
    }

    fn move_by(&mut self, step: isize) {
        self.state.offset = self.state.offset.saturating_add_signed(step);
    }
}
