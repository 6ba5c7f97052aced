//! Exports the records of a scope to a file that Eyechart can open, or to a folder in the format of
//! another program.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;

use base::file::Inputs;
use base::job::Ticket;
use record::{Problem, Scoring};
use thiserror::Error;
use workspace::export::folder::{FolderContent, FolderGaps, FolderTarget, to_folder};
use workspace::export::{
    ExportError, OutsidePictures, WrittenFile, logs_of_selection, metadata_of, to_file, told_of,
};
use workspace::filter::select_published;

use super::{Ask as _, Engine, QueryError, Scope, Scores};
use analysis::Selection;

/// Reason why records were not written.
#[derive(Debug, Error)]
pub enum ExportFailure {
    /// The records cannot be read.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] ExportError),
}

/// File that an export writes.
#[derive(Clone, Copy, Debug)]
pub struct ExportTarget<'a> {
    /// Path of the file.
    pub path: &'a Path,
    /// Input files, which must not be overwritten.
    pub inputs: &'a Inputs,
}

/// Content that is missing from an export, and problems.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportGaps {
    /// Number of records that can no longer be read from their logs.
    pub lost: u64,
    /// Pictures to which the written file cannot refer.
    pub outside: OutsidePictures,
    /// Problems in the files of a data set that were found during the export.
    pub problems: Vec<Problem>,
}

/// Writes the records of a scope to a file that is not an input, in parts that fit in memory.
///
/// # Errors
/// If the records cannot be read or written, or the ticket is stale.
pub fn export(
    engine: &dyn Engine,
    scope: &Scope,
    target: ExportTarget<'_>,
    ticket: &Ticket,
) -> Result<ExportGaps, ExportFailure> {
    let table = engine.table();
    let columns = engine.columns(ticket)?;
    let published = select_published(&scope.filter, table, scope.scoring);
    let published = published.map_err(QueryError::from)?;
    let mut given_by = published.as_ref().map(|_| HashSet::new());
    let (mut problems, mut why) = (Vec::new(), None);
    let written = to_file(target.path, target.inputs, columns, &mut |out| {
        let mut outcome = Ok(());
        let found = engine.in_parts(scope, ticket, &mut |held| {
            let selection = held.selection(ticket);
            if let Some(all) = &mut given_by {
                all.extend(logs_of_selection(selection));
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
                // Problems that were found when the data set was opened are already reported.
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
    let WrittenFile { lost, outside } = written?;
    Ok(ExportGaps {
        lost,
        outside,
        problems,
    })
}

/// Writes the records and scores of a scope into a folder, in the format of another program.
///
/// # Errors
/// If the records do not fit in memory, or cannot be read or written, or the ticket is stale.
pub fn export_folder(
    engine: &dyn Engine,
    scope: &Scope,
    target: &FolderTarget<'_>,
    ticket: &Ticket,
) -> Result<FolderGaps, ExportFailure> {
    let scores = Scores {
        scope: scope.clone(),
        quick: false,
    };
    let scores = scores.answer(engine, ticket)?.scores;
    let held = engine.rows(scope)?;
    let selection = held.selection(ticket);
    let content = FolderContent {
        selection,
        scores: &scores,
        metadata: &metadata_of(selection),
    };
    Ok(to_folder(content, target)?)
}
