//! How one answer came about.

use job::Ticket;
use record::{Row, Scoring};
use workspace::page::detail;
use workspace::trace::{parts, trace};

use crate::{Ask, Engine, Needs, QueryError};

/// The conversation behind a prediction, what it took, and how it was scored.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Trace {
    /// The prediction.
    pub row: Row,
    /// Whose rules score.
    pub scoring: Scoring,
}

impl Ask for Trace {
    /// Titles and the lines below them, which are not neutralised; or why the log cannot be read.
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
