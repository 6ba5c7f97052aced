//! Description of a run to start.

use std::sync::Arc;

use serde_json::Value as Json;

use crate::asking::Temperature;
use crate::client::Sampling;
use crate::connect::Connection;
use crate::content::TurnWords;
use crate::edited::QuestionEdit;
use crate::item::Failures;
use crate::journal::Head;
use crate::picture_rules::from_json;
use crate::plan::{EDITED, PICKED_BY, PICTURES, SHARD, TURN_WORDS};
use crate::protocol::{Protocol, ProtocolError};
use crate::sample::Sample;
use crate::shard::Shard;
use crate::template::Template;
use media::PictureLimits;

/// Prefix of the names of follow-up protocols.
const FOLLOW: &str = "follow:";

/// Description of a run to start.
#[derive(Clone, Debug, Default)]
pub struct RunSpec {
    /// The endpoint as the user gives it: an address, a name in the config file, or an encoder.
    pub endpoint: String,
    /// The model; `None` for the endpoint's default.
    pub model: Option<String>,
    /// The protocol, which defines the steps.
    pub protocol: Protocol,
    /// The samples to ask; unfit ones are dropped later.
    pub samples: Vec<Sample>,
    /// The model in the logs to compare with.
    pub against: Option<String>,
    /// The user's system prompt, which replaces the log's.
    pub system: Option<String>,
    /// The temperature: the protocol's, none or a fixed value.
    pub temperature: Temperature,
    /// Token limit of an answer; `None` for the endpoint's setting.
    pub max_tokens: Option<u32>,
    /// Seed of the first repeat; each further repeat adds 1.
    pub seed: Option<u64>,
    /// True to send damaged pictures, as far as they can be read.
    pub sends_damaged: bool,
    /// The user's limits of the pictures; the endpoint's settings fill in the others.
    pub limits: PictureLimits,
    /// The filter that picked samples by outcome, for example `correct:false`.
    pub picked_by: Option<String>,
    /// Whether direction words change with a rotated picture.
    pub turn_words: TurnWords,
    /// Maximum cost of the run, including its earlier starts.
    pub max_cost: Option<f64>,
    /// True if records of the new run refer to the samples' own pictures, which are in its folder.
    pub own_pictures: bool,
    /// The part of the plan to ask; `None` for all of it.
    pub shard: Option<Shard>,
}

/// The user's decisions after the estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// True to reuse answers of previous runs.
    pub reuse: bool,
    /// True to ask failed questions again.
    pub retry_failed: bool,
}

impl Choice {
    /// Returns what happens to failed questions.
    pub const fn failures(self) -> Failures {
        if self.retry_failed {
            Failures::Retry
        } else {
            Failures::Keep
        }
    }
}

impl RunSpec {
    /// Returns a run with default settings.
    pub fn new(endpoint: String, protocol: Protocol, samples: Vec<Sample>) -> Self {
        Self {
            endpoint,
            protocol,
            samples,
            ..Self::default()
        }
    }

    /// Restores the description of a previous run, with the samples that still exist.
    ///
    /// # Errors
    /// The protocol is unknown to this version.
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
            limits: from_json(of(PICTURES)),
            turn_words: match of(TURN_WORDS).and_then(Json::as_str) {
                Some("off") => TurnWords::Off,
                _ => TurnWords::On,
            },
            ..Self::new(head.endpoint.clone(), protocol_of(head)?, samples)
        })
    }

    /// Returns the sampling parameters for an endpoint.
    pub(super) fn sampling(&self, connection: &Connection) -> Sampling {
        let usual = connection.sampling();
        Sampling {
            max_tokens: self.max_tokens.or(usual.max_tokens),
            seed: self.seed,
            ..usual
        }
    }
}

/// Returns the protocol of a previous run.
///
/// # Errors
/// The protocol is unknown to this version.
pub fn protocol_of(head: &Head) -> Result<Protocol, ProtocolError> {
    let edited = head.parameters.get(EDITED).and_then(Json::as_str);
    if let (Some(text), Some(name)) = (edited, head.protocol.strip_prefix("file:")) {
        return Ok(Protocol::Edited(Arc::new(QuestionEdit::restored(
            name, text,
        )?)));
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
