//! Draws lines page by page.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::action::Action;
use crate::keymap::ViewId;
use crate::shared::AppState;
use crate::widget::prose::rows_of_all;

/// Lines that are split into pages if they do not fit on one.
pub struct Paged<'a> {
    /// All lines.
    pub lines: Vec<Line<'a>>,
    /// Index of the page. It wraps around after the last page.
    pub page: usize,
    /// Action whose key goes to the next page.
    pub turns: Action,
}

impl Paged<'_> {
    /// Draws all lines if they fit. Otherwise draws one page, and the key for the next page.
    pub fn render(self, shared: &AppState, frame: &mut Frame<'_>, area: Rect) {
        let theme = &shared.theme;
        let rows = rows_of_all(&self.lines, area.width);
        let text = Paragraph::new(self.lines).wrap(Wrap { trim: false });
        if rows <= area.height {
            return frame.render_widget(text, area);
        }
        let seen = area.height.saturating_sub(1).max(1);
        let pages = rows.div_ceil(seen);
        let at = u16::try_from(self.page % usize::from(pages)).unwrap_or(0);
        let [text_at, foot] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]).areas(area);
        frame.render_widget(text.scroll((at * seen, 0)), text_at);
        let foot_line = Line::from(vec![
            Span::styled(format!("page {} of {pages}   ", at + 1), theme.dim()),
            Span::styled(shared.key(ViewId::Live, self.turns), theme.accent()),
            Span::styled(" turns", theme.dim()),
        ]);
        frame.render_widget(foot_line, foot);
    }
}
