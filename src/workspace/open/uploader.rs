//! Thread that uploads verdicts and downloads those of others, so that judging never
//! waits for the network.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use super::writer::WriterOrder;
use crate::follow::PollSettings;
use crate::upload_queue::{self, UploadQueue};
use crate::verdicts::Audit;

/// Number of new verdicts that triggers an upload.
const TOGETHER: u64 = 20;
/// Upload after this long without a new verdict.
const REST: Duration = Duration::from_mins(1);
/// Interval between downloads of others' verdicts, as a multiple of the polling interval.
const RARELY: u32 = 8;

/// Order to the uploader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UploadOrder {
    /// This many verdicts were saved.
    Saved(u64),
    /// Upload and download now.
    Go,
}

/// Handle of the uploader's thread.
pub struct VerdictUploader {
    orders: Sender<UploadOrder>,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Option<Result<(), String>>>,
}

impl VerdictUploader {
    /// Starts an uploader if verdicts go to a store. Verdicts left from earlier sessions are uploaded
    /// first.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub fn start(
        audit: &Audit,
        polling: Option<PollSettings>,
        writer: Sender<WriterOrder>,
    ) -> io::Result<Option<Self>> {
        let Some(queue) = UploadQueue::of(audit) else {
            return Ok(None);
        };
        let (orders, inbox) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let state = UploaderState {
            queue,
            polling: polling.unwrap_or_default(),
            writer,
            stop: Arc::clone(&stop),
        };
        let failed = |failure: base::job::Failure| tracing::warn!("{failure}");
        let thread = base::job::spawn("verdict upload", move || state.work(&inbox), failed)?;
        Ok(Some(Self {
            orders,
            stop,
            thread,
        }))
    }

    /// Reports verdicts saved on this machine.
    pub fn saved(&self, count: u64) {
        self.order(UploadOrder::Saved(count));
    }

    /// Uploads new verdicts, and downloads those of others.
    pub fn go(&self) {
        self.order(UploadOrder::Go);
    }

    fn order(&self, order: UploadOrder) {
        // A failed uploader is already reported.
        let _ = self.orders.send(order);
    }

    /// Uploads the rest; returns the failure, if any.
    pub fn finish(self) -> Option<String> {
        self.stop.store(true, Ordering::Relaxed);
        drop(self.orders);
        let failed = || Err("the verdict upload failed".to_owned());
        let ended = self.thread.join().ok().flatten();
        ended.unwrap_or_else(failed).err()
    }
}

struct UploaderState {
    queue: UploadQueue,
    polling: PollSettings,
    writer: Sender<WriterOrder>,
    stop: Arc<AtomicBool>,
}

impl UploaderState {
    fn work(self, inbox: &Receiver<UploadOrder>) -> Result<(), String> {
        self.go();
        let mut saved = 0;
        loop {
            let order = match self.pause(saved) {
                Some(pause) => inbox.recv_timeout(pause),
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match order {
                Ok(UploadOrder::Saved(count)) => {
                    saved += count;
                    if saved < TOGETHER {
                        continue;
                    }
                }
                Ok(UploadOrder::Go) | Err(RecvTimeoutError::Timeout) => {}
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

    /// Uploads and downloads, and notifies the writer.
    fn go(&self) {
        let put = self.queue.put();
        let stop = || self.stop.load(Ordering::Relaxed);
        let fetched = upload_queue::fetch(self.queue.address(), &self.polling.meter, &stop);
        let trouble = match (put, fetched) {
            (Err(why), _) => Some(self.waits(&why)),
            (_, Err(why)) => Some(format!("other people's verdicts cannot be read: {why}")),
            _ => None,
        };
        // The writer may have ended.
        drop(self.writer.send(WriterOrder::Exchanged(trouble)));
    }

    fn last(&self) -> Result<(), String> {
        let put = self.queue.put();
        put.map(|_| ()).map_err(|why| self.waits(&why))
    }

    fn waits(&self, why: &str) -> String {
        let count = base::format::counted(self.queue.waiting(), "verdict");
        format!("{count} not uploaded yet; the next start uploads the rest: {why}")
    }
}
