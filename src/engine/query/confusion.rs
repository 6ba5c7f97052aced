//! Counts answers by target.

use base::job::Ticket;
use workspace::answered::{self, confusion};

use crate::{Ask, Engine, QueryError, Scope};

/// Query: how often each answer was given to each target.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Confusion {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
}

impl Ask for Confusion {
    type Answer = answered::Confusion;

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let held = engine.rows(&self.scope)?;
        Ok(confusion(held.selection(ticket)))
    }
}
