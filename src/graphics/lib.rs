//! What this terminal can show, and showing it.
//!
//! Terminals differ in how they take pictures: kitty's placeholders, sixel, iTerm2's own sequence, or none,
//! in which case two coloured half blocks stand for two pixels of every cell. This module finds out once
//! ([`probe`]), turns pictures into what the terminal takes on a thread of its own ([`Worker`]), and prints
//! a single picture into the scrollback ([`print_in_scrollback`]). It gets its pictures from
//! [`media`](media) and must not know samples or screens; what lies over what, and when a picture
//! must not be drawn, is decided by the screen that shows it.

// Tests compare exact numbers and cast small ones.
#![cfg_attr(
    test,
    allow(
        clippy::pedantic,
        clippy::type_complexity,
        clippy::cloned_ref_to_slice_refs
    )
)]

mod bandwidth;
mod depth;
mod draw;
mod drawn;
mod encode;
mod half_block;
mod images;
mod lean;
mod probe;
mod query;
mod queue;
mod show;
mod surroundings;
#[cfg(test)]
mod testing;
mod view;
mod worker;

pub use bandwidth::{Bandwidth, UnknownBandwidth};
pub use depth::ColorDepth;
pub use draw::Request;
pub use drawn::Drawn;
pub use half_block::HalfBlocks;
pub use images::{Images, UnknownImages};
pub use probe::{Protocol, Terminal, probe};
pub use show::print_in_scrollback;
pub use surroundings::Surroundings;
pub use worker::{Reply, Worker};
