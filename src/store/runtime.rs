//! Threads for the network, on which callers that are not asynchronous wait.

use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

/// Between two looks at how far it is.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// Why work has no result of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// Somebody stopped it.
    Stopped,
    /// The system gives no thread.
    Thread,
    /// It panicked.
    Failed,
}

/// Runs work of the network on threads of its own, and looks in between how far it is.
///
/// # Errors
/// The work's own, and [`Halt`].
pub fn run<T, E>(
    work: impl Future<Output = Result<T, E>> + Send + 'static,
    look: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<T, E>
where
    T: Send + 'static,
    E: From<Halt> + Send + 'static,
{
    static RUNTIME: OnceLock<Option<Runtime>> = OnceLock::new();
    let start = || {
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(2).thread_name("store").enable_all();
        builder.build().ok()
    };
    let runtime = RUNTIME.get_or_init(start).as_ref().ok_or(Halt::Thread)?;
    let (sender, done) = channel();
    let task = runtime.spawn(async move {
        // Nobody waits any more after a stop.
        drop(sender.send(work.await));
    });
    loop {
        match done.recv_timeout(BETWEEN_LOOKS) {
            Ok(done) => return done,
            Err(RecvTimeoutError::Timeout) => {
                if look().is_break() {
                    task.abort();
                    return Err(Halt::Stopped.into());
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Halt::Failed.into());
            }
        }
    }
}
