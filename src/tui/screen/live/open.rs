//! From a row of a run to the sample behind it.

use crate::tui::app::{App, Effect};
use crate::tui::keymap::View;

use super::super::{ListOf, Second};
use super::progress::Progress;
use super::state::Stage;

/// Opens the sample under the cursor with the log's answer and the new one, and those of the list as its neighbours.
pub fn open(app: &mut App) -> Vec<Effect> {
    let (Stage::Running(progress) | Stage::Over(progress)) = &app.live.stage else {
        return Vec::new();
    };
    let rows = rows(progress, progress.list(app.live.listed));
    if rows.is_empty() {
        return Vec::new();
    }
    let label = progress.counted.plan.asking.label.clone();
    let at = app.live.table.selected.min(rows.len() - 1);
    app.answers.samples = rows;
    app.audit.list = ListOf::Flagged;
    app.samples.table.selected = at;
    app.sample.second = Second::Model(label);
    app.sample.reset_view();
    app.go(View::Sample)
}

/// The log's predictions of some samples.
fn rows(progress: &Progress, samples: &[usize]) -> Vec<u32> {
    let plan = &progress.counted.plan;
    let before = samples
        .iter()
        .filter_map(|at| plan.samples.get(*at)?.before.as_ref());
    before.map(|before| before.row.0).collect()
}
