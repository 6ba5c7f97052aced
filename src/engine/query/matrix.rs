//! A matrix of models against abilities or benchmarks.

use analysis::{ColumnKind, Depth, matrix};
use base::job::Ticket;
use workspace::load::Request;

use crate::{Ask, CommandLine, Engine, Needs, QueryError, Scope};

/// Query: models against the abilities of all benchmarks, or against whole benchmarks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Matrix {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// What the columns stand for.
    pub over: ColumnKind,
}

impl Ask for Matrix {
    type Answer = analysis::Matrix;

    fn needs(&self) -> Needs {
        Needs::Sums
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let scores = engine.scores(&self.scope, Depth::Scores, ticket)?.found;
        Ok(matrix(&scores, &engine.table().names().groups, self.over))
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        let over = (self.over == ColumnKind::Benchmarks).then_some("benchmarks");
        let line = CommandLine::new("matrix", &[], opened).scope(&self.scope);
        Some(line.maybe("--over", over))
    }
}
