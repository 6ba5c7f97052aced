//! Thread pool that builds questions: it reads, edits and saves pictures.

use std::sync::LazyLock;
use std::thread::available_parallelism;

use base::job::{Failure, caught};
use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::oneshot;

/// Minimum and maximum number of threads; otherwise one per processor. A minimum, because threads
/// may wait for downloads. A maximum, because each holds some megabytes.
const THREADS: [usize; 2] = [4, 16];

/// The pool, shared by all runs of this process. A busy thread takes the next task without being
/// woken, which saves time with many short tasks.
static MAKERS: LazyLock<Option<ThreadPool>> = LazyLock::new(|| {
    let [fewest, most] = THREADS;
    let processors = available_parallelism().map_or(fewest, usize::from);
    let pool = ThreadPoolBuilder::new().num_threads(processors.clamp(fewest, most));
    pool.thread_name(|at| format!("maker-{at}")).build().ok()
});

/// Runs work in the pool, first come first served. The work must not use parallel
/// iterators while it holds a lock that other work needs. A waiting thread may start that
/// other work, which would deadlock.
///
/// # Errors
/// The work panicked, or its result was lost.
pub(super) async fn made<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Failure> {
    let (sender, done) = oneshot::channel();
    let work = move || {
        // After a stop, the receiver is gone.
        drop(sender.send(caught("question builder", work)));
    };
    match &*MAKERS {
        Some(makers) => makers.spawn_fifo(work),
        // No pool could be created.
        None => rayon::spawn_fifo(work),
    }
    let lost = |_| Failure {
        who: "question builder",
        why: "no question was returned".to_owned(),
    };
    done.await.map_err(lost)?
}
