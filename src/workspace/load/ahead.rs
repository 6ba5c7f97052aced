//! Reads logs in parallel, and returns their content in the order of the logs.
//!
//! Threads may read a limited number of bytes beyond the current log; then they wait. The thread
//! that reads the current log never waits, so there is no deadlock.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use base::limits::Limit;

use super::log_element::LogElement;

/// Content of logs that was read but not added to the table yet.
#[derive(Debug)]
pub struct ReadAhead {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    logs: Vec<Log>,
    /// Index of the next log to read.
    next: usize,
    /// Index of the current log, whose content is being added to the table.
    taken: usize,
    /// Number of bytes that were read but not added to the table yet.
    held: usize,
    stopped: bool,
}

#[derive(Debug, Default)]
struct Log {
    found: VecDeque<LogElement>,
    done: bool,
}

impl ReadAhead {
    /// Creates the state for this many logs, none of which is read yet.
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

    /// Runs in a reader thread: calls `read` with the index of one log after another.
    pub fn run(&self, read: impl Fn(usize)) {
        while let Some(log) = self.begin() {
            let _done = DoneGuard { ahead: self, log };
            read(log);
        }
    }

    fn begin(&self) -> Option<usize> {
        let mut state = self.state();
        let log = state.next;
        state.next += 1;
        (log < state.logs.len() && !state.stopped).then_some(log)
    }

    /// Adds content of a log, after waiting for space. Returns true if reading should stop.
    pub fn give(&self, log: usize, found: LogElement) -> bool {
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

    /// Waits for the next content of a log. `None` at the end of the log.
    pub fn take(&self, log: usize) -> Option<LogElement> {
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

    /// Stops the readers.
    pub fn stop(&self) {
        self.state().stopped = true;
        self.changed.notify_all();
    }

    /// Locks the state. It is valid even if a thread panics, because each change is a single step.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Marks a log as completely read when dropped. If the reader panics, marks all logs, so that no
/// thread waits forever.
struct DoneGuard<'a> {
    ahead: &'a ReadAhead,
    log: usize,
}

impl Drop for DoneGuard<'_> {
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

/// Stops the readers when dropped, even by a panic.
pub struct StopGuard<'a>(pub &'a ReadAhead);

impl Drop for StopGuard<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::{Limit, LogElement, ReadAhead, StopGuard};
    use crate::load::log_element::Rows;

    fn big() -> LogElement {
        LogElement::Rows(Rows {
            bytes: Vec::with_capacity(Limit::Ahead.length() / 3),
            ..Rows::default()
        })
    }

    #[test]
    fn logs_are_taken_in_their_order_however_large_they_are() {
        let ahead = ReadAhead::new(5);
        let mut taken = Vec::new();
        thread::scope(|scope| {
            let _stop = StopGuard(&ahead);
            for _ in 0..3 {
                scope.spawn(|| {
                    ahead.run(|log| {
                        for _ in 0..4 {
                            assert!(!ahead.give(log, big()));
                        }
                        ahead.give(log, LogElement::Done(log as u64));
                    });
                });
            }
            for log in 0..5 {
                while let Some(found) = ahead.take(log) {
                    assert!(ahead.state().held <= Limit::Ahead.length() + 4 * big().size());
                    if let LogElement::Done(number) = found {
                        taken.push(number);
                    }
                }
            }
        });
        assert_eq!(taken, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn readers_end_when_nobody_takes_any_more_or_one_panics() {
        let ahead = ReadAhead::new(3);
        let outcome = thread::scope(|scope| {
            let _stop = StopGuard(&ahead);
            let reader = scope.spawn(|| {
                ahead.run(|log| {
                    assert!(log != 1, "a fault of a reader");
                    while !ahead.give(log, LogElement::Done(1)) {}
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
        let ahead = ReadAhead::new(2);
        let outcome = thread::scope(|scope| {
            let reader = scope.spawn(|| ahead.run(|_| panic!("a fault of a reader")));
            assert!(ahead.take(0).is_none() && ahead.take(1).is_none());
            reader.join()
        });
        assert!(outcome.is_err());
    }
}
