//! Prepares and starts runs, for command line, UI and exam. Each of them describes a run as
//! [`RunSpec`] and shows the result.
//!
//! The steps are [`connect`](crate::connect), [`Connection::list_models`], [`ReadyRun::new`] with
//! plan and estimate, [`ReadyRun::offer`] of earlier answers, [`ReadyRun::start`] and
//! [`OpenRun::execute`]. Before the last step, only `list_models` sends anything.

mod error;
mod location;
mod open_run;
mod run_spec;

use std::collections::{BTreeMap, HashMap};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::asking::Asking;
use super::batch::BatchSummary;
use super::budget::Budget;
use super::connect::{ConnectOptions, Connection, connect};
use super::estimate::Estimate;
use super::item::Failures;
use super::journal::{Head, JournalError, PreviousAnswer, PreviousRun, PreviousRuns};
use super::plan::Plan;
use super::run::RunResult;
use super::sample::Sample;
use base::config::{Price, Settings};

pub use error::RerunError;
pub use location::RunLocation;
pub use open_run::{OpenRun, together};
pub use run_spec::{Choice, RunSpec, protocol_of};

/// A planned run that can start or resume.
#[derive(Debug)]
pub struct ReadyRun {
    /// The planned questions: samples times steps.
    pub plan: Arc<Plan>,
    /// Estimated requests, tokens and cost of the whole plan.
    pub estimate: Estimate,
    /// Address of the model, without secrets.
    pub address: String,
    /// Answers of previous runs to the same questions, by key.
    pub stored: BTreeMap<String, PreviousAnswer>,
    /// Problems with the journals of previous runs, one sentence each.
    pub troubles: Vec<String>,
    /// Price of tokens, if it is known.
    pub price: Option<Price>,
    /// Questions settled by an earlier start of the run: key of the sample, by key of the request.
    settled: HashMap<String, String>,
    budget: Option<Arc<Budget>>,
    connection: Connection,
    head: Head,
    own_pictures: bool,
}

/// A finished or stopped run.
#[derive(Debug)]
pub struct RunOutput {
    /// Folder of the run, with journal, log and pictures.
    pub folder: PathBuf,
    /// Path of its log, in Eyechart's format.
    pub log: PathBuf,
    /// Results, cost, and why it stopped.
    pub ended: RunResult,
    /// Summary of the batch, if batch files were used.
    pub batch: Option<BatchSummary>,
}

impl ReadyRun {
    /// Picks the model, plans the questions and counts them. `label` names the model in the new
    /// run. Opens pictures; sends nothing.
    ///
    /// # Errors
    /// The model is unclear, its price is needed and unknown, or no sample can be asked.
    pub fn new(
        connection: Connection,
        wanted: RunSpec,
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
            pictures: connection.picture_rules(wanted.limits),
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
        let named = &wanted.endpoint;
        let at = if connection.is_address {
            &address
        } else {
            named
        };
        let head = Head {
            against: wanted.against,
            price: price.map(|price| [price.input, price.output]),
            ..Head::new(&plan, &address).at(at)
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

    /// Prepares to resume a previous run with its samples. Sends nothing, because its address may
    /// come from an untrusted file.
    ///
    /// # Errors
    /// The endpoint or the key is missing, the address has changed, or none of
    /// the samples can be asked.
    pub fn again(
        previous: &PreviousRun,
        samples: Vec<Sample>,
        settings: &Settings,
    ) -> Result<Self, RerunError> {
        let head = &previous.head;
        let wishes = ConnectOptions::for_questions(head.most_questions.unwrap_or(head.questions));
        let connection = connect(&head.endpoint, settings, &wishes)?;
        let address = connection.endpoint.address();
        if address != head.address {
            return Err(RerunError::Moved {
                before: head.address.clone(),
                endpoint: head.endpoint.clone(),
                now: address,
            });
        }
        let wanted = RunSpec::again(head, samples)?;
        Self::new(connection, wanted, |_| head.label.clone())
    }

    /// Name of the run: start time and protocol.
    pub(crate) fn name(&self) -> &str {
        &self.head.run
    }

    /// The endpoint, with what is known about its models.
    pub const fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Looks for answers of previous runs to the same questions. They are used if the user agrees.
    pub fn offer(&mut self, previous: &PreviousRuns) {
        let endpoint = &self.connection.endpoint;
        let key = |question: &_| endpoint.key(question);
        self.stored = previous.stored(&self.plan, &self.address, &key);
        self.troubles.clone_from(&previous.troubles);
    }

    /// Reads which questions an earlier start in the folder has settled; none if there was no run.
    ///
    /// # Errors
    /// The journal exists but cannot be read.
    pub fn restore(&mut self, folder: &Path, failures: Failures) -> Result<(), RerunError> {
        self.settled = match PreviousRun::read(folder) {
            Ok(run) => run.settled(&self.plan, failures),
            Err(JournalError::Unreadable { why, .. }) if why.kind() == ErrorKind::NotFound => {
                HashMap::new()
            }
            // Damage is reported when the run resumes.
            Err(JournalError::Headless(_)) => HashMap::new(),
            Err(error) => return Err(error.into()),
        };
        Ok(())
    }

    /// Estimates what remains: without settled questions, and without reused
    /// answers if `choice` allows them.
    pub fn estimate_remaining(&self, choice: Choice) -> Estimate {
        let reused = self.stored.iter().filter(|(key, _)| {
            // Answers of an earlier start are not taken from another run.
            choice.reuse && !self.settled.contains_key(*key)
        });
        let reused = reused.map(|(_, stored)| stored.done.item.as_str());
        let settled = self.settled.values().map(String::as_str);
        let known: Vec<&str> = settled.chain(reused).collect();
        let all = self.estimate.without(known.len());
        if self.estimate.between.is_none() {
            return all;
        }
        // One sample may need more questions than expected; others do not need fewer.
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

    /// Shares a spending limit with other runs, replacing this run's own.
    pub fn share_budget(&mut self, budget: &Arc<Budget>) {
        self.budget = Some(Arc::clone(budget));
    }
}

/// Returns the model to ask: the named model, the default, or the server's only model.
fn picked(connection: &Connection, wanted: &RunSpec) -> Result<String, RerunError> {
    let (named, own) = (wanted.model.as_deref(), connection.model.as_deref());
    if connection.endpoint.is_here() && named.is_some_and(|named| Some(named) != own) {
        return Err(RerunError::OneModel(wanted.endpoint.clone()));
    }
    let model = connection.model_for(named);
    model.map(str::to_owned).ok_or_else(|| RerunError::NoModel {
        known: connection.models.clone(),
    })
}
