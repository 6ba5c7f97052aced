//! Reads the predictions of a scope in parts that fit in memory.

use std::ops::ControlFlow;
use std::sync::Arc;

use analysis::audit::verdict_sets;
use base::job::Ticket;
use record::{Problem, Table};
use workspace::filter::{select, words};

use super::{Large, ScopeBounds};
use crate::masks::Flags;
use crate::{Engine, QueryError, Scope, ScopedTable};

/// Passes the predictions of a scope to `take` in the order of the logs. Loads all of them at once
/// if the filter compares predictions with each other.
pub fn in_parts(
    large: &Large,
    scope: &Scope,
    ticket: &Ticket,
    take: &mut dyn FnMut(&ScopedTable) -> ControlFlow<()>,
) -> Result<Vec<Problem>, QueryError> {
    let reach = large.reach(scope)?;
    let ScopeBounds { portion, .. } = &reach;
    if reach.is_of_others {
        // There is only one part, so the result of `take` does not matter.
        let _ = take(&large.load(portion, ticket)?.rows(scope)?);
        return Ok(Vec::new());
    }
    let mut wrong = None;
    let mut give = |table: Table| match scoped_table(large, scope, table, ticket) {
        Ok(held) => take(&held),
        Err(why) => {
            wrong = Some(why);
            ControlFlow::Break(())
        }
    };
    let words = words(&scope.filter).map_err(QueryError::from)?;
    let problems = large.warehouse.in_parts(portion, &words, ticket, &mut give);
    match wrong {
        Some(why) => Err(why),
        None => problems,
    }
}

/// Selects the predictions of a scope in a table.
fn scoped_table(
    large: &Large,
    scope: &Scope,
    table: Table,
    ticket: &Ticket,
) -> Result<ScopedTable, QueryError> {
    let metrics = table.names().metrics.values().to_vec();
    let table = large.with_graded(table, metrics.iter(), ticket)?;
    let verdicts = verdict_sets(&table, &large.book);
    let table = table.with_verdicts(verdicts);
    let rows = select(&scope.filter, &table, scope.scoring)?;
    let flags = rows.map(|rows| {
        Arc::new(Flags {
            rows,
            published: Vec::new(),
        })
    });
    Ok(ScopedTable::new(table, scope, flags))
}
