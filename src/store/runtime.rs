//! Threads for the network, on which callers that are not asynchronous wait.

use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use super::StoreError;

/// Between two looks at how far it is.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// Runs work of the network on threads of its own, and looks in between how far it is.
pub(crate) fn run<T: Send + 'static>(
    work: impl Future<Output = Result<T, StoreError>> + Send + 'static,
    look: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<T, StoreError> {
    static RUNTIME: OnceLock<Option<Runtime>> = OnceLock::new();
    let start = || {
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(2).thread_name("store").enable_all();
        builder.build().ok()
    };
    let none = || StoreError::Other("the system gives no thread".to_owned());
    let runtime = RUNTIME.get_or_init(start).as_ref().ok_or_else(none)?;
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
                    return Err(StoreError::Stopped);
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(StoreError::Other("fetching failed".to_owned()));
            }
        }
    }
}
