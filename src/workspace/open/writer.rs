//! Threads for verdicts, so that judging does not wait for the disk or the network.
//!
//! The writer saves verdicts. A verdict counts as saved once it is on disk. The uploader uploads
//! verdicts and downloads the verdicts of other people.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use record::verdict::{Book, Entry};

use super::Event;
use super::notifier::Notifier;
use crate::follow::PollSettings;
use crate::upload_queue::{self, UploadQueue};
use crate::verdicts::{Audit, Ledger};

/// Pause before retrying to save.
const AGAIN: Duration = Duration::from_secs(3);

/// Number that stands for the file of entries which are not in a file yet.
const NO_FILE: usize = usize::MAX;

/// Message to the writer thread.
#[derive(Clone, Debug)]
pub enum WriterOrder {
    /// Save this verdict.
    Save(Box<Entry>),
    /// Read the verdicts of other people.
    Read,
    /// The uploader has exchanged verdicts with the store. Contains the failure, if there is one.
    Exchanged(Option<String>),
    /// Save the remaining verdicts and end.
    End,
}

/// Result of one step of the writer.
#[derive(Clone, Debug, Default)]
pub struct WriterReport {
    /// Verdicts of all files, and those not saved yet.
    pub book: Arc<Book>,
    /// Path or address of the verdict file.
    pub place: PathBuf,
    /// Number of verdicts saved since the last report.
    pub saved: usize,
    /// Why the other verdicts are not saved yet; `None` if all are.
    pub trouble: Option<String>,
    /// A notice for the user, which is given once.
    pub notice: Option<String>,
}

/// Handle of the thread that writes verdicts.
pub struct VerdictWriter {
    orders: Sender<WriterOrder>,
    thread: JoinHandle<Option<Vec<String>>>,
    uploader: Option<Arc<VerdictUploader>>,
}

/// Verdicts that are not saved or not uploaded when the writer ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WriterResult {
    /// Why verdicts could not be saved, one text per verdict.
    pub unsaved: Vec<String>,
    /// Why saved verdicts are not uploaded yet; `None` if all are.
    pub waiting: Option<String>,
}

impl VerdictWriter {
    /// Opens the verdict files in the background, and reports their content.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub fn start(
        audit: Audit,
        polling: Option<PollSettings>,
        notifier: Arc<Notifier>,
    ) -> io::Result<Self> {
        let (orders, inbox) = channel();
        let uploader = VerdictUploader::start(&audit, polling, orders.clone())?.map(Arc::new);
        let own = uploader.clone();
        let listener = Arc::clone(&notifier);
        let failed = move |failure| {
            // If the user has quit, the listener is gone.
            let _ = listener.notify(Event::WriterFailed(failure));
        };
        let work = move || WriterState::new(&audit, own, notifier).work(&inbox);
        let thread = base::job::spawn("verdict writer", work, failed)?;
        Ok(Self {
            orders,
            thread,
            uploader,
        })
    }

    /// Saves a verdict.
    pub fn save(&self, entry: Entry) {
        self.order(WriterOrder::Save(Box::new(entry)));
    }

    /// Reads the verdicts of other people.
    pub fn read(&self) {
        self.order(WriterOrder::Read);
    }

    fn order(&self, order: WriterOrder) {
        // The thread ends on request. If it has failed, that is already reported.
        drop(self.orders.send(order));
    }

    /// Exchanges verdicts with the store, if there is one.
    pub fn exchange(&self) {
        if let Some(uploader) = &self.uploader {
            uploader.go();
        }
    }

    /// Waits until everything is saved, or the last attempt has failed.
    pub fn finish(self) -> WriterResult {
        self.order(WriterOrder::End);
        let unsaved = self.thread.join().ok().flatten();
        let unsaved = unsaved.unwrap_or_else(|| vec!["the verdict writer failed".to_owned()]);
        // The writer has ended and dropped its handle of the uploader.
        let uploader = self.uploader.and_then(Arc::into_inner);
        WriterResult {
            unsaved,
            waiting: uploader.and_then(VerdictUploader::finish),
        }
    }
}

/// State of the writer thread.
struct WriterState {
    ledger: Ledger,
    /// Path or address of the verdicts, for display.
    place: Option<PathBuf>,
    uploader: Option<Arc<VerdictUploader>>,
    /// The store's failure that was last reported.
    trouble_of_store: Option<String>,
    unsaved: VecDeque<Entry>,
    notifier: Arc<Notifier>,
}

impl WriterState {
    fn new(audit: &Audit, uploader: Option<Arc<VerdictUploader>>, notifier: Arc<Notifier>) -> Self {
        let state = Self {
            ledger: Ledger::open(audit),
            place: audit.file.clone().filter(|_| uploader.is_some()),
            uploader,
            trouble_of_store: None,
            unsaved: VecDeque::new(),
            notifier,
        };
        let problems = state.ledger.problems();
        let notice = problems.first().map(|first| {
            let count = base::format::counted(problems.len() as u64, "bad line");
            format!(
                "{count} in verdict files: {}: {}",
                first.place(),
                first.what
            )
        });
        state.report(WriterReport {
            notice,
            ..WriterReport::default()
        });
        state
    }

    fn work(mut self, inbox: &Receiver<WriterOrder>) -> Vec<String> {
        loop {
            let order = if self.unsaved.is_empty() {
                inbox.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                inbox.recv_timeout(AGAIN)
            };
            let mut of_store = None;
            match order {
                Ok(WriterOrder::Save(entry)) => self.unsaved.push_back(*entry),
                Ok(WriterOrder::Read) | Err(RecvTimeoutError::Timeout) => {}
                Ok(WriterOrder::Exchanged(trouble)) => of_store = self.is_new(trouble),
                Ok(WriterOrder::End) | Err(RecvTimeoutError::Disconnected) => {
                    let news = self.save();
                    return self
                        .unsaved
                        .iter()
                        .filter_map(|_| news.trouble.clone())
                        .collect();
                }
            }
            let mut news = self.save();
            if let Some(uploader) = self.uploader.as_ref().filter(|_| news.saved > 0) {
                uploader.saved(news.saved as u64);
            }
            let came = self.ledger.refresh();
            news.notice = of_store.or(news.notice);
            if came || news.saved > 0 || news.trouble.is_some() || news.notice.is_some() {
                self.report(news);
            }
        }
    }

    /// Returns a failure of the store, unless the same failure was just reported.
    fn is_new(&mut self, trouble: Option<String>) -> Option<String> {
        let is_new = trouble != self.trouble_of_store;
        self.trouble_of_store.clone_from(&trouble);
        trouble.filter(|_| is_new)
    }

    /// Saves waiting verdicts in order. Stops at the first failure.
    fn save(&mut self) -> WriterReport {
        let mut news = WriterReport::default();
        while let Some(entry) = self.unsaved.front() {
            match self.ledger.append(entry) {
                Ok(notice) => {
                    news.saved += 1;
                    news.notice = notice.or(news.notice);
                    self.unsaved.pop_front();
                }
                Err(why) => {
                    news.trouble = Some(why);
                    break;
                }
            }
        }
        news
    }

    fn report(&self, news: WriterReport) {
        let mut book = self.ledger.book().clone();
        for entry in &self.unsaved {
            book.add(NO_FILE, entry.clone());
        }
        self.notifier.verdicts(WriterReport {
            book: Arc::new(book),
            place: self
                .place
                .clone()
                .unwrap_or_else(|| self.ledger.own().to_path_buf()),
            ..news
        });
    }
}

/// Number of new verdicts after which they are uploaded at once.
const TOGETHER: u64 = 20;
/// Time without a new verdict after which verdicts are uploaded.
const REST: Duration = Duration::from_mins(1);
/// Interval between downloads of other people's verdicts, as a multiple of the polling interval.
const RARELY: u32 = 8;

/// Message to the uploader thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UploadOrder {
    /// This many verdicts were saved.
    Saved(u64),
    /// Upload and download now.
    Go,
}

/// Handle of the uploader thread.
pub struct VerdictUploader {
    orders: Sender<UploadOrder>,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Option<Result<(), String>>>,
}

impl VerdictUploader {
    /// Starts an uploader if verdicts are stored remotely. Verdicts that remain from earlier
    /// sessions are uploaded first.
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

    /// Uploads new verdicts, and downloads the verdicts of other people.
    pub fn go(&self) {
        self.order(UploadOrder::Go);
    }

    fn order(&self, order: UploadOrder) {
        // If the uploader has failed, that is already reported.
        let _ = self.orders.send(order);
    }

    /// Uploads the remaining verdicts. Returns the failure; `None` on success.
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

    /// Uploads and downloads verdicts, then notifies the writer.
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
        format!("{count} not uploaded yet: {why}; the next start tries again")
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::mpsc::channel;

    use super::*;
    use record::verdict::{SampleKey, Verdict, append};

    fn entry(id: &str, author: &str) -> Entry {
        let sample = SampleKey {
            sample_id: id.to_owned(),
            benchmark: "b".to_owned(),
            ability: "a".to_owned(),
            ..SampleKey::default()
        };
        Entry::now(sample, Verdict::Ok, "", author)
    }

    fn started(folder: &std::path::Path) -> (VerdictWriter, Receiver<WriterReport>) {
        let audit = Audit {
            paths: vec![folder.to_path_buf()],
            author: "ada".to_owned(),
            ..Audit::default()
        };
        let (sender, news) = channel();
        let notifier = Notifier::new(Box::new(move |event| {
            if let Event::Verdicts(news) = event {
                drop(sender.send(news));
            }
            ControlFlow::Continue(())
        }));
        let writer = VerdictWriter::start(audit, None, Arc::new(notifier)).unwrap();
        (writer, news)
    }

    #[test]
    fn what_is_told_as_saved_is_on_the_disk_and_others_are_heard() {
        let folder = tempfile::tempdir().unwrap();
        let (writer, news) = started(folder.path());
        let first = news.recv().unwrap();
        assert!(first.book.is_empty() && first.place.ends_with("eyechart.verdicts.jsonl"));
        writer.save(entry("1", "ada"));
        assert_eq!(news.recv().unwrap().saved, 1);
        let text = std::fs::read_to_string(&first.place).unwrap();
        assert_eq!(text.lines().count(), 1);
        append(&first.place, &entry("1", "bob")).unwrap();
        writer.read();
        let authors: Vec<String> = news
            .recv()
            .unwrap()
            .book
            .authors()
            .into_iter()
            .map(str::to_owned)
            .collect();
        assert_eq!(authors, ["ada", "bob"]);
        assert_eq!(writer.finish(), WriterResult::default());
    }

    #[test]
    fn what_cannot_be_saved_is_kept_and_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let gone = folder.path().join("logs");
        std::fs::create_dir(&gone).unwrap();
        let (writer, news) = started(&gone);
        news.recv().unwrap();
        std::fs::remove_dir(&gone).unwrap();
        writer.save(entry("1", "ada"));
        let told = news.recv().unwrap();
        assert!(
            told.saved == 0
                && told
                    .trouble
                    .is_some_and(|why| why.contains("verdicts.jsonl"))
        );
        std::fs::create_dir(&gone).unwrap();
        writer.save(entry("2", "ada"));
        assert_eq!(news.recv().unwrap().saved, 2);
        std::fs::remove_dir_all(&gone).unwrap();
        writer.save(entry("3", "ada"));
        assert_eq!(
            writer.finish().unsaved.len(),
            1,
            "said when the program ends"
        );
    }
}
