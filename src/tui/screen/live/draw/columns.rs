//! Draws the list of parallel runs: progress, score and problems.

use ratatui::style::Style;

use crate::screen::live::several::ParallelRuns;
use crate::shared::AppState;
use crate::widget::table::{Column, ColumnWidth, Rows, TableCell};
use ask::Progress;
use base::format::{compact, fixed, significant};

/// Rows of the list: the runs, then the runs that could not be started.
pub struct Runs<'a> {
    /// State of the runs.
    pub several: &'a ParallelRuns,
    /// State shared by all views.
    pub shared: &'a AppState,
}

/// Returns the columns of the table.
pub fn run_columns() -> [Column<'static>; 7] {
    let column = |(title, width, from)| Column::text(title, width).from(from);
    [
        ("column", ColumnWidth::Share(3), 0),
        ("done", ColumnWidth::Fixed(11), 0),
        ("right", ColumnWidth::Fixed(6), 0),
        ("95 %", ColumnWidth::Fixed(9), 100),
        ("failed", ColumnWidth::Fixed(6), 0),
        ("cost", ColumnWidth::Fixed(7), 76),
        ("", ColumnWidth::Share(4), 60),
    ]
    .map(column)
}

/// Returns the state of a run: why it ended, what delays it, what failed, or what its score
/// measures. Omits the protocol if the run's name contains it.
pub fn state(name: &str, progress: &Progress, shared: &AppState) -> (String, Style) {
    let theme = &shared.theme;
    let protocol = progress.plan.protocol.name();
    let protocol = Some(protocol).filter(|protocol| !name.ends_with(protocol.as_str()));
    if let Some(why) = &progress.stopped {
        return (why.clone(), theme.warning());
    }
    if let Some(held) = progress.held() {
        return (held, theme.warning());
    }
    if let Some(why) = &progress.failure {
        return (why.clone(), theme.error());
    }
    if let (count, Some(why)) = &progress.unasked {
        return (format!("{count} not asked: {why}"), theme.warning());
    }
    let what = progress.headline().and_then(|number| number.what);
    let words: Vec<String> = what.into_iter().chain(protocol).collect();
    (words.join("; "), theme.dim())
}

/// Returns the state of a run with score, interval and cost, for a separate line.
pub fn whole_state(name: &str, progress: &Progress, shared: &AppState) -> (String, Style) {
    let (words, style) = state(name, progress, shared);
    let number = progress.headline().map(|number| {
        let range = number.interval;
        let range = range.map(|range| format!(" [{:.2}-{:.2}]", range.low, range.high));
        let right = fixed(Some(number.right), 3);
        // Omit what the score measures if the state already contains it.
        let what = number.what.filter(|what| !words.starts_with(what.as_str()));
        let what = what.map(|what| format!(" ({what})"));
        let beside = [range, what].into_iter().flatten();
        format!("accuracy {right}{}", beside.collect::<String>())
    });
    let tokens: u64 = progress.cost.tokens.iter().sum();
    let tokens = format!("{} tokens", compact(tokens));
    let words = Some(words).filter(|words| !words.is_empty());
    let parts = words.into_iter().chain(number).chain([tokens]);
    let parts: Vec<String> = parts.collect();
    (parts.join("; "), style)
}

/// Returns the name after its number, as in the table of answers.
pub fn numbered(at: usize, name: &str) -> String {
    format!("{} {name}", at + 1)
}

impl Runs<'_> {
    fn dead(&self, row: usize) -> Vec<TableCell<'_>> {
        let theme = &self.shared.theme;
        let Some((name, why)) = self.several.dead.get(row) else {
            return Vec::new();
        };
        let cell = TableCell::visible;
        vec![
            cell(&format!("– {name}"), theme.dim()),
            cell("not asked", theme.error()),
            cell("–", theme.dim()),
            cell("", theme.dim()),
            cell("", theme.dim()),
            cell("", theme.dim()),
            cell(why, theme.error()),
        ]
    }
}

impl Rows for Runs<'_> {
    fn total(&self) -> usize {
        self.several.columns.len() + self.several.dead.len()
    }

    fn cells(&self, row: usize) -> Vec<TableCell<'_>> {
        let theme = &self.shared.theme;
        let Some((name, progress)) = self.several.columns.get(row) else {
            return self.dead(row - self.several.columns.len());
        };
        let cell = |text: String, style| TableCell::visible(&text, style);
        let plan = &progress.plan;
        let number = progress.headline();
        let range = number.as_ref().and_then(|number| number.interval);
        let range = range.map(|range| format!("{:.2}-{:.2}", range.low, range.high));
        let failed: usize = progress.summary.failures().map(|(_, count)| count).sum();
        let (words, style) = match (progress.silent, &progress.waits) {
            // Use a short text, because space is limited.
            (Some(since), None) if progress.stopped.is_none() => {
                let words = format!("no reply for {} s", since.as_secs());
                (words, theme.warning())
            }
            _ => state(name, progress, self.shared),
        };
        let failed_style = if failed > 0 {
            theme.error()
        } else {
            theme.dim()
        };
        let done = [progress.done(), plan.len()].map(|count| compact(count as u64));
        vec![
            cell(numbered(row, name), theme.text()),
            cell(done.join(" of "), theme.text()),
            cell(fixed(number.map(|number| number.right), 3), theme.text()),
            cell(range.unwrap_or_default(), theme.dim()),
            cell(failed.to_string(), failed_style),
            cell(
                progress
                    .paid()
                    .map(|cost| significant(cost, 2))
                    .unwrap_or_default(),
                theme.dim(),
            ),
            cell(words, style),
        ]
    }
}
