//! What stands there when there is nothing to show: why, and what to do.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use crate::format::visible;
use crate::tui::app::App;

/// Draws the empty state.
pub fn render(app: &App, frame: &mut Frame<'_>, area: Rect) {
    let [_, middle, _] = Layout::horizontal([
        Constraint::Fill(1),
        Constraint::Max(64),
        Constraint::Fill(1),
    ])
    .areas(area);
    let [_, middle] =
        Layout::vertical([Constraint::Length(area.height / 4), Constraint::Fill(1)]).areas(middle);
    let mut lines = Vec::new();
    if super::is_loaded(app) {
        lines.push(Line::styled(
            "No log that Eyechart knows.",
            app.theme.header(),
        ));
        let problem = app
            .table
            .sources()
            .iter()
            .find_map(|source| source.problems.first());
        if let Some(problem) = problem {
            let text = format!("{}: {}", problem.place(), problem.what);
            lines.push(Line::styled(
                visible(&text).into_owned(),
                app.theme.warning(),
            ));
        }
        lines.push(Line::default());
        for text in [
            "eyechart FOLDER    opens a folder of logs: VLMEvalKit runs,",
            "                   AVA-Bench answers, *.eyechart.jsonl, *.scores.csv",
            "eyechart check FOLDER    lists what could not be read, and why",
        ] {
            lines.push(Line::styled(text, app.theme.dim()));
        }
    } else {
        lines.push(Line::styled(
            "Reading logs; the first scores are shown as soon as they are there.",
            app.theme.dim(),
        ));
    }
    frame.render_widget(Paragraph::new(lines), middle);
}
