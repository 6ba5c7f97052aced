//! Answers queries on a table that fits in memory.

use std::sync::Arc;

use record::Table;
use record::verdict::Book;

use super::masks::Masks;
use super::{Engine, QueryError, Scope, ScopedTable};

/// Table with the verdicts on its samples. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    table: Table,
    book: Arc<Book>,
    masks: Arc<Masks>,
}

impl Memory {
    /// Creates an engine from a table and verdicts.
    pub fn new(table: Table, book: Arc<Book>) -> Self {
        Self {
            table,
            book,
            masks: Arc::default(),
        }
    }

    /// Replaces table and verdicts. Cached flags stay valid if the content of the table is the
    /// same.
    pub fn hold(&mut self, table: &Table, book: &Arc<Book>) {
        if self.table.generation() != table.generation() {
            self.table = table.clone();
        }
        self.book = Arc::clone(book);
    }
}

impl Engine for Memory {
    fn table(&self) -> &Table {
        &self.table
    }

    fn book(&self) -> &Book {
        &self.book
    }

    fn rows(&self, scope: &Scope) -> Result<ScopedTable, QueryError> {
        let flags = self.masks.of(&self.table, scope)?;
        Ok(ScopedTable::new(self.table.clone(), scope, flags))
    }
}
