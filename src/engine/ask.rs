//! What a query is, and what answers it.

use std::fmt;
use std::sync::Arc;

use analysis::Selection;
use job::Ticket;
use record::{Scoring, Table};
use verdict::Book;
use workspace::load::Request;

use super::masks::Flags;
use super::{CommandLine, Coverage, QueryError, Scope};

/// What a query needs of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Names, items and published scores.
    Names,
    /// Sums of scores by model, ability, bin and cluster.
    Sums,
    /// Predictions, row by row.
    Rows,
}

/// A query.
pub trait Ask: Clone + fmt::Debug + PartialEq {
    /// What answers it.
    type Answer;

    /// What it needs of the data.
    fn needs(&self) -> Needs;

    /// The answer; of no use once the ticket is stale.
    ///
    /// # Errors
    /// The query asks for something that there is not.
    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError>;

    /// The command that asks the same of what was opened; `None` if no command does.
    fn command(&self, _opened: &Request) -> Option<CommandLine> {
        None
    }
}

/// Data that queries can be asked of.
pub trait Engine: Sync {
    /// Names, items and published scores; the predictions as well where they fit in memory.
    fn table(&self) -> &Table;

    /// What people said of the samples.
    fn book(&self) -> &Book;

    /// The predictions of a scope.
    ///
    /// # Errors
    /// The scope's filter is no filter.
    fn rows(&self, scope: &Scope) -> Result<Held, QueryError>;

    /// Answers a query for as long as the ticket is wanted.
    ///
    /// # Errors
    /// The query asks for something that there is not, or nobody waits for the answer any more.
    fn ask<A: Ask>(&self, query: &A, ticket: &Ticket) -> Result<A::Answer, QueryError>
    where
        Self: Sized,
    {
        if !ticket.is_wanted() {
            return Err(QueryError::Stopped);
        }
        let answer = query.answer(self, ticket)?;
        if ticket.is_wanted() {
            Ok(answer)
        } else {
            Err(QueryError::Stopped)
        }
    }
}

/// The predictions of a scope.
#[derive(Clone, Debug)]
pub struct Held {
    /// The table that has them.
    pub table: Table,
    scoring: Scoring,
    coverage: Coverage,
    flags: Option<Arc<Flags>>,
}

impl Held {
    /// Those that flags select; `None`: all of them.
    #[must_use]
    pub(super) const fn new(table: Table, scope: &Scope, flags: Option<Arc<Flags>>) -> Self {
        Self {
            table,
            scoring: scope.scoring,
            coverage: scope.coverage,
            flags,
        }
    }

    /// One flag a prediction; `None`: all of them.
    #[must_use]
    pub fn mask(&self) -> Option<&[bool]> {
        self.flags.as_ref().map(|flags| flags.rows.as_slice())
    }

    /// The predictions that both hold.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let flags = match (&self.flags, &other.flags) {
            (Some(own), Some(other)) => Some(Arc::new(own.and(other))),
            (own, other) => own.as_ref().or(other.as_ref()).cloned(),
        };
        Self {
            flags,
            ..self.clone()
        }
    }

    /// A selection for the analysis.
    #[must_use]
    pub fn selection<'a>(&'a self, ticket: &'a Ticket) -> Selection<'a> {
        Selection {
            mask: self.mask(),
            published: self.flags.as_ref().map(|flags| flags.published.as_slice()),
            coverage: self.coverage.share(),
            ticket,
            ..Selection::all(&self.table, self.scoring)
        }
    }
}
