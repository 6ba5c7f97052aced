//! How one answer came about.

use base::job::Ticket;
use record::{Row, Scoring};
use workspace::page::detail;
use workspace::trace::{parts, trace};

use crate::{Ask, Engine, Needs, QueryError};

/// Query: the conversation behind a prediction, its cost, and its scoring.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Trace {
    /// Row of the prediction in the table.
    pub row: Row,
    /// The scoring rule: the harness's or Eyechart's own.
    pub scoring: Scoring,
}

impl Ask for Trace {
    /// Titles, each with lines that still need sanitising; or why the log cannot be read.
    type Answer = Result<Vec<(&'static str, Vec<String>)>, String>;

    fn needs(&self) -> Needs {
        Needs::Rows
    }

    fn answer(&self, engine: &dyn Engine, _: &Ticket) -> Result<Self::Answer, QueryError> {
        let table = engine.table();
        let told = || {
            let detail = detail(table, self.row, self.scoring)?;
            Ok(parts(&detail, trace(table, self.row)?.as_ref()))
        };
        Ok(told())
    }
}
