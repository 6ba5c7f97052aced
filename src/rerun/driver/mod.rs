//! From a wish to a run, the same for command line, UI and exam: each door says what is [`Wanted`], and shows what
//! comes of it.
//!
//! The steps are [`connect`](crate::connect), [`Connection::look`], [`Ready::new`] with its plan and estimate,
//! [`Ready::offer`] of earlier answers, and [`Ready::run`]. Nothing but the look is sent before the last.

mod error;
mod place;
mod started;
mod wanted;

use std::collections::{BTreeMap, HashMap};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::asking::Asking;
use super::batch::BatchTold;
use super::budget::Budget;
use super::connect::{Connection, Wishes, connect};
use super::estimate::Estimate;
use super::journal::{Head, JournalError, PreviousRun, PreviousRuns, Stored};
use super::plan::Plan;
use super::run::{Control, Ended, OnEvent};
use super::sample::Sample;
use config::{Price, Settings};

pub use error::RerunError;
pub use place::Place;
pub use started::{Started, together};
pub use wanted::{Choice, Wanted, protocol_of};

/// A run that could begin, or go on.
#[derive(Debug)]
pub struct Ready {
    /// What would be asked.
    pub plan: Arc<Plan>,
    /// What all of it would take, about.
    pub estimate: Estimate,
    /// Where the model is.
    pub address: String,
    /// Answers that previous runs have to the same questions, by key.
    pub stored: BTreeMap<String, Stored>,
    /// What cannot be used of the journals of previous runs, one sentence each.
    pub troubles: Vec<String>,
    /// What tokens cost, where the config file says it.
    pub price: Option<Price>,
    /// Questions that an earlier start of the run has settled: the sample of each key.
    settled: HashMap<String, String>,
    budget: Option<Arc<Budget>>,
    connection: Connection,
    head: Head,
    own_pictures: bool,
}

/// A run that is over.
#[derive(Debug)]
pub struct Reran {
    /// Its folder.
    pub folder: PathBuf,
    /// Its log.
    pub log: PathBuf,
    /// What became of it.
    pub ended: Ended,
    /// What became of its batch, where it is asked by batch files.
    pub batch: Option<BatchTold>,
}

impl Ready {
    /// Picks the model, and plans and counts what is wanted; `label` names the model in the new run. Opens pictures, sends
    /// nothing.
    ///
    /// # Errors
    /// No model can be told, or no sample can be asked.
    pub fn new(
        connection: Connection,
        wanted: Wanted,
        label: impl FnOnce(&str) -> String,
    ) -> Result<Self, RerunError> {
        let model = picked(&connection, &wanted)?;
        let asking = Asking {
            label: label(&model),
            model,
            system: wanted.system.clone(),
            sampling: wanted.sampling(&connection),
            temperature: wanted.temperature,
            sends_damaged: wanted.sends_damaged,
            turn_words: wanted.turn_words,
            bounds_length: wanted.max_tokens.is_some(),
            picked_by: wanted.picked_by.clone(),
            shard: wanted.shard,
            ..Asking::default()
        };
        let endpoint = &*connection.endpoint;
        let plan = Plan::new(wanted.samples, wanted.protocol, asking).for_model(endpoint);
        if plan.is_empty() {
            return Err(RerunError::Nothing {
                protocol: plan.protocol.name(),
                why: plan.unfit_words(),
            });
        }
        let address = endpoint.address();
        let price = connection.price(&plan.asking.model);
        if wanted.max_cost.is_some() && price.is_none() {
            return Err(RerunError::NoPrice(plan.asking.model.clone()));
        }
        let head = Head {
            against: wanted.against,
            price: price.map(|price| [price.input, price.output]),
            ..Head::new(&plan, &address).at(&wanted.endpoint)
        };
        Ok(Self {
            estimate: Estimate::new(&plan, endpoint, price),
            address,
            plan: Arc::new(plan),
            stored: BTreeMap::new(),
            troubles: Vec::new(),
            price,
            settled: HashMap::new(),
            budget: wanted.max_cost.map(Budget::new),
            connection,
            head,
            own_pictures: wanted.own_pictures,
        })
    }

    /// A previous run that goes on, with its samples. Nothing is sent: its address may have been written by anybody.
    ///
    /// # Errors
    /// There is no endpoint or no key, the server has moved, or none of its samples can be asked.
    pub fn again(
        previous: &PreviousRun,
        samples: Vec<Sample>,
        settings: &Settings,
    ) -> Result<Self, RerunError> {
        let head = &previous.head;
        let wishes = Wishes::for_questions(head.most_questions.unwrap_or(head.questions));
        let connection = connect(&head.endpoint, settings, &wishes)?;
        let address = connection.endpoint.address();
        if address != head.address {
            return Err(RerunError::Moved {
                before: head.address.clone(),
                endpoint: head.endpoint.clone(),
                now: address,
            });
        }
        let wanted = Wanted::again(head, samples)?;
        Self::new(connection, wanted, |_| head.label.clone())
    }

    /// The endpoint, and what it was asked so far.
    #[must_use]
    pub const fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Looks for answers of previous runs to the same questions, which are taken if the user chooses so.
    pub fn offer(&mut self, previous: &PreviousRuns) {
        let endpoint = &self.connection.endpoint;
        let key = |question: &_| endpoint.key(question);
        self.stored = previous.stored(&self.plan, &self.address, &key);
        self.troubles.clone_from(&previous.troubles);
    }

    /// Looks which questions an earlier start in the folder has settled; without a run there, none.
    ///
    /// # Errors
    /// The journal cannot be read, or is none.
    pub fn take_up(&mut self, folder: &Path, retry_failed: bool) -> Result<(), RerunError> {
        self.settled = match PreviousRun::read(folder) {
            Ok(run) => run.settled(&self.plan, retry_failed),
            Err(JournalError::Unreadable { why, .. }) if why.kind() == ErrorKind::NotFound => {
                HashMap::new()
            }
            // What is damaged is told, and asked again, when the run goes on.
            Err(JournalError::Headless(_)) => HashMap::new(),
            Err(error) => return Err(error.into()),
        };
        Ok(())
    }

    /// What is left to be asked takes, about: without what an earlier start has settled, and what other runs have if
    /// their answers are taken.
    #[must_use]
    pub fn left(&self, choice: Choice) -> Estimate {
        let reused = self.stored.iter().filter(|(key, _)| {
            // What an earlier start has is not taken from another run.
            choice.reuse && !self.settled.contains_key(*key)
        });
        let reused = reused.map(|(_, stored)| stored.done.item.as_str());
        let settled = self.settled.values().map(String::as_str);
        let known: Vec<&str> = settled.chain(reused).collect();
        let all = self.estimate.without(known.len());
        if self.estimate.between.is_none() {
            return all;
        }
        // One sample may take more questions than was likely, which is nothing that another takes less.
        let mut of_sample: HashMap<&str, usize> = HashMap::new();
        for item in known {
            *of_sample.entry(item).or_default() += 1;
        }
        let places = 0..self.plan.samples.len();
        let left = places.map(|place| {
            let known = of_sample.get(&*self.plan.samples[place].key());
            let likely = self.plan.requests_of(place).likely;
            likely.saturating_sub(known.copied().unwrap_or_default())
        });
        Estimate {
            answered: all.answered,
            ..self.estimate.of_some(left.sum())
        }
    }

    /// Shares what may be spent with other runs, whatever was wanted of this one alone.
    pub fn share(&mut self, budget: &Arc<Budget>) {
        self.budget = Some(Arc::clone(budget));
    }

    /// Runs until all is asked or `control` stops it, and writes the run. `sources` are the logs, each with its hash. Needs
    /// a tokio runtime with time and network.
    ///
    /// # Errors
    /// The folder or the journal cannot be used.
    pub async fn run(
        self,
        place: Place,
        choice: Choice,
        sources: Vec<(String, Option<String>)>,
        control: Control,
        on_event: OnEvent,
    ) -> Result<Reran, RerunError> {
        let started = self.start(place, choice, sources, &on_event)?;
        started.go(control, on_event).await
    }
}

/// The model that is asked: the named one, the endpoint's own, or the only one that the server has.
fn picked(connection: &Connection, wanted: &Wanted) -> Result<String, RerunError> {
    let (named, own) = (wanted.model.as_deref(), connection.model.as_deref());
    if connection.endpoint.is_here() && named.is_some_and(|named| Some(named) != own) {
        return Err(RerunError::OneModel(wanted.endpoint.clone()));
    }
    let model = connection.model_for(named);
    model.map(str::to_owned).ok_or_else(|| RerunError::NoModel {
        known: connection.models.clone(),
    })
}
