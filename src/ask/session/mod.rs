//! A session: models to ask side by side, for both the command line and the user interface.
//!
//! A [`SessionSpec`] describes one or more columns. Each column asks a model in one way; all
//! columns ask about the same samples. [`SessionSpec::count`] selects the samples and the logged
//! answers to compare with, connects to the servers and divides the limits among the connections.
//! The [`CountedSession`] waits for the user's confirmation. [`CountedSession::execute`] sends the
//! requests; a [`Progress`] per column follows the events. The [`SessionResult`] compares the
//! columns.
//!
//! The front ends only fill in the description and show the rest.

mod comparison;
mod connections;
mod counted;
mod error;
mod names;
mod progress;
mod samples;

use std::path::PathBuf;

use super::content::TurnWords;
use super::driver::{RunLocation, RunSpec};
use super::item::Failures;
use super::protocol::Protocol;
use analysis::Selection;
use workspace::load::Request;

pub use comparison::{ColumnComparison, ComparedColumns};
pub use counted::{CountedColumn, CountedSession, FinishedColumn, FinishedRun, SessionResult};
pub use error::SessionError;
pub use names::{column_names, way_parts};
pub use progress::{Headline, Progress, ResultList, with_class};

/// A column of a session: a model asked in one way.
#[derive(Clone, Debug)]
pub struct Column {
    /// Name among the other columns; may be empty if it is alone.
    pub name: String,
    /// Description of the run, without samples. `against` is the model that the user chose to
    /// compare with.
    pub spec: RunSpec,
    /// Environment variable with the key.
    pub key_env: Option<String>,
    /// Folder of the run.
    pub location: RunLocation,
}

impl Column {
    /// Returns a column without a name, with a new run below the first writable one of these
    /// folders.
    pub const fn alone(spec: RunSpec, folders: Vec<PathBuf>) -> Self {
        Self {
            name: String::new(),
            spec,
            key_env: None,
            location: RunLocation::Below(folders),
        }
    }

    /// Protocol and word handling, which decide whether a sample can be asked.
    pub const fn way(&self) -> (&Protocol, TurnWords) {
        (&self.spec.protocol, self.spec.turn_words)
    }
}

/// Description of a session.
#[derive(Clone, Debug)]
pub struct SessionSpec<'a> {
    /// The columns, at least one.
    pub columns: Vec<Column>,
    /// The predictions whose samples are asked.
    pub selection: Selection<'a>,
    /// The filter of the selection.
    pub filter: String,
    /// The part of the filter that selects samples by their outcome.
    pub picked_by: Option<String>,
    /// Maximum number of samples.
    pub limit: usize,
    /// True to add as many samples with right answers, if the filter selects by outcome.
    pub controls: bool,
    /// Model to compare with if the user chose none and the logs have no model of the same name.
    pub usual_reference: Option<String>,
    /// True to stop two columns once it is clear which is better.
    pub until_clear: bool,
    /// The request that opened the logs.
    pub request: &'a Request,
    /// Further folders that may contain earlier runs, in addition to those near the logs.
    pub folders: Vec<PathBuf>,
    /// Connection mode and limits.
    pub traffic: Traffic,
}

impl<'a> SessionSpec<'a> {
    /// Returns a session of columns on the samples of a selection, with default settings.
    pub fn new(columns: Vec<Column>, selection: Selection<'a>, request: &'a Request) -> Self {
        Self {
            columns,
            selection,
            filter: String::new(),
            picked_by: None,
            limit: usize::MAX,
            controls: false,
            usual_reference: None,
            until_clear: false,
            request,
            folders: Vec::new(),
            traffic: Traffic::default(),
        }
    }
}

/// Connection mode and limits. Numbers apply to all columns together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Traffic {
    /// True to contact no server while counting.
    pub is_silent: bool,
    /// True to write batch files instead of sending requests.
    pub is_batch: bool,
    /// Maximum number of concurrent requests, but at least one for each endpoint; `None` for each
    /// endpoint's setting.
    pub at_once: Option<u16>,
    /// Maximum number of billed attempts, divided in proportion to the questions; `None` for the
    /// default.
    pub most_billed: Option<u64>,
    /// True to request complete answers instead of streams.
    pub whole_answers: bool,
    /// Whether failed requests of an earlier start are sent again.
    pub failures: Failures,
}
