//! The terminal on Unix.

use std::io::{self, Write as _};
use std::os::fd::AsFd as _;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// Bytes read from the terminal at once.
const PIECE: usize = 1024;

/// Writes a query to the terminal on standard output, and passes what arrives on standard input
/// to `hear`, which returns true after the last answer. Ends then, or at the deadline.
///
/// Standard input must be a terminal in raw mode, with no other reader.
///
/// # Errors
/// If the terminal cannot be written to or read.
pub fn query(
    question: &str,
    deadline: Duration,
    hear: &mut impl FnMut(&[u8]) -> bool,
) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(question.as_bytes())?;
    out.flush()?;
    drop(out);
    let (input, until) = (io::stdin(), Instant::now() + deadline);
    let mut piece = [0; PIECE];
    while is_readable_until(until)? {
        // Bypass the buffer of standard input: bytes left in it would be lost to other readers.
        let count = match rustix::io::read(input.as_fd(), &mut piece) {
            Err(Errno::INTR | Errno::AGAIN) => continue,
            count => count?,
        };
        let sent = piece.get(..count).unwrap_or_default();
        if sent.is_empty() || hear(sent) {
            break;
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
