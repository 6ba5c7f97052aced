//! From a row of a run to the sample behind it.

use crate::change::{Change, SampleRows};
use crate::screen::Flips;
use crate::shared::{ListOf, Second, Shared};
use rerun::Sample;
use workspace::asked::{rows_before, rows_of_run};

use super::progress::Progress;
use super::state::{LiveView, Stage};

/// Opens the sample under the cursor with the log's picture and answer and all new ones beside each other, and those of
/// the list as its neighbours. While the run has not been read, its page with the log's answer and the new one.
pub fn open(live: &LiveView, shared: &Shared) -> Option<Change> {
    let (Stage::Running(progress) | Stage::Over(progress)) = &live.stage else {
        return None;
    };
    if let Some(flips) = flips(live, shared, progress) {
        return Some(Change::OpenFlips(Box::new(flips)));
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
fn flips(live: &LiveView, shared: &Shared, progress: &Progress) -> Option<Flips> {
    let label = &progress.counted.plan.asking.label;
    let rows = rows_of_run(&shared.table, label, listed(live, progress));
    rows.get(live.table.selected)
        .filter(|rows| !rows.is_empty())?;
    let before = rows.iter().take(live.table.selected);
    let at = before.filter(|rows| !rows.is_empty()).count();
    let samples = rows.into_iter().filter(|rows| !rows.is_empty()).collect();
    Some(Flips {
        samples,
        run: label.clone(),
        at,
    })
}
