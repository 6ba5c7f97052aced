//! How many predictions and printed scores a filter leaves.

use job::Ticket;

use crate::{Ask, Engine, Needs, QueryError, Scope};

/// What passes a filter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Predictions.
    pub predictions: usize,
    /// Scores that a paper or a harness printed.
    pub printed: usize,
}

/// How much of a scope passes a filter that is being typed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Count {
    /// Which predictions.
    pub scope: Scope,
    /// The filter.
    pub filter: String,
}

impl Ask for Count {
    type Answer = Counted;

    fn needs(&self) -> Needs {
        Needs::Rows
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Counted, QueryError> {
        let typed = Scope {
            filter: self.filter.clone(),
            ..self.scope.clone()
        };
        let held = engine.rows(&typed)?.and(&engine.rows(&self.scope)?);
        let selection = held.selection(ticket);
        Ok(Counted {
            predictions: selection.rows().count(),
            printed: selection.published().count(),
        })
    }
}
