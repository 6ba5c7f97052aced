//! Returns how an answer was obtained, and its line in the log.

use base::job::Ticket;
use record::{Row, Scoring};
use workspace::log_line::log_line;
use workspace::page::detail;
use workspace::trace::{LOG_LINE, parts, trace};

use crate::{Ask, Engine, QueryError};

/// Query: conversation, cost, scoring and log line of a prediction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Trace {
    /// Row of the prediction in the table.
    pub row: Row,
    /// Scoring rule: the harness's or Eyechart's own.
    pub scoring: Scoring,
}

impl Ask for Trace {
    /// Sections with title and lines, in which control characters are not replaced yet. Or the
    /// reason why the log cannot be read.
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
