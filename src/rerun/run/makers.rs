//! Threads on which questions are made: pictures are read, changed and kept there.

use std::sync::LazyLock;
use std::thread::available_parallelism;

use job::{Failure, caught};
use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::oneshot;

/// The fewest and the most threads, else one for each processor. Pictures may have to be fetched, so that some wait; each
/// keeps some megabytes.
const THREADS: [usize; 2] = [4, 16];

/// The threads of all runs of this process. One that has work goes on with the next without being woken, which for many
/// short tasks a second would cost more than they take.
static MAKERS: LazyLock<Option<ThreadPool>> = LazyLock::new(|| {
    let [fewest, most] = THREADS;
    let processors = available_parallelism().map_or(fewest, usize::from);
    let pool = ThreadPoolBuilder::new().num_threads(processors.clamp(fewest, most));
    pool.thread_name(|at| format!("maker-{at}")).build().ok()
});

/// Does some work there, in its turn. It must not divide itself among threads while it holds a lock that other work there
/// takes: a thread that waits for parts of its work may begin with the other.
///
/// # Errors
/// It panicked.
pub(super) async fn made<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Failure> {
    let (sender, done) = oneshot::channel();
    let work = move || {
        // Nobody waits for it after a stop.
        drop(sender.send(caught("maker", work)));
    };
    match &*MAKERS {
        Some(makers) => makers.spawn_fifo(work),
        // The system gives no threads of their own.
        None => rayon::spawn_fifo(work),
    }
    let lost = |_| Failure {
        who: "maker",
        why: "it was lost".to_owned(),
    };
    done.await.map_err(lost)?
}
