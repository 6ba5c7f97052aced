//! A few predictions whole, for the pictures in sight.

use job::Ticket;
use record::{Row, Scoring};
use workspace::page::{self, pictured};

use crate::{Ask, Engine, Needs, QueryError};

/// Predictions with the text of their records and the maps of their pictures. Unlike [`Detail`](super::Detail) it is overtaken by the next of its
/// kind, so that nobody who scrolls waits for what has left the screen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Details {
    /// The predictions, by their row in the table, the most wanted first.
    pub rows: Vec<u32>,
    /// Whose rules score.
    pub scoring: Scoring,
}

impl Ask for Details {
    /// Each, or why its log cannot be read.
    type Answer = Vec<(u32, Result<page::Detail, String>)>;

    fn needs(&self) -> Needs {
        Needs::Rows
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let rows = self.rows.iter().take_while(|_| ticket.is_wanted());
        let whole = |&row: &u32| (row, pictured(engine.table(), Row(row), self.scoring));
        Ok(rows.map(whole).collect())
    }
}
