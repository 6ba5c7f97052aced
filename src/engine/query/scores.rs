//! Scores and ranks.

use analysis::{Acuity, AverageRank, Repeats, Score, acuities, average_ranks, repeats, scores};
use job::Ticket;
use workspace::load::Request;

use super::Report;
use crate::{Ask, CommandLine, Engine, Needs, QueryError, Scope};

/// Scores and ranks of every model in every ability.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scores {
    /// Which predictions.
    pub scope: Scope,
    /// Without intervals, for a first answer.
    pub quick: bool,
}

/// Scores with the ranks that follow from them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranking {
    /// Scores of all metrics.
    pub scores: Vec<Score>,
    /// Average ranks.
    pub average_ranks: Vec<AverageRank>,
    /// Repeated answers; none in a quick answer.
    pub repeats: Vec<Repeats>,
    /// Acuity in exams with levels; none in a quick answer.
    pub acuity: Vec<Acuity>,
}

impl Ask for Scores {
    type Answer = Ranking;

    fn needs(&self) -> Needs {
        Needs::Sums
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Ranking, QueryError> {
        let held = engine.rows(&self.scope)?;
        let scores = scores(held.selection(ticket), !self.quick);
        Ok(Ranking {
            average_ranks: average_ranks(&scores, &held.table.names().groups),
            repeats: if self.quick {
                Vec::new()
            } else {
                repeats(held.selection(ticket))
            },
            acuity: if self.quick {
                Vec::new()
            } else {
                acuities(held.selection(ticket))
            },
            scores,
        })
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        Report::over(&self.scope).command(opened)
    }
}
