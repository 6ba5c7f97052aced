//! Draws samples for a spot check.

use analysis::audit::{judged_by, spot_check};
use base::job::Ticket;
use record::Row;
use workspace::load::Request;

use crate::{Ask, CommandLine, Engine, QueryError, Scope};

/// Query: random samples that an author has not judged yet. They are drawn to narrow the interval
/// of the label error rate as much as possible.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SpotCheck {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// Author who will judge the samples.
    pub author: String,
    /// Number of samples to draw.
    pub size: usize,
    /// Seed of the random draw.
    pub seed: u64,
}

impl Ask for SpotCheck {
    type Answer = Vec<Row>;

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Vec<Row>, QueryError> {
        let held = engine.rows(&self.scope)?;
        let judged = judged_by(&held.table, engine.book(), &self.author);
        let selection = held.selection(ticket);
        Ok(spot_check(selection, &judged, self.size, self.seed))
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        let line = CommandLine::new("verdicts", &[], opened).scope(&self.scope);
        let line = line.option("--author", &self.author);
        let line = line.option("--spot-check", self.size.to_string());
        Some(line.option("--seed", self.seed.to_string()))
    }
}
