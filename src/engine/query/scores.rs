//! Computes scores and ranks.

use analysis::{
    Acuity, AverageRank, Depth, LEVEL_TAG, Repeats, Score, acuities, average_ranks, repeats,
};
use base::job::Ticket;
use record::REPEAT;
use workspace::load::Request;

use super::Report;
use crate::{Ask, CommandLine, Engine, Needs, QueryError, ResultsWithNotes, Scope};

/// Query: scores and ranks of each model in each ability.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scores {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// Whether to skip intervals, for a fast first answer.
    pub quick: bool,
}

/// Scores and the ranks derived from them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranking {
    /// Scores in all metrics.
    pub scores: Vec<Score>,
    /// Average rank of each model.
    pub average_ranks: Vec<AverageRank>,
    /// Statistics of repeated answers; empty in a quick answer.
    pub repeats: Vec<Repeats>,
    /// Acuity in exams with levels; empty in a quick answer.
    pub acuity: Vec<Acuity>,
    /// Notes on what is missing, and why; one sentence each.
    pub notes: Vec<String>,
}

impl Ask for Scores {
    type Answer = Ranking;

    fn needs(&self) -> Needs {
        Needs::Sums
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Ranking, QueryError> {
        let ResultsWithNotes { found, mut notes } =
            engine.scores(&self.scope, Depth::of(!self.quick), ticket)?;
        let mut held = |label: &str, what: &str| {
            if self.quick {
                return Ok(None);
            }
            match engine.rows_with(&self.scope, label) {
                Err(why @ QueryError::TooMany { .. }) => {
                    notes.push(format!("{what} are not shown: {why}"));
                    Ok(None)
                }
                held => held,
            }
        };
        let repeated = held(REPEAT, "repeated answers")?;
        let levels = held(LEVEL_TAG, "levels of acuity")?;
        Ok(Ranking {
            average_ranks: average_ranks(&found, &engine.table().names().groups),
            repeats: repeated.map_or_else(Vec::new, |held| repeats(held.selection(ticket))),
            acuity: levels.map_or_else(Vec::new, |held| acuities(held.selection(ticket))),
            scores: found,
            notes,
        })
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        Report::over(&self.scope).command(opened)
    }
}
