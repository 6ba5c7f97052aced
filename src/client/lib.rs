//! One request to one model endpoint: how it is spelled, what came back, whether to try again, and the key.
//!
//! The way of a request: [`Request`] is spelled by a [`Dialect`], sent by [`Endpoint::ask`] as often as the
//! [`Class`] of each failure allows, and ends as an [`Answer`] or a [`Failure`]. How many are on their way at
//! once is a [`Gate`]'s business; when an endpoint is gone, a circuit waits until it is back.
//!
//! Knows no samples, no tables and no terminal, and does not look into the environment: keys are handed in.

// Tests compare exact numbers and cast small ones.
#![cfg_attr(
    test,
    allow(
        clippy::pedantic,
        clippy::type_complexity,
        clippy::cloned_ref_to_slice_refs
    )
)]

mod address;
mod answer;
mod anthropic;
mod ask;
mod attempt;
mod body;
mod budget;
mod circuit;
mod class;
mod classify;
mod dialect;
mod endpoint;
mod failure;
mod gate;
mod json;
mod limits;
mod look;
mod news;
mod openai;
mod policy;
mod quirks;
mod request;
mod retry_after;
mod secret;
mod setup;
mod sight;
mod sse;

pub use answer::{Answer, Ending, Usage};
pub use class::Class;
pub use classify::classify;
pub use dialect::Dialect;
pub use endpoint::Endpoint;
pub use failure::Failure;
pub use gate::Gate;
pub use limits::Limits;
pub use news::{Asked, News, Try};
pub use openai::TokenField;
pub use policy::{After, POLICY, Rule, Wait, rule_of};
pub use request::{Part, Picture, Request, Role, Sampling, Turn, canonical};
pub use secret::Secret;
pub use setup::{EndpointError, Setup};

#[cfg(test)]
mod recorded_tests;
