//! Queries the terminal for its picture protocols.
//!
//! `ratatui-image` sends a query, polls for the answers with a deadline and keeps what its
//! encoders need. A relay between the crate and the terminal sends a longer query instead, for
//! three reasons:
//! - The crate asks less if an environment variable names a terminal, but the variable may come
//!   from another one.
//! - The crate does not ask for the terminal's name.
//! - Kitty before 0.28 has the graphics protocol but not the Unicode placeholders of a
//!   full-screen program. It does not answer a query with `U=1`, and so counts as a terminal
//!   without the protocol.
//!
//! The relay also reads the answers, and keeps the user's typing, which the crate would drop.

use std::time::Duration;

use base::platform::terminal::{Stdio, TerminalFilter, between};
use crossterm::event::Event;
use ratatui_image::picker::Picker;
use ratatui_image::picker::cap_parser::QueryStdioOptions;

use super::answers::Answers;
use super::environment::Environment;
use super::input_splitter::InputSplitter;

/// Start of a query that passes through tmux.
const THROUGH_TMUX: &str = "\x1bPtmux;";

/// The purpose of a picture; kitty's protocol differs between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PictureUse {
    /// A full-screen program: Unicode placeholders.
    FullScreen,
    /// A picture printed once: the plain protocol.
    Once,
}

/// The result of a query.
#[derive(Debug)]
pub(super) struct QueryResult {
    /// The encoder; `None` if the terminal could not be queried.
    pub(super) picker: Option<Picker>,
    /// The terminal's answers.
    pub(super) answers: Answers,
    /// Events typed during the query.
    pub(super) typed: Vec<Event>,
}

/// Queries the terminal and waits for the answers until the deadline.
///
/// Standard input and output must be a terminal in raw mode. Nothing else may read standard
/// input or hold the lock of standard output.
pub(super) fn ask(wanted: PictureUse, around: Environment, deadline: Duration) -> QueryResult {
    let compress = around.remote;
    let options = QueryStdioOptions {
        timeout_ms: i32::try_from(deadline.as_millis()).unwrap_or(i32::MAX),
        kitty_compression: compress,
        ..QueryStdioOptions::default()
    };
    let query = |options| Picker::from_query_stdio_with_options(options).ok();
    let relay = Relay {
        wanted,
        compress,
        typed: InputSplitter::default(),
        answers: Answers::default(),
    };
    let Ok((stdio, relay)) = between(relay, deadline) else {
        let picker = query(options);
        let known = picker.as_ref().map(Picker::capabilities);
        let answers = known.map(|known| Answers::of_library(known));
        return QueryResult {
            answers: answers.unwrap_or_default(),
            picker,
            typed: Vec::new(),
        };
    };
    let picker = query(through(options, stdio));
    let relayed = relay.finish();
    let (answers, typed) = relayed
        .map(|relayed| (relayed.answers, relayed.typed))
        .unwrap_or_default();
    QueryResult {
        picker,
        answers,
        typed: typed.finish(),
    }
}

/// Sends the query through other streams than standard input and output.
#[cfg(not(windows))]
fn through(options: QueryStdioOptions, stdio: Stdio) -> QueryStdioOptions {
    QueryStdioOptions {
        stdio: Some(stdio),
        ..options
    }
}

/// Never called: this platform has no such streams.
#[cfg(windows)]
fn through(_: QueryStdioOptions, stdio: Stdio) -> QueryStdioOptions {
    match stdio {}
}

/// A relay between the crate's query and the terminal.
#[derive(Debug)]
struct Relay {
    wanted: PictureUse,
    compress: bool,
    typed: InputSplitter,
    answers: Answers,
}

impl TerminalFilter for Relay {
    fn ask(&mut self, question: &str) -> String {
        let is_tmux = question.starts_with(THROUGH_TMUX);
        whole_question(self.wanted, self.compress, is_tmux)
    }

    fn hear(&mut self, sent: &[u8]) -> (Vec<u8>, bool) {
        let (answers, is_last) = self.typed.hear(sent);
        for answer in &answers {
            self.answers.hear(answer);
        }
        (answers.concat(), is_last)
    }
}

/// Returns the complete query. It asks for kitty's protocol, the device attributes, the cell
/// size, the terminal's name, iTerm2's capabilities, and last the status, which every terminal
/// answers.
fn whole_question(wanted: PictureUse, compress: bool, is_tmux: bool) -> String {
    let (start, escape, end) = if is_tmux {
        (THROUGH_TMUX, "\x1b\x1b", "\x1b\\")
    } else {
        ("", "\x1b", "")
    };
    let placeholders = match wanted {
        PictureUse::FullScreen => "U=1,",
        PictureUse::Once => "",
    };
    // The same pixel, compressed.
    let compressed = if compress {
        format!("{escape}_Gi=32,s=1,v=1,a=q,t=d,f=24,o=z;eJxjYGAAAAADAAE={escape}\\")
    } else {
        String::new()
    };
    format!(
        "{start}{escape}_Gi=31,s=1,v=1,a=q,{placeholders}t=d,f=24;AAAA{escape}\\{compressed}{escape}[c{escape}[16t\
         {escape}[>q{escape}]1337;Capabilities{escape}\\{escape}[5n{end}"
    )
}

#[cfg(test)]
mod tests {
    use ratatui_image::picker::cap_parser::Parser;

    use super::*;

    /// Fails if a newer version of the crate sends another query, because its encoders may need
    /// the answer.
    #[test]
    fn everything_that_the_crate_asks_is_asked() {
        for (tmux, compress) in [(false, false), (false, true), (true, true)] {
            let options = QueryStdioOptions {
                kitty_compression: compress,
                ..QueryStdioOptions::default()
            };
            let theirs = Parser::query(tmux, options);
            assert_eq!(theirs.starts_with(THROUGH_TMUX), tmux);
            let ours = whole_question(PictureUse::Once, compress, tmux);
            let escape = if tmux { "\x1b\x1b" } else { "\x1b" };
            let own = format!("{escape}[>q{escape}]1337;Capabilities{escape}\\");
            assert_eq!(ours.replace(&own, ""), theirs);
        }
    }

    #[test]
    fn a_full_screen_asks_for_placeholders() {
        let asked = whole_question(PictureUse::FullScreen, false, false);
        assert!(asked.starts_with("\x1b_Gi=31,s=1,v=1,a=q,U=1,t=d,f=24;AAAA\x1b\\"));
        assert!(asked.ends_with("\x1b[5n"));
    }

    #[test]
    fn the_relay_reads_the_answers_and_keeps_the_rest() {
        let mut relayed = Relay {
            wanted: PictureUse::FullScreen,
            compress: false,
            typed: InputSplitter::default(),
            answers: Answers::default(),
        };
        let (passed, is_last) = relayed.hear(b"3\x1b[?62;4c\x1bP>|foot(1.16)\x1b\\");
        assert_eq!(
            (passed.as_slice(), is_last),
            (&b"\x1b[?62;4c\x1bP>|foot(1.16)\x1b\\"[..], false)
        );
        assert!(relayed.hear(b"\x1b[0n").1);
        assert!(relayed.answers.sixel);
        assert_eq!(relayed.answers.name.as_deref(), Some("foot(1.16)"));
        assert_eq!(relayed.typed.finish().len(), 1);
    }
}
