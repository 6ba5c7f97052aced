//! Runs asynchronous tasks from synchronous code.

use std::io;

use tokio::runtime::Builder;

/// Runs a task to its end on a new runtime.
///
/// # Errors
/// No threads can be started.
pub fn blocking<T>(task: impl Future<Output = T>) -> io::Result<T> {
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let done = runtime.block_on(task);
    // Pictures that are still being read must not delay the end.
    runtime.shutdown_background();
    Ok(done)
}
