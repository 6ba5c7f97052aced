//! One prediction whole.

use job::Ticket;
use record::{Row, Scoring};
use workspace::page::{self, detail, pictured};

use crate::{Ask, Engine, Needs, QueryError};

/// One prediction with the text of its record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Detail {
    /// The prediction.
    pub row: Row,
    /// Whose rules score.
    pub scoring: Scoring,
    /// With the maps of its picture, which takes as long as decoding them.
    pub with_maps: bool,
}

impl Ask for Detail {
    /// Or why the log cannot be read.
    type Answer = Box<Result<page::Detail, String>>;

    fn needs(&self) -> Needs {
        Needs::Rows
    }

    fn answer(&self, engine: &dyn Engine, _: &Ticket) -> Result<Self::Answer, QueryError> {
        let read = if self.with_maps { pictured } else { detail };
        Ok(Box::new(read(engine.table(), self.row, self.scoring)))
    }
}
