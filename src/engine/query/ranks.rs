//! Tests how robust the ranks are.

use analysis::sensitivity::{Sensitivity, sensitivity};
use base::job::Ticket;
use workspace::load::Request;

use crate::{Ask, CommandLine, Engine, QueryError, Scope};

/// Query: robustness of the ranks in a scope to missing models, samples, abilities or data sets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ranks {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
}

impl Ask for Ranks {
    type Answer = Sensitivity;

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Sensitivity, QueryError> {
        Ok(sensitivity(engine.rows(&self.scope)?.tested(ticket)?))
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        Some(CommandLine::new("ranks", &[], opened).scope(&self.scope))
    }
}
