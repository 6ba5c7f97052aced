//! Draws the samples of a run: the verdict on the log's answer and on the answer at each step.

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};

use crate::frame_output::{FrameOutput, ScrollState};
use crate::screen::live::LiveView;
use crate::shared::AppState;
use crate::widget::table::{Column, ColumnWidth, Rows, Table, TableCell};
use ask::{Kind, Progress, ResultList, with_class};

use super::result::parts;

/// Maximum number of steps shown as symbols.
const SIGNS: usize = 24;

/// Rows of the current list.
pub struct Samples<'a> {
    live: &'a LiveView,
    shared: &'a AppState,
    progress: &'a Progress,
    list: &'a [usize],
}

impl<'a> Samples<'a> {
    /// Creates the rows for the progress of a run.
    pub fn new(live: &'a LiveView, shared: &'a AppState, progress: &'a Progress) -> Self {
        Self {
            live,
            shared,
            progress,
            list: progress.list(live.listed),
        }
    }

    /// Returns a symbol per step: correct, wrong, no score, or pending.
    fn pattern(&self, sample: usize) -> String {
        let right = self.shared.theme.verdict(true).0;
        let wrong = self.shared.theme.verdict(false).0;
        let seen = self.progress.summary.seen(sample).iter().take(SIGNS);
        seen.map(
            |seen| match seen.as_ref().map(|seen| (seen.right, seen.kind)) {
                None => "·",
                Some((Some(true), _)) => right,
                Some((Some(false), _)) => wrong,
                Some((None, Kind::Failed(_))) => "!",
                Some((None, _)) => "?",
            },
        )
        .collect()
    }

    /// Returns the response of a single step, or the parsed answers of several steps.
    fn response_text(&self, sample: usize) -> String {
        let answers = self.progress.answers.get(&sample).map(Vec::as_slice);
        let words: Vec<String> = answers
            .unwrap_or_default()
            .iter()
            .take(SIGNS)
            .map(|one| match one {
                None => "·".to_owned(),
                Some(one) => match (&one.judged.read, one.judged.kind) {
                    (Some(read), Kind::Ok) if self.steps() > 1 => read.clone(),
                    (_, Kind::Ok) => one.done.text.clone(),
                    (_, kind) if self.steps() > 1 => kind.to_string(),
                    (_, kind) => {
                        let why = one.done.message.as_deref().unwrap_or(&one.done.text);
                        match kind {
                            Kind::Failed(class) => with_class(class.name(), why),
                            kind => format!("{kind}: {why}"),
                        }
                    }
                },
            })
            .collect();
        words.join("  ")
    }

    fn steps(&self) -> usize {
        self.progress.plan.steps.len()
    }

    fn columns(&self) -> [Column<'static>; 5] {
        let signs = u16::try_from(self.steps().min(SIGNS)).unwrap_or(u16::MAX);
        let column = |(title, width, from)| Column::text(title, width).from(from);
        [
            ("before", ColumnWidth::Fixed(6), 0),
            ("after", ColumnWidth::Fixed(signs.max(5)), 0),
            ("sample", ColumnWidth::Share(3), 0),
            ("target", ColumnWidth::Share(2), 50),
            ("new answer", ColumnWidth::Share(5), 40),
        ]
        .map(column)
    }

    /// Returns the names and lengths of the lists: `‹ flips 12   now right 7   now wrong 5   no
    /// score 0   all 25 ›`.
    fn names(&self) -> Line<'static> {
        let theme = &self.shared.theme;
        let name = |listed: ResultList| {
            let style = if listed == self.live.listed {
                theme.cursor()
            } else {
                theme.dim()
            };
            let count = self.progress.list(listed).len();
            [
                Span::styled(format!("{} {count}", listed.name()), style),
                Span::raw("   "),
            ]
        };
        let mut spans = vec![Span::styled("‹ › ", theme.dim())];
        spans.extend(ResultList::ALL.into_iter().flat_map(name));
        spans.push(Span::styled("Enter opens", theme.dim()));
        Line::from(spans)
    }

    /// Draws the names of all lists, and the samples of the current list.
    pub fn render(&self, frame: &mut Frame<'_>, area: Rect) -> FrameOutput {
        let [_, head, list] = rows(area);
        frame.render_widget(self.names(), head);
        let mut state = self.live.table;
        state.selected = state.selected.min(self.total().saturating_sub(1));
        let columns = self.columns();
        let table = Table::new(&self.shared.theme, &columns, self);
        frame.render_stateful_widget(table, list, &mut state);
        ScrollState::Table(state).into()
    }
}

impl Rows for Samples<'_> {
    fn total(&self) -> usize {
        self.list.len()
    }

    fn cells(&self, row: usize) -> Vec<TableCell<'_>> {
        let theme = &self.shared.theme;
        let Some(&at) = self.list.get(row) else {
            return Vec::new();
        };
        let Some(sample) = self.progress.plan.samples.get(at) else {
            return Vec::new();
        };
        let text = TableCell::visible;
        let right = sample.before.as_ref().and_then(|before| before.right);
        let (was, was_style) = right.map_or(("–", theme.dim()), |right| theme.verdict(right));
        let pattern = self.pattern(at);
        let now_style = match self.progress.summary.seen(at) {
            [Some(seen)] => seen
                .right
                .map_or(theme.warning(), |right| theme.verdict(right).1),
            _ => theme.text(),
        };
        let target = sample.record.content.target.as_ref();
        let target = target.map(ToString::to_string).unwrap_or_default();
        vec![
            text(was, was_style),
            text(&pattern, now_style),
            text(&sample.record.sample_id, theme.text()),
            text(&target, theme.target()),
            text(&self.response_text(at), theme.text()),
        ]
    }
}

fn rows(area: Rect) -> [Rect; 3] {
    Layout::vertical([Length(1), Length(1), Fill(1)]).areas(area)
}

/// Returns the sample at a screen position.
pub fn sample_at(live: &LiveView, shared: &AppState, area: Rect, x: u16, y: u16) -> Option<usize> {
    let progress = live.stage.alone()?;
    let [.., below] = parts(progress, area);
    let [_, _, list] = rows(below);
    let samples = Samples::new(live, shared, progress);
    let columns = samples.columns();
    let table = Table::new(&shared.theme, &columns, &samples);
    table.row_at(list, &live.table, x, y)
}
