//! The pictures of a few predictions, for a sheet of them.

use job::Ticket;
use record::{Row, Scoring};
use workspace::thumbnail::{Thumbnail, thumbnail};

use crate::{Ask, Engine, Needs, QueryError};

/// Where the pictures of predictions are, and the boxes on them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Thumbnails {
    /// The predictions, by their row in the table, the most wanted first.
    pub rows: Vec<u32>,
    /// Whose rules read the answers.
    pub scoring: Scoring,
}

impl Ask for Thumbnails {
    /// Each, or why its log cannot be read.
    type Answer = Vec<(u32, Result<Thumbnail, String>)>;

    fn needs(&self) -> Needs {
        Needs::Rows
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let rows = self.rows.iter().take_while(|_| ticket.is_wanted());
        let found = |&row: &u32| (row, thumbnail(engine.table(), Row(row), self.scoring));
        Ok(rows.map(found).collect())
    }
}
