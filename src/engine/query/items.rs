//! Statistics of samples over all models.

use analysis::{ItemStatistics, item_statistics};
use base::job::Ticket;
use workspace::load::Request;

use crate::{Ask, CommandLine, Engine, QueryError, Scope};

/// Query: difficulty and discrimination of each sample.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Items {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
}

impl Ask for Items {
    type Answer = Vec<ItemStatistics>;

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        Ok(item_statistics(engine.rows(&self.scope)?.selection(ticket)))
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        Some(CommandLine::new("items", &[], opened).scope(&self.scope))
    }
}
