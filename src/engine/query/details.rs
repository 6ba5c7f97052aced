//! A few predictions in full, for the pictures on screen.

use base::job::Ticket;
use record::{Row, Scoring};
use workspace::page::{self, pictured};

use crate::{Ask, Engine, QueryError};

/// Query: predictions with the text of their records and the maps of their pictures.
///
/// This is a separate kind of query from [`Detail`](super::Detail), because a newer query cancels
/// only queries of its kind. That keeps scrolling fast.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Details {
    /// Rows of the predictions in the table. The first rows are needed first.
    pub rows: Vec<u32>,
    /// Scoring rule: the harness's or Eyechart's own.
    pub scoring: Scoring,
}

impl Ask for Details {
    /// Row and prediction, or the reason why its log cannot be read.
    type Answer = Vec<(u32, Result<page::Detail, String>)>;

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let rows = self.rows.iter().take_while(|_| ticket.is_wanted());
        let whole = |&row: &u32| (row, pictured(engine.table(), Row(row), self.scoring));
        Ok(rows.map(whole).collect())
    }
}
