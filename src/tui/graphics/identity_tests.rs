//! Tests which protocol is chosen for the answers of real terminals.
//!
//! The answers come from the terminals' documentation and from bug reports.

use super::answers::Answers;
use super::depth::ColorDepth;
use super::environment::Environment;
use super::images::Images;
use super::probe::{Protocol, settle};
use super::query::PictureUse;

/// Answer: cells of 10 x 20 pixels.
pub(super) const CELL: &str = "\x1b[6;20;10t";
/// Answer: kitty's protocol is supported.
pub(super) const KITTY: &str = "\x1b_Gi=31;OK\x1b\\";
/// Answer: device attributes with sixel.
pub(super) const SIXEL: &str = "\x1b[?62;4;22c";
/// Answer: the terminal works (status report).
pub(super) const WELL: &str = "\x1b[0n";

/// Parses a list of answers.
pub(super) fn answering(all: &[&str]) -> Answers {
    let mut answers = Answers::default();
    for one in all {
        answers.add(one.as_bytes());
    }
    answers
}

/// A local terminal without hints from the environment.
fn around() -> Environment {
    Environment {
        can_ask: true,
        is_terminal: true,
        is_plain: false,
        multiplexer: None,
        hint: None,
        remote: false,
        depth: ColorDepth::True,
    }
}

/// Name, answers, protocol in the full-screen program, and protocol for a picture that is printed
/// once.
const TERMINALS: [(&str, &[&str], Protocol, Protocol); 20] = [
    (
        "Windows Terminal",
        &["\x1b[?61;4;6;7;14;21;22;23;24;28;32;42c", CELL],
        Protocol::Sixel,
        Protocol::Sixel,
    ),
    (
        "attributes 24 and 42 without 4",
        &["\x1b[?62;1;2;24;42c", CELL],
        Protocol::Blocks,
        Protocol::Blocks,
    ),
    (
        "old device attributes",
        &["\x1b[?1;2;4c", CELL],
        Protocol::Sixel,
        Protocol::Sixel,
    ),
    (
        "foot",
        &["\x1bP>|foot(1.16.2)\x1b\\", SIXEL, CELL],
        Protocol::Sixel,
        Protocol::Sixel,
    ),
    (
        "a plain xterm",
        &["\x1bP>|XTerm(379)\x1b\\", "\x1b[?64;1;2;6;22c", CELL],
        Protocol::Blocks,
        Protocol::Blocks,
    ),
    (
        "a terminal without pictures",
        &["\x1b[?1;2c", CELL],
        Protocol::Blocks,
        Protocol::Blocks,
    ),
    (
        "VS Code without images",
        &["\x1bP>|xterm.js(6.0.0)\x1b\\", "\x1b[?1;2c", CELL],
        Protocol::Blocks,
        Protocol::Blocks,
    ),
    (
        "VS Code with images",
        &["\x1bP>|xterm.js(6.0.0)\x1b\\", "\x1b[?62;4;9;22c", CELL],
        Protocol::Sixel,
        Protocol::Sixel,
    ),
    (
        "GNU screen",
        &["\x1b[?1;2c"],
        Protocol::Blocks,
        Protocol::Blocks,
    ),
    ("mosh", &["\x1b[?62c"], Protocol::Blocks, Protocol::Blocks),
    (
        "WezTerm",
        &[
            KITTY,
            "\x1b[?65;4;6;18;22;52c",
            CELL,
            "\x1bP>|WezTerm 20240203-110809\x1b\\",
        ],
        Protocol::Iterm2,
        Protocol::Kitty,
    ),
    (
        "WezTerm without kitty's protocol",
        &[
            "\x1b[?65;4;6;18;22;52c",
            CELL,
            "\x1bP>|WezTerm 20240203-110809\x1b\\",
        ],
        Protocol::Iterm2,
        Protocol::Iterm2,
    ),
    (
        "Konsole",
        &[KITTY, "\x1b[?62;1;4c", CELL, "\x1bP>|Konsole 24.05.2\x1b\\"],
        Protocol::Sixel,
        Protocol::Kitty,
    ),
    (
        "Ghostty",
        &[KITTY, "\x1b[?62;22c", CELL, "\x1bP>|ghostty 1.1.3\x1b\\"],
        Protocol::Kitty,
        Protocol::Kitty,
    ),
    (
        "kitty",
        &[KITTY, "\x1b[?62;52c", CELL, "\x1bP>|kitty(0.41.1)\x1b\\"],
        Protocol::Kitty,
        Protocol::Kitty,
    ),
    (
        "iTerm2",
        &[
            "\x1b[?64;1;2;4;6;17;18;21;22c",
            CELL,
            "\x1bP>|iTerm2 3.5.11\x1b\\",
        ],
        Protocol::Iterm2,
        Protocol::Iterm2,
    ),
    (
        "a terminal that takes files",
        &["\x1b[?1;2c", CELL, "\x1b]1337;Capabilities=T3SxF\x07"],
        Protocol::Iterm2,
        Protocol::Iterm2,
    ),
    (
        "mintty",
        &[
            "\x1bP>|mintty 3.7.7\x1b\\",
            "\x1b[?64;1;2;4;6;9;15;21;22;28;29c",
            CELL,
        ],
        Protocol::Sixel,
        Protocol::Sixel,
    ),
    (
        "sixel without a cell size",
        &[SIXEL],
        Protocol::Blocks,
        Protocol::Blocks,
    ),
    ("silence", &[], Protocol::Blocks, Protocol::Blocks),
];

#[test]
fn every_terminal_gets_the_protocol_of_its_answers() {
    for (name, said, full_screen, once) in TERMINALS {
        let settled = |wanted| settle(Images::Auto, &answering(said), wanted, around()).0;
        assert_eq!(settled(PictureUse::FullScreen), full_screen, "{name}");
        assert_eq!(settled(PictureUse::Once), once, "{name}, once");
    }
}
