//! What the loop wants of the asking threads, and what it hears.

use std::path::PathBuf;
use std::sync::Arc;

use config::Price;
use record::{Content, Scoring, Table};
use rerun::{Choice, Earlier, Ended, Estimate, Event, Plan, Protocol, Temperature};
use workspace::Lens;
use workspace::load::Request;

/// What the loop wants.
#[derive(Clone, Debug)]
pub enum Order {
    /// Look at what there is to be asked, and for earlier runs.
    Look(Box<Form>),
    /// Count what would be asked.
    Count(Box<Form>),
    /// Count what is left of an earlier run.
    Again(Box<Again>),
    /// Ask what was counted last under this ticket.
    Go(u64, Table, Choice),
    /// Hold, or go on.
    Pause(bool),
    /// Stop.
    Stop,
}

/// What the user has filled in.
#[derive(Clone, Debug)]
pub struct Form {
    /// By which the answer to this is known.
    pub ticket: u64,
    /// An address, or a name of the config file.
    pub endpoint: String,
    /// The model; empty: the endpoint's own.
    pub model: String,
    /// The protocol.
    pub protocol: Protocol,
    /// The temperature.
    pub temperature: Temperature,
    /// Whose answers the new ones are compared with.
    pub against: Option<String>,
    /// Which samples: rows, or what the lens holds.
    pub rows: Option<Vec<u32>>,
    /// The lens.
    pub lens: Lens,
    /// At most so many samples.
    pub limit: usize,
    /// What is loaded.
    pub table: Table,
    /// What was opened.
    pub request: Request,
}

/// An earlier run that is to go on.
#[derive(Clone, Debug)]
pub struct Again {
    /// By which the answer to this is known.
    pub ticket: u64,
    /// The run.
    pub earlier: Earlier,
    /// What is loaded.
    pub table: Table,
    /// Whose rules say what was right.
    pub scoring: Scoring,
}

/// What comes of it.
#[derive(Clone, Debug)]
pub enum Heard {
    /// What there is, to the order of this ticket.
    Looked(u64, Box<Looked>),
    /// What would be asked, or why nothing can be, to the order of this ticket.
    Counted(u64, Result<Box<Counted>, String>),
    /// Something happened.
    Event(Event),
    /// The run is over: its folder, or why there is none.
    Ended(Result<(PathBuf, Arc<Ended>), String>),
}

/// What there is to be asked.
#[derive(Clone, Debug, Default)]
pub struct Looked {
    /// Samples that the lens holds.
    pub samples: usize,
    /// What the first of them ask.
    pub shown: Vec<Content>,
    /// Earlier runs on samples of these logs, the newest first.
    pub earlier: Vec<Earlier>,
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
    /// What tokens cost, where the config file says it.
    pub price: Option<Price>,
    /// Questions that earlier runs have answered, and when the newest of them was, in milliseconds since 1970.
    pub stored: (usize, u64),
    /// What was done of it already.
    pub begun: Option<Begun>,
}

/// An earlier run that goes on.
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
        self.plan.len().saturating_sub(stored + done)
    }
}
