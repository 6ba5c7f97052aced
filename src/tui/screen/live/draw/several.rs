//! Draws parallel runs: one row per run, tests between the runs, and a table of answers.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use crate::action::Action;
use crate::frame_output::FrameOutput;
use crate::screen::live::LiveView;
use crate::screen::live::several::ParallelRuns;
use crate::screen::live::state::LiveStage;
use crate::shared::AppState;
use crate::widget::fit;
use crate::widget::line::gauge;
use crate::widget::prose::rows_of_all;
use crate::widget::table::{Rows as _, Table, TableState};
use base::format::{compact, counted, significant, visible};

use super::answers;
use super::columns::{Runs, numbered, run_columns, whole_state};
use super::paged::Paged;

/// Minimum and maximum number of visible runs in the list. The list scrolls with the cursor.
const LISTED: [u16; 2] = [3, 10];

/// Minimum height for an empty row below the list, in rows.
const HIGH: u16 = 20;

/// Returns the progress of the runs, for the status line of other views.
pub fn status(live: &LiveView) -> Option<String> {
    let LiveStage::Asked(several) = &live.stage else {
        return None;
    };
    let (done, all) = several.done();
    let held = if several.is_paused() { ", paused" } else { "" };
    (!several.is_over).then(|| format!("asking {done} of {all}{held} (6)"))
}

struct Parts {
    head: Rect,
    runs: Rect,
    /// Area of the full state of the run under the cursor.
    state: Rect,
    /// Area of the tests between runs. Empty until there are tests.
    told: Rect,
    answers: Rect,
}

impl Parts {
    fn new(several: &ParallelRuns, shared: &AppState, area: Rect) -> Self {
        let [least, most] = LISTED;
        let quarter = area.height / 4;
        let columns = several.columns.len() + several.dead.len();
        let listed = u16::try_from(columns)
            .unwrap_or(most)
            .min(quarter.clamp(least, most));
        let told = rows_of_all(&test_lines(several, shared), area.width);
        let told = match told {
            0 => 0,
            // Add an empty row below.
            told if area.height >= 2 * HIGH => told.min(quarter) + 1,
            told => told.min(quarter.max(2)),
        };
        let [head, runs, state, told, answers] = Layout::vertical([
            Constraint::Length(2),
            Constraint::Length(listed + 2),
            Constraint::Length(if area.height < HIGH { 1 } else { 2 }),
            Constraint::Length(told),
            Constraint::Fill(1),
        ])
        .areas(area);
        Self {
            head,
            runs,
            state,
            told,
            answers,
        }
    }
}

/// Draws the list of runs, and their answers.
pub fn render(
    several: &ParallelRuns,
    shared: &AppState,
    frame: &mut Frame<'_>,
    area: Rect,
) -> FrameOutput {
    let theme = &shared.theme;
    let parts = Parts::new(several, shared, area);
    let head = Paragraph::new(head_lines(several, shared, parts.head.width));
    frame.render_widget(head, parts.head);
    let rows = Runs { several, shared };
    let columns = run_columns();
    let table = Table::new(theme, &columns, &rows);
    // The list scrolls with the cursor. If the cursor is on the last run, the list also shows runs
    // that could not be started.
    let is_last = several.column + 1 >= several.columns.len();
    let mut at = TableState {
        selected: several.column,
        offset: if is_last { rows.total() } else { 0 },
    };
    frame.render_stateful_widget(table, parts.runs, &mut at);
    if let Some((name, progress)) = several.columns.get(several.column) {
        let (words, style) = whole_state(name, progress, shared);
        let words = format!("{}: {words}", numbered(several.column, name));
        let words = fit(&visible(&words), parts.state.width).into_owned();
        frame.render_widget(Line::styled(words, style), parts.state);
    }
    let told = Paged {
        lines: test_lines(several, shared),
        page: several.count_page,
        turns: Action::Pause,
    };
    told.render(shared, frame, parts.told);
    answers::render(several, shared, frame, parts.answers)
}

/// Returns the tests between runs.
fn test_lines(several: &ParallelRuns, shared: &AppState) -> Vec<Line<'static>> {
    let told = several.told.iter();
    told.map(|words| Line::styled(visible(words).into_owned(), shared.theme.text()))
        .collect()
}

fn head_lines(several: &ParallelRuns, shared: &AppState, width: u16) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let (done, all) = several.done();
    let samples = counted(several.samples.len() as u64, "sample");
    let columns = counted(several.columns.len() as u64, "column");
    let title = format!("{columns} on {samples}");
    let (words, style) = match () {
        () if several.is_over && done < all => ("   stopped; r asks again", theme.warning()),
        () if several.is_over => ("   done; r asks again, Enter opens", theme.accent()),
        () if several.is_stopping() => ("   stopping …", theme.warning()),
        () if several.is_paused() => ("   paused; Space continues", theme.warning()),
        () => ("   Space pauses, x stops", theme.dim()),
    };
    let bar = width.saturating_sub(60).clamp(12, 60);
    let first = several.columns.first();
    let names = first.and_then(|(_, column)| column.plan.compared_names());
    let compared = names.map(|names| format!("   log: {}", visible(&names)));
    vec![
        Line::from(vec![
            Span::styled(title, theme.header()),
            Span::styled(words, style),
        ]),
        Line::from(vec![
            Span::styled(gauge(done, all, bar), theme.text()),
            Span::styled(format!("   {}", cost_text(several)), theme.dim()),
            Span::styled(compared.unwrap_or_default(), theme.dim()),
        ]),
    ]
}

/// Returns the cost of all runs so far: `12K tokens, cost 0.012 (1 unknown)`.
fn cost_text(several: &ParallelRuns) -> String {
    let columns = || several.columns.iter().map(|(_, progress)| progress);
    let tokens: u64 = columns()
        .map(|progress| progress.cost.tokens.iter().sum::<u64>())
        .sum();
    let prices: Vec<f64> = columns()
        .filter_map(|progress| progress.cost.money(progress.price?))
        .collect();
    let cost = if prices.is_empty() {
        String::new()
    } else {
        let without = match several.columns.len() - prices.len() {
            0 => String::new(),
            without => format!(" ({without} unknown)"),
        };
        let all = significant(prices.iter().sum(), 2);
        format!(", cost {all}{without}")
    };
    format!("{} tokens{cost}", compact(tokens))
}

/// Returns sample and column of the answer at a screen position.
pub fn spot_at(
    several: &ParallelRuns,
    shared: &AppState,
    area: Rect,
    (x, y): (u16, u16),
) -> Option<(usize, usize)> {
    let parts = Parts::new(several, shared, area);
    answers::spot_at(several, shared, parts.answers, (x, y))
}
