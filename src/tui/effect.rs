//! Effects that the app requests from the event loop.

use std::collections::BTreeMap;
use std::path::PathBuf;

use ask::worker::RerunCommand;
use base::config::{ColumnMap, Decision};
use engine::Query;
use record::verdict::Entry;

use super::order::WriteJob;
use super::saved_views::SavedViewChange;

/// An effect that the event loop performs for the app.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Answer a query in the background.
    Ask(Box<Query>),
    /// Save a verdict.
    SaveVerdict(Box<Entry>),
    /// Read verdicts of other people.
    ReadVerdicts,
    /// Check the open addresses for changes.
    CheckAddresses,
    /// Save the meaning of a table's columns, and read everything again.
    MapColumns(Box<ColumnMap>),
    /// Include (true) or exclude (false) logs, and read everything again.
    ChooseRuns(BTreeMap<PathBuf, bool>),
    /// Save a decision about names, and read everything again if it changes the result.
    SaveDecision(Decision),
    /// Open a new log, or reopen a changed one.
    OpenLog(PathBuf),
    /// Send a command to the rerun worker.
    Live(RerunCommand),
    /// Save a view under a name, or delete one.
    ChangeViews(SavedViewChange),
    /// Write a file in the background.
    Write(Box<WriteJob>),
    /// Copy text to the clipboard.
    Copy(String),
    /// Clear the terminal and redraw.
    Redraw,
    /// Suspend the program and return to the shell.
    Suspend,
    /// Quit the program.
    Quit,
}

/// Creates an effect that answers a query.
pub fn ask(query: impl Into<Query>) -> Effect {
    Effect::Ask(Box::new(query.into()))
}
