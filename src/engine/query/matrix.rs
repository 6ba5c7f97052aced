//! A matrix of models against abilities, benchmarks or metrics.

use analysis::{ColumnKind, Depth, matrix};
use base::job::Ticket;
use workspace::load::Request;

use super::scores_of_reliability;
use crate::{Ask, CommandLine, Engine, Needs, QueryError, Scope};

/// Query: a matrix of models against the abilities of all benchmarks, against whole benchmarks, or
/// against metrics. The metrics include reliability under rotation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Matrix {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// Kind of the columns.
    pub over: ColumnKind,
}

impl Ask for Matrix {
    type Answer = analysis::Matrix;

    fn needs(&self) -> Needs {
        Needs::Sums
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let mut scores = engine.scores(&self.scope, Depth::Scores, ticket)?.found;
        if self.over == ColumnKind::Metrics {
            scores.extend(scores_of_reliability(&self.scope, engine, ticket)?);
        }
        Ok(matrix(&scores, &engine.table().names().groups, self.over))
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        let over = match self.over {
            ColumnKind::Abilities => None,
            ColumnKind::Benchmarks => Some("benchmarks"),
            ColumnKind::Metrics => Some("metrics"),
        };
        let line = CommandLine::new("matrix", &[], opened).scope(&self.scope);
        Some(line.maybe("--over", over))
    }
}
