//! The terminal on Windows: a console, read event by event.

use std::convert::Infallible;
use std::io;
use std::time::Instant;

/// Uninhabited: a console sends events, not bytes.
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

/// Uninhabited: the console is restored by the system.
#[derive(Debug)]
pub struct Guard(Infallible);

impl Guard {
    /// Fails: there is no such process on Windows.
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

/// Returns false: on Windows the end of the console is a signal.
pub const fn wait_until_gone() -> bool {
    false
}
