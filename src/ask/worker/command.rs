//! Commands from the user interface to the rerun worker.

use serde::{Deserialize, Serialize};

use crate::{Choice, PreviousRun, Protocol, QuestionEdit, Temperature, TurnWords};
use record::{Scoring, Table};

use workspace::Lens;
use workspace::load::Request;

/// A command to the rerun worker.
#[derive(Clone, Debug)]
pub enum RerunCommand {
    /// Find the model servers of this machine.
    FindServers,
    /// Find the samples to ask, and previous runs.
    Look(Box<Form>),
    /// Count the requests of a form.
    Count(Box<Form>),
    /// Count the requests of several forms side by side; all have the same ticket.
    CountAll(Vec<Form>),
    /// Count the remaining requests of a previous run.
    Again(Box<Continuation>),
    /// Start what was last counted under this ticket, for one form or several.
    Go(u64, Table, Choice),
    /// Show the request for one edited sample, and its estimated cost.
    Preview(Box<Trial>),
    /// Ask one edited sample.
    Try(Box<Trial>),
    /// Stop asking single samples.
    StopTrials,
    /// Save an edited question to a file.
    Keep(Box<(QuestionEdit, Request)>),
    /// Pause if true, continue if false.
    Pause(bool),
    /// Stop all runs.
    Stop,
}

/// Settings of a rerun, as filled in by the user.
#[derive(Clone, Debug)]
pub struct Form {
    /// Number that identifies the reply.
    pub ticket: u64,
    /// Address, or name of an endpoint in the config file.
    pub endpoint: String,
    /// Name of the model; empty for the endpoint's default.
    pub model: String,
    /// How to ask the questions.
    pub protocol: Protocol,
    /// Sampling temperature of the requests.
    pub temperature: Temperature,
    /// System prompt, which replaces the log's; empty for the log's.
    pub system: String,
    /// Token limit of an answer; `None` for the endpoint's setting.
    pub max_tokens: Option<u32>,
    /// Sampling seed of the first repeat; `None` to send none.
    pub seed: Option<u64>,
    /// Whether direction words rotate with the pictures.
    pub turn_words: TurnWords,
    /// Model whose answers the new ones are compared with.
    pub against: Option<String>,
    /// Rows of the predictions to ask; `None` for all in the lens.
    pub rows: Option<Vec<u32>>,
    /// The current lens.
    pub lens: Lens,
    /// Maximum number of samples.
    pub limit: usize,
    /// True to add as many samples with right answers, if the lens selects by outcome.
    pub controls: bool,
    /// The loaded table, which holds the samples.
    pub table: Table,
    /// The request that opened the logs.
    pub request: Request,
}

impl Form {
    /// Returns the model; `None` for the endpoint's default.
    pub(super) fn named(&self) -> Option<&str> {
        Some(self.model.as_str()).filter(|model| !model.is_empty())
    }

    /// Returns how the form asks a sample.
    pub(super) const fn way(&self) -> (&Protocol, TurnWords) {
        (&self.protocol, self.turn_words)
    }
}

/// One edited sample to ask one or several models.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Number that identifies the replies.
    pub ticket: u64,
    /// Row of the prediction whose sample is asked.
    pub row: u32,
    /// Rule that scores the answers.
    pub scoring: Scoring,
    /// The edited question.
    pub edited: QuestionEdit,
    /// Whether direction words rotate with the picture.
    pub turn_words: TurnWords,
    /// Models to ask.
    pub models: Vec<ModelChoice>,
    /// The loaded table, which holds the samples.
    pub table: Table,
    /// The request that opened the logs.
    pub request: Request,
}

/// A model to ask.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelChoice {
    /// Address, name of an endpoint in the config file, or encoder.
    pub endpoint: String,
    /// Name of the model; empty for the endpoint's default.
    #[serde(default)]
    pub model: String,
}

/// A previous run to continue.
#[derive(Clone, Debug)]
pub struct Continuation {
    /// Number that identifies the reply.
    pub ticket: u64,
    /// The run to continue, with its journal.
    pub previous: PreviousRun,
    /// The loaded table, which holds the samples.
    pub table: Table,
    /// Rule that scores the earlier answers.
    pub scoring: Scoring,
}
