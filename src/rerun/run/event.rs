//! What is told of a run.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use file::BadLine;
use thiserror::Error;
use tokio::task::JoinError;

use crate::chain::{AskPath, Said};
use crate::item::Finished;
use crate::question::Unaskable;
use client::{Failure, News};

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
    /// An answer cannot be kept.
    #[error("the journal cannot be written: {0}")]
    Journal(io::Error),
    /// A thread that made or asked a question broke down.
    #[error("a question could not be made: {0}")]
    Broken(JoinError),
}
