//! Lists the protocols next to the form on a wide screen.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use crate::screen::live::LiveView;
use crate::shared::AppState;
use crate::widget::fit;
use ask::Protocol;

use super::super::field::PROTOCOLS;
use super::super::state::LiveStage;

/// Width of the list, in cells.
const LIST: u16 = 60;
/// Width of the names in the list, in cells.
const NAMES: usize = 17;
/// Minimum width of the form, in cells.
const FORM: u16 = 80;

/// Splits the area into the form and the list. If they do not both fit, the second area is empty.
pub fn parts(live: &LiveView, area: Rect) -> [Rect; 2] {
    let lines = u16::try_from(PROTOCOLS.len()).unwrap_or(u16::MAX);
    let fits = area.width >= FORM + LIST && area.height > lines;
    if !fits || !matches!(live.stage, LiveStage::Form) {
        return [area, Rect::default()];
    }
    Layout::horizontal([Constraint::Fill(1), Constraint::Length(LIST)]).areas(area)
}

/// Returns the height of the list in its area.
pub fn height(area: Rect) -> u16 {
    let lines = u16::try_from(PROTOCOLS.len() + 1).unwrap_or(u16::MAX);
    if area.is_empty() { 0 } else { lines }
}

/// Draws each protocol with the question that it answers. The selected protocol is marked.
pub fn render(live: &LiveView, shared: &AppState, frame: &mut Frame<'_>, area: Rect) {
    if area.is_empty() {
        return;
    }
    let theme = &shared.theme;
    let kind = |name: &str| name.split(':').next().unwrap_or_default().to_owned();
    let is_own = |name: &str| {
        // Each chain counts as a separate protocol.
        name == live.protocol || !name.starts_with("chain:") && kind(name) == kind(&live.protocol)
    };
    let row = |name: &&str| {
        let (sign, style) = if is_own(name) {
            ("▸ ", theme.accent())
        } else {
            ("  ", theme.text())
        };
        let about = Protocol::parse(name);
        let about = about.map_or("your own wording: does it fix the answer", |it| it.about());
        let room = area.width.saturating_sub(20);
        Line::from(vec![
            Span::styled(format!("{sign}{name:NAMES$} "), style),
            Span::styled(fit(about, room).into_owned(), theme.dim()),
        ])
    };
    let title = Line::styled("  protocols, with what each asks", theme.header());
    let lines = std::iter::once(title).chain(PROTOCOLS.iter().map(row));
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), area);
}
