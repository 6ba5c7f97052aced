//! Scores against the size or release date of models.

use analysis::{Depth, Trend, TrendAxis, trends};
use base::job::Ticket;
use workspace::load::Request;

use crate::{Ask, CommandLine, Engine, Needs, QueryError, Scope};

/// Query: scores against size or release date, per benchmark and ability.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Trends {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// The model property on the x axis.
    pub against: TrendAxis,
}

impl Ask for Trends {
    type Answer = Vec<Trend>;

    fn needs(&self) -> Needs {
        Needs::Sums
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Vec<Trend>, QueryError> {
        let scores = engine.scores(&self.scope, Depth::Intervals, ticket)?.found;
        Ok(trends(&scores, engine.table().names(), self.against))
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        let against = (self.against != TrendAxis::Parameters).then_some(self.against.name());
        let line = CommandLine::new("trend", &[], opened).scope(&self.scope);
        Some(line.maybe("--against", against))
    }
}
