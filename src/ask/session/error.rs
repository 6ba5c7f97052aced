//! Errors of a session.

use std::io;
use std::sync::Arc;

use thiserror::Error;

use crate::driver::RerunError;
use base::job::Failure;
use workspace::SideError;
use workspace::filter::FilterError;

/// Why a session or one of its columns cannot be counted or started.
#[derive(Debug, Error)]
pub enum SessionError {
    /// The run failed or could not start.
    #[error(transparent)]
    Rerun(#[from] RerunError),
    /// The filter is invalid.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// The columns cannot be compared.
    #[error(transparent)]
    Side(#[from] SideError),
    /// The model to compare with is not in the logs.
    #[error("no model `{0}` in the logs to compare with")]
    NoReference(String),
    /// Every sample is excluded by one of the columns; holds the reasons.
    #[error("no sample can be asked in every column: {}", .0.join(", "))]
    NothingForAll(Vec<&'static str>),
    /// The rule "until clear" needs exactly two columns, with one question per sample.
    #[error("until clear: only two columns that ask each sample once can be compared")]
    NotTwo,
    /// The rule "until clear" cannot be used with a filter by outcome; holds its terms.
    #[error("until clear: {0} selects the samples by their outcome, so columns are not compared")]
    Picked(String),
    /// One column cannot start.
    #[error("{name}: {why}")]
    Column {
        /// Name of the column.
        name: String,
        /// Why it cannot start.
        why: Arc<SessionError>,
    },
    /// The sample's text can no longer be read from its log.
    #[error("the sample cannot be read from its log any more")]
    Gone,
    /// There is no set of generated questions of this name.
    #[error("there is no set of questions `{0}`")]
    NoExam(String),
    /// The questions of an exam cannot be written.
    #[error("the exam cannot be written: {0}")]
    Exam(io::Error),
    /// The thread panicked.
    #[error(transparent)]
    Failed(#[from] Failure),
    /// The session was replaced by a later count.
    #[error("the count is out of date: count again")]
    Stale,
}

impl SessionError {
    /// Adds the name of the column that cannot start.
    pub(super) fn of_column(name: &str, why: Arc<Self>) -> Self {
        Self::Column {
            name: name.to_owned(),
            why,
        }
    }
}
