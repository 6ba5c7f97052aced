//! The terminal on Windows: a console, read event by event.

use std::io;
use std::time::Duration;

/// Fails: a console has no stream of bytes with a deadline.
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
