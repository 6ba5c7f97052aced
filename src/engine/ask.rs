//! Defines queries, and the engines that answer them.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use analysis::{
    Depth, Metrics, PrintedMatch, Score, Selection, Split, Subgroup, default_splits,
    parse_splits_of_rows, scores, subgroups, telling_splits,
};
use base::job::Ticket;
use record::verdict::Book;
use record::{AbilityId, ModelId, Problem, Scoring, Table};
use workspace::automatic_tags::read_for;
use workspace::doubtful::answered;
use workspace::export::Columns;
use workspace::filter::picking;
use workspace::load::Request;

use super::masks::Flags;
use super::{CommandLine, Coverage, Memory, QueryError, Scope};

/// Data that a query needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Names, items and published scores only.
    Names,
    /// Sums of scores by model, ability, bin and cluster.
    Sums,
    /// Single predictions, loaded into memory.
    Rows,
}

/// A query. Equal queries on the same data have equal answers.
pub trait Ask: Clone + fmt::Debug + PartialEq {
    /// Result of the query, for example a list of scores.
    type Answer;

    /// Returns the kind of data that the query needs.
    fn needs(&self) -> Needs {
        Needs::Rows
    }

    /// Returns the scope whose predictions must be in memory. `None` if the query needs no
    /// predictions, or refers to rows of the table.
    fn scope_of_rows(&self) -> Option<&Scope> {
        None
    }

    /// Computes the answer. It is incomplete if the ticket becomes stale meanwhile.
    ///
    /// # Errors
    /// If the query refers to something that does not exist.
    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError>;

    /// Returns the command line with the same result; `None` if there is none.
    fn command(&self, _opened: &Request) -> Option<CommandLine> {
        None
    }
}

/// Holds the data and answers queries on it.
pub trait Engine: Sync {
    /// Returns a table with names, items and published scores. It contains the predictions too, if
    /// they fit in memory.
    fn table(&self) -> &Table;

    /// Returns all pairs of model and ability that have predictions, without duplicates.
    fn answered(&self) -> Vec<(ModelId, AbilityId)> {
        answered(self.table())
    }

    /// Returns the verdicts on samples.
    fn book(&self) -> &Book;

    /// Returns the predictions of a scope.
    ///
    /// # Errors
    /// If the scope's filter is invalid.
    fn rows(&self, scope: &Scope) -> Result<ScopedTable, QueryError>;

    /// Returns the predictions of a scope, restricted to abilities whose samples have this tag or
    /// condition. May also contain other predictions of the scope. `None` if there are none.
    ///
    /// # Errors
    /// As [`Self::rows`].
    fn rows_with(&self, scope: &Scope, _label: &str) -> Result<Option<ScopedTable>, QueryError> {
        self.rows(scope).map(Some)
    }

    /// Passes the predictions of a scope to `take` in the order of the logs, in parts that fit in
    /// memory. Returns the problems of the files; rows that can be read are passed despite
    /// problems.
    ///
    /// # Errors
    /// As [`Self::rows`].
    fn in_parts(
        &self,
        scope: &Scope,
        _ticket: &Ticket,
        take: &mut dyn FnMut(&ScopedTable) -> ControlFlow<()>,
    ) -> Result<Vec<Problem>, QueryError> {
        // There is only one part, so the result of `take` does not matter.
        let _ = take(&self.rows(scope)?);
        Ok(Vec::new())
    }

    /// Returns the columns that an export of all predictions has.
    ///
    /// # Errors
    /// If the columns cannot be read.
    fn columns(&self, _ticket: &Ticket) -> Result<Columns, QueryError> {
        let all = Selection::all(self.table(), Scoring::default());
        Ok(Columns::new(all))
    }

    /// Loads the predictions of a scope into a separate engine. `None` if [`Self::table`] already
    /// contains them.
    ///
    /// # Errors
    /// As [`Self::rows`].
    fn in_memory(&self, _scope: &Scope, _ticket: &Ticket) -> Result<Option<Memory>, QueryError> {
        Ok(None)
    }

    /// Computes scores and ranks of a scope, with or without intervals.
    ///
    /// # Errors
    /// As [`Self::rows`].
    fn scores(
        &self,
        scope: &Scope,
        depth: Depth,
        ticket: &Ticket,
    ) -> Result<ResultsWithNotes<Score>, QueryError> {
        let held = self.rows(scope)?;
        Ok(ResultsWithNotes::all(scores(held.selection(ticket), depth)))
    }

    /// Computes the subgroups of a scope. `by` contains the splits as on the command line; `None`
    /// means the default splits.
    ///
    /// # Errors
    /// As [`Self::rows`], or if a split does not exist.
    fn subgroups(
        &self,
        scope: &Scope,
        by: Option<&str>,
        metrics: Metrics,
        ticket: &Ticket,
    ) -> Result<ResultsWithNotes<Subgroup>, QueryError> {
        let table = self.table();
        read_for(by.unwrap_or_default(), table, ticket);
        let splits = match by {
            Some(by) => parse_splits_of_rows(by, table)?,
            None => default_splits(table),
        };
        let held = self.rows(scope)?;
        Ok(ResultsWithNotes::all(subgroups(
            held.selection(ticket),
            &splits,
            metrics,
        )))
    }

    /// Returns the splits that divide an ability's samples; those by measured quantities come
    /// first.
    fn splits(&self, benchmark: &str, ability: &str) -> Vec<Split> {
        telling_splits(self.table(), benchmark, ability)
    }

    /// Answers a query. Fails if the ticket becomes stale.
    ///
    /// # Errors
    /// If the query refers to something that does not exist, or the ticket is stale.
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

/// Answers a query. If its predictions are not in memory, loads them first.
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

/// Results, with notes on parts that are missing or less precise.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultsWithNotes<T> {
    /// Results of any kind.
    pub found: Vec<T>,
    /// Notes on what is missing or less precise than usual, with the reason. One sentence each.
    pub notes: Vec<String>,
}

impl<T> Default for ResultsWithNotes<T> {
    fn default() -> Self {
        Self::all(Vec::new())
    }
}

impl<T> ResultsWithNotes<T> {
    /// Wraps complete results, without notes.
    pub const fn all(found: Vec<T>) -> Self {
        Self {
            found,
            notes: Vec::new(),
        }
    }

    /// Adds notes, without duplicates.
    pub fn add_notes(&mut self, notes: impl IntoIterator<Item = String>) {
        say_once(&mut self.notes, notes);
    }
}

/// Appends those notes that are not in the list yet.
pub(crate) fn say_once(notes: &mut Vec<String>, more: impl IntoIterator<Item = String>) {
    for note in more {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
}

/// Predictions of a scope, as a table with a selection.
#[derive(Clone, Debug)]
pub struct ScopedTable {
    /// Table with the predictions.
    pub table: Table,
    scoring: Scoring,
    coverage: Coverage,
    flags: Option<Arc<Flags>>,
    /// Terms of the filter that select samples by their outcome; `None` if it has none.
    selected_by: Option<Arc<str>>,
}

impl ScopedTable {
    /// Selects the predictions of a scope in a table by flags. `None` selects all.
    pub(super) fn new(table: Table, scope: &Scope, flags: Option<Arc<Flags>>) -> Self {
        Self {
            selected_by: picking(&scope.filter).map(Arc::from),
            table,
            scoring: scope.scoring,
            coverage: scope.coverage,
            flags,
        }
    }

    /// Returns one flag per prediction; `None` if all predictions are selected.
    pub fn mask(&self) -> Option<&[bool]> {
        self.flags.as_ref().map(|flags| flags.rows.as_slice())
    }

    /// Returns the predictions that are in this and in the other scope.
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

    /// Restricts the predictions to those whose flag in `part` is true.
    #[must_use]
    pub(super) fn within(&self, part: Vec<bool>) -> Self {
        let published = vec![PrintedMatch::Held; self.table.published().len()];
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

    /// Returns the selection for an analysis that tests or ranks.
    ///
    /// # Errors
    /// If the filter selects samples by their outcome.
    pub fn tested<'a>(&'a self, ticket: &'a Ticket) -> Result<Selection<'a>, QueryError> {
        match &self.selected_by {
            Some(filter) => Err(QueryError::Selected(filter.to_string())),
            None => Ok(self.selection(ticket)),
        }
    }

    /// Returns the selection for an analysis without tests.
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
