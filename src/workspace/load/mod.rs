//! From paths to a table: finds logs, normalises and scores their records, adds them to the table in the order of the
//! logs, tells how far it is.

mod ahead;
mod append;
mod detections;
mod found;
mod kept_text;
mod large;
mod lines;
mod links;
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
mod scored;
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

pub use reader::Links;
pub use reading::{Reading, Stamp};
pub use size::{Frames, sized};
pub use stores::{Fetching, Looks, UNREACHABLE, fetching, local, shown};

use benchmark::usual_groups;
use config::{ColumnMap, Joins, Said, Settings};
use file::Inputs;
use plan::Plan;
use reader::Runs;
use record::{AbilityGroup, Direction, Problem, Record, Source, Table};

pub use large::{LargeSet, SetRun};
pub use plan::UNMAPPED;

/// Adds score, boxes, causes and maps to a record that holds detections or masks, as they are shown and counted.
pub fn describe(record: &mut Record) {
    detections::describe(record);
    masks::describe(record);
}

/// How often everything is read at most where something in a store is replaced while it is read.
const MOST_READ: usize = 3;

/// What to open.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// Folders with data sets and pictures.
    pub data: Vec<PathBuf>,
    /// The ability of logs that do not tell theirs.
    pub ability: Option<String>,
    /// Which runs are read.
    pub runs: Runs,
    /// Logs that the user takes in or out, whatever else counts.
    pub chosen: BTreeMap<PathBuf, bool>,
    /// How tables with other column names are read.
    pub columns: Vec<ColumnMap>,
    /// Tables of models, those beside the logs apart; the last one counts most.
    pub models: Vec<PathBuf>,
    /// What the user said of names.
    pub joins: Joins,
    /// From which score on an answer counts as right, by metric, where that is not the usual one.
    pub right: BTreeMap<String, f64>,
    /// Directions of metrics that the user states.
    pub directions: BTreeMap<String, Direction>,
    /// Abilities that count as one, beside those that the papers mean.
    pub groups: Vec<AbilityGroup>,
    /// Which links below the paths are followed.
    pub links: Links,
    /// What a look at the addresses has just given; `None`: their stores are asked.
    pub looked: Option<Arc<Looks>>,
}

impl Request {
    /// Keeps what is said of names; returns true if everything is to be read anew.
    pub fn say(&mut self, said: Said) -> bool {
        let changes = !matches!(said, Said::Join(_, false));
        if let Said::Direction(metric, direction) = &said
            && let Some(direction) = Direction::from_name(direction)
        {
            self.directions.insert(metric.clone(), direction);
        }
        self.joins.say(said);
        changes
    }

    /// The same, with stores that are asked anew.
    fn anew(&self) -> Self {
        Self {
            looked: None,
            ..self.clone()
        }
    }

    /// Everything that is read with it, which no output replaces: what is named, what a table was made of (also files
    /// beside those that are named), and files of verdicts.
    pub fn inputs(&self, table: &Table, verdicts: impl IntoIterator<Item = PathBuf>) -> Inputs {
        let named = [&self.paths, &self.data, &self.models];
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

/// What happens while a request is read.
pub enum Event {
    /// How far the load is.
    Progress(Progress),
    /// The table as it is now; more is to come.
    Partial(Table),
}

/// How far a load is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Bytes that are done.
    pub done: u64,
    /// Bytes in all.
    pub total: u64,
    /// Predictions so far.
    pub records: usize,
    /// What is fetched from a store before anything of it is read; bytes are those of the network then.
    pub fetch: Option<Fetching>,
}

impl Progress {
    /// How far it is with what is fetched of an address, by its number.
    fn of_fetch(which: usize, progress: store::Progress) -> Self {
        Self {
            done: progress.bytes,
            total: progress.all_bytes,
            fetch: Some(Fetching { which, progress }),
            ..Self::default()
        }
    }
}

/// Reads everything that a request names. `on_event` may ask to stop; what was read until then is given.
///
/// `partial` asks for [`Event::Partial`] tables: the first soon, each later one when the table has grown by half.
pub fn load(
    request: &Request,
    partial: bool,
    on_event: &mut dyn FnMut(Event) -> ControlFlow<()>,
) -> Table {
    open(request, partial, on_event).0
}

/// As [`load`]; gives also what is needed to read on when logs grow.
pub fn open(
    request: &Request,
    partial: bool,
    on_event: &mut dyn FnMut(Event) -> ControlFlow<()>,
) -> (Table, Reading) {
    let mut found = (Table::default(), Reading::default());
    let anew = request.anew();
    for attempt in 0..MOST_READ {
        let request = if attempt == 0 { request } else { &anew };
        let Some(plan) = Plan::of(request, false, on_event) else {
            break;
        };
        found = plan.read(request, partial, on_event);
        if !found.1.is_replaced() {
            break;
        }
    }
    found
}

/// What was opened.
pub enum Opened {
    /// A table, and what is needed to read on when logs grow.
    Whole(Table, Box<Reading>),
    /// A published data set whose predictions are not read.
    Large(Box<LargeSet>),
}

/// As [`open`]; of a published data set of more predictions than are read whole, only what is known without them. Where that
/// is not enough, it is left out if it has more predictions than are read at once.
pub fn open_any(
    request: &Request,
    partial: bool,
    on_event: &mut dyn FnMut(Event) -> ControlFlow<()>,
) -> Opened {
    let mut found = (Table::default(), Reading::default());
    let anew = request.anew();
    for attempt in 0..MOST_READ {
        let request = if attempt == 0 { request } else { &anew };
        let Some(mut plan) = Plan::of(request, true, on_event) else {
            break;
        };
        if plan.is_large(request) {
            return Opened::Large(Box::new(LargeSet::of(plan, request, on_event)));
        }
        plan.leave_out_beyond();
        found = plan.read(request, partial, on_event);
        if !found.1.is_replaced() {
            break;
        }
    }
    Opened::Whole(found.0, Box::new(found.1))
}

/// The user's groups, and those of the papers that the user does not replace.
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

/// A source that gave nothing but a problem.
#[must_use]
pub fn failed(problem: Problem) -> Source {
    Source {
        path: problem.file.clone(),
        format: "unknown",
        problems: vec![problem],
        ..Source::default()
    }
}
