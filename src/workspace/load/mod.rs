//! Loads paths into a table: finds logs, normalises and scores their records, adds them in log
//! order, and reports progress.

mod ahead;
mod append;
mod detections;
mod kept_text;
mod large;
mod lines;
mod links;
mod log_element;
mod logs;
mod masks;
mod models;
mod normalise;
mod pace;
mod plan;
mod published;
mod reading;
mod remote;
mod repeats;
mod score;
mod score_origins;
mod size;
mod spellings;
mod spool;
mod stores;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

pub use detections::STEPS;
pub use reader::Links;
pub use reading::{Reading, Stamp};
pub use size::{Frames, sized};
pub use stores::{DownloadProgress, LatestPolls, UNREACHABLE, fetching, local, shown};

use base::config::{ColumnMap, Decision, Joins, Settings};
use base::file::Inputs;
use plan::Plan;
use reader::Runs;
use record::benchmark::{MetricRange, usual_groups};
use record::{AbilityGroup, Direction, Problem, Record, Source, Table};
use stores::DatabaseRows;

pub use large::{LargeSet, SetRun};
pub use plan::UNMAPPED;

/// Adds score, boxes, causes and maps to a record with detections or masks, for display and
/// counting.
pub fn describe(record: &mut Record) {
    detections::describe(record);
    masks::describe(record);
}

/// Maximum attempts if objects in a store are replaced during the load.
const MOST_READ: usize = 3;

/// A request to load logs: paths, and how to read them.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Files, folders and addresses.
    pub paths: Vec<PathBuf>,
    /// Folders with data sets and pictures.
    pub data: Vec<PathBuf>,
    /// Files of embeddings by sample id.
    pub embeddings: Vec<PathBuf>,
    /// Ability of logs that do not contain one.
    pub ability: Option<String>,
    /// Selection of runs.
    pub runs: Runs,
    /// Logs that the user included or excluded, overriding other rules.
    pub chosen: BTreeMap<PathBuf, bool>,
    /// Column maps for tables with other column names.
    pub columns: Vec<ColumnMap>,
    /// Tables of models given by the user, besides those next to the logs; later ones take
    /// precedence.
    pub models: Vec<PathBuf>,
    /// The user's decisions about names.
    pub joins: Joins,
    /// Minimum score of a right answer by metric, if not the default.
    pub right: BTreeMap<String, f64>,
    /// Directions of metrics set by the user.
    pub directions: BTreeMap<String, Direction>,
    /// Ranges of metrics set by the user.
    pub ranges: BTreeMap<String, MetricRange>,
    /// Groups of abilities set by the user, besides the built-in ones.
    pub groups: Vec<AbilityGroup>,
    /// Which links below the paths to follow.
    pub links: Links,
    /// Results of the latest poll of the addresses; `None` to ask the stores.
    pub looked: Option<Arc<LatestPolls>>,
}

impl Request {
    /// Adds a decision about names; returns true if everything must be read again.
    pub fn say(&mut self, said: Decision) -> bool {
        let changes = !matches!(said, Decision::Join(_, false));
        if let Decision::Direction(metric, direction) = &said
            && let Some(direction) = Direction::from_name(direction)
        {
            self.directions.insert(metric.clone(), direction);
        }
        self.joins.say(said);
        changes
    }

    /// Returns the request without earlier polls, so that stores are asked again.
    fn anew(&self) -> Self {
        Self {
            looked: None,
            ..self.clone()
        }
    }

    /// Returns all files that were read, which no output may replace: given paths, files behind the
    /// table, and verdict files.
    pub fn inputs(&self, table: &Table, verdicts: impl IntoIterator<Item = PathBuf>) -> Inputs {
        let named = [&self.paths, &self.data, &self.models, &self.embeddings];
        let named = named.into_iter().flatten();
        let of_source = |source: &'_ Source| {
            let files = std::iter::once(&source.path).chain(&source.companions);
            files.cloned().collect::<Vec<_>>()
        };
        let read = table.sources().iter().flat_map(of_source);
        let read = named.cloned().chain(read).chain(verdicts);
        Inputs::new(read.chain(Settings::file()))
    }
}

/// Event during a load.
pub enum Event {
    /// Progress of the load.
    Progress(Progress),
    /// The table so far; more will follow.
    Partial(Table),
}

/// Progress of a load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Number of bytes processed.
    pub done: u64,
    /// Total number of bytes.
    pub total: u64,
    /// Number of predictions so far.
    pub records: usize,
    /// Download in progress before reading; byte counts then refer to the network.
    pub fetch: Option<DownloadProgress>,
}

impl Progress {
    /// Progress of a download for the address with this index.
    fn of_fetch(which: usize, progress: store::Progress) -> Self {
        Self {
            done: progress.bytes,
            total: progress.all_bytes,
            fetch: Some(DownloadProgress { which, progress }),
            ..Self::default()
        }
    }
}

/// Whether tables are sent while more is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PartialTables {
    /// Sends them as [`Event::Partial`]: the first soon, each later one when the table has grown by
    /// half.
    Send,
    /// Sends none.
    #[default]
    Skip,
}

/// Reads everything in a request. If `on_event` stops it, returns what was read so far.
pub fn load(request: &Request, on_event: &mut dyn FnMut(Event) -> ControlFlow<()>) -> Table {
    open(request, on_event).0
}

/// Like [`load`], and returns the state for continuing when logs grow.
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
    /// A table, and the state for continuing when logs grow.
    Whole(Table, Box<Reading>),
    /// A published data set without its predictions.
    Large(Box<LargeSet>),
}

/// Like [`open`], but returns only the index of a published data set above the limit.
/// If the index is not enough, a data set beyond the limit for loaded predictions is left out.
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

/// Returns the user's groups, and the built-in ones that they do not replace.
fn groups(request: &Request) -> Vec<AbilityGroup> {
    let own = &request.groups;
    let is_replaced = |usual: &AbilityGroup| {
        let same = |own: &AbilityGroup| own.name == usual.name && own.benchmark == usual.benchmark;
        own.iter().any(same)
    };
    let usual = usual_groups()
        .into_iter()
        .filter(|usual| !is_replaced(usual));
    own.iter().cloned().chain(usual).collect()
}

/// Returns a source that consists of a problem only.
pub fn failed(problem: Problem) -> Source {
    Source {
        path: problem.file.clone(),
        format: "unknown",
        problems: vec![problem],
        ..Source::default()
    }
}
