//! Answers of all models, shown in columns.

use analysis::{AnswerColumns, AnswerMatrix, answer_matrix};
use base::job::Ticket;

use crate::{Ask, Engine, QueryError, Scope};

/// Query: answers to the samples of a scope, one column per model or condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Answers {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// Kind of the columns: models or conditions.
    pub beside: AnswerColumns,
}

impl Ask for Answers {
    type Answer = AnswerMatrix;

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let held = engine.rows(&self.scope)?;
        Ok(answer_matrix(held.selection(ticket), &self.beside))
    }
}
