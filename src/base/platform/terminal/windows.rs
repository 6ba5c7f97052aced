//! The terminal on Windows: a console, read event by event. Filters
//! for libraries are not supported.

use std::convert::Infallible;
use std::io;
use std::marker::PhantomData;
use std::time::{Duration, Instant};

use super::TerminalFilter;

/// Uninhabited: there are no such streams on Windows.
pub type Stdio = Infallible;

/// Uninhabited: there are no filter threads on Windows.
#[derive(Debug)]
pub struct Relay<B>(Infallible, PhantomData<B>);

impl<B> Relay<B> {
    /// Cannot be called, since no value of this type exists.
    #[must_use]
    pub fn finish(self) -> Option<B> {
        match self.0 {}
    }
}

/// Fails: no filter can be put between a library and the console.
///
/// # Errors
/// Always.
pub fn between<B: TerminalFilter>(_: B, _: Duration) -> io::Result<(Stdio, Relay<B>)> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Uninhabited: a console sends events, not bytes.
#[derive(Debug)]
pub struct Input(Infallible);

impl Input {
    /// Returns `None`.
    #[must_use]
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
#[must_use]
pub const fn wait_until_gone() -> bool {
    false
}
