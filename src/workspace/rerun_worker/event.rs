//! What the rerun worker tells the user interface.

use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

use config::{KeySource, Price};
use job::Failure;
use media::Source;
use record::Content;
use rerun::{
    Before, ChangedWords, Choice, Ended, Estimate, Event, Plan, PreviousRun, RerunError, Unaskable,
};

use crate::filter::FilterError;

/// What the rerun worker tells.
#[derive(Debug)]
pub enum RerunEvent {
    /// What there is, to the command of this ticket.
    Looked(u64, Box<Looked>),
    /// What would be asked, or why nothing can be, to the command of this ticket.
    Counted(u64, Result<Box<Counted>, WorkerError>),
    /// What one sample would be asked, to the trial of this ticket.
    Previewed(u64, Result<Box<Previewed>, WorkerError>),
    /// Something happened to a trial: its ticket, and which of its models.
    Tried(u64, usize, Tried),
    /// Where an edited question was kept, or why not.
    Kept(Result<PathBuf, String>),
    /// What several forms would ask side by side, or why nothing can be, to the command of this ticket.
    CountedAll(u64, Result<CountedAll, WorkerError>),
    /// Something happened.
    Event(Event),
    /// Something happened in one of several runs, by its place.
    EventOf(usize, Event),
    /// The run is over: its folder, or why there is none.
    Ended(Result<(PathBuf, Arc<Ended>), WorkerError>),
    /// Several runs are over.
    EndedAll(Result<EndedAll, WorkerError>),
}

/// What several forms would ask side by side.
#[derive(Clone, Debug, Default)]
pub struct CountedAll {
    /// What each column is called, and what it would ask.
    pub columns: Vec<(String, Counted)>,
    /// What could not be looked at, such as a server that is down: what each column is called, and why. The others are asked.
    pub dead: Vec<(String, Arc<WorkerError>)>,
    /// Samples that are left out of all columns, because one of them cannot ask them: why, and how many.
    pub excluded: Vec<(String, usize)>,
}

/// What became of several runs.
#[derive(Debug)]
pub struct EndedAll {
    /// Of each column.
    pub columns: Vec<Result<(PathBuf, Arc<Ended>), WorkerError>>,
    /// What is told between columns, in sentences.
    pub told: Vec<String>,
}

/// Why there is nothing to ask, or no run.
#[derive(Debug, Error)]
pub enum WorkerError {
    /// There is no run.
    #[error(transparent)]
    Rerun(#[from] RerunError),
    /// The filter has no meaning.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// The sample's text cannot be fetched from its log any more.
    #[error("the sample cannot be read from its log any more")]
    Gone,
    /// The thread panicked.
    #[error(transparent)]
    Failed(#[from] Failure),
    /// Nothing of all that was to be asked side by side can be.
    #[error(transparent)]
    None(Arc<WorkerError>),
    /// Something else was counted since.
    #[error("what was counted is not there any more: count again")]
    Stale,
}

/// What one sample would be asked, as edited.
#[derive(Debug)]
pub struct Previewed {
    /// The question, or why it cannot be asked.
    pub question: Result<PreviewedQuestion, Unaskable>,
    /// What the log's model made of the sample.
    pub before: Option<Before>,
    /// What it said.
    pub said: Option<String>,
    /// What each model's answer takes, about, or why it cannot be asked.
    pub estimates: Vec<Result<Estimate, WorkerError>>,
}

/// A question as it would be sent.
#[derive(Clone, Debug)]
pub struct PreviewedQuestion {
    /// The system prompt.
    pub system: Option<String>,
    /// All words, in the order in which they are sent.
    pub words: String,
    /// What is asked: the target and the options as they are of the edited picture.
    pub content: Content,
    /// The pictures, as PNG or JPEG, each with its size in pixels.
    pub pictures: Vec<(Source, (u32, u32))>,
    /// The temperature, where one is sent.
    pub temperature: Option<f64>,
    /// Most tokens of an answer, where the log says it.
    pub max_tokens: Option<u32>,
}

/// What is told of a trial.
#[derive(Debug)]
pub enum Tried {
    /// It begins: what is asked, at which address, at which price.
    Begun {
        /// The model as it is asked for.
        model: String,
        /// Where it is.
        address: String,
        /// What its tokens cost, where the config file says it.
        price: Option<Price>,
    },
    /// Something happened.
    Event(Event),
    /// It is over: its folder, or why there is none.
    Ended(Result<(PathBuf, Arc<Ended>), WorkerError>),
}

/// What there is to be asked.
#[derive(Clone, Debug, Default)]
pub struct Looked {
    /// Samples that the lens holds.
    pub samples: usize,
    /// The lens picks them by their outcome.
    pub picked: bool,
    /// What the first of them ask.
    pub shown: Vec<Content>,
    /// The server that is asked for its models before anything is counted, and where the key is that goes with it.
    pub asks_first: Option<(String, Option<KeySource>)>,
    /// Previous runs on samples of these logs, the newest first.
    pub previous: Vec<PreviousRun>,
}

/// A run that could begin, or go on.
#[derive(Clone, Debug)]
pub struct Counted {
    /// By which it was counted.
    pub ticket: u64,
    /// What would be asked.
    pub plan: Arc<Plan>,
    /// What all of it takes, about.
    pub estimate: Estimate,
    /// Where the model is.
    pub address: String,
    /// Where the key is that is sent with each request.
    pub key: Option<KeySource>,
    /// The server was asked for its models: all that was sent so far.
    pub looked: bool,
    /// The file in which the address stands, where neither the user nor the settings name it.
    pub address_in: Option<PathBuf>,
    /// What tokens cost, where the config file says it.
    pub price: Option<Price>,
    /// Questions that previous runs have answered, and when the newest of them was, in milliseconds since 1970.
    pub stored: (usize, u64),
    /// What cannot be used of their journals, one sentence each.
    pub troubles: Vec<String>,
    /// Words that change with their pictures.
    pub changed: ChangedWords,
    /// What was done of it already.
    pub begun: Option<Begun>,
}

/// A previous run that goes on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Begun {
    /// Its name.
    pub run: String,
    /// Questions with an answer.
    pub answered: usize,
    /// Questions that failed.
    pub failed: usize,
    /// Questions that could not be asked.
    pub unasked: usize,
    /// Samples that the open logs do not have.
    pub lost: usize,
}

impl Counted {
    /// Requests that will be sent if the user decides so.
    #[must_use]
    pub fn requests(&self, choice: Choice) -> usize {
        let stored = if choice.reuse { self.stored.0 } else { 0 };
        let done = self.begun.as_ref().map_or(0, |begun| {
            let failed = if choice.retry_failed { 0 } else { begun.failed };
            begun.answered + begun.unasked + failed
        });
        self.plan.requests().likely.saturating_sub(stored + done)
    }
}
