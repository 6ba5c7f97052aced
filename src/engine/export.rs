//! The records of a scope in one file that opens again, whatever holds them.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;

use file::Inputs;
use job::Ticket;
use record::{Problem, Scoring};
use thiserror::Error;
use workspace::export::{ExportError, given, to_file, told_of};
use workspace::filter::select_published;

use super::{Engine, QueryError, Scope};
use analysis::Selection;

/// Why records were not written.
#[derive(Debug, Error)]
pub enum ExportFailure {
    /// They cannot be had.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] ExportError),
}

/// What was not written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Records that could not be fetched from their logs any more.
    pub lost: u64,
    /// What is wrong with the files of a data set that was not read before.
    pub problems: Vec<Problem>,
}

/// Writes the records of a scope into a whole file, which is none of the inputs: as many at a time as are in memory at once.
///
/// # Errors
/// They cannot be had or written, or nobody waits for the file any more.
pub fn export(
    engine: &dyn Engine,
    scope: &Scope,
    (path, inputs): (&Path, &Inputs),
    ticket: &Ticket,
) -> Result<LeftOut, ExportFailure> {
    let table = engine.table();
    let columns = engine.columns(ticket)?;
    let published = select_published(&scope.filter, table, scope.scoring);
    let published = published.map_err(QueryError::from)?;
    let mut given_by = published.as_ref().map(|_| HashSet::new());
    let (mut problems, mut why) = (Vec::new(), None);
    let lost = to_file(path, inputs, columns, &mut |out| {
        let mut outcome = Ok(());
        let found = engine.in_parts(scope, ticket, &mut |held| {
            let selection = held.selection(ticket);
            if let Some(all) = &mut given_by {
                all.extend(given(selection));
            }
            outcome = out.add(selection);
            match outcome {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        std::mem::replace(&mut outcome, Ok(()))?;
        match found {
            Ok(found) => {
                // What was told when the data set was opened is not told again.
                let known = || table.sources().iter().flat_map(|source| &source.problems);
                problems = found;
                problems.retain(|problem| !known().any(|known| known == problem));
            }
            Err(error) => {
                why = Some(error);
                return Err(ExportError::Stopped);
            }
        }
        let printed = Selection {
            published: published.as_deref(),
            ..Selection::all(table, Scoring::default())
        };
        out.tell(&told_of(printed, given_by.as_ref()))
    });
    if let Some(why) = why {
        return Err(why.into());
    }
    Ok(LeftOut {
        lost: lost?,
        problems,
    })
}
