//! What is told of a run.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use file::BadLine;
use thiserror::Error;
use tokio::task::JoinError;

use crate::chain::{AskPath, Said};
use crate::item::Finished;
use crate::journal::Probed;
use crate::question::Unaskable;
use crate::spending::Cost;
use client::{AskOutcome, Failure, News};
use format::{counted, significant};

/// What is told while a run is on its way.
#[derive(Clone, Debug)]
pub enum Event {
    /// A result is done.
    Finished(Arc<Finished>),
    /// A part of a sample's chain is answered; its result comes later.
    Part {
        /// The sample, by its place in the plan.
        sample: usize,
        /// Which part.
        path: AskPath,
        /// The answer.
        said: Said,
    },
    /// A question cannot be asked, and why.
    Unasked(usize, Unaskable),
    /// Something happened to an attempt.
    News(News),
    /// Lines of the journal cannot be used; what they said is asked again.
    Damaged {
        /// The journal.
        journal: PathBuf,
        /// The lines.
        lines: Vec<BadLine>,
    },
    /// Questions are on their way, and nothing has come for so long; told every second.
    Silent(Duration),
    /// What all questions of the run have taken so far.
    Paid(Cost),
    /// It is being found out whether the server looks at pictures, before the first question.
    Probing,
    /// The server counts no tokens for pictures, and may not look at them.
    Sightless,
}

/// Receives the events.
pub type OnEvent = Arc<dyn Fn(Event) + Send + Sync>;

/// What became of a run.
#[derive(Debug, Default)]
pub struct Ended {
    /// Every result that is done, in the order of the plan.
    pub finished: Vec<Arc<Finished>>,
    /// Results whose question could not be asked.
    pub unasked: Vec<(usize, Unaskable)>,
    /// Why it ended before everything was asked; `None`: everything was.
    pub stopped: Option<StopReason>,
    /// What the run has taken in all, its earlier starts included.
    pub cost: Cost,
    /// Requests beside the questions, in all.
    pub probed: Probed,
    /// What was sent by this start, also what came to nothing.
    pub sent: Sent,
}

/// Requests and what they took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// How many there were, every attempt counted.
    pub requests: u64,
    /// Tokens read and written, as far as the server told.
    pub tokens: [u64; 2],
}

impl Sent {
    /// Adds the attempts at a question.
    pub(super) fn add(&mut self, asked: &AskOutcome) {
        self.requests += u64::from(asked.attempts);
        if let Ok(answer) = &asked.outcome {
            self.tokens[0] += answer.usage.prompt.unwrap_or_default();
            self.tokens[1] += answer.usage.completion.unwrap_or_default();
        }
    }
}

/// Why a run ended before everything was asked.
#[derive(Debug, Error)]
pub enum StopReason {
    /// The user said so.
    #[error("stopped")]
    ByUser,
    /// A failure after which nothing more is sent.
    #[error("{0}")]
    Endpoint(Failure),
    /// More might cost more than may be spent. What has begun is whole.
    #[error(
        "the most that may be spent is {most}: {} spent, {} not asked about",
        significant(*spent, 3),
        counted(*left as u64, "sample")
    )]
    Cost {
        /// The most that may be spent.
        most: f64,
        /// What was.
        spent: f64,
        /// Samples about which nothing was asked.
        left: usize,
    },
    /// An answer cannot be kept.
    #[error("the journal cannot be written: {0}")]
    Journal(io::Error),
    /// A thread that made a question broke down.
    #[error("a question could not be made: {0}")]
    Unmade(job::Failure),
    /// A thread that asked a question broke down.
    #[error("a question could not be asked: {0}")]
    Broken(JoinError),
}
