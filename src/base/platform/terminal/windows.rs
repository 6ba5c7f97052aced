//! The terminal on Windows: a console, read event by event. Filters
//! for libraries are not supported.

use std::convert::Infallible;
use std::io;
use std::marker::PhantomData;
use std::time::Duration;

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

/// Returns false: on Windows the end of the console is a signal.
#[must_use]
pub const fn wait_until_gone() -> bool {
    false
}
