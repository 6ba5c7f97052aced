//! Computes reliability under rotated pictures.

use analysis::reliability;
use base::job::Ticket;
use record::ROTATION;
use workspace::load::Request;

use super::Report;
use crate::{Ask, CommandLine, Engine, Needs, QueryError, Scope};

/// Query: reliability of each model in each ability with questions at several rotations.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reliability {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
}

impl Ask for Reliability {
    type Answer = Vec<analysis::Reliability>;

    fn needs(&self) -> Needs {
        Needs::Sums
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let held = engine.rows_with(&self.scope, ROTATION)?;
        Ok(held.map_or_else(Vec::new, |held| reliability(held.selection(ticket))))
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        Report::over(&self.scope).command(opened)
    }
}
