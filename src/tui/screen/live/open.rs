//! From a row of a run to the sample behind it.

use crate::app::{App, Effect};
use crate::keymap::View;
use workspace::asked::rows_before;

use super::super::{ListOf, Second};
use super::state::Stage;

/// Opens the sample under the cursor with the log's answer and the new one, and those of the list as its neighbours.
pub fn open(app: &mut App) -> Vec<Effect> {
    let (Stage::Running(progress) | Stage::Over(progress)) = &app.live.stage else {
        return Vec::new();
    };
    let plan = &progress.counted.plan;
    let listed = progress.list(app.live.listed).iter();
    let samples = listed.filter_map(|at| plan.samples.get(*at).map(AsRef::as_ref));
    // The new run has been read since, perhaps, and rows stand elsewhere now.
    let rows = rows_before(&app.table, samples);
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
