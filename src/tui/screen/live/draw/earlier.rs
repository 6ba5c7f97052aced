//! Draws earlier runs on these logs, below the form.

use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

use crate::screen::live::LiveView;
use crate::shared::Shared;
use crate::widget::table::{Column, ColumnWidth, ELSEWHERE, Rows, Table, TableCell, TableState};
use ask::PreviousRun;
use base::format::visible;

struct Runs<'a> {
    live: &'a LiveView,
    shared: &'a Shared,
}

impl Rows for Runs<'_> {
    fn total(&self) -> usize {
        self.live.looked.previous.len()
    }

    fn cells(&self, row: usize) -> Vec<TableCell<'_>> {
        let theme = &self.shared.theme;
        let Some(run) = self.live.looked.previous.get(row) else {
            return Vec::new();
        };
        let head = &run.head;
        let cell = |text: String, style| TableCell {
            text: visible(&text).into_owned().into(),
            style,
        };
        let (state, style) = match (run.pending(), run.failed) {
            (0, 0) => ("complete".to_owned(), theme.dim()),
            (0, failed) => (format!("{failed} failed"), theme.warning()),
            (pending, 0) => (format!("{pending} left"), theme.warning()),
            (pending, failed) => (format!("{pending} left, {failed} failed"), theme.warning()),
        };
        // Omits the year; the newest run is first.
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
}

/// Returns `37 of 100`. The number of questions of a chain is known only at its end: `37 of
/// ~100`, then `112`.
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

/// Draws the list, if there are runs and it fits.
pub fn render(live: &LiveView, shared: &Shared, frame: &mut Frame<'_>, area: Rect) {
    let runs = Runs { live, shared };
    if runs.total() == 0 || area.height < 5 {
        return;
    }
    let [_, head, list] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Fill(1),
    ])
    .areas(area);
    let theme = &shared.theme;
    let title = Line::from(vec![
        Span::styled("Earlier runs on these logs   ", theme.header()),
        Span::styled("Enter", theme.accent()),
        Span::styled(" continues it, or shows its results", theme.dim()),
    ]);
    frame.render_widget(title, head);
    let folder = live.run.as_ref();
    let mut earlier = live.looked.previous.iter();
    let selected = folder.and_then(|folder| earlier.position(|run| run.folder == *folder));
    let mut state = TableState {
        selected: selected.unwrap_or(ELSEWHERE),
        offset: 0,
    };
    let columns = columns();
    let table = Table {
        theme,
        columns: &columns,
        rows: &runs,
        sorted: None,
    };
    frame.render_stateful_widget(table, list, &mut state);
}
