//! The terminal of Unix.

use std::fs::File;
use std::io::{self, PipeReader, Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::Between;

/// Where a library reads answers, and where it writes questions.
pub type Stdio = (OwnedFd, OwnedFd);
/// Larger than any question; a pipe delivers one write as one piece.
const QUESTION: usize = 4096;
/// Bytes of the terminal that are read at once.
const PIECE: usize = 1024;

/// What stands between until the deadline.
#[derive(Debug)]
pub struct Relay<B>(JoinHandle<(B, File)>);

impl<B> Relay<B> {
    /// Waits for its end, which is near when the library has its answer; gives what stood between. `None`: it failed.
    #[must_use]
    pub fn finish(self) -> Option<B> {
        // Until now the library's end had to stay open: one whose other end is closed counts as no answer.
        self.0.join().ok().map(|(between, _)| between)
    }
}

/// Puts something between the terminal on standard input and output and a library that asks it one question: a library
/// that reads standard input itself keeps what the user typed from the rest of the program.
///
/// The library gets streams that look like a terminal. Standard input must be one in raw mode that nobody else reads.
///
/// # Errors
/// The system gives no streams of this kind.
pub fn between<B: Between>(between: B, deadline: Duration) -> io::Result<(Stdio, Relay<B>)> {
    let (ours, theirs) = private_terminal()?;
    let (asked, asks) = io::pipe()?;
    let relay = thread::Builder::new()
        .name("terminal-query".to_owned())
        .spawn(move || relay(asked, ours, between, deadline))?;
    Ok(((theirs, asks.into()), Relay(relay)))
}

/// Both ends of a terminal that nobody sees.
fn private_terminal() -> io::Result<(OwnedFd, OwnedFd)> {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&ours)?;
    unlockpt(&ours)?;
    let name = ptsname(&ours, Vec::new())?;
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok((ours, open(name, flags, Mode::empty())?))
}

/// Ends when everything was heard, at the deadline, or at once where nothing is asked.
fn relay<B: Between>(
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
        // A library without an answer gives up at its own deadline.
        let _ = listen(&mut between, &mut to, Instant::now() + deadline);
    }
    (between, to)
}

fn listen(between: &mut impl Between, to: &mut File, until: Instant) -> io::Result<()> {
    let input = io::stdin();
    let mut piece = [0; PIECE];
    while is_readable_until(until)? {
        // Not through the buffer of standard input: what is in there nobody else finds.
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

/// Waits until standard input can be read; false if it cannot until then, or is gone.
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

/// Returns true if the terminal on standard input has gone away; false where the system does not tell. Waits until
/// either is known, which may be for ever.
#[must_use]
pub fn wait_until_gone() -> bool {
    let input = io::stdin();
    loop {
        // Without a wish only the end is reported.
        let mut waiting = [PollFd::new(&input, PollFlags::empty())];
        match poll(&mut waiting, None) {
            Err(Errno::INTR) => {}
            Err(_) => return false,
            Ok(_) => return waiting[0].revents().contains(PollFlags::HUP),
        }
    }
}
