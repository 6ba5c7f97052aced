//! What is wanted of a run.

use std::sync::Arc;

use serde_json::Value as Json;

use crate::asking::Temperature;
use crate::connect::Connection;
use crate::content::TurnWords;
use crate::edited::Edited;
use crate::journal::Head;
use crate::plan::{EDITED, PICKED_BY, SHARD, TURN_WORDS};
use crate::protocol::{Protocol, ProtocolError};
use crate::sample::Sample;
use crate::shard::Shard;
use crate::template::Template;
use client::Sampling;

/// How the name of a protocol of further turns begins.
const FOLLOW: &str = "follow:";

/// What is wanted of a run.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The endpoint as the user named it: an address, a name of the config file, or an encoder.
    pub endpoint: String,
    /// The model; `None`: the endpoint's own.
    pub model: Option<String>,
    /// The protocol.
    pub protocol: Protocol,
    /// The samples.
    pub samples: Vec<Sample>,
    /// The model of the logs with whose answers the new ones are compared.
    pub against: Option<String>,
    /// A system prompt.
    pub system: Option<String>,
    /// The temperature.
    pub temperature: Temperature,
    /// Most tokens of an answer; `None`: the endpoint's own bound.
    pub max_tokens: Option<u32>,
    /// The seed of the server's draws; each repeat has the next number.
    pub seed: Option<u64>,
    /// Damaged pictures are sent, as far as they can be read.
    pub sends_damaged: bool,
    /// What picked the samples by their outcome, such as `correct:false`.
    pub picked_by: Option<String>,
    /// Whether options and targets that are a direction turn with a picture.
    pub turn_words: TurnWords,
    /// The most that the run may cost, its earlier starts included.
    pub max_cost: Option<f64>,
    /// The records of the new run show the samples' own pictures: they lie in its folder, and are sent as they are.
    pub own_pictures: bool,
    /// Which part of the plan is asked; `None`: all of it.
    pub shard: Option<Shard>,
}

/// What the user decides when everything is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Answers that previous runs have are taken.
    pub reuse: bool,
    /// What failed before is asked again.
    pub retry_failed: bool,
}

impl Wanted {
    /// A run that is asked in the usual way.
    #[must_use]
    pub fn new(endpoint: String, protocol: Protocol, samples: Vec<Sample>) -> Self {
        Self {
            endpoint,
            model: None,
            protocol,
            samples,
            against: None,
            system: None,
            temperature: Temperature::Usual,
            max_tokens: None,
            seed: None,
            sends_damaged: false,
            picked_by: None,
            turn_words: TurnWords::On,
            max_cost: None,
            own_pictures: false,
            shard: None,
        }
    }

    /// What was wanted of a previous run, of which these samples are still there.
    ///
    /// # Errors
    /// This version knows no such protocol.
    pub fn again(head: &Head, samples: Vec<Sample>) -> Result<Self, ProtocolError> {
        let of = |name: &str| head.parameters.get(name);
        let number = |name: &str| of(name).and_then(Json::as_u64);
        let temperature = match of("temperature") {
            Some(Json::Null) => Temperature::Unsent,
            Some(Json::Number(number)) => {
                number.as_f64().map_or(Temperature::Usual, Temperature::At)
            }
            _ => Temperature::Usual,
        };
        Ok(Self {
            model: Some(head.model.clone()),
            against: head.against.clone(),
            system: of("system").and_then(Json::as_str).map(str::to_owned),
            temperature,
            max_tokens: number("max_tokens").and_then(|most| u32::try_from(most).ok()),
            seed: number("seed"),
            shard: of(SHARD)
                .and_then(Json::as_str)
                .and_then(|text| text.parse().ok()),
            picked_by: of(PICKED_BY).and_then(Json::as_str).map(str::to_owned),
            turn_words: match of(TURN_WORDS).and_then(Json::as_str) {
                Some("off") => TurnWords::Off,
                _ => TurnWords::On,
            },
            ..Self::new(head.endpoint.clone(), protocol_of(head)?, samples)
        })
    }

    /// How answers are drawn at an endpoint.
    pub(super) fn sampling(&self, connection: &Connection) -> Sampling {
        let usual = connection.sampling();
        Sampling {
            max_tokens: self.max_tokens.or(usual.max_tokens),
            seed: self.seed,
            ..usual
        }
    }
}

/// The protocol of a previous run.
///
/// # Errors
/// This version knows no such protocol.
pub fn protocol_of(head: &Head) -> Result<Protocol, ProtocolError> {
    let edited = head.parameters.get(EDITED).and_then(Json::as_str);
    if let (Some(text), Some(name)) = (edited, head.protocol.strip_prefix("file:")) {
        return Ok(Protocol::Edited(Arc::new(Edited::restored(name, text)?)));
    }
    if head.prompts.is_empty() {
        return Protocol::parse(&head.protocol);
    }
    let is_follow = head.protocol.starts_with(FOLLOW);
    let new = if is_follow {
        Template::free
    } else {
        Template::new
    };
    let templates = head.prompts.iter();
    let templates = templates.map(|(name, text)| new(name, text).map(Arc::new));
    let templates = templates.collect::<Result<Vec<_>, _>>()?;
    Ok(if is_follow {
        Protocol::Follow(templates)
    } else {
        Protocol::Prompts(templates)
    })
}
