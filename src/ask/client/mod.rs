//! Client for model endpoints: builds requests, reads answers, retries failures, protects the key.
//!
//! A [`Request`] is written in a [`Dialect`] and sent by [`Endpoint::ask`]. The [`Class`] of each
//! failure decides about retries. The result is an [`Answer`] or a [`Failure`]. A [`Gate`] limits
//! concurrent requests; a circuit breaker pauses them while an endpoint is down.
//!
//! This module does not depend on samples, tables, the terminal or the environment: keys are passed
//! in.

mod address;
mod answer;
mod anthropic;
mod ask;
mod attempt;
mod batch;
mod body;
mod budget;
mod capabilities;
mod circuit;
mod class;
mod classify;
mod dialect;
mod endpoint;
mod failure;
mod gate;
mod intake;
mod json;
mod list_models;
mod news;
mod openai;
mod picture;
mod policy;
mod quirks;
mod refused;
mod request;
mod request_body;
mod retry_after;
mod setup;
mod sse;
mod vision_probe;

pub use address::{completed, may_hold_key, without_secrets};
pub use answer::{Answer, Ending, Usage};
pub use batch::BatchAnswer;
pub use body::{HEARD_EACH, TOLD_EACH};
pub use capabilities::Capabilities;
pub use class::Class;
pub use classify::classify;
pub use dialect::Dialect;
pub use endpoint::Endpoint;
pub use failure::Failure;
pub use gate::{Gate, RequestSlot};
pub use news::{AskOutcome, AttemptRecord, RequestEvent};
pub use openai::TokenField;
pub use picture::Picture;
pub use policy::{Fallback, POLICY, Rule, Wait, rule_of};
pub use quirks::RefusedField;
pub use request::{Part, Request, Role, Sampling, Schema, Turn, digest};
pub use setup::{EndpointError, Limits, Setup};
pub use vision_probe::VisionProbe;

#[cfg(test)]
mod recorded_tests;
