//! Short forms of a few predictions, for the cells of a list.

use base::job::Ticket;
use record::{Row, Scoring};
use workspace::brief::{Brief, brief};

use crate::{Ask, Engine, QueryError};

/// Query: short forms of predictions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Briefs {
    /// Rows of the predictions in the table.
    pub rows: Vec<u32>,
    /// Rule that reads the answers.
    pub scoring: Scoring,
}

impl Ask for Briefs {
    /// Row and short form of each prediction, or the reason why its log cannot be read.
    type Answer = Vec<(u32, Result<Brief, String>)>;

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let rows = self.rows.iter().take_while(|_| ticket.is_wanted());
        let short = |&row: &u32| (row, brief(engine.table(), Row(row), self.scoring));
        Ok(rows.map(short).collect())
    }
}
