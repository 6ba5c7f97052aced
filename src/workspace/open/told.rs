//! What was told last, so that the next table can say what has moved.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use analysis::audit::verdict_sets;
use job::Ticket;
use record::{Moved, Table};
use verdict::Book;

use super::{Change, Event, Listener, News, Replacement};

/// What was told last, and who hears it.
pub struct Told {
    last: Mutex<Last>,
    listener: Listener,
}

/// The last table, which has the verdicts of the last book.
#[derive(Default)]
struct Last {
    table: Table,
    book: Arc<Book>,
}

impl Told {
    pub fn new(listener: Listener) -> Self {
        Self {
            last: Mutex::default(),
            listener,
        }
    }

    /// Returns true if no table was told.
    pub fn is_empty(&self) -> bool {
        self.last().table.is_empty()
    }

    /// Tells something else than a table.
    pub fn tell(&self, event: Event) -> ControlFlow<()> {
        (self.listener)(event)
    }

    /// Tells a table of the reader that holds the ticket, unless another one has begun since. A table of the same
    /// reader as the last one has new rows behind the old ones.
    pub fn table(
        &self,
        ticket: &Ticket,
        table: Table,
        change: Change,
        is_first: bool,
    ) -> ControlFlow<()> {
        let mut last = self.last();
        if !ticket.is_wanted() {
            return ControlFlow::Break(());
        }
        let moved = if is_first {
            Moved::between(&last.table, &table)
        } else {
            Moved::Nowhere
        };
        let table = if last.book.is_empty() {
            table
        } else {
            let sets = verdict_sets(&table, &last.book);
            table.with_verdicts(sets)
        };
        self.replace(&mut last, table, moved, change)
    }

    /// Tells news of the verdicts, and the table that they make if any verdict is another one.
    pub fn verdicts(&self, news: News) {
        let mut last = self.last();
        last.book = Arc::clone(&news.book);
        let sets = verdict_sets(&last.table, &news.book);
        let known = last.table.verdicts();
        if sets != known && !(known.is_empty() && sets.iter().all(|set| *set == 0)) {
            let table = last.table.clone().with_verdicts(sets);
            // The listener says again that it wants to hear no more.
            let _ = self.replace(&mut last, table, Moved::Nowhere, Change::Judged);
        }
        drop(last);
        let _ = self.tell(Event::Verdicts(news));
    }

    fn replace(
        &self,
        last: &mut Last,
        table: Table,
        moved: Moved,
        change: Change,
    ) -> ControlFlow<()> {
        last.table = table.clone();
        self.tell(Event::Table(Box::new(Replacement {
            table,
            moved,
            change,
        })))
    }

    /// Whoever panicked with it left it whole.
    fn last(&self) -> MutexGuard<'_, Last> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
