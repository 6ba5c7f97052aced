//! Queries the terminal for its picture protocols.
//!
//! `ratatui-image` writes the query and polls for the answer with a deadline. A relay stands between it and the
//! terminal until then. It modifies the query on the way out: kitty before 0.28 has the graphics protocol but not the
//! Unicode placeholders that a full-screen program needs, and would show boxes. Queried with `U=1` it stays silent and
//! so counts as a terminal without the protocol. On the way in the relay keeps what the user types, which the crate
//! would swallow.

use std::time::Duration;

use crossterm::event::Event;
use platform::terminal::{Between, Stdio, between};
use ratatui_image::picker::Picker;
use ratatui_image::picker::cap_parser::QueryStdioOptions;

use super::typed::Typed;

/// The kitty query as `ratatui-image` writes it.
const PLAIN: &str = "a=q,t=d";
/// The same query, answered only by terminals with placeholders.
const WITH_PLACEHOLDERS: &str = "a=q,U=1,t=d";

/// What kitty's protocol is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// A full-screen program: Unicode placeholders, and no key is lost.
    FullScreen,
    /// A picture printed once: the plain protocol.
    Once,
}

/// Queries the terminal and waits for the answer until the deadline; gives also what was typed in the meantime. The
/// answer is `None` if the terminal could not be queried.
///
/// Standard input and output must be a terminal in raw mode that nobody else reads.
pub(super) fn ask(wanted: Use, compress: bool, deadline: Duration) -> (Option<Picker>, Vec<Event>) {
    let options = QueryStdioOptions {
        timeout_ms: i32::try_from(deadline.as_millis()).unwrap_or(i32::MAX),
        kitty_compression: compress,
        ..QueryStdioOptions::default()
    };
    let query = |options| Picker::from_query_stdio_with_options(options).ok();
    let relay = match wanted {
        Use::FullScreen => between(FullScreen::default(), deadline).ok(),
        Use::Once => None,
    };
    let Some((stdio, relay)) = relay else {
        return (query(options), Vec::new());
    };
    let picker = query(through(options, stdio));
    let typed = relay.finish().unwrap_or_default().0;
    (picker, typed.finish())
}

/// The query through other streams than standard input and output.
#[cfg(not(windows))]
fn through(options: QueryStdioOptions, stdio: Stdio) -> QueryStdioOptions {
    QueryStdioOptions {
        stdio: Some(stdio),
        ..options
    }
}

/// There are no such streams.
#[cfg(windows)]
fn through(_: QueryStdioOptions, stdio: Stdio) -> QueryStdioOptions {
    match stdio {}
}

/// What stands between the query of a full-screen program and the terminal.
#[derive(Debug, Default)]
struct FullScreen(Typed);

impl Between for FullScreen {
    fn ask(&mut self, question: &str) -> String {
        question.replace(PLAIN, WITH_PLACEHOLDERS)
    }

    fn hear(&mut self, sent: &[u8]) -> (Vec<u8>, bool) {
        self.0.hear(sent)
    }
}

#[cfg(test)]
mod tests {
    use ratatui_image::picker::cap_parser::Parser;

    use super::*;

    fn question(tmux: bool) -> String {
        Parser::query(tmux, QueryStdioOptions::default())
    }

    /// Fails if a newer version of the crate changes its query.
    #[test]
    fn the_query_of_the_crate_is_recognised() {
        assert_eq!(question(false).matches(PLAIN).count(), 1);
        assert_eq!(question(true).matches(PLAIN).count(), 1);
    }

    #[test]
    fn the_relay_completes_the_question_and_keeps_the_rest() {
        let passed = FullScreen::default().ask(&question(false));
        assert!(passed.contains("_Gi=31,s=1,v=1,a=q,U=1,t=d,f=24;AAAA"));
        assert_eq!(passed.replace("U=1,", ""), question(false));
    }
}
