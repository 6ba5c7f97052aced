//! Request settings of a whole run: model, prompt, sampling.

use super::content::TurnWords;
use super::picture_rules::PictureRules;
use super::shard::Shard;
use super::spin::Spins;
use crate::client::Sampling;
use media::PictureLimits;

/// Default limit of tokens per answer. Without one, a server can write until its context is full.
pub const MAX_TOKENS: u32 = 1024;

/// Default token limit of an answer at a reasoning effort. More effort needs more tokens: under an
/// equal limit, long answers would be cut off and score lower.
pub fn max_tokens_at(effort: &str) -> u32 {
    match effort {
        "none" => MAX_TOKENS,
        "minimal" | "low" => 4_000,
        "medium" => 8_000,
        _ => 16_000,
    }
}

/// Request settings of a whole run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asking {
    /// The model's name at its endpoint.
    pub model: String,
    /// The model's name in the new run; differs from `model` if the logs already contain that name.
    pub label: String,
    /// The user's system prompt, which replaces the log's.
    pub system: Option<String>,
    /// Sampling parameters without the temperature. The seed is that of the first repeat
    /// ([`Step::seed`](crate::Step::seed)).
    pub sampling: Sampling,
    /// The temperature: the protocol's, none or a fixed value.
    pub temperature: Temperature,
    /// True if the user set the limit of answer lengths, which then replaces the log's.
    pub bounds_length: bool,
    /// True to send damaged pictures, as far as they can be read.
    pub sends_damaged: bool,
    /// Whether direction words change with a rotated picture.
    pub turn_words: TurnWords,
    /// The filter that selected samples by outcome, for example `correct:false`. Such a run is not
    /// tested statistically against the log.
    pub picked_by: Option<String>,
    /// Limits of the pictures that are sent.
    pub pictures: PictureRules,
    /// The direction in which each benchmark rotates its pictures.
    pub spins: Spins,
    /// The part of the plan to ask; `None` for all of it.
    pub shard: Option<Shard>,
}

impl Asking {
    /// Returns what the user set differently from the log, for example `the system
    /// prompt`, `the temperature`.
    pub fn own(&self) -> Vec<&'static str> {
        let sampling = &self.sampling;
        let all = [
            ("the system prompt", self.system.is_some()),
            ("the temperature", self.temperature != Temperature::Usual),
            ("the length of answers", self.bounds_length),
            ("top_p", sampling.top_p.is_some()),
            ("the seed", sampling.seed.is_some()),
            ("the reasoning effort", sampling.effort.is_some()),
            ("extra request fields", !sampling.extra.is_empty()),
            (
                "the limits of pictures",
                self.pictures.own != PictureLimits::default(),
            ),
        ];
        let own = all.into_iter().filter(|(_, is_own)| *is_own);
        own.map(|(name, _)| name).collect()
    }
}

/// The sampling temperature of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Temperature {
    /// The protocol's value, else the log's, else 0.
    #[default]
    Usual,
    /// Not sent: the server uses its default.
    Unsent,
    /// This value for all steps.
    At(f64),
}

impl Temperature {
    /// Returns the temperature to send for a step, given the value of the protocol or the log.
    pub fn of(self, step: Option<f64>) -> Option<f64> {
        match self {
            Self::Usual => Some(step.unwrap_or_default()),
            Self::Unsent => None,
            Self::At(temperature) => Some(temperature),
        }
    }
}
