//! What could be typed next.

use job::Ticket;
use workspace::Lens;
use workspace::filter::{self, complete};

use crate::{Ask, Engine, Needs, QueryError};

/// What could stand at the cursor of a filter that is being typed.
#[derive(Clone, Debug, PartialEq)]
pub struct Completion {
    /// The lens without the text.
    pub lens: Lens,
    /// The text.
    pub text: String,
    /// The byte of the cursor.
    pub cursor: usize,
}

impl Ask for Completion {
    type Answer = filter::Completion;

    fn needs(&self) -> Needs {
        Needs::Rows
    }

    fn answer(&self, engine: &dyn Engine, _: &Ticket) -> Result<Self::Answer, QueryError> {
        let table = engine.table();
        Ok(complete(&self.text, self.cursor, table, &self.lens))
    }
}
