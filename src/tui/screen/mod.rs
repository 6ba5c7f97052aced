//! The screens. A screen knows the app; its state is its cursor.

mod audit;
mod chrome;
mod compare;
mod fingerprint;
mod live;
mod reliability;
mod sample;
mod samples;
mod start;
mod subgroups;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::action::Action;
use super::app::{App, Effect};
use super::keymap::View;
use super::popup;

pub use audit::{
    AuditState, ListOf, ask_audit, query as audit_query, receive_check, receive_news, take_note,
    take_right_label,
};
pub use compare::{
    CompareState, ask as ask_comparison, is_stale as is_comparison_stale,
    models as compared_models, pin as pin_sides, query as comparison_query, turn as turn_sides,
};
pub use fingerprint::{FingerprintState, ability_under_cursor as fingerprint_ability};
pub use live::{
    Editor, LiveState, ask_again, copy_command as copy_live_command, draw_words, look as look_live,
    paste_words, receive_live, status as live_status, take_field, type_words,
};
pub use reliability::ReliabilityState;
pub use sample::{SampleState, Second, response, second_row};
pub use samples::SamplesState;
pub use subgroups::SubgroupsState;

/// The views in the order of their tabs, and the key of each.
pub const VIEWS: [View; 7] = [
    View::Fingerprint,
    View::Subgroups,
    View::Samples,
    View::Compare,
    View::Reliability,
    View::Live,
    View::Audit,
];

/// Draws everything.
pub fn render(app: &mut App, frame: &mut Frame<'_>) {
    let screen = frame.area();
    frame.buffer_mut().set_style(screen, app.theme.screen());
    let body = chrome::render(app, frame);
    if app.table.is_empty() && app.table.published().is_empty() {
        start::render(app, frame, body);
    } else {
        match app.view {
            View::Fingerprint => fingerprint::render(app, frame, body),
            View::Subgroups => subgroups::render(app, frame, body),
            View::Samples => samples::render(app, frame, body),
            View::Sample => sample::render(app, frame, body),
            View::Compare => compare::render(app, frame, body),
            View::Reliability => reliability::render(app, frame, body),
            View::Live => live::render(app, frame, body),
            View::Audit => audit::render(app, frame, body),
        }
    }
    popup::render(app, frame);
}

/// What an action means on the current screen.
pub fn update(app: &mut App, action: Action) -> Vec<Effect> {
    if let Some(effects) = audit::judge(app, action) {
        return effects;
    }
    match app.view {
        View::Fingerprint => fingerprint::update(app, action),
        View::Subgroups => subgroups::update(app, action),
        View::Samples => samples::update(app, action),
        View::Sample => sample::update(app, action),
        View::Compare => compare::update(app, action),
        View::Reliability => reliability::update(app, action),
        View::Live => live::update(app, action),
        View::Audit => audit::update(app, action),
    }
}

/// A click: on a tab, or on what the screen shows there.
pub fn click(app: &mut App, screen: Rect, x: u16, y: u16) -> Vec<Effect> {
    if let Some(view) = chrome::view_at(app, screen, x, y) {
        return app.go(view);
    }
    if let Some(action) = chrome::action_at(app, screen, x, y) {
        return app.act(action);
    }
    let body = chrome::body(screen);
    match app.view {
        View::Fingerprint => fingerprint::click(app, body, x, y),
        View::Samples => samples::click(app, body, x, y),
        View::Subgroups => subgroups::click(app, body, x, y),
        View::Reliability => reliability::click(app, body, x, y),
        View::Compare => compare::click(app, body, x, y),
        View::Live => live::click(app, body, x, y),
        View::Audit => audit::click(app, body, x, y),
        View::Sample => Vec::new(),
    }
}

/// Moves a cursor in a list of `count` rows.
fn moved(at: usize, count: usize, page: usize, action: Action) -> Option<usize> {
    let last = count.saturating_sub(1);
    Some(match action {
        Action::Up => at.saturating_sub(1),
        Action::Down => (at + 1).min(last),
        Action::PageUp => at.saturating_sub(page),
        Action::PageDown => (at + page).min(last),
        Action::First => 0,
        Action::Last => last,
        _ => return None,
    })
}

/// Last lines that may still be being written, which are no problems yet.
fn pending(app: &App) -> u64 {
    let sources = app.table.sources().iter();
    let problems = sources.flat_map(|source| &source.problems);
    problems.filter(|problem| problem.pending).count() as u64
}

/// What stands in an empty screen: what is missing, and what to press.
fn say(app: &App, text: &str, frame: &mut Frame<'_>, area: Rect) {
    let line = Line::styled(text.to_owned(), app.theme.dim());
    let lines = Paragraph::new(vec![Line::default(), line]);
    frame.render_widget(lines.wrap(Wrap { trim: true }), area);
}

/// Returns true if nothing more is to come.
fn is_loaded(app: &App) -> bool {
    app.loading.is_over()
}
