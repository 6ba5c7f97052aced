//! Asking the terminal what pictures it takes.
//!
//! One question, one deadline, no thread left behind: `ratatui-image` writes the question and polls for the
//! answer. On the way out one word is added to it. Kitty before 0.28 has the graphics protocol but not the
//! Unicode placeholders that a full-screen program needs, and would show a field of boxes; asked with
//! `U=1` it stays silent, so that it counts as a terminal without the protocol.

use std::time::Duration;

use ratatui_image::picker::Picker;
use ratatui_image::picker::cap_parser::QueryStdioOptions;

/// The kitty question as `ratatui-image` writes it.
#[cfg(unix)]
const PLAIN: &str = "a=q,t=d";
/// The same question, which only a terminal with placeholders answers.
#[cfg(unix)]
const WITH_PLACEHOLDERS: &str = "a=q,U=1,t=d";

/// What kitty's protocol has to be good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// A full-screen program: Unicode placeholders.
    FullScreen,
    /// A picture printed once: the bare protocol.
    Once,
}

/// Asks, and waits for the answer until the deadline. `None` when the terminal could not be asked.
///
/// Standard input and output must be a terminal in raw mode, and nobody else may be reading.
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
    //! A pipe to standard output that completes the question as it passes.

    use std::io::{self, PipeReader, Read, Write};
    use std::os::fd::{AsFd, OwnedFd};
    use std::thread;

    use super::{PLAIN, WITH_PLACEHOLDERS};

    /// More than the question is long; a pipe hands over what was written in one go as one piece.
    const ROOM: usize = 4096;

    /// Standard input, and the end of the pipe to write the question to.
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

    /// Should a newer version of the crate ask in other words, this is where it shows.
    #[test]
    fn the_crate_still_asks_in_the_words_that_are_completed() {
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
