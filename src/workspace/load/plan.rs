//! Finds the logs of a request before any log is read.

use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::append::{Appender, OnProgress};
use super::pace::{BETWEEN_PROGRESS, Pace};
use super::reading::{Reading, Stamp};
use super::remote::{self, Files};
use super::stores::{self, DatabaseRows, LocalPaths};
use super::{Event, Links, PartialTables, Progress, Request, failed, links, logs, models};
use crate::database::OpenDatabase;
use reader::mapped::UnmappedTable;
use reader::{Candidate, Context, Runs, Unit};
use record::catalog::Catalog;
use record::{Basis, Problem, Source, Table, TableBuilder};
use store::ReadState;

/// Format name of a table with unknown columns.
pub const UNMAPPED: &str = "unknown columns";
/// Maximum number of unknown files in the list of sources.
const MOST_UNKNOWN: usize = 20;
/// Maximum number of files whose columns are examined.
const MOST_LOOKED_AT: usize = 200;
/// Extensions of files that may contain results. Excludes extensions of texts and program logs.
const RESULTS: [&str; 10] = [
    "json", "jsonl", "ndjson", "csv", "tsv", "xlsx", "parquet", "arrow", "feather", "ipc",
];
/// Maximum number of columns in a message.
const MOST_NAMED: usize = 12;

/// The logs of a request, and its other files.
pub struct Plan {
    pub context: Context,
    pub catalog: Arc<Catalog>,
    pub units: Vec<Unit>,
    local: LocalPaths,
    files: Vec<Candidate>,
    /// All files found, including those that belong to no log.
    named: Vec<PathBuf>,
    stamps: Vec<Stamp>,
    unreadable: Vec<Problem>,
    /// Tables of models, as sources.
    tables: Vec<Source>,
}

impl Plan {
    /// Finds the logs of a request. `None` if the search was stopped.
    pub fn of(
        request: &Request,
        rows: DatabaseRows,
        on_event: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> Option<Self> {
        let mut local = stores::download(request, rows, on_event)?;
        let context = Context {
            data: std::mem::take(&mut local.data),
            ability: request.ability.clone(),
            runs: request.runs.clone(),
            chosen: request.chosen.clone(),
            columns: request.columns.clone(),
        };
        // Searching many folders can take long, so it can be stopped.
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
            return None;
        }
        let (mut files, unreadable) = (found.files, found.problems);
        for file in &mut files {
            file.root = local.roots.get(file.root).copied().unwrap_or_default();
        }
        let named = files.iter().map(|file| file.path.clone()).collect();
        // A pipe cannot be followed.
        let stamps = files.iter().filter(|file| !file.is_pipe);
        let stamps = stamps.map(Stamp::of).collect();
        let (catalog, tables) = models::catalog(request, &mut files);
        let mut units = reader::plan(&mut files, &context);
        remote::mark(&mut units);
        if request.links == Links::Inside {
            links::leave_out_beyond(&mut units, &local.paths);
        }
        if let Some(database) = &local.database {
            database.set_metadata(&mut units);
        }
        Some(Self {
            context,
            catalog: Arc::new(catalog),
            units,
            local,
            files,
            named,
            stamps,
            unreadable,
            tables,
        })
    }

    /// Reads all logs into a table.
    pub fn read(
        mut self,
        request: &Request,
        partial: PartialTables,
        on_event: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> (Table, Reading) {
        let Some(troubles) = remote::fetch(&self.units, Files::Rows, on_event) else {
            return (Table::default(), Reading::default());
        };
        self.local.troubles.extend(troubles);
        let Some(troubles) = remote::fetch_logs(&self.units, &self.context, on_event) else {
            return (Table::default(), Reading::default());
        };
        self.local.troubles.extend(troubles);
        let mut pace = Pace::of(length(&self.units));
        pace.partial = partial;
        let mut progress = |builder: &TableBuilder, bytes: u64| pace.step(builder, bytes, on_event);
        let mut append = append(request, &self.catalog, &mut progress);
        if request.runs != Runs::Latest {
            append.keep_apart(&request.paths);
        }
        self.report_other_files(&mut append);
        let sources = logs::read(&self.units, &self.context, &mut append);
        tracing::info!(
            logs = self.units.len(),
            records = append.builder.len(),
            "read"
        );
        let (troubles, is_replaced) = self.local.failures_since_last_call(ReadState::Ended);
        for trouble in troubles {
            append.builder.source(trouble);
        }
        let (table, kept) = append.pause();
        let units = sources.into_iter().zip(self.units).collect();
        let reading = Reading::new(self.context, units, self.stamps, kept);
        (table, reading.replaced(is_replaced))
    }

    /// Returns the opened database whose rows were not downloaded; `None` if there is none.
    pub fn database(&self) -> Option<Arc<OpenDatabase>> {
        self.local.database.clone()
    }

    /// Lists files that were not read but look like results, likeliest first. If there are no logs,
    /// also lists other files that may contain results.
    fn passed_over(&self, sound: &[&Candidate]) -> Vec<Source> {
        let files = sound.iter();
        let files = files.filter(|file| reader::has_ending(&file.path, &RESULTS));
        let mut found: Vec<(usize, Source)> = Vec::new();
        // If there are logs, do not download objects only to list them.
        let has_logs = !self.units.is_empty();
        let is_far = |file: &&&Candidate| has_logs && store::holds_copies(&file.path);
        let files = files.filter(|file| !is_far(file));
        for file in files.take(MOST_LOOKED_AT) {
            let table = reader::mapped::unmapped(&file.path);
            let likeness = table.as_ref().map_or(0, UnmappedTable::likeness);
            let likeness = likeness.max(usize::from(reader::coco::is_named_results(&file.path)));
            if likeness > 0 || self.units.is_empty() {
                found.push((likeness, not_known(&file.path, table.as_ref())));
            }
        }
        found.sort_by_key(|(likeness, _)| Reverse(*likeness));
        let found = found.into_iter().map(|(_, source)| source);
        found.take(MOST_UNKNOWN).collect()
    }

    /// Reports all files that are not logs.
    pub fn report_other_files(&mut self, append: &mut Appender<'_>) {
        for problem in std::mem::take(&mut self.unreadable) {
            append.builder.source(failed(problem));
        }
        let (lacking, _) = self.local.failures_since_last_call(ReadState::Ongoing);
        self.local.troubles.extend(lacking);
        for trouble in std::mem::take(&mut self.local.troubles) {
            append.builder.source(trouble);
        }
        let is_table = |path: &PathBuf| self.tables.iter().any(|table| table.path == *path);
        let paths = &self.local.paths;
        for path in paths.iter().filter(|path| self.named.contains(path)) {
            let taken = |unit: &Unit| unit.path == *path || unit.companions.contains(path);
            if !self.units.iter().any(taken) && !is_table(path) {
                append.builder.source(unknown(path));
            }
        }
        let others = self.files.iter();
        let others = others.filter(|file| !paths.contains(&file.path));
        let mut sound = Vec::new();
        for file in others {
            match reader::damaged(file) {
                Some(problem) => drop(append.builder.source(failed(problem))),
                None => sound.push(file),
            }
        }
        for source in self.passed_over(&sound) {
            append.builder.source(source);
        }
        for table in std::mem::take(&mut self.tables) {
            append.builder.source(table);
        }
    }
}

/// Returns the total bytes of the logs to read.
pub fn length(units: &[Unit]) -> u64 {
    let read = units.iter().filter(|unit| !unit.superseded);
    read.map(|unit| unit.length).sum()
}

/// Creates an empty table with the request's decisions on names and scores.
pub fn append<'a>(
    request: &Request,
    catalog: &Arc<Catalog>,
    progress: &'a mut OnProgress<'a>,
) -> Appender<'a> {
    let mut append = Appender::new(Arc::clone(catalog), progress);
    append.builder.group(request.groups());
    append.builder.right_from(request.right.clone());
    append.builder.state_ranges(request.ranges.clone());
    for (metric, direction) in &request.directions {
        append
            .builder
            .state_direction(metric, *direction, Basis::User);
    }
    append
}

/// Returns the source for a file that no reader recognises.
fn unknown(path: &Path) -> Source {
    not_known(path, reader::mapped::unmapped(path).as_ref())
}

/// Returns the source for a file that no reader recognises. For a table, its problem lists the
/// columns.
fn not_known(path: &Path, table: Option<&UnmappedTable>) -> Source {
    let Some(table) = table else {
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
        "no known log format; map its columns with `[[columns]]` in the config file (`eyechart check` prints a section): {}{more}",
        shown.join(", ")
    );
    Source {
        format: UNMAPPED,
        ..failed(Problem::file(path, what))
    }
}
