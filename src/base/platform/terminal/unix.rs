//! The terminal on Unix.

use std::io::{self, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::process::CommandExt as _;
use std::process::{self, Child, Command};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// Bytes read from the terminal at once.
const PIECE: usize = 1024;

/// Reads from standard input without Rust's buffer, which would keep bytes from other readers.
/// Returns `None` if the read was interrupted.
fn read(piece: &mut [u8]) -> io::Result<Option<usize>> {
    match rustix::io::read(io::stdin().as_fd(), piece) {
        Err(Errno::INTR | Errno::AGAIN) => Ok(None),
        count => Ok(Some(count?)),
    }
}

/// Waits until standard input is readable. Returns false at the time `until`, or if standard input
/// is closed.
fn is_readable_until(until: Option<Instant>) -> io::Result<bool> {
    let input = io::stdin();
    loop {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        if left.is_some_and(|left| left.is_zero()) {
            return Ok(false);
        }
        let left = left.map(Timespec::try_from).transpose();
        let left = left.map_err(io::Error::other)?;
        let mut waiting = [PollFd::new(&input, PollFlags::IN)];
        match poll(&mut waiting, left.as_ref()) {
            Err(Errno::INTR) => {}
            ready => return Ok(ready? > 0 && waiting[0].revents().contains(PollFlags::IN)),
        }
    }
}

/// Reader of the bytes from the terminal on standard input.
#[derive(Debug)]
pub struct Input(());

impl Input {
    /// Returns the reader. On systems without a byte stream for terminal input, returns `None`.
    pub const fn open() -> Option<Self> {
        Some(Self(()))
    }

    /// Waits for bytes. Returns `None` at the time `until`.
    ///
    /// # Errors
    /// If the terminal was closed.
    pub fn read(&self, until: Option<Instant>) -> io::Result<Option<Vec<u8>>> {
        let mut piece = [0; PIECE];
        while is_readable_until(until)? {
            match read(&mut piece)? {
                None => {}
                Some(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Some(count) => return Ok(piece.get(..count).map(<[u8]>::to_vec)),
            }
        }
        if until.is_none() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        Ok(None)
    }
}

/// Shell script that restores the terminal when its standard input closes. If a line arrives first,
/// it ends without doing so.
const RESTORE: &str = "trap '' HUP INT QUIT TERM TSTP TTOU; \
    read -r _ || { printf %s \"$1\"; stty \"$2\" <&1; }";

/// A child process that restores the terminal if this process ends unexpectedly: after an abort, a
/// stack overflow, a lack of memory or SIGKILL.
#[derive(Debug)]
pub struct Guard(Child);

impl Guard {
    /// Starts the child process. Call this before changing the terminal. `restoring` is the escape
    /// sequence that undoes the program's changes.
    ///
    /// # Errors
    /// If `sh` or `stty` does not exist, or standard input is not a terminal.
    pub fn start(restoring: &str) -> io::Result<Self> {
        let modes = Command::new("stty")
            .arg("-g")
            .stderr(process::Stdio::null())
            .stdin(process::Stdio::inherit())
            .output()?;
        let modes = String::from_utf8(modes.stdout).map_err(io::Error::other)?;
        if modes.trim().is_empty() {
            return Err(io::Error::other("standard input is not a terminal"));
        }
        let mut command = Command::new("sh");
        command.args([
            "-c",
            RESTORE,
            "eyechart-terminal-guard",
            restoring,
            modes.trim(),
        ]);
        command
            .stdin(process::Stdio::piped())
            .stderr(process::Stdio::null())
            .process_group(0);
        command.spawn().map(Self)
    }

    /// Ends the child process without restoring the terminal.
    ///
    /// # Errors
    /// If the child process has ended already.
    pub fn dismiss(mut self) -> io::Result<()> {
        if let Some(mut input) = self.0.stdin.take() {
            input.write_all(b"\n")?;
        }
        self.0.wait().map(drop)
    }
}

/// Waits until the terminal on standard input is closed, possibly forever. Returns false if the
/// system cannot report that.
pub fn wait_until_gone() -> bool {
    let input = io::stdin();
    loop {
        // No events are requested, so only a hang-up is reported.
        let mut waiting = [PollFd::new(&input, PollFlags::empty())];
        match poll(&mut waiting, None) {
            Err(Errno::INTR) => {}
            Err(_) => return false,
            Ok(_) => return waiting[0].revents().contains(PollFlags::HUP),
        }
    }
}
