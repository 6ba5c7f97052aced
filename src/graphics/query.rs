//! Queries the terminal for its picture protocols.
//!
//! `ratatui-image` writes the query and polls for the answer with a deadline, leaving no thread behind. The query is
//! modified on the way out: kitty before 0.28 has the graphics protocol but not the Unicode placeholders that a
//! full-screen program needs, and would show boxes. Queried with `U=1` it stays silent and so counts as a terminal
//! without the protocol.

use std::time::Duration;

use ratatui_image::picker::Picker;
use ratatui_image::picker::cap_parser::QueryStdioOptions;

/// The kitty query as `ratatui-image` writes it.
#[cfg(unix)]
const PLAIN: &str = "a=q,t=d";
/// The same query, answered only by terminals with placeholders.
#[cfg(unix)]
const WITH_PLACEHOLDERS: &str = "a=q,U=1,t=d";

/// What kitty's protocol is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// A full-screen program: Unicode placeholders.
    FullScreen,
    /// A picture printed once: the plain protocol.
    Once,
}

/// Queries the terminal and waits for the answer until the deadline. Returns `None` if it could not be queried.
///
/// Standard input and output must be a terminal in raw mode that nobody else reads.
pub(super) fn ask(wanted: Use, compress: bool, deadline: Duration) -> Option<Picker> {
    let options = QueryStdioOptions {
        timeout_ms: i32::try_from(deadline.as_millis()).unwrap_or(i32::MAX),
        kitty_compression: compress,
        #[cfg(unix)]
        stdio: match wanted {
            Use::FullScreen => Some(relay::through_relay().ok()?),
            Use::Once => None,
        },
        ..QueryStdioOptions::default()
    };
    Picker::from_query_stdio_with_options(options).ok()
}

#[cfg(unix)]
mod relay {
    //! A pipe to standard output that modifies the query as it passes.

    use std::io::{self, PipeReader, Read, Write};
    use std::os::fd::{AsFd, OwnedFd};
    use std::thread;

    use super::{PLAIN, WITH_PLACEHOLDERS};

    /// Larger than the query; a pipe delivers one write as one piece.
    const ROOM: usize = 4096;

    /// Standard input, and the end of the pipe that takes the query.
    pub(super) fn through_relay() -> io::Result<(OwnedFd, OwnedFd)> {
        let input = io::stdin().as_fd().try_clone_to_owned()?;
        let (reader, writer) = io::pipe()?;
        // Ends after one piece, or when the writer is dropped unused.
        thread::Builder::new()
            .name("terminal-query".to_owned())
            .spawn(move || pass_on(reader, &mut io::stdout()))?;
        Ok((input, writer.into()))
    }

    pub(super) fn pass_on(mut from: PipeReader, to: &mut impl Write) -> io::Result<()> {
        let mut piece = vec![0; ROOM];
        let length = from.read(&mut piece)?;
        let question = String::from_utf8_lossy(piece.get(..length).unwrap_or_default());
        to.write_all(question.replace(PLAIN, WITH_PLACEHOLDERS).as_bytes())?;
        to.flush()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::{Write, pipe};

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
        let (reader, mut writer) = pipe().unwrap();
        writer.write_all(question(false).as_bytes()).unwrap();
        let mut passed = Vec::new();
        relay::pass_on(reader, &mut passed).unwrap();
        let passed = String::from_utf8(passed).unwrap();
        assert!(passed.contains("_Gi=31,s=1,v=1,a=q,U=1,t=d,f=24;AAAA"));
        assert_eq!(passed.replace("U=1,", ""), question(false));
    }

    #[test]
    fn the_relay_ends_when_nothing_is_asked() {
        let (reader, writer) = pipe().unwrap();
        drop(writer);
        let mut passed = Vec::new();
        relay::pass_on(reader, &mut passed).unwrap();
        assert!(passed.is_empty());
    }
}
