//! The verdict writer: a thread of its own, so that nobody waits for a disk, and nothing counts as saved before it is.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use verdict::{Book, Entry};

use super::Event;
use super::courier::Courier;
use super::told::Told;
use crate::follow::Polling;
use crate::verdicts::{Audit, Ledger};

/// Between two attempts to save what could not be saved.
const AGAIN: Duration = Duration::from_secs(3);

/// The number of the file of entries that are in no file yet.
const NO_FILE: usize = usize::MAX;

/// What the writer is told to do.
#[derive(Clone, Debug)]
pub enum Order {
    /// Keep this verdict.
    Keep(Box<Entry>),
    /// See what others wrote.
    Read,
    /// Verdicts were taken to the store, and those of others fetched, or why not.
    Exchanged(Option<String>),
    /// Save what is left.
    End,
}

/// What the writer has done.
#[derive(Clone, Debug, Default)]
pub struct News {
    /// What all files say now, and what is not saved yet.
    pub book: Arc<Book>,
    /// The file that is written to.
    pub place: PathBuf,
    /// How many verdicts were saved since the last news, the oldest first.
    pub saved: usize,
    /// Why the rest is not saved yet.
    pub trouble: Option<String>,
    /// Something that the user should know once.
    pub told: Option<String>,
}

/// The handle of the thread that writes verdicts.
pub struct VerdictWriter {
    orders: Sender<Order>,
    thread: JoinHandle<Option<Vec<String>>>,
    courier: Option<Arc<Courier>>,
}

/// How it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finished {
    /// Why verdicts could not be saved, each.
    pub unsaved: Vec<String>,
    /// Why saved ones are not in their store yet.
    pub waiting: Option<String>,
}

impl VerdictWriter {
    /// Opens the files of verdicts aside, and tells what is in them.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(audit: Audit, polling: Option<Polling>, told: Arc<Told>) -> io::Result<Self> {
        let (orders, inbox) = channel();
        let courier = Courier::start(&audit, polling, orders.clone())?.map(Arc::new);
        let own = courier.clone();
        let listener = Arc::clone(&told);
        let failed = move |failure| {
            // Nobody listens when the user has left.
            let _ = listener.tell(Event::WriterFailed(failure));
        };
        let work = move || Writing::new(&audit, own, told).work(&inbox);
        let thread = job::spawn("verdict writer", work, failed)?;
        Ok(Self {
            orders,
            thread,
            courier,
        })
    }

    /// Keeps a verdict.
    pub fn keep(&self, entry: Entry) {
        self.order(Order::Keep(Box::new(entry)));
    }

    /// Looks for verdicts of others.
    pub fn read(&self) {
        self.order(Order::Read);
    }

    fn order(&self, order: Order) {
        // The thread ends when it is told to; one that failed was told as such.
        drop(self.orders.send(order));
    }

    /// Takes verdicts to their store and fetches those of others, if they go to one.
    pub fn exchange(&self) {
        if let Some(courier) = &self.courier {
            courier.go();
        }
    }

    /// Waits until everything is saved or was tried once more.
    pub fn finish(self) -> Finished {
        self.order(Order::End);
        let unsaved = self.thread.join().ok().flatten();
        let unsaved = unsaved.unwrap_or_else(|| vec!["the verdict writer failed".to_owned()]);
        // The writer has given its half back.
        let courier = self.courier.and_then(Arc::into_inner);
        Finished {
            unsaved,
            waiting: courier.and_then(Courier::finish),
        }
    }
}

/// What the thread works with.
struct Writing {
    ledger: Ledger,
    /// Where verdicts go, as it is shown.
    place: Option<PathBuf>,
    courier: Option<Arc<Courier>>,
    /// What was last told of the store.
    trouble_of_store: Option<String>,
    unsaved: VecDeque<Entry>,
    told: Arc<Told>,
}

impl Writing {
    fn new(audit: &Audit, courier: Option<Arc<Courier>>, told: Arc<Told>) -> Self {
        let writing = Self {
            ledger: Ledger::open(audit),
            place: audit.file.clone().filter(|_| courier.is_some()),
            courier,
            trouble_of_store: None,
            unsaved: VecDeque::new(),
            told,
        };
        let problems = writing.ledger.problems();
        let told = problems.first().map(|first| {
            let count = format::counted(problems.len() as u64, "bad line");
            format!("{count} of verdicts: {}: {}", first.place(), first.what)
        });
        writing.report(News {
            told,
            ..News::default()
        });
        writing
    }

    fn work(mut self, inbox: &Receiver<Order>) -> Vec<String> {
        loop {
            let order = if self.unsaved.is_empty() {
                inbox.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                inbox.recv_timeout(AGAIN)
            };
            let mut of_store = None;
            match order {
                Ok(Order::Keep(entry)) => self.unsaved.push_back(*entry),
                Ok(Order::Read) | Err(RecvTimeoutError::Timeout) => {}
                Ok(Order::Exchanged(trouble)) => of_store = self.is_new(trouble),
                Ok(Order::End) | Err(RecvTimeoutError::Disconnected) => {
                    let news = self.save();
                    return self
                        .unsaved
                        .iter()
                        .filter_map(|_| news.trouble.clone())
                        .collect();
                }
            }
            let mut news = self.save();
            if let Some(courier) = self.courier.as_ref().filter(|_| news.saved > 0) {
                courier.saved(news.saved as u64);
            }
            let came = self.ledger.refresh();
            news.told = of_store.or(news.told);
            if came || news.saved > 0 || news.trouble.is_some() || news.told.is_some() {
                self.report(news);
            }
        }
    }

    /// What is to be told of the store: a failure once.
    fn is_new(&mut self, trouble: Option<String>) -> Option<String> {
        let is_new = trouble != self.trouble_of_store;
        self.trouble_of_store.clone_from(&trouble);
        trouble.filter(|_| is_new)
    }

    /// Saves what waits, in its order, until the first that cannot be saved.
    fn save(&mut self) -> News {
        let mut news = News::default();
        while let Some(entry) = self.unsaved.front() {
            match self.ledger.append(entry) {
                Ok(told) => {
                    news.saved += 1;
                    news.told = told.or(news.told);
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

    fn report(&self, news: News) {
        let mut book = self.ledger.book().clone();
        for entry in &self.unsaved {
            book.take(NO_FILE, entry.clone());
        }
        self.told.verdicts(News {
            book: Arc::new(book),
            place: self
                .place
                .clone()
                .unwrap_or_else(|| self.ledger.own().to_path_buf()),
            ..news
        });
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::mpsc::channel;

    use super::*;
    use verdict::{SampleKey, Verdict, append};

    fn entry(id: &str, author: &str) -> Entry {
        let sample = SampleKey {
            sample_id: id.to_owned(),
            benchmark: "b".to_owned(),
            ability: "a".to_owned(),
        };
        Entry::now(sample, Verdict::Ok, "", author)
    }

    fn started(folder: &std::path::Path) -> (VerdictWriter, Receiver<News>) {
        let audit = Audit {
            paths: vec![folder.to_path_buf()],
            author: "ada".to_owned(),
            ..Audit::default()
        };
        let (sender, news) = channel();
        let told = Told::new(Box::new(move |event| {
            if let Event::Verdicts(news) = event {
                drop(sender.send(news));
            }
            ControlFlow::Continue(())
        }));
        let writer = VerdictWriter::start(audit, None, Arc::new(told)).unwrap();
        (writer, news)
    }

    #[test]
    fn what_is_told_as_saved_is_on_the_disk_and_others_are_heard() {
        let folder = tempfile::tempdir().unwrap();
        let (writer, news) = started(folder.path());
        let first = news.recv().unwrap();
        assert!(first.book.is_empty() && first.place.ends_with("eyechart.verdicts.jsonl"));
        writer.keep(entry("1", "ada"));
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
        assert_eq!(writer.finish(), Finished::default());
    }

    #[test]
    fn what_cannot_be_saved_is_kept_and_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let gone = folder.path().join("logs");
        std::fs::create_dir(&gone).unwrap();
        let (writer, news) = started(&gone);
        news.recv().unwrap();
        std::fs::remove_dir(&gone).unwrap();
        writer.keep(entry("1", "ada"));
        let told = news.recv().unwrap();
        assert!(
            told.saved == 0
                && told
                    .trouble
                    .is_some_and(|why| why.contains("verdicts.jsonl"))
        );
        std::fs::create_dir(&gone).unwrap();
        writer.keep(entry("2", "ada"));
        assert_eq!(news.recv().unwrap().saved, 2);
        std::fs::remove_dir_all(&gone).unwrap();
        writer.keep(entry("3", "ada"));
        assert_eq!(
            writer.finish().unsaved.len(),
            1,
            "said when the program ends"
        );
    }
}
