//! Draws a running or finished run: the protocol's finding, one row per step, and the samples.

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::frame_output::FrameOutput;
use crate::screen::live::LiveView;
use crate::shared::AppState;
use crate::widget::line::gauge;
use crate::widget::table::{ELSEWHERE, Table, TableState};
use crate::widget::{fit, fit_end};
use ask::{Kind, Progress};
use base::format::{compact, fixed, significant, visible};

use super::super::several::ParallelRuns;
use super::list::Samples;
use super::steps::Steps;

/// Maximum height of the table of steps, including its header.
const STEPS: u16 = 9;

/// Draws a run: finding, steps and samples.
pub fn render(
    live: &LiveView,
    shared: &AppState,
    runs: &ParallelRuns,
    frame: &mut Frame<'_>,
    area: Rect,
) -> FrameOutput {
    let Some(progress) = runs.alone() else {
        return FrameOutput::default();
    };
    let [head, finding, steps, below] = parts(progress, area);
    let lines = head_lines(shared, runs, progress, head.width);
    frame.render_widget(Paragraph::new(lines), head);
    let found = Paragraph::new(finding_lines(shared, progress)).wrap(Wrap { trim: false });
    frame.render_widget(found, finding);
    let rows = Steps { shared, progress };
    let columns = rows.columns();
    let table = Table::new(&shared.theme, &columns, &rows);
    let mut nowhere = TableState {
        selected: ELSEWHERE,
        offset: 0,
    };
    frame.render_stateful_widget(table, steps, &mut nowhere);
    Samples::new(live, shared, progress).render(frame, below)
}

/// Splits the area into head, finding, steps and list.
pub fn parts(progress: &Progress, area: Rect) -> [Rect; 4] {
    // The height is constant, so that lines do not move when the finding arrives.
    let rows = (area.height / 5).clamp(2, 4);
    let steps = u16::try_from(progress.summary.steps.len()).unwrap_or(u16::MAX);
    let steps = steps.saturating_add(2).min(STEPS);
    Layout::vertical([Length(3), Length(rows + 1), Length(steps), Fill(1)]).areas(area)
}

fn finding_lines(shared: &AppState, progress: &Progress) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let plan = &progress.plan;
    let mut found = plan.protocol.finding(&progress.summary);
    // Insert the names of the compared models directly after the first line.
    let at = found.len().min(1);
    found.splice(at..at, plan.compared_words());
    found
        .into_iter()
        .enumerate()
        .map(|(at, words)| {
            let style = if at == 0 { theme.header() } else { theme.dim() };
            Line::styled(visible(&words).into_owned(), style)
        })
        .collect()
}

fn head_lines(
    shared: &AppState,
    runs: &ParallelRuns,
    progress: &Progress,
    width: u16,
) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let plan = &progress.plan;
    let title = format!(
        "{}: {} at {}",
        visible(&plan.protocol.name()),
        visible(&plan.asking.model),
        visible(runs.addresses.first().map_or("", String::as_str))
    );
    let bar = width.saturating_sub(68).clamp(12, 60);
    let state = state(shared, progress, runs.is_over);
    // Cut the address, so that the keys next to it stay visible.
    let room = width.saturating_sub(crate::widget::width(&state.content));
    let title = fit(&title, room).into_owned();
    vec![
        Line::from(vec![Span::styled(title, theme.header()), state]),
        Line::from(vec![
            Span::styled(gauge(progress.done(), plan.len(), bar), theme.text()),
            Span::styled(format!("  {}", rate(progress)), theme.dim()),
        ]),
        trouble(shared, progress, width),
    ]
}

fn state(shared: &AppState, progress: &Progress, is_over: bool) -> Span<'static> {
    let theme = &shared.theme;
    let (words, style) = match (&progress.stopped, is_over) {
        (Some(_), true) if progress.done() < progress.plan.len() => (
            "   stopped; r, then Enter on this run, continues it",
            theme.warning(),
        ),
        (_, true) => ("   done; r asks again", theme.accent()),
        (_, false) if progress.stopping => ("   stopping …", theme.warning()),
        (_, false) if progress.paused => ("   paused; Space continues", theme.warning()),
        (_, false) => ("   Space pauses, x stops", theme.dim()),
    };
    Span::styled(words, style)
}

/// Returns the reason of a delay, the failures, or the path of the log.
fn trouble(shared: &AppState, progress: &Progress, width: u16) -> Line<'static> {
    let theme = &shared.theme;
    if let Some(why) = progress.held() {
        return Line::styled(visible(&why).into_owned(), theme.warning());
    }
    if let Some(why) = progress.stopped.as_ref().filter(|why| *why != "stopped") {
        return Line::styled(visible(why).into_owned(), theme.error());
    }
    let kinds = &progress.summary.kinds;
    let unread = Kind::ANSWERS.into_iter().filter(|kind| *kind != Kind::Ok);
    let mut words: Vec<String> = unread
        .filter_map(|kind| Some(format!("{} {kind}", kinds.get(&kind)?)))
        .collect();
    let is_failure = words.is_empty();
    let failed: Vec<String> = (progress.summary.failures())
        .map(|(class, count)| match &progress.failure {
            Some(why) if why.starts_with(class.name()) => {
                format!("{count} failed: {}", visible(why))
            }
            _ => format!("{count} failed: {class}"),
        })
        .collect();
    words.extend(failed);
    let warnings = progress.warnings.iter();
    words.extend(warnings.map(|warning| visible(warning).into_owned()));
    if let (count @ 1.., Some(why)) = &progress.unasked {
        words.push(format!("{count} not asked: {}", visible(why)));
    }
    words.extend(
        progress
            .summary
            .doubts
            .words()
            .iter()
            .map(|doubt| visible(doubt).into_owned()),
    );
    if !words.is_empty() {
        let style = if is_failure {
            theme.error()
        } else {
            theme.warning()
        };
        let words = words.join("   ");
        return Line::styled(fit(&words, width).into_owned(), style);
    }
    let Some(folder) = &progress.folder else {
        return Line::default();
    };
    let label = visible(&progress.plan.asking.label).into_owned();
    if progress.summary.total() == 0 {
        let folder = folder.display().to_string();
        let words = format!(
            "no answer arrived; the run can continue from {}",
            visible(&folder)
        );
        return Line::styled(fit(&words, width).into_owned(), theme.dim());
    }
    let words = format!("the new run {label} is open next to the log: ");
    let room = width.saturating_sub(crate::widget::width(&words));
    let folder = folder.display().to_string();
    // Keep the end of the path, which contains the run's name.
    let folder = fit_end(&visible(&folder), room).into_owned();
    let words = fit(&format!("{words}{folder}"), width).into_owned();
    Line::styled(words, theme.dim())
}

/// Returns a text such as `42 of 120  3.1 a second  25 s left  12K tokens, cost 0.012`.
fn rate(progress: &Progress) -> String {
    let (done, all) = (progress.done(), progress.plan.len());
    let seconds = progress.took.as_secs_f64();
    let count = |number: usize| u32::try_from(number).map_or(f64::MAX, f64::from);
    let asked = done.saturating_sub(progress.summary.kept);
    let rate = (seconds > 0.5).then(|| count(asked) / seconds);
    let more = rate
        .filter(|rate| *rate > 0.0 && done < all)
        .map(|rate| format!("  {} s left", fixed(Some(count(all - done) / rate), 0)));
    let kept = match progress.summary.kept {
        0 => String::new(),
        kept => format!("  {kept} reused"),
    };
    let [read, written] = progress.summary.tokens;
    let paid = progress.price.and_then(|price| progress.cost.money(price));
    let paid = paid.map(|paid| format!(", cost {}", significant(paid, 2)));
    format!(
        "{done} of {all}{kept}  {} a second{}  {} tokens{}",
        fixed(rate, 1),
        more.unwrap_or_default(),
        compact(read + written),
        paid.unwrap_or_default()
    )
}
