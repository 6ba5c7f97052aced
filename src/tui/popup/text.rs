//! A popup with scrollable text.

use std::path::PathBuf;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::Rect;

use super::part::{CLOSE, KeyLabel, MOVE, Overlay, open};
use crate::action::Action;
use crate::change::{Change, Reply, SearchStep};
use crate::frame_output::{ScrollSlot, ScrollState};
use crate::shared::AppState;
use crate::widget::prose::{Prose, ProseState};
use crate::widget::width;
use base::format::{counted, visible, wrap};
use record::{Problem, Source, Table};

/// Maximum number of listed problems; `eyechart check` lists all.
const LISTED: usize = 500;

/// A popup with text that can be scrolled and searched.
#[derive(Clone, Debug)]
pub struct Text {
    /// Title of the popup.
    pub title: String,
    /// The text, without control characters.
    pub words: String,
    /// Scroll position and search.
    pub state: ProseState,
    /// True for a message that any key closes. The key then also has its usual effect.
    pub is_toast: bool,
}

impl Text {
    /// Shows the command that was just copied.
    pub fn copied(command: String) -> Self {
        let text = Self::titled("copied".to_owned(), command);
        Self {
            is_toast: true,
            ..text
        }
    }

    /// Shows a page of the manual.
    pub fn page(page: &base::manual::Page) -> Self {
        let (_, text) = page.text.split_once('\n').unwrap_or_default();
        Self::titled(page.title().to_owned(), plain(text))
    }

    /// Shows a text, which must not contain control characters.
    pub fn titled(title: String, words: String) -> Self {
        Self {
            title,
            words,
            state: ProseState::default(),
            is_toast: false,
        }
    }

    /// Lists files and rows that could not be read.
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
        let listed = listed.flat_map(|problem| [problem.place(), format!("  {}", worded(problem))]);
        let mut lines: Vec<String> = by_file(sources)
            .into_iter()
            .chain(listed)
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
        Self::titled(counted(total, "problem"), text)
    }
}

/// Returns one line per file with its number of problems, largest first, and a blank line. Empty
/// for a single file.
fn by_file(sources: &[Source]) -> Vec<String> {
    let counts = sources
        .iter()
        .map(|source| (source.problem_count(), &source.path));
    let mut counts: Vec<_> = counts.filter(|(count, _)| *count > 0).collect();
    if counts.len() < 2 {
        return Vec::new();
    }
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let line = |(count, path): (u64, &PathBuf)| {
        format!(
            "{}  {}",
            counted(count, "problem"),
            base::format::path(path)
        )
    };
    let lines = counts.into_iter().map(line);
    lines.chain([String::new()]).collect()
}

/// Converts Markdown to screen text: headings in capitals, aligned tables, indented code, no
/// markup.
fn plain(markdown: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut table: Vec<Vec<String>> = Vec::new();
    let mut is_code = false;
    for line in markdown.trim().lines() {
        let text = line.replace('`', "");
        if let Some(row) = text.strip_prefix('|').filter(|_| !is_code) {
            let cells = row.trim_end_matches('|').split('|');
            table.push(cells.map(|cell| cell.trim().to_owned()).collect());
            continue;
        }
        lines.extend(aligned(&std::mem::take(&mut table)));
        match line.trim_start_matches('#').strip_prefix(' ') {
            _ if line.starts_with("```") => is_code = !is_code,
            _ if is_code => lines.push(format!("  {line}")),
            Some(heading) if line.starts_with('#') => lines.push(heading.to_uppercase()),
            _ => lines.push(text),
        }
    }
    lines.extend(aligned(&table));
    lines.join("\n")
}

/// Returns the rows of a table with aligned columns. The rule below the header is removed.
fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let count = rows.first().map_or(0, Vec::len);
    let cells = |at: usize| rows.iter().filter_map(move |row| row.get(at));
    let is_rule = |row: &&Vec<String>| row.iter().all(|cell| cell.starts_with("---"));
    let widths: Vec<u16> = (0..count)
        .map(|at| cells(at).map(|cell| width(cell)).max().unwrap_or_default())
        .collect();
    let line = |row: &Vec<String>| {
        let padded = row.iter().zip(&widths).map(|(cell, widest)| {
            let gap = usize::from(widest.saturating_sub(width(cell)));
            format!("{cell}{}", " ".repeat(gap))
        });
        let cells: Vec<String> = padded.collect();
        format!("  {}", cells.join("  ")).trim_end().to_owned()
    };
    rows.iter().filter(|row| !is_rule(row)).map(line).collect()
}

fn worded(problem: &Problem) -> String {
    if problem.pending {
        format!("{}; the file may still be growing", problem.what)
    } else {
        problem.what.clone()
    }
}

impl Overlay for Text {
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let screen = frame.area();
        let width = screen.width.saturating_sub(8);
        let lines = wrap(&self.words, width).count().max(1);
        let rows = u16::try_from(lines).unwrap_or(u16::MAX);
        let height = rows.min(screen.height.saturating_sub(6));
        let inner = open(shared, frame, &self.title, (width, height));
        let prose = Prose {
            theme: &shared.theme,
            text: &self.words,
            mark: None,
            style: shared.theme.text(),
        };
        let mut state = self.state.clone();
        frame.render_stateful_widget(prose, inner, &mut state);
        (inner, ScrollState::Text(state))
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::Text(&mut self.state)
    }

    fn keys(&self, _: &AppState) -> Vec<KeyLabel> {
        if self.is_toast {
            return Vec::new();
        }
        vec![MOVE, ("/", "find"), ("nN", "next, previous"), CLOSE]
    }

    /// The keys `n` and `N` go to the next and previous match, as in a pager.
    fn key(&mut self, _: &AppState, key: KeyEvent) -> Reply {
        let step = match key.code {
            KeyCode::Char('n') => 1,
            KeyCode::Char('N') => -1,
            _ => return Reply::PassOn,
        };
        if self.state.search.wanted().is_empty() {
            return Reply::PassOn;
        }
        Reply::with(Change::Find(SearchStep::By(step)))
    }

    fn act(&mut self, _: &AppState, action: Action) -> Reply {
        Reply::with(match action {
            Action::Find | Action::Filter => Change::Find(SearchStep::Open),
            Action::NextMatch => Change::Find(SearchStep::By(1)),
            Action::PreviousMatch => Change::Find(SearchStep::By(-1)),
            _ => Change::Close,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_the_manual_shows_no_signs_of_markdown() {
        let page = "Use `v`.\n\n## Keys\n\n| key | does |\n|---|---|\n| `v` | next |\n| `Space` | \
                    select |\n\n```sh\neyechart *.jsonl | head\n```\n";
        let lines = [
            "Use v.",
            "",
            "KEYS",
            "",
            "  key    does",
            "  v      next",
            "  Space  select",
            "",
            "  eyechart *.jsonl | head",
        ];
        assert_eq!(plain(page), lines.join("\n"));
    }

    #[test]
    fn files_are_listed_with_their_problems_most_first() {
        let source = |path: &str, count: u64| Source {
            path: path.into(),
            more_problems: count,
            ..Source::default()
        };
        let sources = [source("a", 1), source("b", 0), source("c", 6)];
        assert_eq!(by_file(&sources), ["6 problems  c", "1 problem  a", ""]);
        assert!(by_file(&sources[..2]).is_empty(), "one file needs no list");
    }
}
