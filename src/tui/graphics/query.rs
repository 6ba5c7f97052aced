//! Queries the terminal for its picture protocols, and saves what the user types in the meantime.

use std::io::{self, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use base::platform::terminal::Input;
use crossterm::event::{self, Event, KeyCode, KeyEventKind};

use super::answers::Answers;
use super::encode::Wrap;
use super::environment::{Environment, Multiplexer};
use super::input_splitter::InputSplitter;

/// The purpose of a picture, which determines the variant of kitty's protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PictureUse {
    /// A full-screen program: Unicode placeholders.
    FullScreen,
    /// A picture printed once: the plain protocol.
    Once,
}

/// Answers to a query, and input typed in the meantime.
#[derive(Debug)]
pub(super) struct QueryResult {
    /// The terminal's answers; `None` if it could not be queried.
    pub(super) answers: Option<Answers>,
    /// Events typed during the query.
    pub(super) typed: Vec<Event>,
}

/// Queries the terminal and waits for the answers until the deadline.
///
/// Standard input and output must be a terminal in raw mode. Nothing else may read standard
/// input or hold the lock of standard output.
pub(super) fn ask(wanted: PictureUse, around: Environment, deadline: Duration) -> QueryResult {
    if around.multiplexer == Some(Multiplexer::Tmux) {
        let_tmux_pass();
    }
    let (mut typed, mut answers) = (InputSplitter::default(), Answers::default());
    let mut hear = |sent: &[u8]| {
        let (found, is_last) = typed.split(sent);
        for answer in &found {
            answers.add(answer);
        }
        is_last
    };
    let asked = write(&question(wanted, around)).and_then(|()| {
        let until = Instant::now() + deadline;
        match Input::open() {
            Some(input) => read_bytes(&input, until, &mut hear),
            None => read_keys(until, &mut hear),
        }
    });
    QueryResult {
        answers: asked.is_ok().then_some(answers),
        typed: typed.finish(),
    }
}

/// Makes tmux pass on this pane's sequences to the terminal. Ignores failures, for example a
/// missing tmux command.
fn let_tmux_pass() {
    let mut command = Command::new("tmux");
    command.args(["set", "-p", "allow-passthrough", "on"]);
    let streams = command.stdin(Stdio::null()).stdout(Stdio::null());
    drop(streams.stderr(Stdio::null()).status());
}

fn write(question: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(question.as_bytes())?;
    out.flush()
}

fn read_bytes(
    input: &Input,
    until: Instant,
    hear: &mut impl FnMut(&[u8]) -> bool,
) -> io::Result<()> {
    while let Some(sent) = input.read(Some(until))? {
        if hear(&sent) {
            break;
        }
    }
    Ok(())
}

/// Reads from a console that delivers key events instead of bytes. Answers arrive as one key event
/// per character.
fn read_keys(until: Instant, hear: &mut impl FnMut(&[u8]) -> bool) -> io::Result<()> {
    while event::poll(until.saturating_duration_since(Instant::now()))? {
        let key = event::read()?.as_key_event();
        let key = key.filter(|key| key.kind != KeyEventKind::Release);
        let letter = key.and_then(|key| match key.code {
            KeyCode::Esc => Some('\x1b'),
            KeyCode::Char(letter) => Some(letter),
            _ => None,
        });
        let is_done = letter.is_some_and(|letter| hear(letter.encode_utf8(&mut [0; 4]).as_bytes()));
        if is_done {
            break;
        }
    }
    Ok(())
}

/// Returns the query. It asks for kitty's protocol, the device attributes, the cell size, the
/// terminal's name, iTerm2's capabilities, and last the status, which every terminal reports.
///
/// Kitty before 0.28 has the graphics protocol, but not the Unicode placeholders that a full-screen
/// program needs. It does not answer a query with `U=1`, so it counts as unsupported.
fn question(wanted: PictureUse, around: Environment) -> String {
    let Wrap { start, escape, end } = Wrap::new(around.multiplexer == Some(Multiplexer::Tmux));
    let placeholders = match wanted {
        PictureUse::FullScreen => "U=1,",
        PictureUse::Once => "",
    };
    format!(
        "{start}{escape}_Gi=31,s=1,v=1,a=q,{placeholders}t=d,f=24;AAAA{escape}\\{escape}[c{escape}[16t\
         {escape}[>q{escape}]1337;Capabilities{escape}\\{escape}[5n{end}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_screen_asks_for_placeholders() {
        let around = Environment::from_variables(true, true, |_| String::new());
        let asked = question(PictureUse::FullScreen, around);
        assert!(asked.starts_with("\x1b_Gi=31,s=1,v=1,a=q,U=1,t=d,f=24;AAAA\x1b\\"));
        assert!(asked.ends_with("\x1b[5n"));
        assert!(!question(PictureUse::Once, around).contains("U=1"));
        let in_tmux = Environment {
            multiplexer: Some(Multiplexer::Tmux),
            ..around
        };
        let asked = question(PictureUse::FullScreen, in_tmux);
        assert!(asked.starts_with("\x1bPtmux;\x1b\x1b_G") && asked.ends_with("[5n\x1b\\"));
    }
}
