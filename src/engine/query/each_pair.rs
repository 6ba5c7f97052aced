//! Compares all pairs of models on the samples that both models answered, under any conditions.

use base::job::Ticket;
use workspace::{NamedComparison, each_pair};

use crate::{Ask, Engine, QueryError, Scope};

/// Query: comparisons of all pairs of models; see [`each_pair`].
#[derive(Clone, Debug, PartialEq)]
pub struct EachPair {
    /// Full names of the models; unknown names are ignored.
    pub models: Vec<String>,
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
}

impl Ask for EachPair {
    /// One comparison per pair, sorted as the models.
    type Answer = Vec<NamedComparison>;

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let held = engine.rows(&self.scope)?;
        Ok(each_pair(held.selection(ticket), &self.models)?)
    }
}
