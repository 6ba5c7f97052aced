//! The terminal on Windows: a console that sends events.

use std::convert::Infallible;
use std::io;
use std::time::Instant;

/// Type without values: a console sends events, not bytes.
#[derive(Debug)]
pub struct Input(Infallible);

impl Input {
    /// Returns `None`.
    pub const fn open() -> Option<Self> {
        None
    }

    /// Cannot be called, since no value of this type exists.
    ///
    /// # Errors
    /// None.
    pub fn read(&self, _: Option<Instant>) -> io::Result<Option<Vec<u8>>> {
        match self.0 {}
    }
}

/// Type without values: the system restores the console.
#[derive(Debug)]
pub struct Guard(Infallible);

impl Guard {
    /// Always fails, because Windows needs no child process to restore the console.
    ///
    /// # Errors
    /// Always.
    pub fn start(_: &str) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Cannot be called, since no value of this type exists.
    ///
    /// # Errors
    /// None.
    pub fn dismiss(self) -> io::Result<()> {
        match self.0 {}
    }
}

/// Returns false, because Windows sends a signal when the console closes.
pub const fn wait_until_gone() -> bool {
    false
}
