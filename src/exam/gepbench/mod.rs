//! `GePBench`'s engine: draws figures of simple shapes, and asks questions about them.
//!
//! Source: S. Xing et al., "`GePBench`: Evaluating Fundamental Geometric Perception for Multimodal
//! Large Language Models" (2024), section 3 and appendix A. The paper prints its templates only as
//! pictures, so the wordings here are Eyechart's own, [`WORDING`].
//!
//! A figure is laid out first ([`figure`]: Algorithm 1), then asked about ([`question`]), then
//! drawn ([`draw`]), then optionally made noisy ([`noise`]). Each step has its own stream of random
//! numbers, so the same figure and questions exist with and without noise.

pub mod asked_figure;
pub mod clear;
pub mod curve;
pub mod describe;
pub mod draw;
pub mod figure;
pub mod footprint;
pub mod noise;
pub mod partner;
pub mod question;
pub mod relationship;
pub mod sample;
pub mod schedule;
pub mod shape;
pub mod shape_kind;
#[cfg(test)]
mod tests;

pub use figure::Figure;
pub use relationship::{Relation, Relationship};
pub use schedule::{Gepbench, Noise};
pub use shape::Shape;
pub use shape_kind::ShapeKind;

/// Name and version of the question wordings.
pub const WORDING: &str = "eyechart-1";
