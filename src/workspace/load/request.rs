//! A request to load logs, and the events during the load.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use base::config::{ColumnMap, Decision, Joins, Settings};
use base::file::Inputs;
use reader::embeddings::ids_of;
use reader::{Links, Runs};
use record::benchmark::{MetricRange, usual_groups};
use record::{AbilityGroup, Direction, Problem, Source, Table};

use super::stores::{DownloadProgress, LatestPolls};

/// Which logs to load, and how to read them.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Files, folders and addresses.
    pub paths: Vec<PathBuf>,
    /// Folders with data sets and pictures.
    pub data: Vec<PathBuf>,
    /// Files of embeddings by sample id.
    pub embeddings: Vec<PathBuf>,
    /// Ability for logs that do not contain an ability.
    pub ability: Option<String>,
    /// Which runs to load, if an experiment has several.
    pub runs: Runs,
    /// Logs that the user included or excluded. This overrides all other rules.
    pub chosen: BTreeMap<PathBuf, bool>,
    /// Column maps for tables with their own column names.
    pub columns: Vec<ColumnMap>,
    /// Tables of models given by the user, in addition to those next to the logs. Later tables take
    /// precedence.
    pub models: Vec<PathBuf>,
    /// The user's decisions about names.
    pub joins: Joins,
    /// Minimum score of a right answer by metric, for metrics without the default minimum.
    pub right: BTreeMap<String, f64>,
    /// Directions of metrics set by the user.
    pub directions: BTreeMap<String, Direction>,
    /// Ranges of metrics set by the user.
    pub ranges: BTreeMap<String, MetricRange>,
    /// Groups of abilities set by the user, in addition to the built-in ones.
    pub groups: Vec<AbilityGroup>,
    /// Which links below the paths to follow.
    pub links: Links,
    /// Results of the latest poll of the addresses; `None` to request the stores.
    pub polls: Option<Arc<LatestPolls>>,
}

impl Request {
    /// Adds a decision about names. Returns true if everything must be read again.
    pub fn add_decision(&mut self, decision: Decision) -> bool {
        let changes = !matches!(decision, Decision::Join(_, false));
        if let Decision::Direction(metric, direction) = &decision
            && let Some(direction) = Direction::from_name(direction)
        {
            self.directions.insert(metric.clone(), direction);
        }
        self.joins.add(decision);
        changes
    }

    /// Returns the user's groups, and the built-in groups that these do not replace.
    pub(super) fn groups(&self) -> Vec<AbilityGroup> {
        let own = &self.groups;
        let is_replaced = |usual: &AbilityGroup| {
            let same =
                |own: &AbilityGroup| own.name == usual.name && own.benchmark == usual.benchmark;
            own.iter().any(same)
        };
        let usual = usual_groups()
            .into_iter()
            .filter(|usual| !is_replaced(usual));
        own.iter().cloned().chain(usual).collect()
    }

    /// Returns the request without results of earlier polls, so that the stores are requested
    /// again.
    pub(super) fn anew(&self) -> Self {
        Self {
            polls: None,
            ..self.clone()
        }
    }

    /// Returns all files that were read, so that no output replaces them. These are the given
    /// paths, files of embedding ids, files of the table's sources, verdict files and the config
    /// file.
    pub fn inputs(&self, table: &Table, verdicts: impl IntoIterator<Item = PathBuf>) -> Inputs {
        let named = [&self.paths, &self.data, &self.models, &self.embeddings];
        let named = named.into_iter().flatten();
        let ids = self.embeddings.iter().map(|file| ids_of(file));
        let of_source = |source: &'_ Source| {
            let files = std::iter::once(&source.path).chain(&source.companions);
            files.cloned().collect::<Vec<_>>()
        };
        let read = table.sources().iter().flat_map(of_source);
        let read = named.cloned().chain(ids).chain(read).chain(verdicts);
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
    /// Download that takes place before reading; byte counts then refer to it. `None` while
    /// reading.
    pub fetch: Option<DownloadProgress>,
}

impl Progress {
    /// Creates the progress of a download, for the address with index `which`.
    pub(super) fn of_fetch(which: usize, progress: store::Progress) -> Self {
        Self {
            done: progress.bytes,
            total: progress.all_bytes,
            fetch: Some(DownloadProgress { which, progress }),
            ..Self::default()
        }
    }
}

/// Whether partial tables are sent during the load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PartialTables {
    /// Sends them as [`Event::Partial`]: the first table soon, and each later table when the number
    /// of rows has grown by half.
    Send,
    /// Sends no partial tables.
    #[default]
    Skip,
}

/// Returns a source that has only a problem.
pub fn failed(problem: Problem) -> Source {
    Source {
        path: problem.file.clone(),
        format: "unknown",
        problems: vec![problem],
        ..Source::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embeddings_and_their_ids_are_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let files = ["codes.npy", "codes.ids.txt"].map(|name| folder.path().join(name));
        for file in &files {
            std::fs::write(file, "x").unwrap();
        }
        let inputs = |embeddings: Vec<PathBuf>| {
            let request = Request {
                embeddings,
                ..Request::default()
            };
            request.inputs(&Table::default(), [])
        };
        let read = inputs(vec![files[0].clone()]);
        assert!(files.iter().all(|file| read.refuse(file).is_err()));
        let unread = inputs(Vec::new());
        assert!(files.iter().all(|file| unread.refuse(file).is_ok()));
    }
}
