//! Events from the rerun worker to the user interface.

use std::path::PathBuf;
use std::sync::Arc;

use crate::{
    ChangedWords, Choice, Estimate, Event, LocalServer, LoggedAnswer, Plan, PreviousRun, RunResult,
    SessionError, Unaskable,
};
use base::config::{KeySource, Price};
use media::Source;
use record::Content;

/// An event of the rerun worker.
#[derive(Debug)]
pub enum RerunEvent {
    /// The model servers of this machine.
    Servers(Vec<LocalServer>),
    /// Available samples and runs, for the command with this ticket.
    FormLoaded(u64, Box<FormData>),
    /// The requests to send, or an error, for the command with this ticket.
    Counted(u64, Result<Box<PreparedRuns>, SessionError>),
    /// The request for one sample, for the trial with this ticket.
    Previewed(u64, Result<Box<Preview>, SessionError>),
    /// Event of a trial: its ticket, the index of the model, and what happened.
    Tried(u64, usize, TrialEvent),
    /// Path of a saved question, or the cause of failure.
    PromptSaved(Result<PathBuf, String>),
    /// Event of a run, by its index.
    Event(usize, Event),
    /// All runs have ended.
    Ended(Result<RunResults, SessionError>),
}

/// The requests of a form, for one column or several side by side.
#[derive(Clone, Debug, Default)]
pub struct PreparedRuns {
    /// Name of each column, and its requests.
    pub columns: Vec<(String, PreparedRun)>,
    /// Columns that cannot start, for example because a server is down: name and error. The others
    /// are asked.
    pub dead: Vec<(String, Arc<SessionError>)>,
    /// Samples left out of all columns because one column cannot ask them: reason and number.
    pub excluded: Vec<(String, usize)>,
    /// Remarks, one sentence each.
    pub notes: Vec<String>,
}

impl PreparedRuns {
    /// Returns the only column; `None` if there are others, dead ones included.
    pub fn alone(&self) -> Option<&PreparedRun> {
        match self.columns.as_slice() {
            [(_, only)] if self.dead.is_empty() => Some(only),
            _ => None,
        }
    }
}

/// Folder and result of a run, or why there is none.
pub type EndedRun = Result<(PathBuf, Arc<RunResult>), Arc<SessionError>>;

/// Results of all columns, and their comparison.
#[derive(Debug)]
pub struct RunResults {
    /// Result of each column that could start.
    pub columns: Vec<EndedRun>,
    /// Comparisons between the columns, as sentences.
    pub comparisons: Vec<String>,
}

/// Preview of the request for an edited sample.
#[derive(Debug)]
pub struct Preview {
    /// The request, or why the question cannot be asked.
    pub question: Result<PreviewQuestion, Unaskable>,
    /// Answer and score of the log's model.
    pub before: Option<LoggedAnswer>,
    /// Response of the log's model.
    pub said: Option<String>,
    /// Estimated cost per model, or why the model cannot be asked.
    pub estimates: Vec<Result<Estimate, SessionError>>,
}

/// A question as it would be sent.
#[derive(Clone, Debug)]
pub struct PreviewQuestion {
    /// System prompt, if any.
    pub system: Option<String>,
    /// All texts in the order of sending.
    pub words: String,
    /// Content of the question. Target and options match the edited picture.
    pub content: Content,
    /// Pictures as PNG or JPEG, each with width and height in pixels.
    pub pictures: Vec<(Source, (u32, u32))>,
    /// Temperature, if one is sent.
    pub temperature: Option<f64>,
    /// Maximum tokens of the answer, if the log states it.
    pub max_tokens: Option<u32>,
}

/// Start, progress or end of a trial.
#[derive(Debug)]
pub enum TrialEvent {
    /// The trial has started.
    Begun {
        /// Name of the model in the request.
        model: String,
        /// Address of the endpoint.
        address: String,
        /// Token price, if configured.
        price: Option<Price>,
    },
    /// Progress event of the trial's run.
    Event(Event),
    /// The trial has ended: its folder and result, or an error.
    Ended(Result<(PathBuf, Arc<RunResult>), SessionError>),
}

/// Samples and previous runs for a form.
#[derive(Clone, Debug, Default)]
pub struct FormData {
    /// Number of samples in the lens.
    pub samples: usize,
    /// True if the lens selects samples by outcome.
    pub picked: bool,
    /// Questions of the first samples.
    pub shown: Vec<Content>,
    /// Server to query for its models before counting, and the source of its key.
    pub asks_first: Option<(String, Option<KeySource>)>,
    /// Previous runs on samples of these logs, newest first.
    pub previous: Vec<PreviousRun>,
}

/// A run that can start or continue.
#[derive(Clone, Debug)]
pub struct PreparedRun {
    /// The requests to send.
    pub plan: Arc<Plan>,
    /// Estimated total cost.
    pub estimate: Estimate,
    /// Address of the model's endpoint.
    pub address: String,
    /// Source of the key sent with each request.
    pub key: Option<KeySource>,
    /// True if the server was queried for its models; nothing else was sent so far.
    pub has_listed_models: bool,
    /// File that contains the address, if neither the user nor the settings do.
    pub address_in: Option<PathBuf>,
    /// Token price, if configured.
    pub price: Option<Price>,
    /// Number of questions answered in previous runs, and time of the newest answer in milliseconds
    /// since 1970.
    pub stored: (usize, u64),
    /// Words that change with rotated pictures.
    pub changed: ChangedWords,
    /// Progress so far, if the run is continued.
    pub begun: Option<ResumeProgress>,
}

/// Progress of a continued run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResumeProgress {
    /// Name of the continued run: start time and protocol.
    pub run: String,
    /// Number of answered questions.
    pub answered: usize,
    /// Number of failed questions.
    pub failed: usize,
    /// Number of questions that could not be asked.
    pub unasked: usize,
    /// Number of samples that are not in the open logs.
    pub lost: usize,
}

impl PreparedRun {
    /// Returns the number of requests under the user's choice.
    pub fn requests(&self, choice: Choice) -> usize {
        let stored = if choice.reuse { self.stored.0 } else { 0 };
        let done = self.begun.as_ref().map_or(0, |begun| {
            let failed = if choice.retry_failed { 0 } else { begun.failed };
            begun.answered + begun.unasked + failed
        });
        self.plan.requests().likely.saturating_sub(stored + done)
    }
}
