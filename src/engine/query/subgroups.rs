//! Computes scores in subgroups.

use analysis::{Metrics, Subgroup};
use base::job::Ticket;
use workspace::load::Request;

use super::Report;
use crate::{Ask, CommandLine, Engine, Needs, QueryError, Scope};

/// Query: scores of each model in the bins of some splits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Subgroups {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// Splits, as on the command line; `None` for the default splits.
    pub by: Option<String>,
    /// Whether to include metrics that do not rank.
    pub all: bool,
}

impl Ask for Subgroups {
    type Answer = Vec<Subgroup>;

    fn needs(&self) -> Needs {
        Needs::Sums
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let (by, metrics) = (self.by.as_deref(), Metrics::of(self.all));
        Ok(engine.subgroups(&self.scope, by, metrics, ticket)?.found)
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
