//! Computes the scores of a table under a column map that is being edited.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use analysis::{Depth, Score};
use base::config::ColumnMap;
use base::job::Ticket;
use workspace::load::{Event, Request, load};

use crate::{Ask, Engine, Memory, Needs, QueryError, Scope};

/// Number of predictions after which reading stops.
const ENOUGH: usize = 20_000;
/// Maximum number of problems in the answer.
const MOST_PROBLEMS: usize = 4;

/// Query: scores of a table under a column map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// Path of the table.
    pub path: PathBuf,
    /// Column map to try.
    pub map: Box<ColumnMap>,
    /// Ability of tables that do not contain an ability; `None` if not given.
    pub ability: Option<String>,
}

/// Scores of a table, and the problems found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreviewScores {
    /// Scores of all models, abilities and metrics, without intervals.
    pub scores: Vec<Score>,
    /// Number of predictions that were read.
    pub predictions: usize,
    /// True if the end of the table was not read.
    pub is_part: bool,
    /// First problems of the rows that were read; one sentence each, without a full stop.
    pub problems: Vec<String>,
}

impl Ask for Preview {
    type Answer = PreviewScores;

    fn needs(&self) -> Needs {
        Needs::Names
    }

    fn answer(&self, _: &dyn Engine, ticket: &Ticket) -> Result<PreviewScores, QueryError> {
        let request = Request {
            paths: vec![self.path.clone()],
            columns: vec![ColumnMap::clone(&self.map)],
            ability: self.ability.clone(),
            ..Request::default()
        };
        let mut is_part = false;
        let table = load(&request, &mut |event| {
            let is_enough =
                matches!(event, Event::Progress(progress) if progress.records >= ENOUGH);
            is_part |= is_enough;
            if is_enough || !ticket.is_wanted() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        let mut problems = Vec::new();
        for problem in table.sources().iter().flat_map(|source| &source.problems) {
            if problems.len() < MOST_PROBLEMS && !problems.contains(&problem.what) {
                problems.push(problem.what.clone());
            }
        }
        let predictions = table.len();
        let engine = Memory::new(table, Arc::default());
        let found = engine.scores(&Scope::default(), Depth::of(false), ticket)?;
        Ok(PreviewScores {
            scores: found.found,
            predictions,
            is_part,
            problems,
        })
    }
}
