//! From paths to a table: finds logs, normalises and scores their records, adds them to the table in the order of the
//! logs, tells how far it is.

mod ahead;
mod append;
mod detections;
mod found;
mod kept_text;
mod lines;
mod logs;
mod masks;
mod models;
mod normalise;
mod published;
mod reading;
mod repeats;
mod score;
mod scored;
mod spellings;
mod spool;
mod stores;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use reader::Links;
pub use reading::{Reading, Stamp};
pub use stores::{Fetching, UNREACHABLE, fetching, local, shown};

use append::Append;
use benchmark::usual_groups;
use config::{ColumnMap, Joins, Settings};
use file::Inputs;
use reader::{self, Context, Runs};
use record::{AbilityGroup, Problem, Source, Table, TableBuilder};

/// Format name of a table whose columns nobody knows.
pub const UNMAPPED: &str = "unknown columns";
/// Files of a folder without any log that are named.
const MOST_UNKNOWN: usize = 20;
/// Columns that a message names.
const MOST_NAMED: usize = 12;

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
    /// What the user said of names that look alike.
    pub joins: Joins,
    /// From which score on an answer counts as right, by metric, where that is not the usual one.
    pub right: BTreeMap<String, f64>,
    /// Abilities that count as one, beside those that the papers mean.
    pub groups: Vec<AbilityGroup>,
    /// Which links below the paths are followed.
    pub links: Links,
}

impl Request {
    /// Everything that is read with it, which no output replaces: `verdicts` is the file that verdicts go to, if one
    /// is named.
    #[must_use]
    pub fn inputs(&self, verdicts: Option<&Path>) -> Inputs {
        let paths = [&self.paths, &self.data, &self.models];
        let paths = paths.into_iter().flatten().cloned();
        let verdicts = verdicts.map(Path::to_path_buf);
        Inputs::new(paths.chain(verdicts).chain(Settings::file()))
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

/// Between two looks at a growing table.
const BETWEEN_PROGRESS: Duration = Duration::from_millis(100);

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
    let Some(local) = stores::bring(request, on_event) else {
        return (Table::default(), Reading::default());
    };
    let context = Context {
        data: local.data,
        ability: request.ability.clone(),
        runs: request.runs.clone(),
        chosen: request.chosen.clone(),
        columns: request.columns.clone(),
    };
    // A search of many folders can be stopped as reading can.
    let mut asked = Instant::now();
    let mut stop = || {
        let is_due = asked.elapsed() >= BETWEEN_PROGRESS;
        if is_due {
            asked = Instant::now();
        }
        is_due && on_event(Event::Progress(Progress::default())).is_break()
    };
    let found = reader::search(&local.paths, request.links, &mut stop);
    if found.stopped {
        return (Table::default(), Reading::default());
    }
    let (mut files, unreadable) = (found.files, found.problems);
    for file in &mut files {
        file.root = local.roots.get(file.root).copied().unwrap_or_default();
    }
    let named: Vec<PathBuf> = files.iter().map(|file| file.path.clone()).collect();
    // A pipe does not grow.
    let stamps = files.iter().filter(|file| !file.is_pipe);
    let stamps = stamps.map(Stamp::of).collect();
    let (catalog, tables) = models::catalog(request, &mut files);
    let units = reader::plan(&mut files, &context);
    let total = units
        .iter()
        .filter(|unit| !unit.superseded)
        .map(|unit| unit.length)
        .sum();
    let mut pace = Pace {
        total,
        ..Pace::default()
    };
    let mut progress =
        |builder: &TableBuilder, bytes: u64| pace.step(builder, bytes, partial, on_event);
    let mut append = Append::new(Arc::new(catalog), &mut progress);
    append.builder.group(groups(request));
    append.builder.right_from(request.right.clone());
    let roots: BTreeSet<usize> = units.iter().map(|unit| unit.root).collect();
    if roots.len() > 1 && request.runs != Runs::Latest {
        append.keep_apart(&request.paths);
    }
    for problem in unreadable {
        append.builder.source(failed(problem));
    }
    for trouble in local.troubles {
        append.builder.source(trouble);
    }
    let is_table = |path: &PathBuf| tables.iter().any(|table| table.path == *path);
    for path in local.paths.iter().filter(|path| named.contains(path)) {
        let taken = |unit: &reader::Unit| unit.path == *path || unit.companions.contains(path);
        if !units.iter().any(taken) && !is_table(path) {
            append.builder.source(unknown(path));
        }
    }
    let others = files
        .iter()
        .filter(|file| !local.paths.contains(&file.path));
    for problem in others.filter_map(reader::damaged) {
        append.builder.source(failed(problem));
    }
    if units.is_empty() {
        let tables = files
            .iter()
            .filter(|file| !local.paths.contains(&file.path));
        let tables = tables.filter(|file| reader::mapped::unmapped(&file.path).is_some());
        for file in tables.take(MOST_UNKNOWN) {
            append.builder.source(unknown(&file.path));
        }
    }
    for table in tables {
        append.builder.source(table);
    }
    let sources = logs::read(&units, &context, &mut append);
    tracing::info!(logs = units.len(), records = append.builder.len(), "read");
    let (table, kept) = append.pause();
    let units = sources.into_iter().zip(units).collect();
    (table, Reading::new(context, units, stamps, kept))
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

/// A file that no reader knows; a table needs to be told what its columns are.
fn unknown(path: &Path) -> Source {
    let Some(table) = reader::mapped::unmapped(path) else {
        return failed(Problem::file(path, "no known log format"));
    };
    let names: Vec<&str> = table
        .columns
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    let shown = names.get(..MOST_NAMED).unwrap_or(&names);
    let more = if shown.len() < names.len() {
        ", …"
    } else {
        ""
    };
    let what = format!(
        "no known log format; `[[columns]]` in the config file can say which of its columns is what: {}{more}",
        shown.join(", ")
    );
    Source {
        format: UNMAPPED,
        ..failed(Problem::file(path, what))
    }
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

/// Decides when to tell what.
#[derive(Default)]
struct Pace {
    done: u64,
    total: u64,
    told: Option<Instant>,
    shown: usize,
}

impl Pace {
    fn step(
        &mut self,
        builder: &TableBuilder,
        bytes: u64,
        partial: bool,
        on_event: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.done += bytes;
        if self
            .told
            .is_some_and(|told| told.elapsed() < BETWEEN_PROGRESS)
        {
            return ControlFlow::Continue(());
        }
        self.told = Some(Instant::now());
        if partial && builder.len() > self.shown + self.shown / 2 {
            self.shown = builder.len();
            on_event(Event::Partial(builder.snapshot()))?;
        }
        on_event(Event::Progress(Progress {
            done: self.done,
            total: self.total,
            records: builder.len(),
            fetch: None,
        }))
    }
}
