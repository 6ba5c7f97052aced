//! Pairwise comparisons of all models in an ability.

use analysis::{Wins, wins};
use base::job::Ticket;
use workspace::load::Request;

use crate::{Ask, CommandLine, Engine, QueryError, Scope};

/// Query: for each pair of models and ability, the difference and its significance.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pairs {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
}

impl Ask for Pairs {
    type Answer = Vec<Wins>;

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Vec<Wins>, QueryError> {
        Ok(wins(engine.rows(&self.scope)?.tested(ticket)?))
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        Some(CommandLine::new("wins", &[], opened).scope(&self.scope))
    }
}
