//! Finds pictures of a few predictions, for the contact sheet.

use base::job::Ticket;
use record::{Row, Scoring};
use workspace::thumbnail::{Thumbnail, thumbnail};

use crate::{Ask, Engine, QueryError};

/// Query: sources of the pictures of predictions, and the boxes on them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Thumbnails {
    /// Rows of the predictions in the table. The first rows are needed first.
    pub rows: Vec<u32>,
    /// Rule that reads the answers.
    pub scoring: Scoring,
}

impl Ask for Thumbnails {
    /// Row and picture, or the reason why its log cannot be read.
    type Answer = Vec<(u32, Result<Thumbnail, String>)>;

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let rows = self.rows.iter().take_while(|_| ticket.is_wanted());
        let found = |&row: &u32| (row, thumbnail(engine.table(), Row(row), self.scoring));
        Ok(rows.map(found).collect())
    }
}
