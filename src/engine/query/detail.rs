//! One prediction in full.

use base::job::Ticket;
use record::{Row, Scoring};
use workspace::page::{self, detail, pictured};

use crate::{Ask, Engine, QueryError};

/// Query: one prediction with the text of its record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Detail {
    /// Row of the prediction in the table.
    pub row: Row,
    /// Scoring rule: the harness's or Eyechart's own.
    pub scoring: Scoring,
    /// Whether to decode the maps of its picture, which is slow.
    pub with_maps: bool,
}

impl Ask for Detail {
    /// The prediction, or the reason why its log cannot be read.
    type Answer = Box<Result<page::Detail, String>>;

    fn answer(&self, engine: &dyn Engine, _: &Ticket) -> Result<Self::Answer, QueryError> {
        let read = if self.with_maps { pictured } else { detail };
        Ok(Box::new(read(engine.table(), self.row, self.scoring)))
    }
}
