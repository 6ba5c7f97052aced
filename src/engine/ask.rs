//! What a query is, and what answers it.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use analysis::{
    Printed, Score, Selection, Split, Subgroup, default_splits, parse_splits_of_models, scores,
    subgroups, telling_splits,
};
use job::Ticket;
use record::{AbilityId, ModelId, Problem, Scoring, Table};
use verdict::Book;
use workspace::doubtful::answered;
use workspace::export::Columns;
use workspace::filter::picking;
use workspace::load::Request;

use super::masks::Flags;
use super::{CommandLine, Coverage, Memory, QueryError, Scope};

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

    /// Whose predictions it looks at one by one; `None`: none, or those of the table by their rows.
    fn scope_of_rows(&self) -> Option<&Scope> {
        None
    }

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

    /// Who answered what: each model and ability once.
    fn answered(&self) -> Vec<(ModelId, AbilityId)> {
        answered(self.table())
    }

    /// What people said of the samples.
    fn book(&self) -> &Book;

    /// The predictions of a scope.
    ///
    /// # Errors
    /// The scope's filter is no filter.
    fn rows(&self, scope: &Scope) -> Result<Held, QueryError>;

    /// The predictions of a scope in the abilities whose samples have a tag or a condition of this name; or more of them. `None`
    /// without any.
    ///
    /// # Errors
    /// As [`Self::rows`].
    fn rows_with(&self, scope: &Scope, _label: &str) -> Result<Option<Held>, QueryError> {
        self.rows(scope).map(Some)
    }

    /// The predictions of a scope in the order of the logs, as many at a time as are in memory at once. Gives what is wrong with
    /// the files that were read for it, of which the rest is there.
    ///
    /// # Errors
    /// As [`Self::rows`].
    fn in_parts(
        &self,
        scope: &Scope,
        _ticket: &Ticket,
        take: &mut dyn FnMut(&Held) -> ControlFlow<()>,
    ) -> Result<Vec<Problem>, QueryError> {
        // There are no more.
        let _ = take(&self.rows(scope)?);
        Ok(Vec::new())
    }

    /// The columns of a file of all predictions.
    ///
    /// # Errors
    /// They cannot be had.
    fn columns(&self, _ticket: &Ticket) -> Result<Columns, QueryError> {
        let all = Selection::all(self.table(), Scoring::default());
        Ok(Columns::new(all))
    }

    /// An engine of its own for a scope's predictions, where those of [`Self::table`] are not in memory.
    ///
    /// # Errors
    /// As [`Self::rows`].
    fn in_memory(&self, _scope: &Scope, _ticket: &Ticket) -> Result<Option<Memory>, QueryError> {
        Ok(None)
    }

    /// The scores and ranks of a scope, with intervals or without.
    ///
    /// # Errors
    /// As [`Self::rows`].
    fn scores(
        &self,
        scope: &Scope,
        intervals: bool,
        ticket: &Ticket,
    ) -> Result<Told<Score>, QueryError> {
        let held = self.rows(scope)?;
        Ok(Told::all(scores(held.selection(ticket), intervals)))
    }

    /// The subgroups of a scope: what to split by, as the command line has it, or without a word what is usual; and whether the
    /// metrics beside the one that ranks are wanted too.
    ///
    /// # Errors
    /// As [`Self::rows`], or there is nothing of the kind to split by.
    fn subgroups(
        &self,
        scope: &Scope,
        (by, all): (Option<&str>, bool),
        ticket: &Ticket,
    ) -> Result<Told<Subgroup>, QueryError> {
        let table = self.table();
        let splits = match by {
            Some(by) => parse_splits_of_models(by, table)?,
            None => default_splits(table),
        };
        let held = self.rows(scope)?;
        Ok(Told::all(subgroups(held.selection(ticket), &splits, all)))
    }

    /// What tells the samples of an ability apart, measured quantities first.
    fn splits(&self, benchmark: &str, ability: &str) -> Vec<Split> {
        telling_splits(self.table(), benchmark, ability)
    }

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
        let answer = answer(query, self, ticket)?;
        if ticket.is_wanted() {
            Ok(answer)
        } else {
            Err(QueryError::Stopped)
        }
    }
}

/// The answer of an engine to a query; of predictions that are not in memory, of those that it looks at.
///
/// # Errors
/// As [`Ask::answer`].
pub fn answer<A: Ask>(
    query: &A,
    engine: &dyn Engine,
    ticket: &Ticket,
) -> Result<A::Answer, QueryError> {
    let memory = match query.scope_of_rows() {
        Some(scope) => engine.in_memory(scope, ticket)?,
        None => None,
    };
    match memory {
        Some(memory) => query.answer(&memory, ticket),
        None => query.answer(engine, ticket),
    }
}

/// What was found, and what is to be said of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Told<T> {
    /// What was found.
    pub found: Vec<T>,
    /// What is missing of it or coarser than usual, and why; a sentence each.
    pub notes: Vec<String>,
}

impl<T> Default for Told<T> {
    fn default() -> Self {
        Self::all(Vec::new())
    }
}

impl<T> Told<T> {
    /// Everything that there is.
    #[must_use]
    pub const fn all(found: Vec<T>) -> Self {
        Self {
            found,
            notes: Vec::new(),
        }
    }

    /// Says something of it, each sentence once.
    pub fn say(&mut self, notes: impl IntoIterator<Item = String>) {
        say_once(&mut self.notes, notes);
    }
}

/// Adds the sentences that are not there yet.
pub(crate) fn say_once(notes: &mut Vec<String>, more: impl IntoIterator<Item = String>) {
    for note in more {
        if !notes.contains(&note) {
            notes.push(note);
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
    /// The terms of the filter that select samples by their outcome.
    selected_by: Option<Arc<str>>,
}

impl Held {
    /// Those that flags select; `None`: all of them.
    #[must_use]
    pub(super) fn new(table: Table, scope: &Scope, flags: Option<Arc<Flags>>) -> Self {
        Self {
            selected_by: picking(&scope.filter).map(Arc::from),
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
        let selected_by = self.selected_by.as_ref().or(other.selected_by.as_ref());
        Self {
            flags,
            selected_by: selected_by.cloned(),
            ..self.clone()
        }
    }

    /// Those of them that are in a part: one flag a prediction.
    #[must_use]
    pub(super) fn within(&self, part: Vec<bool>) -> Self {
        let published = vec![Printed::Held; self.table.published().len()];
        let part = Flags {
            rows: part,
            published,
        };
        let flags = match &self.flags {
            Some(own) => own.and(&part),
            None => part,
        };
        Self {
            flags: Some(Arc::new(flags)),
            ..self.clone()
        }
    }

    /// A selection for an analysis that tests or ranks.
    ///
    /// # Errors
    /// The filter selects samples by their outcome.
    pub fn tested<'a>(&'a self, ticket: &'a Ticket) -> Result<Selection<'a>, QueryError> {
        match &self.selected_by {
            Some(filter) => Err(QueryError::Selected(filter.to_string())),
            None => Ok(self.selection(ticket)),
        }
    }

    /// A selection for the analysis.
    #[must_use]
    pub fn selection<'a>(&'a self, ticket: &'a Ticket) -> Selection<'a> {
        Selection {
            mask: self.mask(),
            published: self.flags.as_ref().map(|flags| flags.published.as_slice()),
            coverage: self.coverage.share(),
            selected_by: self.selected_by.as_deref(),
            ticket,
            ..Selection::all(&self.table, self.scoring)
        }
    }
}
