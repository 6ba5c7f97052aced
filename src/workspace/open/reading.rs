//! The thread that reads the logs and follows them.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use base::job::Ticket;
use record::Table;

use super::notifier::{Notifier, RowOrder};
use super::{Change, Event};
use crate::columns::unmapped;
use crate::follow::{self, FollowStart, PollSettings, Signals, follow};
use crate::load::{self, LoadedData, PartialTables, Request};

/// Function that reads a request, with or without partial tables, and reports progress.
pub type ReadFunction =
    fn(&Request, PartialTables, &mut dyn FnMut(load::Event) -> ControlFlow<()>) -> LoadedData;

/// What to do with tables whose columns are unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownColumns {
    /// Report them, so that the user can map the columns.
    Report,
    /// Skip them, because they were already reported.
    Skip,
}

pub use load::open_any as read;

/// State of the reader thread.
pub struct Reader {
    pub request: Request,
    pub unknown: UnknownColumns,
    /// Channel and polling settings; `None` if logs are not followed.
    pub signals: Option<(Signals, PollSettings)>,
    pub notifier: Arc<Notifier>,
    pub ticket: Ticket,
}

impl Reader {
    /// Starts the reader thread and returns at once.
    pub fn start(self, read: ReadFunction) -> io::Result<()> {
        let (notifier, ticket) = (Arc::clone(&self.notifier), self.ticket.clone());
        let failed = move |failure| {
            if ticket.is_wanted() {
                // If the user has quit, the listener is gone.
                let _ = notifier.notify(Event::ReaderFailed(failure));
            }
        };
        // The thread ends when everything is read and not followed, or when another reader starts.
        let work = move || {
            let _ = self.work(read);
        };
        base::job::spawn("log reader", work, failed).map(drop)
    }

    fn work(mut self, read: ReadFunction) -> ControlFlow<()> {
        self.notify(Event::Opened(Box::new(self.request.clone())))?;
        let mut order = RowOrder::Anew;
        let partial = if self.notifier.is_empty() {
            PartialTables::Send
        } else {
            PartialTables::Skip
        };
        let opened = read(&self.request, partial, &mut |event| match event {
            load::Event::Progress(progress) => self.notify(Event::Progress(progress)),
            load::Event::Partial(table) => {
                let order = std::mem::replace(&mut order, RowOrder::Appended);
                self.table(table, Change::Part, order)
            }
        });
        let (table, reading) = match opened {
            LoadedData::Whole(table, reading) => (table, *reading),
            LoadedData::Large(set) => {
                let names = set.names.clone();
                self.notify(Event::Large(Arc::new(*set)))?;
                return self.table(names, Change::Whole, order);
            }
        };
        self.table(table.clone(), Change::Whole, order)?;
        let unknown = unmapped(&table);
        if self.unknown == UnknownColumns::Report && !unknown.is_empty() {
            self.notify(Event::Unmapped(unknown))?;
        }
        if let Some((signals, polling)) = self.signals.take() {
            let start = FollowStart {
                table,
                reading,
                signals,
                polling: &polling,
            };
            follow(&self.request, start, &mut |event| match event {
                follow::Event::Grown(grown) => {
                    let order = if grown.is_anew {
                        RowOrder::Anew
                    } else {
                        RowOrder::Appended
                    };
                    self.table(grown.table, Change::Grown(grown.rate), order)
                }
                follow::Event::Resting => self.notify(Event::Resting),
                follow::Event::Polled(result) => self.notify(Event::Polled(result)),
            });
        }
        ControlFlow::Continue(())
    }

    fn table(&self, table: Table, change: Change, order: RowOrder) -> ControlFlow<()> {
        self.notifier.table(&self.ticket, table, change, order)
    }

    fn notify(&self, event: Event) -> ControlFlow<()> {
        if self.ticket.is_wanted() {
            self.notifier.notify(event)
        } else {
            ControlFlow::Break(())
        }
    }
}
