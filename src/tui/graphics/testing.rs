//! Terminals for tests.

use super::depth::ColorDepth;
use super::probe::{Protocol, Terminal};

/// All protocols that draw pixels.
pub const PIXEL_PROTOCOLS: [Protocol; 3] = [Protocol::Kitty, Protocol::Sixel, Protocol::Iterm2];

/// A local terminal with the default cell of 10 x 20 pixels.
pub fn terminal(protocol: Protocol) -> Terminal {
    Terminal::assumed(protocol, ColorDepth::True)
}
