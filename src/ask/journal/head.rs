//! First line of a journal: the description of the run.

use chrono::{SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::plan::{PICTURES, Plan};

/// Description of a run, in the journal's first line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Head {
    /// Version of the line format.
    pub schema: u32,
    /// Version of the program that started the run.
    pub version: String,
    /// Name of the run: start time and protocol.
    pub run: String,
    /// Start time, as RFC 3339.
    pub started: String,
    /// The endpoint as the user gave it: an address without secrets, or a name in the config file.
    pub endpoint: String,
    /// Address of the model, without secrets.
    pub address: String,
    /// The model's name in requests.
    pub model: String,
    /// The model's name in the new run.
    pub label: String,
    /// Price of a million prompt and completion tokens at the start; `None` if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<[f64; 2]>,
    /// Name of the protocol, as in `--protocol`.
    pub protocol: String,
    /// Sampling, system prompt and versions of wordings.
    pub parameters: Json,
    /// Limits of the pictures, of the user and of a known server; `None` without limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture_limits: Option<Json>,
    /// The user's own wordings: name and text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prompts: Vec<(String, String)>,
    /// The model in the logs to compare with, if the user chose one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// Keys of the samples in the plan.
    pub samples: Vec<String>,
    /// Number of questions; for chains, the likely number.
    pub questions: usize,
    /// Maximum number of questions, if the number is not fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_questions: Option<usize>,
    /// True if a sample's questions depend on each other, so their number is not fixed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub chained: bool,
    /// The logs: path and BLAKE3 hash.
    pub sources: Vec<(String, Option<String>)>,
}

impl Head {
    /// Describes a run of a plan that starts now, without its logs.
    pub fn new(plan: &Plan, address: &str) -> Self {
        let now = Utc::now();
        let (protocol, requests) = (plan.protocol.name(), plan.requests());
        let short = protocol.split(':').next().unwrap_or_default();
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            run: format!("{}-{short}", now.format("%Y%m%dT%H%M%S")),
            started: now.to_rfc3339_opts(SecondsFormat::Secs, true),
            address: address.to_owned(),
            model: plan.asking.model.clone(),
            label: plan.asking.label.clone(),
            protocol,
            parameters: plan.parameters(),
            picture_limits: plan.asking.pictures.to_json(),
            prompts: plan.protocol.prompts(),
            samples: plan.samples.iter().map(|sample| sample.key()).collect(),
            questions: requests.likely,
            most_questions: (requests.low != requests.high).then_some(requests.high),
            chained: requests.low != requests.high,
            ..Self::default()
        }
    }

    /// Sets the endpoint: a name, or an address without secrets.
    #[must_use]
    pub fn at(self, endpoint: &str) -> Self {
        Self {
            endpoint: endpoint.to_owned(),
            ..self
        }
    }
}

/// Returns the first property that differs between two runs.
pub(super) fn difference(a: &Head, b: &Head) -> Option<String> {
    let fields = [
        ("schema", a.schema == b.schema),
        ("endpoint", a.address == b.address),
        ("model", a.model == b.model),
        ("protocol", a.protocol == b.protocol),
        // Compared here because the field is absent unless it is set: the search below would miss
        // it.
        (PICTURES, a.parameters[PICTURES] == b.parameters[PICTURES]),
    ];
    let field = fields
        .iter()
        .find(|(_, same)| !same)
        .map(|(name, _)| (*name).to_owned());
    field.or_else(|| {
        let (a, b) = (a.parameters.as_object()?, b.parameters.as_object()?);
        let name = b.keys().find(|name| a.get(*name) != b.get(*name))?;
        Some(name.clone())
    })
}
