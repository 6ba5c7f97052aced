//! Completes a filter expression at the cursor.

use base::job::Ticket;
use workspace::Lens;
use workspace::filter::{self, complete};

use crate::{Ask, Engine, QueryError};

/// Query: completions at the cursor of a filter.
#[derive(Clone, Debug, PartialEq)]
pub struct Completion {
    /// Lens without the filter text that is being typed.
    pub lens: Lens,
    /// Text of the filter, including the part after the cursor.
    pub text: String,
    /// Byte offset of the cursor in the text.
    pub cursor: usize,
}

impl Ask for Completion {
    type Answer = filter::Completion;

    fn answer(&self, engine: &dyn Engine, _: &Ticket) -> Result<Self::Answer, QueryError> {
        let table = engine.table();
        Ok(complete(&self.text, self.cursor, table, &self.lens))
    }
}
