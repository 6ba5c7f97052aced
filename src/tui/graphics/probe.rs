//! Detects the terminal's capabilities once at startup.
//!
//! Combines the user's choice, the environment and the terminal's answers. Stores the reason for
//! `doctor` and the status line. The rules are in [`settle`], which does no I/O.

use std::time::Duration;

use crossterm::event::Event;

use super::answers::{Answers, BestProtocol};
use super::depth::ColorDepth;
use super::environment::{Environment, Multiplexer};
use super::images::Images;
use super::query::{self, PictureUse, QueryResult};

/// Default cell size in pixels if the terminal does not report one.
const USUAL_CELL: (u16, u16) = (10, 20);

/// Reason to show no pixels if the cell size is unknown: a picture could cover other cells.
const NO_CELL: &str = "the terminal did not report its cell size in pixels";

/// Protocol for showing pictures in the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// No pictures.
    Off,
    /// Coloured half blocks.
    Blocks,
    /// Kitty's protocol with Unicode placeholders.
    Kitty,
    /// The sixel protocol.
    Sixel,
    /// iTerm2's inline images.
    Iterm2,
}

impl Protocol {
    /// Returns the name as used in a sentence.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "no pictures",
            Self::Blocks => "half blocks",
            Self::Kitty => "kitty",
            Self::Sixel => "sixel",
            Self::Iterm2 => "iTerm2",
        }
    }

    const fn is_of_pixels(self) -> bool {
        matches!(self, Self::Kitty | Self::Sixel | Self::Iterm2)
    }
}

/// A terminal and its capabilities.
#[derive(Clone, Debug)]
pub struct Terminal {
    /// Protocol in use for pictures.
    pub protocol: Protocol,
    /// Width and height of a cell in pixels, neither zero. The default size if the terminal does
    /// not report it.
    pub cell: (u16, u16),
    /// Reason for choosing the protocol, in one line, for `doctor` and the status line.
    pub why: String,
    /// True inside tmux or screen.
    pub multiplexed: bool,
    /// True over SSH.
    pub remote: bool,
    /// Number of colours of the terminal.
    pub depth: ColorDepth,
    /// True if the terminal was queried.
    pub was_asked: bool,
    /// The terminal's answers.
    pub(super) answers: Answers,
}

impl Terminal {
    /// Creates a terminal that was not queried. It shows half blocks or no pictures.
    pub fn unasked(protocol: Protocol, why: &str, around: Environment) -> Self {
        Self {
            protocol,
            cell: USUAL_CELL,
            why: format!("{}: {why}", protocol.name()),
            multiplexed: around.multiplexer.is_some(),
            remote: around.remote,
            depth: around.depth,
            was_asked: false,
            answers: Answers::default(),
        }
    }

    /// Creates a local terminal with this protocol and the default cell size, for measurements
    /// and tests.
    pub fn assumed(protocol: Protocol, depth: ColorDepth) -> Self {
        Self {
            protocol,
            cell: USUAL_CELL,
            why: format!("{}: assumed", protocol.name()),
            multiplexed: false,
            remote: false,
            depth,
            was_asked: false,
            answers: Answers::default(),
        }
    }

    /// Returns true if the terminal answered at least one query.
    pub const fn has_answered(&self) -> bool {
        self.answers.any
    }

    /// Returns the name and version from the terminal's answer, as plain text.
    pub fn name(&self) -> Option<&str> {
        self.answers.name.as_deref()
    }

    /// Returns the sequence that makes the terminal delete its pictures at exit. Empty if none is
    /// needed.
    pub const fn cleanup_sequence(&self) -> &'static str {
        match (self.protocol, self.multiplexed) {
            (Protocol::Kitty, false) => "\x1b_Ga=d,d=A,q=2\x1b\\",
            (Protocol::Kitty, true) => "\x1bPtmux;\x1b\x1b_Ga=d,d=A,q=2\x1b\x1b\\\x1b\\",
            _ => "",
        }
    }
}

/// Detects the terminal's capabilities. Also returns the input typed during the query. A `deadline`
/// of 600 ms is enough for most connections.
///
/// Must be called in raw mode on the alternate screen before the first event is read, because the
/// answers arrive on standard input.
pub fn probe(choice: Images, deadline: Duration) -> (Terminal, Vec<Event>) {
    probe_for(
        PictureUse::FullScreen,
        choice,
        Environment::read(),
        deadline,
    )
}

pub(super) fn probe_for(
    wanted: PictureUse,
    choice: Images,
    around: Environment,
    deadline: Duration,
) -> (Terminal, Vec<Event>) {
    if let Some((protocol, why)) = settled_unasked(choice, around) {
        return (Terminal::unasked(protocol, why, around), Vec::new());
    }
    let mut queried = query::ask(wanted, around, deadline);
    let typed = std::mem::take(&mut queried.typed);
    (known(wanted, queried, choice, around), typed)
}

/// Builds the terminal from the result of the query.
fn known(
    wanted: PictureUse,
    queried: QueryResult,
    choice: Images,
    around: Environment,
) -> Terminal {
    let Some(answers) = queried.answers else {
        return Terminal::unasked(
            Protocol::Blocks,
            "the terminal could not be queried",
            around,
        );
    };
    let (protocol, why) = settle(choice, &answers, wanted, around);
    let Some(cell) = answers
        .cell
        .or_else(|| (!protocol.is_of_pixels()).then_some(USUAL_CELL))
    else {
        let why = format!("{} {why}, but {NO_CELL}", protocol.name());
        return Terminal {
            was_asked: true,
            answers,
            ..Terminal::unasked(Protocol::Blocks, &why, around)
        };
    };
    Terminal {
        cell,
        why: format!(
            "{}: {why}; cell {} x {} pixels",
            protocol.name(),
            cell.0,
            cell.1
        ),
        was_asked: true,
        answers,
        ..Terminal::unasked(protocol, "", around)
    }
}

/// Returns the protocol and the reason if no query is necessary.
const fn settled_unasked(choice: Images, around: Environment) -> Option<(Protocol, &'static str)> {
    match choice {
        Images::Off => Some((Protocol::Off, "as configured")),
        Images::Blocks => Some((Protocol::Blocks, "as configured")),
        _ if !around.can_ask => Some((Protocol::Blocks, "input or output is not a terminal")),
        _ if around.is_plain => Some((
            Protocol::Blocks,
            "TERM is set to a terminal without pictures",
        )),
        _ => None,
    }
}

/// Returns the protocol for a choice and the terminal's answers, and the reason.
pub(super) fn settle(
    choice: Images,
    answers: &Answers,
    wanted: PictureUse,
    around: Environment,
) -> (Protocol, String) {
    let chosen = match choice {
        Images::Off => Protocol::Off,
        Images::Blocks => Protocol::Blocks,
        Images::Kitty => Protocol::Kitty,
        Images::Sixel => Protocol::Sixel,
        Images::Iterm2 => Protocol::Iterm2,
        Images::Auto => return detected(answers, wanted, around),
    };
    (chosen, "as configured".to_owned())
}

/// Returns the protocol that the answers select, and the reason.
fn detected(answers: &Answers, wanted: PictureUse, around: Environment) -> (Protocol, String) {
    let tmux = around.multiplexer == Some(Multiplexer::Tmux);
    let found = |protocol, why: &str| (protocol, why.to_owned());
    match answers.best(wanted) {
        Some(BestProtocol::Kitty) => {
            found(Protocol::Kitty, "the terminal answered the kitty query")
        }
        Some(BestProtocol::Iterm2ByName) => {
            let name = answers.name.as_deref().unwrap_or_default();
            let why = format!("the terminal identified itself as {name}");
            (Protocol::Iterm2, why)
        }
        Some(BestProtocol::Iterm2ByFiles) => found(
            Protocol::Iterm2,
            "the terminal reported support for iTerm2 images",
        ),
        // tmux does not track sixels that pass through it: a redraw erases them or leaves them
        // behind.
        Some(BestProtocol::Sixel) if around.multiplexer.is_some() => found(
            Protocol::Blocks,
            "multiplexers often break sixel; try it with --images sixel",
        ),
        Some(BestProtocol::Sixel) => found(
            Protocol::Sixel,
            "the terminal's device attributes list sixel",
        ),
        None if !answers.any && tmux => found(
            Protocol::Blocks,
            "no answer; in tmux, `set -g allow-passthrough on` lets pictures through",
        ),
        None if !answers.any => found(Protocol::Blocks, "the terminal did not answer in time"),
        None if answers.cell.is_none() => found(Protocol::Blocks, NO_CELL),
        None => found(
            Protocol::Blocks,
            "the terminal supports none of the picture protocols",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graphics::identity_tests::{CELL, KITTY, SIXEL, WELL, answering};

    const PLAIN: Environment = Environment {
        can_ask: true,
        is_terminal: true,
        is_plain: false,
        multiplexer: None,
        hint: None,
        remote: false,
        depth: ColorDepth::True,
    };
    const TMUX: Environment = Environment {
        multiplexer: Some(Multiplexer::Tmux),
        ..PLAIN
    };
    const SCREEN: Environment = Environment {
        multiplexer: Some(Multiplexer::Screen),
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
        let auto = |answers: &[&str], around: Environment| {
            settle(
                Images::Auto,
                &answering(answers),
                PictureUse::FullScreen,
                around,
            )
        };
        assert_eq!(auto(&[KITTY, CELL, WELL], TMUX).0, Protocol::Kitty);
        assert_eq!(auto(&[SIXEL, CELL, WELL], PLAIN).0, Protocol::Sixel);
        assert_eq!(auto(&[SIXEL, CELL, WELL], TMUX).0, Protocol::Blocks);
        assert_eq!(auto(&[SIXEL, CELL, WELL], SCREEN).0, Protocol::Blocks);
        let (protocol, why) = auto(&[SIXEL, WELL], PLAIN);
        assert_eq!(protocol, Protocol::Blocks);
        assert!(why.contains("its cell size"), "{why}");
        assert_eq!(auto(&[], PLAIN).0, Protocol::Blocks);
        assert!(auto(&[], TMUX).1.contains("allow-passthrough"));
        assert!(!auto(&[], SCREEN).1.contains("tmux"));
    }

    #[test]
    fn only_a_terminal_that_was_asked_says_so() {
        let chosen = probe_for(
            PictureUse::FullScreen,
            Images::Blocks,
            PLAIN,
            Duration::ZERO,
        );
        assert!(!chosen.0.was_asked);
        let of = |answers| {
            let queried = QueryResult {
                answers,
                typed: Vec::new(),
            };
            known(PictureUse::FullScreen, queried, Images::Auto, PLAIN)
        };
        assert!(!of(None).was_asked);
        let silent = of(Some(Answers::default()));
        assert!(silent.was_asked && !silent.has_answered());
        assert!(of(Some(answering(&[WELL]))).has_answered());
    }

    #[test]
    fn pixels_need_the_size_of_a_cell() {
        let of = |all: &[&str]| {
            let queried = QueryResult {
                answers: Some(answering(all)),
                typed: Vec::new(),
            };
            known(PictureUse::FullScreen, queried, Images::Sixel, PLAIN)
        };
        assert_eq!(of(&[CELL, WELL]).protocol, Protocol::Sixel);
        let blind = of(&[WELL]);
        assert_eq!(blind.protocol, Protocol::Blocks);
        assert!(
            blind.why.contains("sixel as configured, but"),
            "{}",
            blind.why
        );
    }

    #[test]
    fn the_users_choice_overrules_the_answer() {
        let kitty = answering(&[KITTY, CELL, WELL]);
        let settled = |choice, answers: &Answers, around| {
            settle(choice, answers, PictureUse::FullScreen, around).0
        };
        assert_eq!(settled(Images::Sixel, &kitty, TMUX), Protocol::Sixel);
        let silent = Answers::default();
        assert_eq!(settled(Images::Kitty, &silent, PLAIN), Protocol::Kitty);
    }

    #[test]
    fn only_kitty_keeps_pictures_that_must_be_forgotten() {
        let of = |protocol, around| Terminal::unasked(protocol, "", around).cleanup_sequence();
        assert_eq!(of(Protocol::Sixel, PLAIN), "");
        assert_eq!(of(Protocol::Kitty, PLAIN), "\x1b_Ga=d,d=A,q=2\x1b\\");
        assert!(of(Protocol::Kitty, TMUX).starts_with("\x1bPtmux;\x1b\x1b_G"));
    }
}
