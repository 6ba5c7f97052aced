//! The terminal on Windows: a console, read event by event.

use std::io;
use std::time::Duration;

<<<<<<< HEAD
/// Fails: a console has no stream of bytes with a deadline.
=======
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
>>>>>>> w-e
///
/// # Errors
/// Always.
pub fn query(_: &str, _: Duration, _: &mut impl FnMut(&[u8]) -> bool) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Returns false: on Windows the end of the console is a signal.
#[must_use]
pub const fn wait_until_gone() -> bool {
    false
}
