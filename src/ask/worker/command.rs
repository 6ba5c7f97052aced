//! Commands from the user interface to the rerun worker.

use serde::{Deserialize, Serialize};

use crate::{Choice, ExamOrder, PreviousRun, QuestionEdit, RunSpec, TurnWords};
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
    /// Generate the questions of an exam and count its requests.
    Exam(Box<ExamForm>),
    /// Count the remaining requests of a previous run.
    Again(Box<Continuation>),
    /// Start the session that was counted under this ticket.
    Start(u64, Choice),
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
    /// What is asked, without samples: one column, or several side by side.
    pub columns: Vec<RunSpec>,
    /// Rows of the predictions to ask; `None` for all in the lens.
    pub rows: Option<Vec<u32>>,
    /// The current lens.
    pub lens: Lens,
    /// Maximum number of samples.
    pub limit: usize,
    /// True to add as many samples with right answers, if the lens selects by outcome.
    pub controls: bool,
    /// True to stop two columns once it is clear which is better.
    pub until_clear: bool,
    /// The loaded table, which holds the samples.
    pub table: Table,
    /// The request that opened the logs.
    pub request: Request,
}

/// An exam, as filled in by the user.
#[derive(Clone, Debug)]
pub struct ExamForm {
    /// Number that identifies the reply.
    pub ticket: u64,
    /// The questions to draw.
    pub order: ExamOrder,
    /// The model to ask and how, without samples.
    pub column: RunSpec,
    /// The request that opened the logs, next to which the exam is saved.
    pub request: Request,
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
    /// The user's edits of the question.
    pub edited: QuestionEdit,
    /// Whether direction words rotate with the picture.
    pub turn_words: TurnWords,
    /// Models to ask, each in its own thread.
    pub models: Vec<ModelChoice>,
    /// The loaded table, which holds the samples.
    pub table: Table,
    /// The request that opened the logs.
    pub request: Request,
}

/// A model, and the endpoint that serves it.
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
