//! Reads what the automatic tags of pictures and answers need.

use base::job::Ticket;
use workspace::automatic_tags::{TagSources, read};

use crate::{Ask, Engine, QueryError, Scope};

/// Query: pictures and answers are read, so that their automatic tags have values from then on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AutomaticTags {
    /// Selects the predictions of a set that does not fit into memory.
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
