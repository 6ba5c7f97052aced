//! What a run is: the journal's first line.

use chrono::{SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::plan::Plan;

/// What a run is: the journal's first line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Head {
    /// The version of the lines.
    pub schema: u32,
    /// The program's version.
    pub version: String,
    /// The run's own name.
    pub run: String,
    /// When it began, as RFC 3339.
    pub started: String,
    /// The endpoint as the user named it: an address without secrets, or a name of the config file.
    pub endpoint: String,
    /// Where the model is, without secrets.
    pub address: String,
    /// The model as it is asked for.
    pub model: String,
    /// The model's name in the new run.
    pub label: String,
    /// What a million prompt and completion tokens cost when it began; `None` where nobody said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<[f64; 2]>,
    /// The protocol's name.
    pub protocol: String,
    /// Sampling, system prompt and versions of prompts.
    pub parameters: Json,
    /// Wordings of the user's own: name and text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prompts: Vec<(String, String)>,
    /// Whose answers in the logs the new ones are compared with, where the user said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// The samples by the names that the plan has for them.
    pub samples: Vec<String>,
    /// Questions in all; of chains, the number that is most likely.
    pub questions: usize,
    /// Questions at most, where their number is known at the end only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_questions: Option<usize>,
    /// True if the questions of a sample depend on each other: their number is known at the end only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub chained: bool,
    /// The logs: path and BLAKE3.
    pub sources: Vec<(String, Option<String>)>,
}

impl Head {
    /// What a run of a plan is that begins now, but for its logs.
    #[must_use]
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
            prompts: plan.protocol.prompts(),
            samples: plan.samples.iter().map(|sample| sample.key()).collect(),
            questions: requests.likely,
            most_questions: (requests.low != requests.high).then_some(requests.high),
            chained: requests.low != requests.high,
            ..Self::default()
        }
    }

    /// With the endpoint as the user named it; of an address, what may be kept.
    #[must_use]
    pub fn at(self, endpoint: &str) -> Self {
        let endpoint = if endpoint.contains("://") {
            self.address.clone()
        } else {
            endpoint.to_owned()
        };
        Self { endpoint, ..self }
    }
}

/// What tells two runs apart.
pub(super) fn difference(a: &Head, b: &Head) -> Option<String> {
    let fields = [
        ("schema", a.schema == b.schema),
        ("endpoint", a.address == b.address),
        ("model", a.model == b.model),
        ("protocol", a.protocol == b.protocol),
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
