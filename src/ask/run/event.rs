//! Progress events and result of a run.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use base::file::BadLine;
use thiserror::Error;
use tokio::task::JoinError;

use crate::chain::{AskPath, JudgedAnswer};
use crate::client::{AskOutcome, Failure, RequestEvent};
use crate::item::StepResult;
use crate::journal::ProbeUsage;
use crate::question::Unaskable;
use crate::spending::Cost;
use base::format::{counted, significant};

/// A progress event of a run.
#[derive(Clone, Debug)]
pub enum Event {
    /// A result is finished: answered, failed, or combined from parts.
    Finished(Arc<StepResult>),
    /// A part of a sample's chain is answered; its result follows later.
    Part {
        /// Position of the sample in the plan.
        sample: usize,
        /// Path of the part within the sample.
        path: AskPath,
        /// The answer with its judgement.
        said: JudgedAnswer,
    },
    /// A question cannot be asked: position of its result, and the reason.
    Unasked(usize, Unaskable),
    /// Progress of a request.
    News(RequestEvent),
    /// Lines of the journal are unusable; their questions are asked again.
    Damaged {
        /// Path of the damaged journal.
        journal: PathBuf,
        /// The damaged lines, with line numbers.
        lines: Vec<BadLine>,
    },
    /// Requests are in flight, and nothing has arrived for this long; sent every second.
    Silent(Duration),
    /// Total cost of the run so far.
    Paid(Cost),
    /// A vision probe starts, before the first question.
    Probing,
    /// The server counts no tokens for pictures, so it may ignore them.
    Sightless,
}

/// Callback for the events of a run.
pub type OnEvent = Arc<dyn Fn(Event) + Send + Sync>;

/// Result of a finished or stopped run.
#[derive(Debug, Default)]
pub struct RunResult {
    /// All finished results in plan order.
    pub finished: Vec<Arc<StepResult>>,
    /// Results whose question could not be asked, with the reason.
    pub unasked: Vec<(usize, Unaskable)>,
    /// Why the run ended early; `None` if everything was asked.
    pub stopped: Option<StopReason>,
    /// Total cost of the run, including its earlier starts.
    pub cost: Cost,
    /// Requests of vision probes, of all starts.
    pub probed: ProbeUsage,
    /// Requests sent by this start, including failed ones.
    pub sent: RequestUsage,
}

/// Number of requests, and their tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestUsage {
    /// Number of requests, including every attempt.
    pub requests: u64,
    /// Prompt and completion tokens, as far as the server reports them.
    pub tokens: [u64; 2],
    /// Number of pictures that are sent unchanged and kept as hard links to the log's files.
    pub linked_pictures: u64,
}

impl RequestUsage {
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
    /// The user stopped the run.
    #[error("stopped")]
    ByUser,
    /// A failure after which nothing more is sent.
    #[error("{0}")]
    Endpoint(Failure),
    /// More requests might exceed the cost limit. Samples that had begun are complete.
    #[error(
        "the cost limit is {most}: {} spent, {} not asked",
        significant(*spent, 3),
        counted(*left as u64, "sample")
    )]
    Cost {
        /// The limit, in the unit of the prices.
        most: f64,
        /// Amount spent, in the unit of the prices.
        spent: f64,
        /// Number of samples not asked about.
        left: usize,
    },
    /// In every remaining ability, it is clear which of two sides is better.
    #[error("stopped early, the result is clear: {} not asked", counted(*left as u64, "sample"))]
    Clear {
        /// Number of samples not asked about.
        left: usize,
    },
    /// The other column failed, so the difference between the columns can no longer become clear.
    #[error("the other column stopped: {why}; {} not asked", counted(*left as u64, "sample"))]
    OtherColumn {
        /// Why the other column stopped.
        why: String,
        /// Number of samples not asked about.
        left: usize,
    },
    /// The journal cannot be written.
    #[error("the journal cannot be written: {0}")]
    Journal(io::Error),
    /// The thread that built a question panicked.
    #[error("a question could not be built: {0}")]
    Unmade(base::job::Failure),
    /// The task that asked a question panicked.
    #[error("a question could not be asked: {0}")]
    Broken(JoinError),
}
