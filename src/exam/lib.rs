//! Makes benchmark items: pictures drawn on the spot, and questions whose answers are known.
//!
//! A benchmark is a row of [`Page`]s. A page (a figure, a scene) depends on the seed and its own number
//! alone, so that a set is the same on any number of threads, and only as many pages as there are threads
//! are in memory. What a set's answers are worth without a look at its pictures is [`chance::Chance`].

// Tests compare exact numbers and cast small ones.
#![cfg_attr(
    test,
    allow(
        clippy::pedantic,
        clippy::type_complexity,
        clippy::cloned_ref_to_slice_refs
    )
)]

pub mod abilities;
pub mod chance;
pub mod dice;
pub mod gepbench;
pub mod item;
pub mod lessons;
pub mod letters;
pub mod paper;
pub mod peers;
pub mod runs;
pub mod samples;
pub mod set;
pub mod sheet;

pub use dice::Dice;
pub use item::{Item, Options};
pub use set::{Benchmark, Page, Picture};
