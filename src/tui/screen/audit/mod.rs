//! A person's verdicts on annotations: the spot check, what it found, and what the ranking says without bad labels.

mod found;
mod judge;
mod panels;
mod start;
mod state;
mod words;

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::app::{App, Effect, ask};
use crate::keymap::View;
use crate::widget::table::TableSpot;
use engine::{Audit, SpotCheck};
use record::Row;
use workspace::Lens;

pub use judge::{judge, receive_news, take_note, take_right_label};
pub use state::{AuditState, ListOf};
pub use words::{check_words, hidden_line, judging_first, label_cell, verdict_line};

use super::moved;

/// Steps by which a spot check grows and shrinks.
const STEP: usize = 10;
/// Most samples of a spot check.
const MOST: usize = 1_000;

/// Draws the screen.
pub fn render(app: &mut App, frame: &mut Frame<'_>, area: Rect) {
    match app.audit.findings.take() {
        Some(findings) if findings.audit.overall.audited > 0 => {
            found::render(app, &findings, frame, area);
            app.audit.findings = Some(findings);
        }
        findings => {
            start::render(app, frame, area);
            app.audit.findings = findings;
        }
    }
}

/// What the screen asks: the findings, and whether others wrote something.
pub fn ask_audit(app: &App) -> Vec<Effect> {
    vec![ask(query(app))]
}

/// What the verdicts say of the benchmark's samples under the lens's filter.
pub fn query(app: &App) -> Audit {
    Audit {
        scope: app.scope(&app.lens.whole()),
        author: None,
        drop_ambiguous: app.audit.drop_ambiguous,
        quick: true,
    }
}

/// What an action does here.
pub fn update(app: &mut App, action: Action) -> Vec<Effect> {
    match action {
        Action::SpotCheck => return start_or_go_on(app),
        Action::LargerCheck => app.audit.size = (app.audit.size + STEP).min(MOST),
        Action::SmallerCheck => app.audit.size = app.audit.size.saturating_sub(STEP).max(STEP),
        Action::ToggleAmbiguous => {
            app.audit.drop_ambiguous = !app.audit.drop_ambiguous;
            return app.refresh();
        }
        Action::Open => return open_flagged(app),
        Action::Left => app.audit.panel = app.audit.panel.saturating_sub(1),
        Action::Right => app.audit.panel = (app.audit.panel + 1).min(panels::COUNT - 1),
        other => {
            let count = app
                .audit
                .findings
                .as_ref()
                .map_or(0, |found| found.flagged.len());
            if let Some(row) = moved(app.audit.table.selected, count, 10, other) {
                app.audit.table.selected = row;
            }
        }
    }
    Vec::new()
}

/// Goes on with the spot check that runs, or draws one.
fn start_or_go_on(app: &mut App) -> Vec<Effect> {
    let open = app.audit.check.iter().position(|&row| {
        let key = state::key_of(app, row);
        !app.audit.has_judged(&key)
    });
    match open {
        Some(at) => show_check(app, at),
        None => vec![ask(SpotCheck {
            scope: app.scope(&Lens {
                model: None,
                ..app.lens.clone()
            }),
            author: app.audit.author.clone(),
            size: app.audit.size,
            seed: state::SEED,
        })],
    }
}

/// A spot check was drawn.
pub fn receive_check(app: &mut App, rows: Vec<u32>) -> Vec<Effect> {
    if rows.is_empty() {
        app.notice = Some("no sample under this lens is left to judge".to_owned());
        return Vec::new();
    }
    app.audit.check = rows;
    // The user may have gone elsewhere meanwhile; the check waits.
    if app.view == View::Audit {
        show_check(app, 0)
    } else {
        Vec::new()
    }
}

fn show_check(app: &mut App, at: usize) -> Vec<Effect> {
    app.answers.samples.clone_from(&app.audit.check);
    app.audit.list = ListOf::Check;
    app.audit.revealed = None;
    open_sample(app, at)
}

fn open_sample(app: &mut App, at: usize) -> Vec<Effect> {
    app.samples.table.selected = at;
    app.sample.reset_view();
    app.go(View::Sample)
}

/// Opens the flagged sample under the cursor, with the others as its neighbours.
fn open_flagged(app: &mut App) -> Vec<Effect> {
    let Some(found) = app
        .audit
        .findings
        .as_ref()
        .filter(|found| !found.flagged_rows.is_empty())
    else {
        return start_or_go_on(app);
    };
    app.answers.samples = found.flagged_rows.iter().map(|Row(row)| *row).collect();
    app.audit.list = ListOf::Flagged;
    open_sample(app, app.audit.table.selected)
}

/// A click moves the cursor; a click on the cursor opens.
pub fn click(app: &mut App, area: Rect, x: u16, y: u16) -> Vec<Effect> {
    match found::spot_at(app, area, x, y) {
        Some(TableSpot::Row(row)) if row == app.audit.table.selected => open_flagged(app),
        Some(TableSpot::Row(row)) => {
            app.audit.table.selected = row;
            Vec::new()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
