//! Limits the memory of pictures that are decoded and edited at once.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use base::limits::Limit;

/// The budget as a multiple of the largest decoded picture. It is enough for one picture of any
/// size with its copies.
const PICTURES: u64 = 4;

/// The budget shared by all threads of this process.
static WORK: Budget = Budget {
    state: Mutex::new(State {
        used: 0,
        next: 0,
        turn: 0,
    }),
    changed: Condvar::new(),
};

/// Waits until `bytes` fit into the budget, in order of arrival. The reservation ends when the
/// result is dropped. If nothing else is reserved, any size fits.
///
/// Do not call this while holding a reservation: two such callers would wait for each other
/// forever.
pub(super) fn hold(bytes: u64) -> MemoryReservation<'static> {
    WORK.hold(bytes, Limit::PictureDecoded.get().saturating_mul(PICTURES))
}

/// A memory budget with a queue of waiting callers.
#[derive(Debug)]
struct Budget {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    used: u64,
    /// Number for the next caller; `turn` is the number that is served now.
    next: u64,
    turn: u64,
}

/// Reserved memory, released on drop.
#[derive(Debug)]
#[must_use]
pub struct MemoryReservation<'a> {
    budget: &'a Budget,
    bytes: u64,
}

impl Budget {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hold(&self, bytes: u64, most: u64) -> MemoryReservation<'_> {
        let mut state = self.state();
        let number = state.next;
        state.next += 1;
        let waits = |state: &mut State| {
            let fits = state.used == 0 || state.used.saturating_add(bytes) <= most;
            state.turn != number || !fits
        };
        let waited = self.changed.wait_while(state, waits);
        state = waited.unwrap_or_else(PoisonError::into_inner);
        state.turn += 1;
        state.used = state.used.saturating_add(bytes);
        // The next caller may fit into the budget, too.
        self.changed.notify_all();
        MemoryReservation {
            budget: self,
            bytes,
        }
    }
}

impl Drop for MemoryReservation<'_> {
    fn drop(&mut self) {
        let mut state = self.budget.state();
        state.used = state.used.saturating_sub(self.bytes);
        self.budget.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::*;

    fn empty() -> Budget {
        Budget {
            state: Mutex::new(State {
                used: 0,
                next: 0,
                turn: 0,
            }),
            changed: Condvar::new(),
        }
    }

    #[test]
    fn what_is_worked_on_at_once_is_bounded_and_one_is_always_let_through() {
        let (budget, now, peak) = (empty(), AtomicU64::new(0), AtomicU64::new(0));
        let (count, most_at_once) = (AtomicU64::new(0), AtomicU64::new(0));
        thread::scope(|scope| {
            for size in [300, 300, 5_000, 300, 700, 300, 300, 300, 1, 1_000] {
                let (budget, now, peak) = (&budget, &now, &peak);
                let (count, most_at_once) = (&count, &most_at_once);
                scope.spawn(move || {
                    for _ in 0..20 {
                        let held = budget.hold(size, 1_000);
                        let used = now.fetch_add(size, Ordering::SeqCst) + size;
                        let others = count.fetch_add(1, Ordering::SeqCst);
                        assert!(used <= 1_000 || others == 0, "{used}");
                        peak.fetch_max(used.min(1_000), Ordering::SeqCst);
                        most_at_once.fetch_max(others + 1, Ordering::SeqCst);
                        thread::sleep(Duration::from_micros(200));
                        count.fetch_sub(1, Ordering::SeqCst);
                        now.fetch_sub(size, Ordering::SeqCst);
                        drop(held);
                    }
                });
            }
        });
        assert_eq!(budget.state().used, 0);
        assert!(peak.into_inner() > 300, "more than one at once");
        assert!(most_at_once.into_inner() > 1);
    }
}
