//! Plots scores against the size, release date or training step of models, or against another
//! score.

use analysis::{Against, Depth, Trend, TrendAxis, TrendOptions, trends};
use base::job::Ticket;
use workspace::load::Request;

use super::scores_of_reliability;
use crate::{Ask, CommandLine, Engine, Needs, QueryError, Scope};

/// Query: scores against size, release date, training step or another score, by benchmark and
/// ability.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Trends {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// Metrics to plot, and the horizontal axis.
    pub options: TrendOptions,
}

impl Ask for Trends {
    type Answer = Vec<Trend>;

    fn needs(&self) -> Needs {
        Needs::Sums
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Vec<Trend>, QueryError> {
        let mut scores = engine.scores(&self.scope, Depth::Intervals, ticket)?.found;
        if self.is_of_reliability() {
            scores.extend(scores_of_reliability(&self.scope, engine, ticket)?);
        }
        Ok(trends(&scores, engine.table().names(), &self.options)?)
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        let usual = TrendAxis::default().name();
        let against = Some(self.options.against.name()).filter(|name| *name != usual);
        let metrics = self.options.metrics.join(",");
        let line = CommandLine::new("trend", &[], opened).scope(&self.scope);
        let line = line.maybe("--metric", Some(metrics).filter(|text| !text.is_empty()));
        Some(line.maybe("--against", against))
    }
}

impl Trends {
    /// Returns true if an axis is a metric of reliability under rotation.
    fn is_of_reliability(&self) -> bool {
        let across = match &self.options.against {
            Against::Fact(_) => None,
            Against::Score(name) => name.0.rsplit_once('@'),
        };
        let metrics = self.options.metrics.iter().map(String::as_str);
        let mut metrics = metrics.chain(across.map(|(_, metric)| metric));
        metrics.any(analysis::is_of_reliability)
    }
}
