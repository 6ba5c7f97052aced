//! One session of asking, the same for the command line and the user interface.
//!
//! A [`SessionSpec`] describes one or several columns: a model asked in one way each, all on the
//! same samples. [`SessionSpec::count`] decides which samples those are, with whose logged answers
//! the new ones are compared, how many connections there are and how they share the limits. The
//! [`CountedSession`] waits for the user. [`CountedSession::go`] asks; a [`Progress`] for each
//! column follows the events. The [`SessionResult`] compares the columns.
//!
//! The front ends only fill in the description, and print or draw the rest.

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

/// A model asked in one way.
#[derive(Clone, Debug)]
pub struct Column {
    /// Name among the other columns; may be empty if it is alone.
    pub name: String,
    /// What is asked, without samples. `against` is the model that the user chose to compare with.
    pub spec: RunSpec,
    /// Environment variable with the key.
    pub key_env: Option<String>,
    /// Folder of the run.
    pub location: RunLocation,
}

impl Column {
    /// Returns a column that needs no name, with a new run below the first of these folders that can
    /// be written.
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
    /// Model to compare with if the user chose none and none has the asked model's name.
    pub usual_reference: Option<String>,
    /// True to stop two columns once it is clear which is better.
    pub until_clear: bool,
    /// The request that opened the logs.
    pub request: &'a Request,
    /// Further folders that may contain earlier runs, besides those near the logs.
    pub folders: Vec<PathBuf>,
    /// How the servers are reached.
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

/// How the servers are reached. Numbers hold for all columns together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Traffic {
    /// True to contact no server while counting.
    pub is_silent: bool,
    /// True to write batch files instead of sending requests.
    pub is_batch: bool,
    /// Maximum number of concurrent requests, but at least one for each endpoint; `None` for each
    /// endpoint's setting.
    pub at_once: Option<u16>,
    /// Maximum number of billed attempts, shared by the number of questions; `None` for the default.
    pub most_billed: Option<u64>,
    /// True to request complete answers instead of streams.
    pub whole_answers: bool,
    /// What happens with failed requests of an earlier start.
    pub failures: Failures,
}
