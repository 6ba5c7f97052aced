//! Runs network jobs on background threads for synchronous callers.

use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

/// Interval between progress checks.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// Why a job ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The caller cancelled it.
    Stopped,
    /// The system could not start a thread.
    Thread,
    /// The job panicked.
    Failed,
}

/// Runs a job on network threads. Calls `look` repeatedly meanwhile, which can cancel the job.
///
/// # Errors
/// The job's own error, or [`Halt`].
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
        // After a cancellation, the receiver is gone.
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
