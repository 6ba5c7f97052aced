//! From a row of a run to the sample behind it.

use crate::change::{Change, SampleRows};
use crate::shared::{ListOf, Second, Shared};
use workspace::asked::rows_before;

use super::state::{LiveView, Stage};

/// Opens the sample under the cursor with the log's answer and the new one, and those of the list as its neighbours.
pub fn open(live: &LiveView, shared: &Shared) -> Option<Change> {
    let (Stage::Running(progress) | Stage::Over(progress)) = &live.stage else {
        return None;
    };
    let plan = &progress.counted.plan;
    let listed = progress.list(live.listed).iter();
    let samples = listed.filter_map(|at| plan.samples.get(*at).map(AsRef::as_ref));
    // The new run has been read since, perhaps, and rows stand elsewhere now.
    let rows = rows_before(&shared.table, samples);
    let last = rows.len().checked_sub(1)?;
    Some(Change::OpenRows(Box::new(SampleRows {
        list: rows,
        of: ListOf::Flagged,
        at: live.table.selected.min(last),
        second: Some(Second::Model(plan.asking.label.clone())),
    })))
}
