//! Reads logs on several threads at once; what they give is taken log by log, in the order of the logs.
//!
//! Readers run ahead of the log that is taken by a bounded number of bytes, and wait then. The reader of the log that
//! is taken never waits, so all of them come to an end.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use limits::Limit;

use super::found::Found;

/// What was read of each log and not yet taken.
#[derive(Debug)]
pub struct Ahead {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    logs: Vec<Log>,
    /// The next log to be read.
    next: usize,
    /// The log that is taken.
    taken: usize,
    /// Bytes that are held.
    held: usize,
    stopped: bool,
}

#[derive(Debug, Default)]
struct Log {
    found: VecDeque<Found>,
    done: bool,
}

impl Ahead {
    /// So many logs, none of which is read.
    pub fn new(logs: usize) -> Self {
        Self {
            state: Mutex::new(State {
                logs: std::iter::repeat_with(Log::default).take(logs).collect(),
                next: 0,
                taken: 0,
                held: 0,
                stopped: false,
            }),
            changed: Condvar::new(),
        }
    }

    /// A thread reads: one log after another with `read`, which gets the log's number, until all are read.
    pub fn run(&self, read: impl Fn(usize)) {
        while let Some(log) = self.begin() {
            let _done = Done { ahead: self, log };
            read(log);
        }
    }

    fn begin(&self) -> Option<usize> {
        let mut state = self.state();
        let log = state.next;
        state.next += 1;
        (log < state.logs.len() && !state.stopped).then_some(log)
    }

    /// Hands on what was read of a log, once there is room. Returns true if nobody wants more.
    pub fn give(&self, log: usize, found: Found) -> bool {
        let size = found.size();
        let is_full = |state: &mut State| {
            !state.stopped && state.taken != log && state.held + size > Limit::Ahead.length()
        };
        let waited = self.changed.wait_while(self.state(), is_full);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        state.held += size;
        state.logs[log].found.push_back(found);
        self.changed.notify_all();
        state.stopped
    }

    /// The next of what was read of a log; `None` when it is done.
    pub fn take(&self, log: usize) -> Option<Found> {
        let mut state = self.state();
        if state.taken != log {
            state.taken = log;
            self.changed.notify_all();
        }
        let is_empty = |state: &mut State| {
            let log = &state.logs[log];
            log.found.is_empty() && !log.done
        };
        let waited = self.changed.wait_while(state, is_empty);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        let found = state.logs[log].found.pop_front()?;
        state.held -= found.size();
        self.changed.notify_all();
        Some(found)
    }

    /// Nobody wants more: readers stop.
    pub fn stop(&self) {
        self.state().stopped = true;
        self.changed.notify_all();
    }

    /// A thread that panicked leaves the state whole: each change of it is one step.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Marks a log as done when it is dropped. A panic of its reader ends all logs, so that nobody waits for ever.
struct Done<'a> {
    ahead: &'a Ahead,
    log: usize,
}

impl Drop for Done<'_> {
    fn drop(&mut self) {
        let mut state = self.ahead.state();
        state.logs[self.log].done = true;
        if std::thread::panicking() {
            state.stopped = true;
            state.logs.iter_mut().for_each(|log| log.done = true);
        }
        self.ahead.changed.notify_all();
    }
}

/// Stops the readers when it is dropped, also by a panic of who takes.
pub struct Stop<'a>(pub &'a Ahead);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::{Ahead, Found, Limit, Stop};
    use crate::load::found::Rows;

    fn big() -> Found {
        Found::Rows(Rows {
            bytes: Vec::with_capacity(Limit::Ahead.length() / 3),
            ..Rows::default()
        })
    }

    #[test]
    fn logs_are_taken_in_their_order_however_large_they_are() {
        let ahead = Ahead::new(5);
        let mut taken = Vec::new();
        thread::scope(|scope| {
            let _stop = Stop(&ahead);
            for _ in 0..3 {
                scope.spawn(|| {
                    ahead.run(|log| {
                        for _ in 0..4 {
                            assert!(!ahead.give(log, big()));
                        }
                        ahead.give(log, Found::Done(log as u64));
                    });
                });
            }
            for log in 0..5 {
                while let Some(found) = ahead.take(log) {
                    assert!(ahead.state().held <= Limit::Ahead.length() + 4 * big().size());
                    if let Found::Done(number) = found {
                        taken.push(number);
                    }
                }
            }
        });
        assert_eq!(taken, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn readers_end_when_nobody_takes_any_more_or_one_panics() {
        let ahead = Ahead::new(3);
        let outcome = thread::scope(|scope| {
            let _stop = Stop(&ahead);
            let reader = scope.spawn(|| {
                ahead.run(|log| {
                    assert!(log != 1, "a fault of a reader");
                    while !ahead.give(log, Found::Done(1)) {}
                });
            });
            assert!(ahead.take(0).is_some());
            ahead.stop();
            reader.join()
        });
        assert!(
            outcome.is_ok(),
            "stopped in the first log, the second is not begun"
        );
        let ahead = Ahead::new(2);
        let outcome = thread::scope(|scope| {
            let reader = scope.spawn(|| ahead.run(|_| panic!("a fault of a reader")));
            assert!(ahead.take(0).is_none() && ahead.take(1).is_none());
            reader.join()
        });
        assert!(outcome.is_err());
    }
}
