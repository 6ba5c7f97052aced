//! Bounds the memory of the pictures that are decoded and edited at the same time.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use limits::Limit;

/// The budget is so many times as much as one decoded picture may have: it holds one of any size, with its copies.
const PICTURES: u64 = 4;

/// The pictures of this process.
static WORK: Budget = Budget {
    state: Mutex::new(State {
        used: 0,
        next: 0,
        turn: 0,
    }),
    changed: Condvar::new(),
};

/// Waits until there is room for so many bytes beside what others work on, in the order of asking; the room is free again
/// when what it gives is dropped. One picture is always let through. Nobody may ask twice at once: two who each wait for
/// the other's room would wait for ever.
pub(super) fn hold(bytes: u64) -> Held<'static> {
    WORK.hold(bytes, Limit::PictureDecoded.get().saturating_mul(PICTURES))
}

/// Bytes that are worked on, and who waits for room.
#[derive(Debug)]
struct Budget {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    used: u64,
    /// The number of who asks next, and of whose turn it is.
    next: u64,
    turn: u64,
}

/// Room that is taken; it is free again when this is dropped.
#[derive(Debug)]
#[must_use]
pub struct Held<'a> {
    budget: &'a Budget,
    bytes: u64,
}

impl Budget {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hold(&self, bytes: u64, most: u64) -> Held<'_> {
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
        // There may be room for the next one, too.
        self.changed.notify_all();
        Held {
            budget: self,
            bytes,
        }
    }
}

impl Drop for Held<'_> {
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
