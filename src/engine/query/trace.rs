//! How one answer came about, and its line in the log.

use base::job::Ticket;
use record::{Row, Scoring};
use workspace::log_line::log_line;
use workspace::page::detail;
use workspace::trace::{LOG_LINE, parts, trace};

use crate::{Ask, Engine, QueryError};

/// Query: the conversation behind a prediction, its cost, its scoring, and its line in the log.
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

    fn answer(&self, engine: &dyn Engine, _: &Ticket) -> Result<Self::Answer, QueryError> {
        let table = engine.table();
        let told = || {
            let detail = detail(table, self.row, self.scoring)?;
            let mut parts = parts(&detail, trace(table, self.row)?.as_ref());
            parts.push((LOG_LINE, log_line(table, self.row)?));
            Ok(parts)
        };
        Ok(told())
    }
}
