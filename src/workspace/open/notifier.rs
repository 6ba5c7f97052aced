//! Stores the last reported table, to compute where its rows are in the next table.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use analysis::audit::verdict_sets;
use base::job::Ticket;
use record::verdict::Book;
use record::{RowMap, Table};

use super::{Change, Event, Listener, Replacement, WriterReport};

/// The last reported state, and its listener.
pub struct Notifier {
    last: Mutex<LastState>,
    listener: Listener,
}

/// Order of the rows in a new table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOrder {
    /// The rows may be in any order.
    Anew,
    /// The rows of the last table keep their positions, and new rows follow.
    Appended,
}

/// The last table, and the verdicts of the last book.
#[derive(Default)]
struct LastState {
    table: Table,
    book: Arc<Book>,
}

impl Notifier {
    pub fn new(listener: Listener) -> Self {
        Self {
            last: Mutex::default(),
            listener,
        }
    }

    /// Returns true if no table with predictions was reported yet.
    pub fn is_empty(&self) -> bool {
        self.last().table.is_empty()
    }

    /// Reports an event that has no table.
    pub fn notify(&self, event: Event) -> ControlFlow<()> {
        (self.listener)(event)
    }

    /// Reports a table from the reader of this ticket, unless a newer reader has started.
    pub fn table(
        &self,
        ticket: &Ticket,
        table: Table,
        change: Change,
        order: RowOrder,
    ) -> ControlFlow<()> {
        let mut last = self.last();
        if !ticket.is_wanted() {
            return ControlFlow::Break(());
        }
        let moved = match order {
            RowOrder::Anew => RowMap::between(&last.table, &table),
            RowOrder::Appended => RowMap::Nowhere,
        };
        let table = if last.book.is_empty() {
            table
        } else {
            let sets = verdict_sets(&table, &last.book);
            table.with_verdicts(sets)
        };
        self.replace(&mut last, table, moved, change)
    }

    /// Reports new verdicts. If a verdict has changed, also reports a new table.
    pub fn verdicts(&self, news: WriterReport) {
        let mut last = self.last();
        last.book = Arc::clone(&news.book);
        let sets = verdict_sets(&last.table, &news.book);
        let known = last.table.verdicts();
        if sets != known && !(known.is_empty() && sets.iter().all(|set| *set == 0)) {
            let table = last.table.clone().with_verdicts(sets);
            // If the listener breaks, it does so again at the next event.
            let _ = self.replace(&mut last, table, RowMap::Nowhere, Change::Judged);
        }
        drop(last);
        let _ = self.notify(Event::Verdicts(news));
    }

    fn replace(
        &self,
        last: &mut LastState,
        table: Table,
        moved: RowMap,
        change: Change,
    ) -> ControlFlow<()> {
        last.table = table.clone();
        self.notify(Event::Table(Box::new(Replacement {
            table,
            moved,
            change,
        })))
    }

    /// Locks the state. It stays valid if a thread panics.
    fn last(&self) -> MutexGuard<'_, LastState> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
