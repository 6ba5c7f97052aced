//! What a user wants to ask, and how an earlier run was asked.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value as Json;

use crate::journal::Head;
use crate::plan::Temperature;
use crate::protocol::Protocol;
use crate::sample::Sample;
use crate::template::Template;

/// What a user wants to ask.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// An address, or a name of the config file.
    pub endpoint: String,
    /// The model; empty: the endpoint's own.
    pub model: String,
    /// The protocol.
    pub protocol: Protocol,
    /// The temperature.
    pub temperature: Temperature,
    /// The samples.
    pub samples: Vec<Sample>,
    /// Whose answers they are compared with, where the user said so.
    pub against: Option<String>,
    /// Folders in which the new run may stand, the best first.
    pub places: Vec<PathBuf>,
}

/// What the user decides when everything is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Answers that earlier runs have are taken.
    pub reuse: bool,
    /// What failed before is asked again.
    pub retry_failed: bool,
}

/// The protocol of an earlier run.
///
/// # Errors
/// One sentence: this version knows no such protocol.
pub fn protocol_of(head: &Head) -> Result<Protocol, String> {
    if head.prompts.is_empty() {
        return Protocol::parse(&head.protocol).map_err(|error| error.to_string());
    }
    let templates = head.prompts.iter();
    let templates = templates.map(|(name, text)| Template::new(name, text).map(Arc::new));
    let templates: Result<Vec<_>, _> = templates.collect();
    templates
        .map(Protocol::Prompts)
        .map_err(|error| error.to_string())
}

/// The temperature of an earlier run.
pub(super) fn temperature_of(parameters: &Json) -> Temperature {
    match parameters.get("temperature") {
        Some(Json::Null) => Temperature::Unsent,
        Some(Json::Number(number)) => number.as_f64().map_or(Temperature::Usual, Temperature::At),
        _ => Temperature::Usual,
    }
}
