//! Makes benchmark items: pictures are generated, so every answer is known.
//!
//! A benchmark is a sequence of [`Page`]s. A page (a figure, a scene) depends only on the seed and
//! its own number. A set is therefore the same with any number of threads, and only a few pages are
//! in memory at a time. [`chance::Chance`] is the baseline that ignores the picture. [`encoder`]
//! holds small encoders that answer items without an endpoint.

// Tests compare exact numbers and cast small ones.
#![cfg_attr(test, allow(clippy::pedantic, clippy::complexity, clippy::perf))]

pub mod abilities;
pub mod adaptive;
pub mod baselines;
pub mod builtin;
pub mod chance;
pub mod contact_sheet;
pub mod dense;
pub mod encoder;
pub mod examiner;
pub mod gepbench;
pub mod item;
pub mod kept;
pub mod precision;
pub mod rng;
pub mod runs;
pub mod sample_runs;
pub mod set;
pub mod test_set;
pub mod trained_encoder;
pub mod trainer;
pub mod training_set;
pub mod typeface;

#[cfg(test)]
mod read_tests;

pub use item::{Item, Options};
pub use rng::Rng;
pub use set::{Benchmark, Page, Picture};
