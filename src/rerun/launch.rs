//! A run from the words of a form: counted first, begun when the user says so.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::connect::{Connection, Wishes, connect};
use super::estimate::Estimate;
use super::journal::{Head, Journal};
use super::output;
use super::plan::{Asking, MAX_TOKENS, Plan, Temperature};
use super::protocol::Protocol;
use super::run::{Control, Ended, OnEvent, Run};
use super::runtime::blocking;
use super::sample::Sample;
use crate::client::Sampling;
use crate::config::Settings;

/// What a user wants to ask.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// An address, or a name of the config file.
    pub endpoint: String,
    /// The model; empty: the endpoint's own.
    pub model: String,
    /// The protocol.
    pub protocol: Protocol,
    /// The samples.
    pub samples: Vec<Sample>,
    /// Folders in which the new run may stand, the best first.
    pub places: Vec<PathBuf>,
}

/// A run that could begin.
#[derive(Debug)]
pub struct Launch {
    /// What would be asked.
    pub plan: Arc<Plan>,
    /// What it would take, about.
    pub estimate: Estimate,
    /// Where the model is.
    pub address: String,
    connection: Connection,
    places: Vec<PathBuf>,
}

impl Launch {
    /// Finds the endpoint and counts; asks the server for its models and nothing else. `label` names the model in the new run.
    ///
    /// # Errors
    /// One sentence: no endpoint, no key, nobody there, no model, or no sample that can be asked.
    pub fn new(
        wanted: Wanted,
        settings: &Settings,
        label: impl Fn(&str) -> String,
    ) -> Result<Self, String> {
        let wishes = Wishes {
            most_billed: Some(
                2 * (wanted.samples.len() * wanted.protocol.steps().len()) as u64 + 20,
            ),
            ..Wishes::default()
        };
        let mut connection =
            connect(&wanted.endpoint, settings, &wishes).map_err(|error| error.to_string())?;
        let looked = blocking(connection.endpoint.look()).map_err(|error| error.to_string())?;
        let names = looked.map_err(|failure| failure.to_string())?;
        let typed = Some(wanted.model).filter(|model| !model.is_empty());
        let only = (names.len() == 1).then(|| names.first().cloned()).flatten();
        let model = typed
            .or_else(|| connection.model.clone())
            .or(only)
            .ok_or_else(|| {
                if names.is_empty() {
                    "the server names no model: type one".to_owned()
                } else {
                    format!("which model? The server has {}", names.join(", "))
                }
            })?;
        let asking = Asking {
            label: label(&model),
            model,
            sampling: Sampling {
                max_tokens: connection.max_tokens.or(Some(MAX_TOKENS)),
                extra: connection.extra.clone(),
                ..Sampling::default()
            },
            temperature: Temperature::Usual,
            system: None,
        };
        let plan =
            Plan::new(wanted.samples, wanted.protocol, asking).for_model(&*connection.endpoint);
        if plan.is_empty() {
            let why = plan
                .unfit
                .iter()
                .map(|(why, count)| format!("{count} have {why}"));
            let why = why.collect::<Vec<_>>().join(", ");
            return Err(format!(
                "no sample can be asked under {}: {why}",
                plan.protocol.name()
            ));
        }
        Ok(Self {
            estimate: Estimate::new(&plan, &*connection.endpoint, connection.prices),
            address: connection.endpoint.address(),
            plan: Arc::new(plan),
            connection,
            places: wanted.places,
        })
    }

    /// Runs until all is asked or `control` stops it, and writes the new run; gives its folder. `sources` are the logs, each with its hash.
    ///
    /// # Errors
    /// One sentence: the folder cannot be written, or no threads can be had.
    pub fn go(
        self,
        sources: Vec<(String, Option<String>)>,
        control: Control,
        on_event: OnEvent,
    ) -> Result<(PathBuf, Ended), String> {
        let head = Head {
            sources,
            ..Head::new(&self.plan, &self.address)
        };
        let folder = place(&self.places, &head.run)?;
        let journal = Journal::open(&folder, head, false).map_err(|error| error.to_string())?;
        let run = Run::new(
            self.plan,
            Arc::from(self.connection.endpoint),
            journal,
            false,
        );
        let ended =
            blocking(Arc::clone(&run).go(control, on_event)).map_err(|error| error.to_string())?;
        output::write(&folder, &run.head(), &ended.finished)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok((folder, ended))
    }
}

/// A new folder for a run, in the first place that can be written.
fn place(places: &[PathBuf], run: &str) -> Result<PathBuf, String> {
    let mut last = "there is no place for the new run".to_owned();
    for place in places {
        match made(place, run) {
            Ok(folder) => return Ok(folder),
            Err(error) => last = format!("{}: {error}", place.display()),
        }
    }
    Err(last)
}

fn made(place: &Path, run: &str) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(place)?;
    let numbered = (2..100).map(|count| format!("{run}-{count}"));
    for name in std::iter::once(run.to_owned()).chain(numbered) {
        let folder = place.join(name);
        match std::fs::create_dir(&folder) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(()) => return Ok(folder),
        }
    }
    Err(std::io::ErrorKind::AlreadyExists.into())
}
