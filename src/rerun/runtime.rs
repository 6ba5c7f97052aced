//! The threads on which questions are asked.

use std::io;

use tokio::runtime::Builder;

/// Works on a task until it is done.
///
/// # Errors
/// No threads can be had.
pub fn blocking<T>(task: impl Future<Output = T>) -> io::Result<T> {
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let done = runtime.block_on(task);
    // Pictures that are still being read must not hold up a stop.
    runtime.shutdown_background();
    Ok(done)
}
