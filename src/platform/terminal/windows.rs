//! The terminal of Windows, a console: it is read event by event, and no library can be kept from it.

use std::convert::Infallible;
use std::io;
use std::marker::PhantomData;
use std::time::Duration;

use super::Between;

/// There are none.
pub type Stdio = Infallible;

/// There is none.
#[derive(Debug)]
pub struct Relay<B>(Infallible, PhantomData<B>);

impl<B> Relay<B> {
    /// Never called.
    #[must_use]
    pub fn finish(self) -> Option<B> {
        match self.0 {}
    }
}

/// Nothing can stand between a library and the console.
///
/// # Errors
/// Always.
pub fn between<B: Between>(_: B, _: Duration) -> io::Result<(Stdio, Relay<B>)> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Returns false: the end of the console is a signal here.
#[must_use]
pub const fn wait_until_gone() -> bool {
    false
}
