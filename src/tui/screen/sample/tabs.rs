//! The tabs of a sample's text: answer, conversation, scoring, line in the log.

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::answers::AnswerPair;
use super::{SampleView, text};
use crate::frame_output::ScrollState;
use crate::screen::part::{instead, unknown};
use crate::shared::AppState;
use crate::widget::prose::Prose;
use base::format::visible;
use record::Row;
use workspace::trace::{LOG_LINE, OF_RECORD};

/// Text shown if the log contains no conversation.
const NOT_TOLD: &str = "The log has no turns, tokens or seconds for this answer, only the question \
                        and the response on the first tab.";
/// Minimum number of rows to show a line of titles above the answer.
const WITH_TITLES: u16 = 12;

base::named_enum! {
    /// A tab of the text, with its title.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum SampleTab {
        /// Question, target, and all models' answers.
        #[default]
        Answer = "answer",
        /// Turns of the conversation, and its cost.
        Conversation = "conversation",
        /// How the answer was scored, as traced by the scoring rules.
        Scoring = "scoring",
        /// The line of the log.
        Log = "log line",
    }
}

impl SampleTab {
    /// Returns the next tab, cycling.
    pub fn next(self) -> Self {
        let mut later = Self::ALL.into_iter().cycle().skip_while(|tab| *tab != self);
        later.nth(1).unwrap_or_default()
    }

    /// Returns true if a section of the trace belongs to the tab.
    fn holds(self, title: &str) -> bool {
        match self {
            Self::Answer => false,
            Self::Conversation => !OF_RECORD.contains(&title) && title != LOG_LINE,
            Self::Scoring => OF_RECORD.contains(&title),
            Self::Log => title == LOG_LINE,
        }
    }

    /// Returns the text of the tab for the sample on screen. Returns `None` for the answer tab, or
    /// until the text has arrived.
    pub fn text(self, shared: &AppState) -> Option<String> {
        let wanted = question(shared).filter(|asked| !shared.is_blind(asked.row.0))?;
        let known = shared.answers.trace.as_ref();
        let (.., told) = known.filter(|(asked, generation, _)| {
            *asked == wanted && *generation == shared.table.generation()
        })?;
        let parts = match told {
            _ if self == Self::Answer => return None,
            Ok(parts) => parts.iter().filter(|(title, _)| self.holds(title)),
            Err(why) => return Some(visible(why).into_owned()),
        };
        let lines = parts.flat_map(|(title, lines)| {
            let head = (self != Self::Log).then(|| title.to_uppercase());
            let lines = lines.iter().map(|line| visible(line).into_owned());
            head.into_iter().chain(lines).chain([String::new()])
        });
        let lines: Vec<String> = lines.collect();
        Some(match lines.as_slice() {
            [] => NOT_TOLD.to_owned(),
            lines => lines.join("\n").trim_end().to_owned(),
        })
    }
}

/// Returns the query for the contents of all tabs except the answer tab.
fn question(shared: &AppState) -> Option<engine::Trace> {
    let row = Row(shared.list.here()?);
    let scoring = shared.lens.scoring;
    Some(engine::Trace { row, scoring })
}

/// Draws the titles and the text of the current tab. Returns its scroll position, and the query for
/// missing contents. While answers are hidden, only the first tab is available.
pub fn draw(
    view: &SampleView,
    shared: &AppState,
    frame: &mut Frame<'_>,
    area: Rect,
) -> (ScrollState, Option<engine::Trace>) {
    let Some(answers) = AnswerPair::here(shared) else {
        return (ScrollState::Nothing, None);
    };
    let tab = if answers.blind {
        SampleTab::Answer
    } else {
        view.tab
    };
    let has_titles = !answers.blind && (area.height >= WITH_TITLES || tab != SampleTab::Answer);
    let titles = u16::from(has_titles) + u16::from(has_titles && area.height >= WITH_TITLES);
    let [head, below] = Layout::vertical([Length(titles), Fill(1)]).areas(area);
    if has_titles {
        frame.render_widget(Paragraph::new(titles_line(shared, tab)), head);
    }
    if tab == SampleTab::Answer {
        let scrolled = text::draw(shared, &answers, &view.response, frame, below);
        return (scrolled, None);
    }
    let lacking = question(shared).and_then(|it| unknown(shared, &shared.answers.trace, it));
    let waiting = || question(shared).map_or_else(|| "…".to_owned(), |it| instead(shared, it, "…"));
    let text = tab.text(shared).unwrap_or_else(waiting);
    let prose = Prose {
        theme: &shared.theme,
        text: &text,
        mark: None,
        style: shared.theme.text(),
    };
    let mut state = view.response.clone();
    frame.render_stateful_widget(prose, below, &mut state);
    (ScrollState::Text(state), lacking)
}

fn titles_line(shared: &AppState, current: SampleTab) -> Line<'static> {
    let theme = &shared.theme;
    let titles = SampleTab::ALL.into_iter().flat_map(|tab| {
        let style = if tab == current {
            theme.cursor()
        } else {
            theme.dim()
        };
        [Span::styled(tab.name(), style), Span::raw("  ")]
    });
    titles.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_one_tab_and_the_walk_visits_all() {
        for title in ["Conversation", "Cost", OF_RECORD[0], OF_RECORD[1], LOG_LINE] {
            let tabs = SampleTab::ALL.into_iter().filter(|tab| tab.holds(title));
            assert_eq!(tabs.count(), 1, "{title}");
        }
        let mut tab = SampleTab::Answer;
        for expected in ["conversation", "scoring", "log line", "answer"] {
            tab = tab.next();
            assert_eq!(tab.name(), expected);
        }
    }
}
