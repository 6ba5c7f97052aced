//! Popup with the open logs and the settings of their runs. The user can include or exclude logs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use crossterm::event::{KeyCode, KeyEvent};

use crate::action::Action;
use crate::change::{Change, Reply};
use crate::frame_output::{ScrollSlot, ScrollState};
use crate::shared::AppState;
use crate::widget::table::{Column, ColumnWidth, ItemRows, Table, TableCell, TableState};
use crate::widget::{fit, fit_end, width};
use base::format::{compact, visible};
use record::Source;
use report::why_unread;

use super::part::{KeyLabel, MOVE, Overlay, open, screen_less};

/// Maximum number of runs compared side by side.
const MOST_BESIDE: usize = 6;
/// Width of a setting's name, in cells.
const NAME: u16 = 22;
/// Minimum width of a setting's value in one run, in cells.
const VALUE: u16 = 18;
/// Minimum width of the list to show the path of each file, in cells.
const WITH_PATHS: u16 = 110;

/// The log list: whether each log is included, and the cursor.
#[derive(Clone, Debug)]
pub struct RunPicker {
    chosen: BTreeMap<PathBuf, bool>,
    list: TableState,
}

impl RunPicker {
    /// Creates the popup with the current choice of logs.
    pub fn new(shared: &AppState) -> Self {
        Self {
            chosen: shared.request.chosen.clone(),
            list: TableState::default(),
        }
    }

    fn is_in(&self, source: &Source) -> bool {
        let chosen = self.chosen.get(&source.path).copied();
        chosen.unwrap_or(!source.superseded)
    }

    /// Returns the log under the cursor. After the last row, returns the last log.
    fn here<'a>(&self, shared: &'a AppState) -> Option<&'a Source> {
        let sources = shared.table.sources();
        sources.get(self.list.selected.min(sources.len().checked_sub(1)?))
    }

    /// Includes or excludes the log under the cursor.
    fn turn(&mut self, shared: &AppState) {
        let Some(source) = self.here(shared) else {
            return;
        };
        if is_log(source) {
            let is_in = !self.is_in(source);
            self.chosen.insert(source.path.clone(), is_in);
        }
    }
}

/// Returns true for a log with answers, even a superseded one. Returns false for a file that could
/// not be read.
fn is_log(source: &Source) -> bool {
    source.superseded || source.rows > 0 || source.run.model.is_some()
}

/// Returns the runs of the same model on the same data. The run `of` comes first.
fn rivals<'a>(sources: &'a [Source], of: &'a Source) -> Vec<&'a Source> {
    let same = |other: &&Source| {
        !std::ptr::eq(*other, of)
            && other.run.model.is_some()
            && (&other.run.model, &other.run.dataset) == (&of.run.model, &of.run.dataset)
    };
    let others = sources.iter().filter(same);
    std::iter::once(of)
        .chain(others)
        .take(MOST_BESIDE)
        .collect()
}

/// Returns one line per setting: its name and its value in each run, in `room` cells. Settings that
/// differ come first.
fn run_details(shared: &AppState, runs: &[&Source], room: u16) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let names: BTreeSet<&&str> = runs.iter().flat_map(|run| run.settings.keys()).collect();
    let value = |run: &Source, name: &str| run.settings.get(name).cloned().unwrap_or_default();
    let differs = |name: &str| {
        let values: BTreeSet<String> = runs.iter().map(|run| value(run, name)).collect();
        values.len() > 1
    };
    let (apart, alike): (Vec<&str>, Vec<&str>) =
        names.into_iter().copied().partition(|name| differs(name));
    let line = |name: &str, is_apart: bool| {
        let (sign, style) = if is_apart {
            ("≠ ", theme.accent())
        } else {
            ("  ", theme.dim())
        };
        let mut spans = vec![Span::styled(
            format!("{sign}{}", padded(&visible(name), NAME)),
            style,
        )];
        let values: Vec<String> = runs.iter().map(|run| value(run, name)).collect();
        let alike = if is_apart { alike_for(&values) } else { 0 };
        for value in &values {
            let text = visible(&from(value, alike)).replace('\n', " ");
            let text = if text.is_empty() {
                "–".to_owned()
            } else {
                text
            };
            let style = if is_apart { theme.text() } else { theme.dim() };
            spans.push(Span::styled(padded(&text, room), style));
        }
        Line::from(spans)
    };
    let apart = apart.into_iter().map(|name| line(name, true));
    let alike = alike.into_iter().map(|name| line(name, false));
    apart.chain(alike).collect()
}

/// Returns the length of the values' common prefix. A narrow column then shows the part that
/// differs.
fn alike_for(values: &[String]) -> usize {
    let Some((first, others)) = values.split_first() else {
        return 0;
    };
    let with = |other: &String| {
        let pairs = first.chars().zip(other.chars());
        pairs.take_while(|(a, b)| a == b).count()
    };
    others.iter().map(with).min().unwrap_or_default()
}

/// Cuts a value to start shortly before its first difference. Short prefixes are not cut.
fn from(value: &str, alike: usize) -> String {
    const KEPT: usize = 4;
    match alike.checked_sub(2 * KEPT) {
        Some(1..) => {
            let rest: String = value.chars().skip(alike - KEPT).collect();
            format!("…{rest}")
        }
        _ => value.to_owned(),
    }
}

/// Pads or cuts a text to a width, and adds a gap.
fn padded(text: &str, room: u16) -> String {
    let text = fit(text, room);
    let gap = usize::from(room.saturating_sub(width(&text))) + 1;
    format!("{text}{}", " ".repeat(gap))
}

/// Returns a run's name, otherwise the name of its file.
fn name(source: &Source) -> String {
    let file = || {
        source
            .path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    match (&source.run.run, &source.run.model) {
        (Some(run), Some(model)) => format!("{model} · {run}"),
        (None, Some(model)) => model.clone(),
        _ => file(),
    }
}

fn cells(shared: &AppState, picker: &RunPicker, source: &Source) -> Vec<TableCell<'static>> {
    let theme = &shared.theme;
    let is_in = picker.is_in(source);
    let style = if is_in { theme.text() } else { theme.dim() };
    let cell = |text: String, style| TableCell::visible(&text, style);
    let sign = match (is_log(source), is_in) {
        (false, _) => " ",
        (true, true) => "[x]",
        (true, false) => "[ ]",
    };
    let is_chosen = picker.chosen.contains_key(&source.path);
    let what = match (is_in, source.superseded, source.problem_count()) {
        (false, _, _) if is_chosen => "excluded by you".to_owned(),
        (false, _, _) => why_unread(source).unwrap_or_default().to_owned(),
        (true, true, _) => "will be read".to_owned(),
        (true, false, 0) => format!("{} rows", compact(source.rows)),
        (true, false, problems) => {
            format!(
                "{} rows, {} problems",
                compact(source.rows),
                compact(problems)
            )
        }
    };
    let dataset = source.run.dataset.clone().unwrap_or_default();
    vec![
        cell(sign.to_owned(), theme.accent()),
        cell(name(source), style),
        cell(dataset, style),
        cell(
            what,
            if source.problem_count() > 0 {
                theme.warning()
            } else {
                style
            },
        ),
        cell(source.format.to_owned(), theme.dim()),
        cell(base::format::path(&source.path), theme.dim()),
    ]
}

impl Overlay for RunPicker {
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let sources = shared.table.sources();
        let size = screen_less(frame, [4, 2]);
        let title = base::format::counted(sources.len() as u64, "log");
        let inner = open(shared, frame, &title, size);
        let here = self.here(shared);
        let runs = here
            .map(|source| rivals(sources, source))
            .unwrap_or_default();
        let count = u16::try_from(runs.len()).unwrap_or(u16::MAX).max(1);
        let value = (inner.width.saturating_sub(NAME + 3) / count).saturating_sub(1);
        let value = value.max(VALUE);
        let settings = run_details(shared, &runs, value);
        let room = u16::try_from(settings.len())
            .unwrap_or(u16::MAX)
            .min(inner.height / 2);
        let path = here.map(|source| base::format::path(&source.path));
        let [top, head, middle] = Layout::vertical([
            Constraint::Fill(1),
            Constraint::Length(if settings.is_empty() { 2 } else { 3 }),
            Constraint::Length(room),
        ])
        .areas(inner);
        let columns = [
            Column::text("", ColumnWidth::Fixed(3)),
            Column::text("run", ColumnWidth::Share(3)).keeping_ends(),
            Column::text("data set", ColumnWidth::Share(2)),
            Column::text("", ColumnWidth::Share(2)),
            Column::text("format", ColumnWidth::Fixed(11)),
            Column::text("file", ColumnWidth::Share(4))
                .keeping_end()
                .from(WITH_PATHS),
        ];
        let mut state = self.list;
        let list = ItemRows::new(sources, |source| cells(shared, self, source));
        let theme = &shared.theme;
        frame.render_stateful_widget(Table::new(theme, &columns, &list), top, &mut state);
        let mut heads = vec![Span::styled(
            format!("  {}", padded("setting, ≠ differs", NAME)),
            theme.header(),
        )];
        heads.extend(
            runs.iter()
                .map(|run| Span::styled(padded(&visible(&name(run)), value), theme.header())),
        );
        let rule = Line::styled("─".repeat(usize::from(head.width)), theme.border());
        let path = visible(path.as_deref().unwrap_or_default());
        let path = fit_end(&path, head.width).into_owned();
        let path = Line::styled(path, theme.dim());
        frame.render_widget(Paragraph::new(vec![rule, path, Line::from(heads)]), head);
        frame.render_widget(Paragraph::new(settings), middle);
        (inner, ScrollState::Table(state))
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::Table(&mut self.list)
    }

    fn keys(&self, _: &AppState) -> Vec<KeyLabel> {
        vec![
            MOVE,
            ("Space", "include or exclude"),
            ("Enter", "read the included logs"),
            ("Esc", "cancel"),
        ]
    }

    fn key(&mut self, shared: &AppState, key: KeyEvent) -> Reply {
        if key.code == KeyCode::Char(' ') {
            self.turn(shared);
            return Reply::DONE;
        }
        Reply::PassOn
    }

    fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        let sources = shared.table.sources();
        match action {
            Action::Open if self.chosen != shared.request.chosen => {
                if !sources
                    .iter()
                    .any(|source| is_log(source) && self.is_in(source))
                {
                    let words = "include at least one log";
                    return Reply::with(Change::Say(words.to_owned()));
                }
                Reply::from(vec![Change::Close, Change::Runs(self.chosen.clone())])
            }
            _ => Reply::with(Change::Close),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_shown_from_where_they_differ() {
        let values = ["a long beginning, red", "a long beginning, blue"].map(str::to_owned);
        let alike = alike_for(&values);
        assert_eq!(alike, 18);
        assert_eq!(from(&values[0], alike), "…ng, red");
        assert_eq!(from("5", alike_for(&["5".to_owned(), "0".to_owned()])), "5");
    }
}
