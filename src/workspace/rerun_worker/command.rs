//! What the user interface wants of the rerun worker.

use record::{Scoring, Table};
use rerun::{Choice, Edited, PreviousRun, Protocol, Temperature, TurnWords};

use crate::Lens;
use crate::load::Request;

/// What the user interface wants.
#[derive(Clone, Debug)]
pub enum RerunCommand {
    /// Look at what there is to be asked, and for previous runs.
    Look(Box<Form>),
    /// Count what would be asked.
    Count(Box<Form>),
    /// Count what several forms would ask side by side; all have one ticket.
    CountAll(Vec<Form>),
    /// Count what is left of a previous run.
    Again(Box<Again>),
    /// Ask what was counted last under this ticket, of one form or of several.
    Go(u64, Table, Choice),
    /// Look at what one sample would be asked, as edited, and what that takes.
    Preview(Box<Trial>),
    /// Ask one sample, as edited.
    Try(Box<Trial>),
    /// Stop asking single samples.
    StopTrials,
    /// Keep an edited question in a file.
    Keep(Box<(Edited, Request)>),
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
    /// Whether options and targets that are a direction turn with the pictures.
    pub turn_words: TurnWords,
    /// Whose answers the new ones are compared with.
    pub against: Option<String>,
    /// Which samples: rows, or what the lens holds.
    pub rows: Option<Vec<u32>>,
    /// The lens.
    pub lens: Lens,
    /// At most so many samples.
    pub limit: usize,
    /// As many samples that the log had right, where the lens picks them by their outcome.
    pub controls: bool,
    /// What is loaded.
    pub table: Table,
    /// What was opened.
    pub request: Request,
}

impl Form {
    /// The model; `None`: the endpoint's own.
    pub(super) fn named(&self) -> Option<&str> {
        Some(self.model.as_str()).filter(|model| !model.is_empty())
    }

    /// How it asks a sample.
    pub(super) const fn way(&self) -> (&Protocol, TurnWords) {
        (&self.protocol, self.turn_words)
    }
}

/// One sample that is asked as edited, of one or several models.
#[derive(Clone, Debug)]
pub struct Trial {
    /// By which what is told of it is known.
    pub ticket: u64,
    /// The prediction whose sample is asked.
    pub row: u32,
    /// Whose rules say what is right.
    pub scoring: Scoring,
    /// What is edited.
    pub edited: Edited,
    /// Whether options and targets that are a direction turn with the picture.
    pub turn_words: TurnWords,
    /// Whom to ask.
    pub models: Vec<Asked>,
    /// What is loaded.
    pub table: Table,
    /// What was opened.
    pub request: Request,
}

/// A model that is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// An address, a name of the config file, or an encoder.
    pub endpoint: String,
    /// The model; empty: the endpoint's own.
    pub model: String,
}

/// A previous run that is to go on.
#[derive(Clone, Debug)]
pub struct Again {
    /// By which the answer to this is known.
    pub ticket: u64,
    /// The run.
    pub previous: PreviousRun,
    /// What is loaded.
    pub table: Table,
    /// Whose rules say what was right.
    pub scoring: Scoring,
}
