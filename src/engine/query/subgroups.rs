//! Scores of subgroups.

use analysis::{Subgroup, parse_splits_of_models, subgroups};
use job::Ticket;
use workspace::load::Request;

use super::{Report, splits_of};
use crate::{Ask, CommandLine, Engine, Needs, QueryError, Scope};

/// The scores of every model in the bins of some splits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Subgroups {
    /// Which predictions.
    pub scope: Scope,
    /// What to split by, as the command line has it; `None`: what is usual.
    pub by: Option<String>,
    /// The metrics beside the one that ranks too.
    pub all: bool,
}

impl Ask for Subgroups {
    type Answer = Vec<Subgroup>;

    fn needs(&self) -> Needs {
        Needs::Sums
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let table = engine.table();
        let splits = match &self.by {
            Some(by) => parse_splits_of_models(by, table)?,
            None => splits_of(None, table)?,
        };
        let held = engine.rows(&self.scope)?;
        Ok(subgroups(held.selection(ticket), &splits, self.all))
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        let report = Report {
            by: self.by.clone(),
            all: self.all,
            ..Report::over(&self.scope)
        };
        report.command(opened)
    }
}
