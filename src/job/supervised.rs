//! Threads with names, whose panics are told and end nothing else.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{Builder, JoinHandle};

/// A panic that was caught.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {who} failed: {why}")]
pub struct Failure {
    /// The thread or the work that panicked.
    pub who: &'static str,
    /// The message of the panic.
    pub why: String,
}

/// Starts a thread of this name. If it panics, `failed` hears of it, and the thread gives nothing.
///
/// # Errors
/// The system gives no thread.
pub fn spawn<T: Send + 'static>(
    name: &'static str,
    work: impl FnOnce() -> T + Send + 'static,
    failed: impl FnOnce(Failure) + Send + 'static,
) -> io::Result<JoinHandle<Option<T>>> {
    let named = Builder::new().name(name.replace(' ', "-"));
    named.spawn(move || caught(name, work).map_err(failed).ok())
}

/// Does work of this name. What it borrows is not looked at again if it panics.
///
/// # Errors
/// It panicked.
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
