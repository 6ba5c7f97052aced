//! Limits concurrent requests: fewer after rate limit errors, slowly more after answers.

use std::sync::{Arc, Mutex};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Answers after which the limit rises by one.
const STEP: u32 = 20;

/// A concurrency limit with additive increase and multiplicative decrease (AIMD).
#[derive(Debug)]
pub struct Gate {
    permits: Arc<Semaphore>,
    most: usize,
    state: Mutex<State>,
}

/// A slot for one concurrent request, released on drop.
#[derive(Debug)]
pub struct RequestSlot {
    permit: OwnedSemaphorePermit,
}

#[derive(Clone, Copy, Debug)]
struct State {
    /// Concurrent requests allowed now.
    width: usize,
    /// Slots to take back as they are released.
    owed: usize,
    /// Answers since the limit last changed.
    answers: u32,
}

impl Gate {
    /// Returns a gate that starts with `most` concurrent requests, also its maximum.
    pub fn new(most: usize) -> Self {
        let most = most.max(1);
        Self {
            permits: Arc::new(Semaphore::new(most)),
            most,
            state: Mutex::new(State {
                width: most,
                owed: 0,
                answers: 0,
            }),
        }
    }

    /// Returns the number of concurrent requests allowed now.
    pub fn width(&self) -> usize {
        self.state.lock().map_or(1, |state| state.width)
    }

    /// Waits for a free slot.
    pub async fn enter(&self) -> Option<RequestSlot> {
        loop {
            let permit = Arc::clone(&self.permits).acquire_owned().await.ok()?;
            let place = RequestSlot { permit };
            let Ok(mut state) = self.state.lock() else {
                return Some(place);
            };
            if state.owed == 0 {
                return Some(place);
            }
            // After narrowing, released slots are taken back.
            state.owed -= 1;
            place.permit.forget();
        }
    }

    /// Halves the limit after a rate limit error. `width` is the limit when the request was sent,
    /// so simultaneous errors halve it only once.
    pub fn narrow(&self, width: usize) {
        let Ok(mut state) = self.state.lock() else {
            return;
        };
        if width > state.width {
            return;
        }
        let narrower = (state.width / 2).max(1);
        state.owed += state.width - narrower;
        state.width = narrower;
        state.answers = 0;
    }

    /// Records an answer; every 20th raises the limit by one.
    pub fn widen(&self) {
        let Ok(mut state) = self.state.lock() else {
            return;
        };
        state.answers += 1;
        if state.answers < STEP || state.width >= self.most {
            return;
        }
        state.answers = 0;
        state.width += 1;
        if state.owed > 0 {
            state.owed -= 1;
        } else {
            self.permits.add_permits(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run<T>(task: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap()
            .block_on(task)
    }

    #[test]
    fn a_gate_halves_once_for_many_refusals_of_one_moment_and_widens_slowly() {
        run(async {
            let gate = Gate::new(8);
            let width = gate.width();
            for _ in 0..5 {
                gate.narrow(width);
            }
            assert_eq!(gate.width(), 4);
            let mut inside = Vec::new();
            for _ in 0..4 {
                inside.push(gate.enter().await);
            }
            let fifth = tokio::select! { biased; _ = gate.enter() => true, () = std::future::ready(()) => false };
            assert!(!fifth, "the fifth waits");
            for _ in 0..STEP {
                gate.widen();
            }
            assert_eq!(gate.width(), 5);
            inside.push(gate.enter().await);
            for _ in 0..STEP * 100 {
                gate.widen();
            }
            assert_eq!(gate.width(), 8, "never more than at first");
        });
    }

    #[test]
    fn one_may_always_pass() {
        run(async {
            let gate = Gate::new(1);
            gate.narrow(1);
            assert!(gate.enter().await.is_some());
        });
    }
}
