//! What is open: the logs that are read and followed, and the verdicts on them. One place owns all of it and tells
//! what becomes of it.
//!
//! Every table, whether it is still being read, has grown, was read anew or has other verdicts, is told in the same
//! way: the whole table, where the rows of the table before stand in it, and why it came.

mod courier;
mod reading;
mod told;
mod writer;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use config::{ColumnMap, Said};
use job::{FOR_GOOD, Failure, Newest, Ticket};
use record::{Moved, Table};
use verdict::Entry;

use super::columns::Unmapped;
use super::follow::{self, Looked, Polling, Signal};
use super::load::{LargeSet, Progress, Request};
use super::verdicts::Audit;
use reading::{Read, Reader, Unknown};
use told::Told;
use writer::VerdictWriter;

pub use writer::{Finished, News};

/// What became of what is open.
#[derive(Clone, Debug)]
pub enum Event {
    /// This is open, and is read from now on.
    Opened(Box<Request>),
    /// How far it is read.
    Progress(Progress),
    /// A table takes the place of the one before.
    Table(Box<Replacement>),
    /// The logs no longer grow.
    Resting,
    /// The addresses that are open were looked at.
    Looked(Looked),
    /// What is open is a data set whose predictions are not read; the table that follows has none.
    Large(Arc<LargeSet>),
    /// Tables whose columns are not known.
    Unmapped(Vec<Unmapped>),
    /// What the files of verdicts say, and what was saved.
    Verdicts(News),
    /// Logs are not read or followed any more.
    ReaderFailed(Failure),
    /// Verdicts are not saved any more.
    WriterFailed(Failure),
}

/// A table that takes the place of the one before.
#[derive(Clone, Debug)]
pub struct Replacement {
    /// The table.
    pub table: Table,
    /// Where the rows of the table before stand in it.
    pub moved: Moved,
    /// Why it came.
    pub change: Change,
}

/// Why a table takes the place of another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// More was read, and more is to come.
    Part,
    /// Everything was read.
    Whole,
    /// Logs have grown, by so many predictions a second lately.
    Grown(f64),
    /// Other verdicts. Every row is where it was.
    Judged,
}

/// Hears what becomes of what is open, and breaks when it wants to hear no more.
pub type Listener = Box<dyn Fn(Event) -> ControlFlow<()> + Send + Sync>;

/// The logs that are open, with the threads that read and follow them and write verdicts on them.
pub struct Workspace {
    request: Request,
    /// How logs that grow are followed; `None`: not at all.
    follow: Option<Polling>,
    told: Arc<Told>,
    readers: Newest,
    /// The last reader's.
    ticket: Ticket,
    follower: Sender<Signal>,
    writer: VerdictWriter,
    read: Read,
}

/// Puts tables in the place of the last one.
pub struct Shower {
    told: Arc<Told>,
    ticket: Ticket,
}

impl Shower {
    /// Shows a table of some of the predictions that are open.
    pub fn show(&self, table: Table) {
        // The listener says again that it wants to hear no more.
        let _ = self.told.table(&self.ticket, table, Change::Whole, true);
    }
}

impl Workspace {
    /// Opens logs and the verdicts on them.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn open(
        request: Request,
        audit: Audit,
        follow: Option<Polling>,
        listener: Listener,
    ) -> io::Result<Self> {
        Self::open_with(reading::read, request, audit, follow, listener)
    }

    fn open_with(
        read: Read,
        request: Request,
        audit: Audit,
        follow: Option<Polling>,
        listener: Listener,
    ) -> io::Result<Self> {
        let told = Arc::new(Told::new(listener));
        let mut workspace = Self {
            request,
            writer: VerdictWriter::start(audit, follow.clone(), Arc::clone(&told))?,
            follow,
            told,
            readers: Newest::default(),
            ticket: FOR_GOOD.clone(),
            follower: follow::signals().0,
            read,
        };
        workspace.start_reading(Unknown::Told)?;
        Ok(workspace)
    }

    /// Opens one more log, or one that has changed: everything is read anew, and what was there stays until all is
    /// read.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn add(&mut self, log: PathBuf) -> io::Result<()> {
        if !self.request.paths.contains(&log) {
            self.request.paths.push(log);
        }
        self.start_reading(Unknown::Passed)
    }

    /// Reads everything anew with one more column map, which comes before the others.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn map_columns(&mut self, map: ColumnMap) -> io::Result<()> {
        self.request.columns.insert(0, map);
        self.start_reading(Unknown::Told)
    }

    /// Takes logs in or out, and reads everything anew.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn choose(&mut self, chosen: BTreeMap<PathBuf, bool>) -> io::Result<()> {
        self.request.chosen = chosen;
        self.start_reading(Unknown::Passed)
    }

    /// Keeps what is said of names, and reads everything anew if that changes it.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn say(&mut self, said: Said) -> io::Result<()> {
        if self.request.say(said) {
            self.start_reading(Unknown::Passed)?;
        }
        Ok(())
    }

    /// Looks at the addresses that are open now; false if nothing is followed.
    #[must_use]
    pub fn look(&self) -> bool {
        self.writer.exchange();
        self.follow.is_some() && self.follower.send(Signal::Look).is_ok()
    }

    /// The last table and what follows from it are on the screen: a log that has grown may give another one.
    pub fn shown(&self) {
        self.signal(Signal::Ready);
    }

    /// What puts a table of some of the predictions that are open in the place of the last one, as long as nothing else is
    /// opened.
    #[must_use]
    pub fn shower(&self) -> Shower {
        Shower {
            told: Arc::clone(&self.told),
            ticket: self.ticket.clone(),
        }
    }

    /// Keeps a verdict.
    pub fn keep(&self, entry: Entry) {
        self.writer.keep(entry);
    }

    /// Looks for verdicts of others.
    pub fn read_verdicts(&self) {
        self.writer.read();
    }

    /// Waits until every verdict is saved or was tried once more.
    #[must_use]
    pub fn finish(self) -> Finished {
        self.signal(Signal::Stop);
        self.writer.finish()
    }

    /// Reads and follows what is open from now on instead of what was open before.
    fn start_reading(&mut self, unknown: Unknown) -> io::Result<()> {
        self.signal(Signal::Stop);
        let signals = follow::signals();
        self.follower = signals.0.clone();
        self.ticket = self.readers.ticket();
        let reader = Reader {
            request: self.request.clone(),
            unknown,
            signals: self.follow.clone().map(|polling| (signals, polling)),
            told: Arc::clone(&self.told),
            ticket: self.ticket.clone(),
        };
        reader.start(self.read)
    }

    fn signal(&self, signal: Signal) {
        // The follower may be gone, or none may be wanted.
        drop(self.follower.send(signal));
    }
}
