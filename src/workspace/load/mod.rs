//! Loads paths into a table. Finds logs, normalises and scores their records, adds them in the
//! order of the logs, and reports progress.

mod ahead;
mod append;
mod detections;
mod kept_text;
mod large;
mod lines;
mod links;
mod log_element;
mod logs;
mod models;
mod normalise;
mod pace;
mod plan;
mod published;
mod reading;
mod remote;
mod repeats;
mod request;
mod score;
mod score_origins;
mod size;
mod spellings;
mod spool;
mod stores;

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

pub use detections::{STEPS, describe};
pub use large::{LargeSet, SetRun};
pub use plan::UNMAPPED;
pub use reader::Links;
pub use reading::{Reading, Stamp};
pub use request::{Event, PartialTables, Progress, Request, failed};
pub use size::{Frames, sized};
pub use stores::{DownloadProgress, LatestPolls, UNREACHABLE, fetching, local, shown};

use plan::Plan;
use record::Table;
use stores::DatabaseRows;

/// Maximum number of attempts if objects in a store are replaced while they are read.
const MOST_READ: usize = 3;

/// Reads all logs of a request. If `on_event` stops the load, returns what was read so far.
pub fn load(request: &Request, on_event: &mut dyn FnMut(Event) -> ControlFlow<()>) -> Table {
    open(request, on_event).0
}

/// Like [`load`], but also returns the state that is needed to continue when logs grow.
pub fn open(
    request: &Request,
    on_event: &mut dyn FnMut(Event) -> ControlFlow<()>,
) -> (Table, Reading) {
    let mut found = (Table::default(), Reading::default());
    let anew = request.anew();
    for attempt in 0..MOST_READ {
        let request = if attempt == 0 { request } else { &anew };
        let Some(plan) = Plan::of(request, DatabaseRows::All, on_event) else {
            break;
        };
        found = plan.read(request, PartialTables::Skip, on_event);
        if !found.1.is_replaced() {
            break;
        }
    }
    found
}

/// Result of opening a request.
pub enum LoadedData {
    /// A table, and the state that is needed to continue when logs grow.
    Whole(Table, Box<Reading>),
    /// A published data set without its predictions.
    Large(Box<LargeSet>),
}

/// Like [`open`], but returns only the index of a published data set above the limit. If the index
/// is not sufficient, leaves out data sets above the limit for loaded predictions.
pub fn open_any(
    request: &Request,
    partial: PartialTables,
    on_event: &mut dyn FnMut(Event) -> ControlFlow<()>,
) -> LoadedData {
    let mut found = (Table::default(), Reading::default());
    let anew = request.anew();
    for attempt in 0..MOST_READ {
        let request = if attempt == 0 { request } else { &anew };
        let Some(mut plan) = Plan::of(request, DatabaseRows::UpToLimit, on_event) else {
            break;
        };
        if plan.is_large(request) {
            return LoadedData::Large(Box::new(LargeSet::of(plan, request, on_event)));
        }
        plan.leave_out_beyond();
        found = plan.read(request, partial, on_event);
        if !found.1.is_replaced() {
            break;
        }
    }
    LoadedData::Whole(found.0, Box::new(found.1))
}
