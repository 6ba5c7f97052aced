//! Draws the table of steps: accuracy, change compared with the log, and answers without a score.

use crate::shared::AppState;
use crate::widget::table::{Column, ColumnWidth, Rows, TableCell};
use crate::widget::width;
use ask::{Kind, Progress, Protocol, StepScore};
use base::format::{fixed, probability, visible};

/// Minimum width at which each kind of answer without a score has its own column, in cells.
const WIDE: u16 = 112;

/// Rows of the table of steps.
pub struct Steps<'a> {
    /// State shared by all views.
    pub shared: &'a AppState,
    /// State of the run.
    pub progress: &'a Progress,
}

impl Rows for Steps<'_> {
    fn total(&self) -> usize {
        self.progress.summary.steps.len()
    }

    fn cells(&self, row: usize) -> Vec<TableCell<'_>> {
        let theme = &self.shared.theme;
        let Some(step) = self.progress.summary.steps.get(row) else {
            return Vec::new();
        };
        let cell = |text: String, style| TableCell::new(text, style);
        let count = |count: usize, style| match count {
            0 => cell("·".to_owned(), theme.dim()),
            count => cell(count.to_string(), style),
        };
        let signed = |number: f64| format!("{number:+.3}");
        let is_sure = step.p_value().is_some_and(|p| p < 0.05);
        let change = match step.change() {
            Some(change) if is_sure && change > 0.0 => theme.correct(),
            Some(_) if is_sure => theme.wrong(),
            _ => theme.dim(),
        };
        vec![
            cell(
                visible(&name(step, self.protocol())).into_owned(),
                theme.text(),
            ),
            cell(fixed(step.share(), 3), theme.text()),
            cell(range(step), theme.dim()),
            cell(step.all.scored.to_string(), theme.dim()),
            cell(step.change().map(signed).unwrap_or_default(), change),
            cell(p_words(step), theme.dim()),
            count(step.all.now_right, theme.correct()),
            count(step.all.now_wrong, theme.wrong()),
            count(unscored(step), theme.warning()),
            count(step.count(Kind::Refused), theme.warning()),
            count(step.wordless(), theme.warning()),
            count(step.count(Kind::Cut), theme.warning()),
            count(step.count(Kind::Unreadable), theme.warning()),
            count(step.failed(), theme.error()),
        ]
    }
}

/// Returns the p value of the change. Returns `picked` for samples that were selected by their
/// outcome, because no test is valid for them.
fn p_words(step: &StepScore) -> String {
    match (&step.picked_by, step.p_value()) {
        (Some(_), _) if step.all.compared > 0 => "picked".to_owned(),
        (_, p) => p.map(probability).unwrap_or_default(),
    }
}

/// Returns the name of a step: `90` for `rotation=90`, because the column title contains the label.
fn name(step: &StepScore, protocol: &Protocol) -> String {
    match step.name.split_once('=') {
        Some((_, value)) => value.to_owned(),
        // A chain asks its own questions, so the step is not `as logged`.
        None if step.name.is_empty() && protocol.is_chain() => protocol.name(),
        None if step.name.is_empty() => "as logged".to_owned(),
        None => step.name.clone(),
    }
}

/// Returns an interval: `0.21-1.00`.
pub fn range(step: &StepScore) -> String {
    let range = step.interval();
    range.map_or_else(String::new, |range| {
        let end = |end: f64| format!("{end:.2}");
        format!("{}-{}", end(range.low), end(range.high))
    })
}

/// Returns the number of answers without a score, excluding failed requests.
fn unscored(step: &StepScore) -> usize {
    let without = step.kinds.values().sum::<usize>() - step.all.scored;
    without.saturating_sub(step.failed())
}

impl Steps<'_> {
    fn protocol(&self) -> &Protocol {
        &self.progress.plan.protocol
    }

    /// Returns the columns. The title of the first column is the label that differs between steps.
    pub fn columns(&self) -> [Column<'_>; 14] {
        let steps = &self.progress.summary.steps;
        let label = steps
            .first()
            .and_then(|step| step.name.split_once('='))
            .map_or("step", |(label, _)| label);
        let number = |title, width, from| Column::number(title, width).from(from);
        // Failures must be visible at every width, so they replace columns that need many samples.
        let (p, failed) = if steps.iter().any(|step| step.failed() > 0) {
            (96, 40)
        } else {
            (50, WIDE)
        };
        let names = steps.iter().map(|step| width(&name(step, self.protocol())));
        let names = names.chain([width(label)]).max().unwrap_or_default();
        [
            Column::text(label, ColumnWidth::Fixed(names.clamp(4, 14))),
            number("right", 5, 0),
            number("95 %", 9, 60),
            number("n", 4, 40),
            number("vs log", 6, 0),
            number("p", 6, p),
            number("now ✓", 5, 0),
            number("now ✗", 5, 0),
            number("unparsed", 8, 60),
            number("refused", 7, WIDE),
            number("empty", 5, WIDE),
            number("cut", 5, WIDE),
            number("unread", 6, WIDE),
            number("failed", 6, failed),
        ]
    }
}
