//! From a row of a run to the sample behind it.

use crate::change::{Change, SampleRows};
use crate::shared::{ListOf, Second, Shared};
use rerun::{Protocol, Sample};
use workspace::asked::{rows_before, rows_of_run};

use super::progress::Progress;
use super::state::{LiveView, Stage};

/// Opens the sample under the cursor with the log's answer and the new one, and those of the list as its neighbours. Where
/// other pictures were sent than the log's, each new answer is a neighbour of its own beside its picture, the log's
/// first.
pub fn open(live: &LiveView, shared: &Shared) -> Option<Change> {
    let (Stage::Running(progress) | Stage::Over(progress)) = &live.stage else {
        return None;
    };
    if progress.counted.plan.protocol != Protocol::Vanilla
        && let Some(rows) = sent(live, shared, progress)
    {
        return Some(Change::OpenRows(Box::new(rows)));
    }
    // The new run has been read since, perhaps, and rows stand elsewhere now.
    let rows = rows_before(&shared.table, listed(live, progress));
    let last = rows.len().checked_sub(1)?;
    Some(Change::OpenRows(Box::new(SampleRows {
        list: rows,
        of: ListOf::Flagged,
        at: live.table.selected.min(last),
        second: Some(Second::Model(progress.counted.plan.asking.label.clone())),
    })))
}

/// The samples of the list that is shown.
fn listed<'a>(live: &LiveView, progress: &'a Progress) -> impl Iterator<Item = &'a Sample> {
    let samples = &progress.counted.plan.samples;
    let listed = progress.list(live.listed).iter();
    listed.filter_map(|at| samples.get(*at).map(AsRef::as_ref))
}

/// The answers of the run with the pictures that were sent; nothing while the run has not been read.
fn sent(live: &LiveView, shared: &Shared, progress: &Progress) -> Option<SampleRows> {
    let label = &progress.counted.plan.asking.label;
    let rows = rows_of_run(&shared.table, label, listed(live, progress));
    rows.get(live.table.selected)
        .filter(|rows| !rows.is_empty())?;
    let at = rows.iter().take(live.table.selected).map(Vec::len).sum();
    Some(SampleRows {
        list: rows.concat(),
        of: ListOf::Flagged,
        at,
        second: None,
    })
}
