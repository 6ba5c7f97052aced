//! Compares all pairs of models in each ability.

use analysis::{Wins, wins};
use base::job::Ticket;
use workspace::load::Request;

use crate::{Ask, CommandLine, Engine, QueryError, Scope};

/// Query: the difference and its significance for each pair of models in each ability.
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
