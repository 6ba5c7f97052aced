//! The open data: logs that are read and followed, and verdicts on their samples. Reports changes
//! as events.
//!
//! A new table is reported in the same way after reading, growth, rereading and new verdicts: the
//! table, where the previous rows are in it, and the reason.

mod notifier;
mod reading;
mod writer;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use base::config::{ColumnMap, Decision};
use base::job::{FOR_GOOD, Failure, Newest, Ticket};
use record::verdict::Entry;
use record::{RowMap, Table};

use super::columns::UnmappedTable;
use super::follow::{self, PollResult, PollSettings, Signal};
use super::load::{LargeSet, Progress, Request};
use super::verdicts::Audit;
use notifier::{Notifier, RowOrder};
use reading::{ReadFunction, Reader, UnknownColumns};
use writer::VerdictWriter;

pub use writer::{WriterReport, WriterResult};

/// A change of the open data.
#[derive(Clone, Debug)]
pub enum Event {
    /// A request was opened; reading starts.
    Opened(Box<Request>),
    /// Progress of the reading.
    Progress(Progress),
    /// A table replaces the previous one.
    Table(Box<Replacement>),
    /// The logs no longer grow.
    Resting,
    /// Open addresses were polled.
    Polled(PollResult),
    /// A data set is open without its predictions. The next table contains no predictions.
    Large(Arc<LargeSet>),
    /// Tables with unknown columns were found.
    Unmapped(Vec<UnmappedTable>),
    /// Verdicts were read or saved.
    Verdicts(WriterReport),
    /// The reader thread failed; logs are no longer read or followed.
    ReaderFailed(Failure),
    /// The writer thread failed; verdicts are no longer saved.
    WriterFailed(Failure),
}

/// A table that replaces the previous one.
#[derive(Clone, Debug)]
pub struct Replacement {
    /// The table to show from now on.
    pub table: Table,
    /// Positions of the previous table's rows in this table.
    pub moved: RowMap,
    /// Reason for the replacement.
    pub change: Change,
}

/// Reason for a new table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// A part of the logs was read. More tables will follow.
    Part,
    /// Everything was read.
    Whole,
    /// Logs have grown, by this many predictions per second.
    Grown(f64),
    /// Verdicts have changed. All rows keep their positions.
    Judged,
}

/// Receives events. It returns `Break` to receive no more events.
pub type Listener = Box<dyn Fn(Event) -> ControlFlow<()> + Send + Sync>;

/// The open logs, and the threads that read and follow them and write verdicts.
pub struct Workspace {
    request: Request,
    /// Polling settings for growing logs; `None` if logs are not followed.
    follow: Option<PollSettings>,
    notifier: Arc<Notifier>,
    readers: Newest,
    /// Ticket of the latest reader thread.
    ticket: Ticket,
    follower: Sender<Signal>,
    writer: VerdictWriter,
    read: ReadFunction,
}

/// Handle with which the displayed table can be replaced.
pub struct TableUpdater {
    notifier: Arc<Notifier>,
    ticket: Ticket,
}

impl TableUpdater {
    /// Shows a table that contains some of the open predictions.
    pub fn show(&self, table: Table) {
        // If the listener breaks, it does so again at the next event.
        let _ = self
            .notifier
            .table(&self.ticket, table, Change::Whole, RowOrder::Anew);
    }
}

impl Workspace {
    /// Opens logs and the verdicts on them.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub fn open(
        request: Request,
        audit: Audit,
        follow: Option<PollSettings>,
        listener: Listener,
    ) -> io::Result<Self> {
        Self::open_with(reading::read, request, audit, follow, listener)
    }

    fn open_with(
        read: ReadFunction,
        request: Request,
        audit: Audit,
        follow: Option<PollSettings>,
        listener: Listener,
    ) -> io::Result<Self> {
        let notifier = Arc::new(Notifier::new(listener));
        let mut workspace = Self {
            request,
            writer: VerdictWriter::start(audit, follow.clone(), Arc::clone(&notifier))?,
            follow,
            notifier,
            readers: Newest::default(),
            ticket: FOR_GOOD.clone(),
            follower: follow::signals().0,
            read,
        };
        workspace.start_reading(UnknownColumns::Report)?;
        Ok(workspace)
    }

    /// Opens one more log, or opens a changed log again. Reads everything again; until then, the
    /// old table stays.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub fn add(&mut self, log: PathBuf) -> io::Result<()> {
        if !self.request.paths.contains(&log) {
            self.request.paths.push(log);
        }
        self.start_reading(UnknownColumns::Skip)
    }

    /// Adds a column map, which takes precedence, and reads everything again.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub fn map_columns(&mut self, map: ColumnMap) -> io::Result<()> {
        self.request.columns.insert(0, map);
        self.start_reading(UnknownColumns::Report)
    }

    /// Includes or excludes logs, and reads everything again.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub fn choose(&mut self, chosen: BTreeMap<PathBuf, bool>) -> io::Result<()> {
        self.request.chosen = chosen;
        self.start_reading(UnknownColumns::Skip)
    }

    /// Adds a decision about names. Reads everything again if needed.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub fn decide(&mut self, decision: Decision) -> io::Result<()> {
        if self.request.add_decision(decision) {
            self.start_reading(UnknownColumns::Skip)?;
        }
        Ok(())
    }

    /// Polls open addresses now, and exchanges verdicts. Returns false if logs are not followed.
    pub fn check_for_changes(&self) -> bool {
        self.writer.exchange();
        self.follow.is_some() && self.follower.send(Signal::Poll).is_ok()
    }

    /// Reports that the last table is on screen. A growing log produces the next table only after
    /// that.
    pub fn shown(&self) {
        self.signal(Signal::Ready);
    }

    /// Returns a handle for showing other tables. It has no effect once something else was opened.
    pub fn shower(&self) -> TableUpdater {
        TableUpdater {
            notifier: Arc::clone(&self.notifier),
            ticket: self.ticket.clone(),
        }
    }

    /// Saves a verdict in the background.
    pub fn save_verdict(&self, entry: Entry) {
        self.writer.save(entry);
    }

    /// Reads new verdicts of other people.
    pub fn read_verdicts(&self) {
        self.writer.read();
    }

    /// Waits until every verdict is saved, or the last attempt has failed.
    pub fn finish(self) -> WriterResult {
        self.signal(Signal::Stop);
        self.writer.finish()
    }

    /// Starts a new reader, which replaces the previous one.
    fn start_reading(&mut self, unknown: UnknownColumns) -> io::Result<()> {
        self.signal(Signal::Stop);
        let signals = follow::signals();
        self.follower = signals.0.clone();
        self.ticket = self.readers.ticket();
        let reader = Reader {
            request: self.request.clone(),
            unknown,
            signals: self.follow.clone().map(|polling| (signals, polling)),
            notifier: Arc::clone(&self.notifier),
            ticket: self.ticket.clone(),
        };
        reader.start(self.read)
    }

    fn signal(&self, signal: Signal) {
        // The follower may have ended, or was not started.
        drop(self.follower.send(signal));
    }
}
