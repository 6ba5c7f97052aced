//! Detects the terminal's abilities once at start.
//!
//! Combines the user's choice, the environment and the terminal's answer, and keeps the reason for `doctor` and the
//! status line. The rules are in [`settle`], which does no I/O.

use std::time::Duration;

use crossterm::event::Event;
use ratatui_image::picker::{Capability, Picker, ProtocolType};

use super::depth::ColorDepth;
use super::environment::Environment;
use super::images::Images;
use super::query::{self, Use};

/// Assumed cell size in pixels if the terminal does not tell.
const USUAL_CELL: (u16, u16) = (10, 20);

/// How pictures are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// No pictures.
    Off,
    /// Coloured half blocks.
    Blocks,
    /// Kitty's protocol with Unicode placeholders.
    Kitty,
    /// Sixel.
    Sixel,
    /// iTerm2's inline images.
    Iterm2,
}

impl Protocol {
    /// Its name in a sentence.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "no pictures",
            Self::Blocks => "half blocks",
            Self::Kitty => "kitty",
            Self::Sixel => "sixel",
            Self::Iterm2 => "iTerm2",
        }
    }

    const fn of(kind: ProtocolType) -> Self {
        match kind {
            ProtocolType::Halfblocks => Self::Blocks,
            ProtocolType::Sixel => Self::Sixel,
            ProtocolType::Kitty => Self::Kitty,
            ProtocolType::Iterm2 => Self::Iterm2,
        }
    }

    const fn kind(self) -> ProtocolType {
        match self {
            Self::Off | Self::Blocks => ProtocolType::Halfblocks,
            Self::Sixel => ProtocolType::Sixel,
            Self::Kitty => ProtocolType::Kitty,
            Self::Iterm2 => ProtocolType::Iterm2,
        }
    }
}

/// A terminal and its abilities.
#[derive(Clone, Debug)]
pub struct Terminal {
    /// The picture protocol.
    pub protocol: Protocol,
    /// Width and height of a cell in pixels, neither zero; a default if the terminal does not tell.
    pub cell: (u16, u16),
    /// Why this protocol was chosen, in one line for `doctor` and the status line.
    pub why: String,
    /// True inside tmux or screen.
    pub multiplexed: bool,
    /// True over SSH.
    pub remote: bool,
    /// The colour depth.
    pub depth: ColorDepth,
    /// True if the terminal itself was asked.
    pub was_asked: bool,
    /// The encoder; absent where half blocks were chosen without a query.
    pub(super) picker: Option<Picker>,
}

impl Terminal {
    /// A terminal that was not queried and shows half blocks or nothing.
    #[must_use]
    pub fn unasked(protocol: Protocol, why: &str, around: Environment) -> Self {
        Self {
            protocol,
            cell: USUAL_CELL,
            why: format!("{}: {why}", protocol.name()),
            multiplexed: around.multiplexed,
            remote: around.remote,
            depth: around.depth,
            was_asked: false,
            picker: None,
        }
    }

    /// A local terminal with this protocol and the default cell, for measurements and tests.
    #[must_use]
    pub fn assumed(protocol: Protocol, depth: ColorDepth) -> Self {
        let mut picker = Picker::halfblocks();
        picker.set_protocol_type(protocol.kind());
        Self {
            protocol,
            cell: USUAL_CELL,
            why: format!("{}: assumed", protocol.name()),
            multiplexed: false,
            remote: false,
            depth,
            was_asked: false,
            picker: Some(picker),
        }
    }

    /// Returns true if the terminal itself answered that it speaks kitty's protocol.
    pub(super) fn has_answered_kitty(&self) -> bool {
        let capabilities = self.picker.as_ref().map(Picker::capabilities);
        capabilities.is_some_and(|known| known.contains(&Capability::Kitty))
    }

    /// The sequence to write at exit so that the terminal frees its pictures.
    #[must_use]
    pub const fn farewell(&self) -> &'static str {
        match (self.protocol, self.multiplexed) {
            (Protocol::Kitty, false) => "\x1b_Ga=d,d=A,q=2\x1b\\",
            (Protocol::Kitty, true) => "\x1bPtmux;\x1b\x1b_Ga=d,d=A,q=2\x1b\x1b\\\x1b\\",
            _ => "",
        }
    }
}

/// Detects what the terminal can show, within a deadline (600 ms suit most links); gives also what the user did in the
/// meantime.
///
/// Must be called in raw mode on the alternate screen before the first event is read, because the answer arrives on
/// standard input.
#[must_use]
pub fn probe(choice: Images, deadline: Duration) -> (Terminal, Vec<Event>) {
    probe_for(Use::FullScreen, choice, Environment::read(), deadline)
}

pub(super) fn probe_for(
    wanted: Use,
    choice: Images,
    around: Environment,
    deadline: Duration,
) -> (Terminal, Vec<Event>) {
    if let Some((protocol, why)) = settled_unasked(choice, around) {
        return (Terminal::unasked(protocol, why, around), Vec::new());
    }
    let (picker, typed) = query::ask(wanted, around.remote, deadline);
    (known(picker, choice, around), typed)
}

/// What follows from the terminal's answer.
fn known(picker: Option<Picker>, choice: Images, around: Environment) -> Terminal {
    let Some(mut picker) = picker else {
        return Terminal::unasked(Protocol::Blocks, "the terminal could not be asked", around);
    };
    // A terminal that answers always tells its cell size, which is among the capabilities.
    let answer = (!picker.capabilities().is_empty()).then(|| Protocol::of(picker.protocol_type()));
    let (protocol, why) = settle(choice, answer, around);
    picker.set_protocol_type(protocol.kind());
    let font = picker.font_size();
    let cell = if font.width > 0 && font.height > 0 {
        (font.width, font.height)
    } else {
        USUAL_CELL
    };
    Terminal {
        cell,
        why: format!(
            "{}: {why}; cell {} x {} pixels",
            protocol.name(),
            cell.0,
            cell.1
        ),
        // Half blocks need no encoder, and a default cell size allows none.
        picker: (protocol != Protocol::Blocks && cell.0 == font.width).then_some(picker),
        was_asked: true,
        ..Terminal::unasked(protocol, "", around)
    }
}

/// The protocol that follows without a query.
const fn settled_unasked(choice: Images, around: Environment) -> Option<(Protocol, &'static str)> {
    match choice {
        Images::Off => Some((Protocol::Off, "as chosen")),
        Images::Blocks => Some((Protocol::Blocks, "as chosen")),
        _ if !around.can_ask => Some((Protocol::Blocks, "input or output is no terminal")),
        _ if around.is_plain => Some((Protocol::Blocks, "TERM names a terminal without pictures")),
        _ => None,
    }
}

/// The protocol for a choice, given the terminal's answer, and why.
const fn settle(
    choice: Images,
    answer: Option<Protocol>,
    around: Environment,
) -> (Protocol, &'static str) {
    match (choice, answer) {
        (Images::Off, _) => (Protocol::Off, "as chosen"),
        (Images::Blocks, _) => (Protocol::Blocks, "as chosen"),
        (Images::Kitty, _) => (Protocol::Kitty, "as chosen"),
        (Images::Sixel, _) => (Protocol::Sixel, "as chosen"),
        (Images::Iterm2, _) => (Protocol::Iterm2, "as chosen"),
        (Images::Auto, None) if around.multiplexed => (
            Protocol::Blocks,
            "no answer; in tmux, `set -g allow-passthrough on` lets pictures through",
        ),
        (Images::Auto, None) => (Protocol::Blocks, "the terminal did not answer in time"),
        // Tmux does not know of sixels that pass through it: any redraw wipes them or leaves them behind.
        (Images::Auto, Some(Protocol::Sixel)) if around.multiplexed => (
            Protocol::Blocks,
            "sixel does not survive in tmux; --images sixel tries",
        ),
        (Images::Auto, Some(Protocol::Blocks | Protocol::Off)) => (
            Protocol::Blocks,
            "the terminal has no picture protocol that fits",
        ),
        (Images::Auto, Some(found)) => (found, "the terminal says so"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Environment = Environment {
        can_ask: true,
        is_terminal: true,
        is_plain: false,
        multiplexed: false,
        remote: false,
        depth: ColorDepth::True,
    };
    const TMUX: Environment = Environment {
        multiplexed: true,
        ..PLAIN
    };

    #[test]
    fn some_things_need_no_question() {
        let settled = |choice, around: Environment| {
            settled_unasked(choice, around).map(|(protocol, _)| protocol)
        };
        assert_eq!(settled(Images::Off, PLAIN), Some(Protocol::Off));
        assert_eq!(settled(Images::Blocks, PLAIN), Some(Protocol::Blocks));
        let piped = Environment {
            can_ask: false,
            ..PLAIN
        };
        assert_eq!(settled(Images::Kitty, piped), Some(Protocol::Blocks));
        let console = Environment {
            is_plain: true,
            ..PLAIN
        };
        assert_eq!(settled(Images::Auto, console), Some(Protocol::Blocks));
        assert_eq!(settled(Images::Auto, PLAIN), None);
    }

    #[test]
    fn the_terminals_answer_counts_but_not_sixel_in_tmux() {
        let auto = |answer, around: Environment| settle(Images::Auto, answer, around).0;
        assert_eq!(auto(Some(Protocol::Kitty), TMUX), Protocol::Kitty);
        assert_eq!(auto(Some(Protocol::Sixel), PLAIN), Protocol::Sixel);
        assert_eq!(auto(Some(Protocol::Sixel), TMUX), Protocol::Blocks);
        assert_eq!(auto(None, PLAIN), Protocol::Blocks);
        assert!(
            settle(Images::Auto, None, TMUX)
                .1
                .contains("allow-passthrough")
        );
    }

    #[test]
    fn only_a_terminal_that_was_asked_says_so() {
        let chosen = probe_for(Use::FullScreen, Images::Blocks, PLAIN, Duration::ZERO);
        assert!(!chosen.0.was_asked);
        assert!(!known(None, Images::Auto, PLAIN).was_asked);
        assert!(known(Some(Picker::halfblocks()), Images::Auto, PLAIN).was_asked);
    }

    #[test]
    fn the_users_choice_overrules_the_answer() {
        assert_eq!(
            settle(Images::Sixel, Some(Protocol::Kitty), TMUX).0,
            Protocol::Sixel
        );
        assert_eq!(settle(Images::Kitty, None, PLAIN).0, Protocol::Kitty);
    }

    #[test]
    fn only_kitty_keeps_pictures_that_must_be_forgotten() {
        let of = |protocol, around| Terminal::unasked(protocol, "", around).farewell();
        assert_eq!(of(Protocol::Sixel, PLAIN), "");
        assert_eq!(of(Protocol::Kitty, PLAIN), "\x1b_Ga=d,d=A,q=2\x1b\\");
        assert!(of(Protocol::Kitty, TMUX).starts_with("\x1bPtmux;\x1b\x1b_G"));
    }
}
