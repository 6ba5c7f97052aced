//! A run from the words of a form: counted first, begun, or taken up again, when the user says so.

mod place;
mod wanted;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::connect::{ConnectError, Connection, Wishes, connect};
use super::estimate::Estimate;
use super::journal::{Earlier, Head, Journal, Shelf, Stored};
use super::output;
use super::plan::{Asking, Plan};
use super::protocol::Protocol;
use super::run::{Control, Ended, OnEvent, Run};
use super::runtime::blocking;
use super::sample::Sample;
use client::{Class, Sampling};
use config::{KeyError, Price, Settings};

pub use wanted::{Choice, Wanted, protocol_of};

use place::place;
use wanted::temperature_of;

/// A run that could begin, or go on.
#[derive(Debug)]
pub struct Launch {
    /// What would be asked.
    pub plan: Arc<Plan>,
    /// What all of it would take, about.
    pub estimate: Estimate,
    /// Where the model is.
    pub address: String,
    /// Answers that earlier runs have to the same questions, by key.
    pub stored: BTreeMap<String, Stored>,
    /// What tokens cost, where the config file says it.
    pub price: Option<Price>,
    connection: Connection,
    head: Head,
    place: Place,
}

/// Where a run stands.
#[derive(Debug)]
enum Place {
    /// In a new folder, in the first of these that can be written.
    New(Vec<PathBuf>),
    /// Where it was begun.
    Begun(PathBuf),
}

impl Launch {
    /// Finds the endpoint and counts; asks the server for its models and nothing else. `label` names the model in the new
    /// run; `shelf` has the answers that need not be paid for again.
    ///
    /// # Errors
    /// One sentence: no endpoint, no key, nobody there, no model, or no sample that can be asked.
    pub fn new(
        wanted: Wanted,
        shelf: &Shelf,
        settings: &Settings,
        label: impl Fn(&str) -> String,
    ) -> Result<Self, String> {
        let mut connection = connected(
            &wanted.endpoint,
            settings,
            wanted.samples.len() * wanted.protocol.steps().len(),
        )?;
        let names = looked(&mut connection)?;
        let typed = Some(wanted.model).filter(|model| !model.is_empty());
        let only = (names.len() == 1).then(|| names.first().cloned()).flatten();
        let model = typed
            .or_else(|| connection.model.clone())
            .or(only)
            .ok_or_else(|| which_model(&names))?;
        let asking = Asking {
            label: label(&model),
            model,
            sampling: connection.sampling(),
            temperature: wanted.temperature,
            system: None,
        };
        let plan = planned(wanted.samples, wanted.protocol, asking, &connection)?;
        let address = connection.endpoint.address();
        let endpoint = &connection.endpoint;
        let stored = shelf.stored(&plan, &address, &|question| endpoint.key(question));
        let head = Head {
            against: wanted.against,
            ..Head::new(&plan, &address).at(&wanted.endpoint)
        };
        let price = connection.price(&plan.asking.model);
        Ok(Self {
            estimate: Estimate::new(&plan, &*connection.endpoint, price),
            address,
            plan: Arc::new(plan),
            stored,
            price,
            connection,
            head,
            place: Place::New(wanted.places),
        })
    }

    /// A run that was begun earlier, with its samples. Looks for the server if anything is left to be asked.
    ///
    /// # Errors
    /// One sentence: no endpoint, no key, nobody there, or none of its samples can be asked.
    pub fn again(
        earlier: &Earlier,
        samples: Vec<Sample>,
        settings: &Settings,
    ) -> Result<Self, String> {
        let head = &earlier.head;
        let mut connection = connected(&head.endpoint, settings, head.questions)?;
        let address = connection.endpoint.address();
        if address != head.address {
            return Err(format!(
                "this run was asked at {}, and endpoint {} is now {address}; set its url back, or begin a new run",
                head.address, head.endpoint
            ));
        }
        if earlier.pending() + earlier.failed > 0 {
            looked(&mut connection)?;
        }
        let parameters = &head.parameters;
        let number = |name: &str| parameters.get(name).and_then(serde_json::Value::as_u64);
        let asking = Asking {
            label: head.label.clone(),
            model: head.model.clone(),
            system: parameters
                .get("system")
                .and_then(|system| Some(system.as_str()?.to_owned())),
            sampling: Sampling {
                max_tokens: number("max_tokens").and_then(|most| u32::try_from(most).ok()),
                seed: number("seed"),
                ..connection.sampling()
            },
            temperature: temperature_of(parameters),
        };
        let plan = planned(samples, protocol_of(head)?, asking, &connection)?;
        let price = connection.price(&plan.asking.model);
        Ok(Self {
            estimate: Estimate::new(&plan, &*connection.endpoint, price),
            address,
            plan: Arc::new(plan),
            stored: BTreeMap::new(),
            price,
            connection,
            head: head.clone(),
            place: Place::Begun(earlier.folder.clone()),
        })
    }

    /// Runs until all is asked or `control` stops it, and writes the run; gives its folder. `sources` are the logs, each
    /// with its hash.
    ///
    /// # Errors
    /// One sentence: the folder cannot be written, or no threads can be had.
    pub fn go(
        self,
        choice: Choice,
        sources: Vec<(String, Option<String>)>,
        control: Control,
        on_event: OnEvent,
    ) -> Result<(PathBuf, Ended), String> {
        let (folder, is_begun) = match self.place {
            Place::New(places) => (place(&places, &self.head.run)?, false),
            Place::Begun(folder) => (folder, true),
        };
        let head = Head {
            sources,
            ..self.head
        };
        let mut journal =
            Journal::open(&folder, head, is_begun).map_err(|error| error.to_string())?;
        if choice.reuse {
            journal.lend(self.stored);
        }
        let run = Run::new(
            self.plan,
            Arc::from(self.connection.endpoint),
            journal,
            choice.retry_failed,
        );
        let ended =
            blocking(Arc::clone(&run).go(control, on_event)).map_err(|error| error.to_string())?;
        output::write(&folder, &run.head(), &ended.finished)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok((folder, ended))
    }
}

fn connected(endpoint: &str, settings: &Settings, questions: usize) -> Result<Connection, String> {
    let wishes = Wishes {
        most_billed: Some(Wishes::usual_bound(questions)),
        ..Wishes::default()
    };
    connect(endpoint, settings, &wishes).map_err(|error| match error {
        ConnectError::Key(KeyError::Unset(_)) => {
            format!("{error}: export it in the shell and start again")
        }
        other => other.to_string(),
    })
}

/// The models that the server has.
fn looked(connection: &mut Connection) -> Result<Vec<String>, String> {
    let looked = blocking(connection.endpoint.look()).map_err(|error| error.to_string())?;
    looked.map_err(|failure| {
        let hint = match failure.class {
            Class::Endpoint => ": start the server, or give another address",
            Class::Config => ": look at the key that the config file names for it",
            _ => "",
        };
        format!("{failure}{hint}")
    })
}

fn which_model(names: &[String]) -> String {
    if names.is_empty() {
        "the server names no model: type one".to_owned()
    } else {
        format!("which model? The server has {}", names.join(", "))
    }
}

fn planned(
    samples: Vec<Sample>,
    protocol: Protocol,
    asking: Asking,
    connection: &Connection,
) -> Result<Plan, String> {
    let plan = Plan::new(samples, protocol, asking).for_model(&*connection.endpoint);
    if !plan.is_empty() {
        return Ok(plan);
    }
    let why = plan.unfit_words();
    let why = why.as_deref().unwrap_or("none is selected");
    Err(format!(
        "no sample can be asked under {}: {why}",
        plan.protocol.name()
    ))
}
