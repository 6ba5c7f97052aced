//! Curves of a model's checkpoints over training.

use analysis::{CheckpointCurve, checkpoints};
use base::job::Ticket;
use workspace::load::Request;

use crate::{Ask, CommandLine, Engine, QueryError, Scope};

/// Query: scores over training steps. Marks the steps that are clearly better or worse than the
/// best earlier step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Checkpoints {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
}

impl Ask for Checkpoints {
    type Answer = Vec<CheckpointCurve>;

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let held = engine.rows(&self.scope)?;
        Ok(checkpoints(held.tested(ticket)?))
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        Some(CommandLine::new("checkpoints", &[], opened).scope(&self.scope))
    }
}
