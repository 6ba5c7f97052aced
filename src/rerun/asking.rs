//! How everything of a run is asked: of which model, with which sampling.

use super::content::TurnWords;
use super::shard::Shard;
use super::spin::Spins;
use client::Sampling;

/// Most tokens of an answer, where nobody says it: a server without a bound may write until its context is full.
pub const MAX_TOKENS: u32 = 1024;

/// How everything of a run is asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asking {
    /// The model's name at its endpoint.
    pub model: String,
    /// The model's name in the new run: another one where the logs have a model of the same name.
    pub label: String,
    /// A system prompt.
    pub system: Option<String>,
    /// How answers are drawn; the temperature stands beside it. The seed is that of the first repeat
    /// ([`Step::seed`](crate::Step::seed)).
    pub sampling: Sampling,
    /// The temperature.
    pub temperature: Temperature,
    /// The user bounds the length of answers, whatever the log says.
    pub bounds_length: bool,
    /// Damaged pictures are sent, as far as they can be read.
    pub sends_damaged: bool,
    /// Whether options and targets that are a direction turn with a picture.
    pub turn_words: TurnWords,
    /// What picked the samples by their outcome, such as `correct:false`: then no test against the log is made.
    pub picked_by: Option<String>,
    /// Which way each benchmark turns its pictures.
    pub spins: Spins,
    /// Which part of the plan is asked; `None`: all of it.
    pub shard: Option<Shard>,
}

impl Asking {
    /// What of it is not as the log asked, because the user said so: `the system prompt`, `the temperature`.
    #[must_use]
    pub fn own(&self) -> Vec<&'static str> {
        let sampling = &self.sampling;
        let all = [
            ("the system prompt", self.system.is_some()),
            ("the temperature", self.temperature != Temperature::Usual),
            ("the length of answers", self.bounds_length),
            ("top_p", sampling.top_p.is_some()),
            ("the seed", sampling.seed.is_some()),
            ("the effort", sampling.effort.is_some()),
            ("fields of the request", !sampling.extra.is_empty()),
        ];
        let own = all.into_iter().filter(|(_, is_own)| *is_own);
        own.map(|(name, _)| name).collect()
    }
}

/// At which temperature answers are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Temperature {
    /// What the protocol wants, else 0.
    #[default]
    Usual,
    /// What the server takes for usual: nothing is sent.
    Unsent,
    /// This one.
    At(f64),
}

impl Temperature {
    /// The temperature to send for a step.
    #[must_use]
    pub fn of(self, step: Option<f64>) -> Option<f64> {
        match self {
            Self::Usual => Some(step.unwrap_or_default()),
            Self::Unsent => None,
            Self::At(temperature) => Some(temperature),
        }
    }
}
