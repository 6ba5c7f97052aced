//! Scores of subgroups.

use analysis::Subgroup;
use job::Ticket;
use workspace::load::Request;

use super::Report;
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
        let by = (self.by.as_deref(), self.all);
        Ok(engine.subgroups(&self.scope, by, ticket)?.found)
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
