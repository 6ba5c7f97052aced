//! The terminal on Unix.

use std::fs::File;
use std::io::{self, PipeReader, Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::TerminalFilter;

/// Stream from which a library reads replies, and stream to which it writes queries.
pub type Stdio = (OwnedFd, OwnedFd);
/// Larger than any query, in bytes; a pipe delivers one write as one read.
const QUESTION: usize = 4096;
/// Bytes read from the terminal at once.
const PIECE: usize = 1024;

/// Thread that passes data between library and terminal until the deadline.
#[derive(Debug)]
pub struct Relay<B>(JoinHandle<(B, File)>);

impl<B> Relay<B> {
    /// Waits for the thread and returns the filter; call it once the library has its
    /// reply. `None` if the thread panicked.
    #[must_use]
    pub fn finish(self) -> Option<B> {
        // Keep the library's end open until now: a closed peer counts as no reply.
        self.0.join().ok().map(|(between, _)| between)
    }
}

/// Puts a filter between the terminal on standard input and output and a library that sends it
/// one query. Without the filter, the library would consume keys that the user typed.
///
/// The library gets streams that look like a terminal. Standard input must be a
/// terminal in raw mode, with no other reader.
///
/// # Errors
/// If the system cannot create such streams.
pub fn between<B: TerminalFilter>(between: B, deadline: Duration) -> io::Result<(Stdio, Relay<B>)> {
    let (ours, theirs) = private_terminal()?;
    let (asked, asks) = io::pipe()?;
    let relay = thread::Builder::new()
        .name("terminal-query".to_owned())
        .spawn(move || relay(asked, ours, between, deadline))?;
    Ok(((theirs, asks.into()), Relay(relay)))
}

/// Opens both ends of a pseudo-terminal.
fn private_terminal() -> io::Result<(OwnedFd, OwnedFd)> {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&ours)?;
    unlockpt(&ours)?;
    let name = ptsname(&ours, Vec::new())?;
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok((ours, open(name, flags, Mode::empty())?))
}

/// Ends once the reply is complete, at the deadline, or at once if there is no query.
fn relay<B: TerminalFilter>(
    mut asked: PipeReader,
    to: OwnedFd,
    mut between: B,
    deadline: Duration,
) -> (B, File) {
    let mut to = File::from(to);
    let mut question = vec![0; QUESTION];
    let length = asked.read(&mut question).unwrap_or_default();
    if length == 0 {
        return (between, to);
    }
    let question = String::from_utf8_lossy(question.get(..length).unwrap_or_default());
    let question = between.ask(&question);
    let mut out = io::stdout().lock();
    let is_asked = out
        .write_all(question.as_bytes())
        .and_then(|()| out.flush());
    drop(out);
    if is_asked.is_ok() {
        // Ignore errors: without a reply, the library gives up at its own deadline.
        let _ = listen(&mut between, &mut to, Instant::now() + deadline);
    }
    (between, to)
}

fn listen(between: &mut impl TerminalFilter, to: &mut File, until: Instant) -> io::Result<()> {
    let input = io::stdin();
    let mut piece = [0; PIECE];
    while is_readable_until(until)? {
        // Bypass the buffer of standard input: bytes left in it would be lost to other readers.
        let count = match rustix::io::read(input.as_fd(), &mut piece) {
            Err(Errno::INTR | Errno::AGAIN) => continue,
            count => count?,
        };
        let Some(sent) = piece.get(..count).filter(|sent| !sent.is_empty()) else {
            return Ok(());
        };
        let (answer, is_done) = between.hear(sent);
        to.write_all(&answer)?;
        if is_done {
            return Ok(());
        }
    }
    Ok(())
}

/// Waits until standard input is readable; false at the time `until`, or if the input is closed.
fn is_readable_until(until: Instant) -> io::Result<bool> {
    let input = io::stdin();
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(false);
        }
        let left = Timespec::try_from(left).map_err(io::Error::other)?;
        let mut waiting = [PollFd::new(&input, PollFlags::IN)];
        match poll(&mut waiting, Some(&left)) {
            Err(Errno::INTR) => {}
            ready => return Ok(ready? > 0 && waiting[0].revents().contains(PollFlags::IN)),
        }
    }
}

/// Waits until the terminal on standard input is gone, possibly forever. Returns
/// false if the system cannot report it.
#[must_use]
pub fn wait_until_gone() -> bool {
    let input = io::stdin();
    loop {
        // Without requested events, only a hang-up is reported.
        let mut waiting = [PollFd::new(&input, PollFlags::empty())];
        match poll(&mut waiting, None) {
            Err(Errno::INTR) => {}
            Err(_) => return false,
            Ok(_) => return waiting[0].revents().contains(PollFlags::HUP),
        }
    }
}
