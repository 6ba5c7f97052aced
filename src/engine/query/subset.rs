//! Finds the smallest number of samples that is sufficient for the same ranking.

use analysis::{SubsetOptions, subsets};
use base::job::Ticket;
use workspace::load::Request;

use crate::{Ask, CommandLine, Engine, QueryError, Scope};

/// Query: for each ability, the smallest random subset of samples that gives the same ranking.
#[derive(Clone, Debug, PartialEq)]
pub struct Subset {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// Options: required agreement, number of draws and seed.
    pub keeping: SubsetOptions,
}

impl Ask for Subset {
    type Answer = Vec<analysis::Subset>;

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let held = engine.rows(&self.scope)?;
        Ok(subsets(held.tested(ticket)?, self.keeping))
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        let line = CommandLine::new("agree", &["--subset"], opened).scope(&self.scope);
        let line = line.option("--threshold", self.keeping.threshold.to_string());
        let line = line.option("--draws", self.keeping.draws.to_string());
        Some(line.option("--seed", self.keeping.seed.to_string()))
    }
}
