//! Counts the predictions and published scores that pass a filter.

use base::job::Ticket;

use crate::{Ask, Engine, QueryError, Scope};

/// Number of results that pass a filter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResultCounts {
    /// Number of predictions.
    pub predictions: usize,
    /// Number of scores published by a paper or a harness.
    pub printed: usize,
}

/// Query: number of results in a scope that pass a filter being typed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Count {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// Filter that is being typed.
    pub filter: String,
}

impl Ask for Count {
    type Answer = ResultCounts;

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<ResultCounts, QueryError> {
        let typed = Scope {
            filter: self.filter.clone(),
            ..self.scope.clone()
        };
        let held = engine.rows(&typed)?.and(&engine.rows(&self.scope)?);
        let selection = held.selection(ticket);
        Ok(ResultCounts {
            predictions: selection.rows().count(),
            printed: selection.published().count(),
        })
    }
}
