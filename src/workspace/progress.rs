//! Progress of queries that read pictures or answers.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Numbers of records, over all running queries: read so far, and total.
static PROGRESS: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

/// Returns how many records the running queries have read, and their total. `None` if no query
/// reads pictures or answers.
pub fn progress() -> Option<[usize; 2]> {
    let [done, all] = PROGRESS.each_ref().map(|it| it.load(Ordering::Relaxed));
    (all > 0).then_some([done, all])
}

/// Progress of one query. When dropped, also by a panic, the query is removed from the total.
pub(super) struct QueryProgress {
    done: AtomicUsize,
    all: usize,
}

impl QueryProgress {
    pub(super) fn start(all: usize) -> Self {
        PROGRESS[1].fetch_add(all, Ordering::Relaxed);
        let done = AtomicUsize::new(0);
        Self { done, all }
    }

    pub(super) fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
        PROGRESS[0].fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for QueryProgress {
    fn drop(&mut self) {
        PROGRESS[0].fetch_sub(self.done.load(Ordering::Relaxed), Ordering::Relaxed);
        PROGRESS[1].fetch_sub(self.all, Ordering::Relaxed);
    }
}
