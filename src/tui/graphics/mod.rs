//! Detects which picture protocol the terminal supports, and shows pictures with it.
//!
//! The protocols are kitty's placeholders, sixel and iTerm2's sequence. Without any of them, each
//! cell shows two pixels as coloured half blocks. This module detects the protocol ([`probe`]),
//! encodes pictures on a separate thread ([`Worker`]), and prints a single picture into the
//! scrollback ([`print_in_scrollback`]). Pictures come from [`media`]. The module does not depend
//! on samples or screens. The screen that shows a picture decides what may cover it.

mod answers;
mod bandwidth;
mod depth;
mod draw;
mod encode;
mod environment;
mod half_block;
#[cfg(test)]
mod identity_tests;
mod images;
mod input_splitter;
#[cfg(test)]
mod orientation_tests;
mod placeholder;
mod probe;
mod query;
mod queue;
mod show;
mod sixel;
mod terminal_picture;
#[cfg(test)]
mod testing;
mod view;
mod worker;

pub use bandwidth::{Bandwidth, UnknownBandwidth};
pub use depth::ColorDepth;
pub use draw::Request;
pub use environment::{Environment, Hint, Multiplexer};
pub use half_block::HalfBlocks;
pub use images::{Images, UnknownImages};
pub use probe::{Protocol, Terminal, probe};
pub use show::{PrintedPicture, print_in_scrollback};
pub use terminal_picture::TerminalPicture;
pub use worker::{Reply, Worker};
