//! How many predictions a filter leaves.

use job::Ticket;

use crate::{Ask, Engine, Needs, QueryError, Scope};

/// How many predictions of a scope pass a filter that is being typed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Count {
    /// Which predictions.
    pub scope: Scope,
    /// The filter.
    pub filter: String,
}

impl Ask for Count {
    type Answer = usize;

    fn needs(&self) -> Needs {
        Needs::Rows
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<usize, QueryError> {
        let typed = Scope {
            filter: self.filter.clone(),
            ..self.scope.clone()
        };
        let held = engine.rows(&typed)?.and(&engine.rows(&self.scope)?);
        Ok(held.selection(ticket).rows().count())
    }
}
