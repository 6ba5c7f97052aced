//! Circuit breaker: pauses all requests while an endpoint is down, and probes it.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use tokio::sync::Mutex;

/// Number of consecutive failures that open the circuit.
const MOST: u32 = 5;
/// Seconds before each probe; the last value repeats.
const PROBES: [f64; 4] = [5.0, 10.0, 20.0, 30.0];
/// Total pause in seconds after which the endpoint is given up. Pending
/// samples can be resumed later.
const PATIENCE: f64 = 600.0;

/// The state of an endpoint's circuit.
#[derive(Debug, Default)]
pub struct Circuit {
    failed: AtomicU32,
    open: AtomicBool,
    gone: AtomicBool,
    prober: Mutex<()>,
}

impl Circuit {
    /// Records an answer: the count of consecutive failures restarts at 0.
    pub fn succeed(&self) {
        self.failed.store(0, Ordering::Relaxed);
    }

    /// Records a failure that may be the endpoint's fault; returns true if the circuit is open now.
    pub fn fail(&self) -> bool {
        let failed = self.failed.fetch_add(1, Ordering::Relaxed) + 1;
        if failed >= MOST {
            self.open();
        }
        self.is_open()
    }

    /// Opens the circuit: requests wait until a probe succeeds.
    pub fn open(&self) {
        self.open.store(true, Ordering::Release);
    }

    /// Returns true while requests must wait.
    pub fn is_open(&self) -> bool {
        self.open.load(Ordering::Acquire)
    }

    /// Waits until the endpoint is up; returns false if it was given up. One waiter calls `probe`
    /// after each `pause`; `factor` scales the pauses.
    pub async fn wait<P, S>(
        &self,
        probe: impl Fn() -> P,
        pause: impl Fn(Duration) -> S,
        factor: f64,
    ) -> bool
    where
        P: Future<Output = bool>,
        S: Future<Output = ()>,
    {
        if !self.is_open() {
            return true;
        }
        let _prober = self.prober.lock().await;
        let (mut waits, mut waited) = (PROBES.iter().copied(), 0.0);
        let last = PROBES.last().copied().unwrap_or(1.0);
        while self.is_open() {
            if waited >= PATIENCE {
                self.gone.store(true, Ordering::Release);
            }
            if self.gone.load(Ordering::Acquire) {
                return false;
            }
            let seconds = waits.next().unwrap_or(last);
            waited += seconds;
            pause(Duration::try_from_secs_f64(seconds * factor).unwrap_or_default()).await;
            if probe().await {
                self.failed.store(0, Ordering::Relaxed);
                self.open.store(false, Ordering::Release);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use super::*;

    #[test]
    fn five_failures_in_a_row_open_it_and_a_good_probe_closes_it() {
        let circuit = Circuit::default();
        for _ in 0..4 {
            assert!(!circuit.fail());
        }
        circuit.succeed();
        for _ in 0..4 {
            assert!(!circuit.fail());
        }
        assert!(circuit.fail());
        let (waits, probes) = (RefCell::new(Vec::new()), Cell::new(0));
        let pause = |wait: Duration| {
            waits.borrow_mut().push(wait.as_secs());
            std::future::ready(())
        };
        let probe = || {
            probes.set(probes.get() + 1);
            std::future::ready(probes.get() == 6)
        };
        let task = circuit.wait(probe, pause, 1.0);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        assert!(runtime.block_on(task));
        assert_eq!(*waits.borrow(), [5, 10, 20, 30, 30, 30]);
        assert!(!circuit.is_open());
    }

    #[test]
    fn an_endpoint_that_does_not_come_back_is_given_up_by_all_who_wait() {
        let circuit = Circuit::default();
        circuit.open();
        let waits = Cell::new(0);
        let pause = |_| {
            waits.set(waits.get() + 1);
            std::future::ready(())
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        for _ in 0..3 {
            assert!(!runtime.block_on(circuit.wait(|| std::future::ready(false), pause, 1.0)));
        }
        assert_eq!(waits.get(), 22, "ten minutes, once");
    }
}
