//! Draws earlier runs for these logs, below the form.

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Alignment, Layout, Rect};
use ratatui::text::{Line, Span};

use crate::screen::live::LiveView;
use crate::shared::AppState;
use crate::widget::table::{
    Column, ColumnWidth, ELSEWHERE, ItemRows, Table, TableCell, TableState,
};
use ask::PreviousRun;

fn cells(shared: &AppState, run: &PreviousRun) -> Vec<TableCell<'static>> {
    let theme = &shared.theme;
    let head = &run.head;
    let cell = |text: String, style| TableCell::visible(&text, style);
    let (state, style) = match (run.pending(), run.failed) {
        (0, 0) => ("complete".to_owned(), theme.dim()),
        (0, failed) => (format!("{failed} failed"), theme.warning()),
        (pending, 0) => (format!("{pending} left"), theme.warning()),
        (pending, failed) => (format!("{pending} left, {failed} failed"), theme.warning()),
    };
    // Omit the year.
    let started = head.started.get(5..16).unwrap_or(&head.started);
    vec![
        cell(started.replace('T', " "), theme.text()),
        cell(head.protocol.clone(), theme.text()),
        cell(done(run), theme.text()),
        cell(state, style),
        cell(head.label.clone(), theme.text()),
        cell(head.endpoint.clone(), theme.dim()),
    ]
}

/// Returns `37 of 100`. The number of questions of a chain is known only at its end, so the text is
/// `37 of ~100` before and `112` after it.
fn done(run: &PreviousRun) -> String {
    let answered = run.answered;
    match run.head.questions {
        all if !run.head.chained => format!("{answered} of {all}"),
        all if run.pending() > 0 => format!("{answered} of ~{}", all.max(answered)),
        _ => answered.to_string(),
    }
}

fn columns() -> [Column<'static>; 6] {
    let column = |title, width, align, from| Column {
        align,
        from,
        ..Column::text(title, width)
    };
    let (left, right) = (Alignment::Left, Alignment::Right);
    [
        column("start (UTC)", ColumnWidth::Fixed(11), left, 60),
        column("protocol", ColumnWidth::Share(3), left, 0),
        column("answered", ColumnWidth::Fixed(11), right, 0),
        column("state", ColumnWidth::Share(3), left, 0),
        column("new run", ColumnWidth::Share(3), left, 70),
        column("endpoint", ColumnWidth::Share(2), left, 76),
    ]
}

/// Maximum number of listed runs if the samples are shown below them.
const WITH_SAMPLES: usize = 5;

/// Returns the height of the list if the samples are shown below it.
pub fn height(live: &LiveView) -> u16 {
    match live.form_data.previous.len().min(WITH_SAMPLES) {
        0 => 0,
        // Add a blank line, the title, and the head of the table with its rule.
        runs => u16::try_from(runs + 4).unwrap_or(u16::MAX),
    }
}

/// Draws the list, if it has runs and fits.
pub fn render(live: &LiveView, shared: &AppState, frame: &mut Frame<'_>, area: Rect) {
    let runs = &live.form_data.previous;
    if runs.is_empty() || area.height < 4 {
        return;
    }
    let space = Length(u16::from(area.height > 4));
    let [_, head, list] = Layout::vertical([space, Length(1), Fill(1)]).areas(area);
    let theme = &shared.theme;
    let title = Line::from(vec![
        Span::styled("Earlier runs on these logs   ", theme.header()),
        Span::styled("Enter", theme.accent()),
        Span::styled(" continues it, or shows its results", theme.dim()),
    ]);
    frame.render_widget(title, head);
    let folder = live.run.as_ref();
    let selected = folder.and_then(|folder| runs.iter().position(|run| run.folder == *folder));
    let mut state = TableState {
        selected: selected.unwrap_or(ELSEWHERE),
        offset: 0,
    };
    let columns = columns();
    let rows = ItemRows::new(runs, |run| cells(shared, run));
    frame.render_stateful_widget(Table::new(theme, &columns, &rows), list, &mut state);
}
