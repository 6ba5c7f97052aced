//! Starts named threads and catches their panics.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{Builder, JoinHandle};

/// A panic that was caught.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {who} failed: {why}")]
pub struct Failure {
    /// Name of the thread or job that panicked.
    pub who: &'static str,
    /// Message of the panic.
    pub why: String,
}

/// Starts a named thread. If it panics, calls `failed`, and joining it returns `None`.
///
/// # Errors
/// The system cannot start a thread.
pub fn spawn<T: Send + 'static>(
    name: &'static str,
    work: impl FnOnce() -> T + Send + 'static,
    failed: impl FnOnce(Failure) + Send + 'static,
) -> io::Result<JoinHandle<Option<T>>> {
    let named = Builder::new().name(name.replace(' ', "-"));
    named.spawn(move || caught(name, work).map_err(failed).ok())
}

/// Runs named work and catches a panic. After a panic, do not use data that the work borrowed.
///
/// # Errors
/// If the work panicked.
pub fn caught<T>(name: &'static str, work: impl FnOnce() -> T) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let failure = Failure {
            who: name,
            why: message(panic.as_ref()),
        };
        tracing::error!("{failure}");
        failure
    })
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a message").to_owned()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_panic_is_told_with_the_name_of_its_thread_and_ends_nothing_else() {
        let (sender, told) = channel();
        let work = || -> u8 { panic!("line {} is odd", 7) };
        let failed = move |failure| sender.send(failure).unwrap();
        let thread = spawn("log reader", work, failed).unwrap();
        assert_eq!(thread.thread().name(), Some("log-reader"));
        assert_eq!(thread.join().unwrap(), None);
        let failure = told.recv().unwrap();
        assert_eq!(failure.to_string(), "the log reader failed: line 7 is odd");
        assert_eq!(caught("sum", || 1 + 1), Ok(2));
    }
}
