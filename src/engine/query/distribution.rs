//! Counts samples by the bins of an attribute.

use analysis::{BinCount, distribution};
use base::job::Ticket;
use workspace::load::Request;

use super::splits_of;
use crate::{Ask, CommandLine, Engine, QueryError, Scope};

/// Query: number and difficulty of the samples of each ability in the bins of some splits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Distribution {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// Splits, as on the command line.
    pub by: String,
}

impl Ask for Distribution {
    type Answer = Vec<BinCount>;

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let rows = engine.rows(&self.scope)?;
        let splits = splits_of(Some(&self.by), &rows.table, ticket)?;
        Ok(distribution(rows.selection(ticket), &splits))
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        let line = CommandLine::new("items", &[], opened).scope(&self.scope);
        Some(line.option("--by", &self.by))
    }
}
