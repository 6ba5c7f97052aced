//! The courier: a thread of its own that takes verdicts to a store and fetches those of others, so that nobody who judges
//! waits for a network.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use super::writer::Order as WriterOrder;
use crate::follow::Polling;
use crate::outbox::{self, Outbox};
use crate::verdicts::Audit;

/// Verdicts that go together at most.
const TOGETHER: u64 = 20;
/// Without another verdict for so long, what is there goes.
const REST: Duration = Duration::from_mins(1);
/// Between two looks for verdicts of others, in times the pause between two looks at what is open.
const RARELY: u32 = 8;

/// What the courier is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// So many verdicts were saved.
    Saved(u64),
    /// Go now.
    Go,
}

/// The handle of the thread.
pub struct Courier {
    orders: Sender<Order>,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Option<Result<(), String>>>,
}

impl Courier {
    /// Starts one if verdicts go to a store: what earlier sessions could not put goes first.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(
        audit: &Audit,
        polling: Option<Polling>,
        writer: Sender<WriterOrder>,
    ) -> io::Result<Option<Self>> {
        let Some(outbox) = Outbox::of(audit) else {
            return Ok(None);
        };
        let (orders, inbox) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let going = Going {
            outbox,
            polling: polling.unwrap_or_default(),
            writer,
            stop: Arc::clone(&stop),
        };
        let failed = |failure: job::Failure| tracing::warn!("{failure}");
        let thread = job::spawn("verdict courier", move || going.work(&inbox), failed)?;
        Ok(Some(Self {
            orders,
            stop,
            thread,
        }))
    }

    /// Verdicts were saved on this machine.
    pub fn saved(&self, count: u64) {
        self.order(Order::Saved(count));
    }

    /// Takes what is there to the store, and fetches what others put there.
    pub fn go(&self) {
        self.order(Order::Go);
    }

    fn order(&self, order: Order) {
        // A courier that has failed was told as such.
        let _ = self.orders.send(order);
    }

    /// Takes the rest to the store; gives why it could not.
    pub fn finish(self) -> Option<String> {
        self.stop.store(true, Ordering::Relaxed);
        drop(self.orders);
        let failed = || Err("the courier failed".to_owned());
        let ended = self.thread.join().ok().flatten();
        ended.unwrap_or_else(failed).err()
    }
}

struct Going {
    outbox: Outbox,
    polling: Polling,
    writer: Sender<WriterOrder>,
    stop: Arc<AtomicBool>,
}

impl Going {
    fn work(self, inbox: &Receiver<Order>) -> Result<(), String> {
        self.go();
        let mut saved = 0;
        loop {
            let order = match self.pause(saved) {
                Some(pause) => inbox.recv_timeout(pause),
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match order {
                Ok(Order::Saved(count)) => {
                    saved += count;
                    if saved < TOGETHER {
                        continue;
                    }
                }
                Ok(Order::Go) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return self.last(),
            }
            self.go();
            saved = 0;
        }
    }

    fn pause(&self, saved: u64) -> Option<Duration> {
        let every = self.polling.every.saturating_mul(RARELY);
        let looks = (!every.is_zero()).then_some(every);
        if saved > 0 { Some(REST) } else { looks }
    }

    /// Puts and fetches, and tells the writer.
    fn go(&self) {
        let put = self.outbox.put();
        let stop = || self.stop.load(Ordering::Relaxed);
        let fetched = outbox::fetch(self.outbox.address(), &self.polling.meter, &stop);
        let trouble = match (put, fetched) {
            (Err(why), _) => Some(self.waits(&why)),
            (_, Err(why)) => Some(format!("verdicts of others cannot be read: {why}")),
            _ => None,
        };
        // The writer ends before the courier.
        drop(self.writer.send(WriterOrder::Exchanged(trouble)));
    }

    fn last(&self) -> Result<(), String> {
        let put = self.outbox.put();
        put.map(|_| ()).map_err(|why| self.waits(&why))
    }

    fn waits(&self, why: &str) -> String {
        let count = format::counted(self.outbox.waiting(), "verdict");
        format!("{count} wait on this machine, and go to the store at the next start: {why}")
    }
}
