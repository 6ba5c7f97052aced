//! Reads the pictures and answers that automatic tags are computed from.

use base::job::Ticket;
use workspace::automatic_tags::{TagSources, read};

use crate::{Ask, Engine, QueryError, Scope};

/// Query: reads pictures and answers, so that their automatic tags have values afterwards.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AutomaticTags {
    /// Scope of the predictions to read, for a data set that does not fit in memory.
    pub scope: Scope,
}

impl Ask for AutomaticTags {
    type Answer = ();

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<(), QueryError> {
        let wanted = TagSources {
            pictures: true,
            answers: true,
        };
        read(&engine.rows(&self.scope)?.table, wanted, ticket);
        Ok(())
    }
}
