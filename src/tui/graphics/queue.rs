//! Queue of the worker. Newer requests replace older requests.
//!
//! A user who scrolls past a hundred pictures waits for one picture only. Visible pictures are
//! drawn before prefetched pictures.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::draw::Request;

/// Pending requests, shared by the worker's handle and its thread.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: Mutex<QueueState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct QueueState {
    wanted: VecDeque<Request>,
    ahead: VecDeque<Request>,
    /// Number of times that the visible requests were replaced.
    round: u64,
    closed: bool,
}

impl Queue {
    /// Replaces the visible requests.
    pub(super) fn want(&self, requests: Vec<Request>) {
        let mut waiting = self.lock();
        waiting.wanted = requests.into();
        waiting.round += 1;
        self.changed.notify_one();
    }

    /// Replaces the prefetch requests.
    pub(super) fn prefetch(&self, requests: Vec<Request>) {
        self.lock().ahead = requests.into();
        self.changed.notify_one();
    }

    /// Closes the queue. The thread ends at its next access.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_one();
    }

    /// Waits for the next request and returns it with the current round. Returns `None` if the
    /// queue is closed.
    pub(super) fn next(&self) -> Option<(Request, u64)> {
        let idle = |waiting: &mut QueueState| {
            !waiting.closed && waiting.wanted.is_empty() && waiting.ahead.is_empty()
        };
        let guard = self.changed.wait_while(self.lock(), idle);
        let mut waiting = guard.unwrap_or_else(PoisonError::into_inner);
        if waiting.closed {
            return None;
        }
        let request = waiting.wanted.pop_front();
        let request = request.or_else(|| waiting.ahead.pop_front())?;
        Some((request, waiting.round))
    }

    /// Returns true if the visible requests were replaced since `round`, or the queue is
    /// closed.
    pub(super) fn is_stale(&self, round: u64) -> bool {
        let waiting = self.lock();
        waiting.closed || waiting.round != round
    }

    /// Locks the state. Ignores poisoning: the lists are only replaced or popped, so a panic
    /// elsewhere leaves them consistent.
    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use media::{Source, Turn};

    fn request(key: u64) -> Request {
        let source = Source::Inline(String::new());
        Request {
            key,
            source,
            area: (1, 1),
            overlays: Vec::new(),
            layers: Vec::new(),
            region: None,
            turn: Turn::NONE,
            budget: None,
        }
    }

    fn next_key(queue: &Queue) -> Option<u64> {
        queue.next().map(|(request, _)| request.key)
    }

    #[test]
    fn what_the_screen_wants_goes_first() {
        let queue = Queue::default();
        queue.prefetch(vec![request(8), request(9)]);
        queue.want(vec![request(1), request(2)]);
        assert_eq!([1, 2, 8, 9].map(Some), [(); 4].map(|()| next_key(&queue)));
    }

    #[test]
    fn newer_wishes_replace_older_ones() {
        let queue = Queue::default();
        queue.want(vec![request(1)]);
        queue.want(vec![request(2)]);
        let (taken, round) = queue.next().unwrap();
        assert_eq!(taken.key, 2);
        assert!(!queue.is_stale(round));
        queue.prefetch(vec![request(3)]);
        assert!(!queue.is_stale(round));
        queue.want(vec![request(4)]);
        assert!(queue.is_stale(round));
        assert_eq!(next_key(&queue), Some(4));
    }

    #[test]
    fn a_closed_queue_gives_nothing_more() {
        let queue = Queue::default();
        queue.want(vec![request(1)]);
        queue.close();
        assert_eq!(next_key(&queue), None);
    }
}
