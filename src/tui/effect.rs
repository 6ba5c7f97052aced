//! What the outside has to do for the app.

use std::collections::BTreeMap;
use std::path::PathBuf;

use config::{ColumnMap, Said};
use engine::Query;
use verdict::Entry;
use workspace::rerun_worker::RerunCommand;

use super::order::Writing;

/// What the outside has to do.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Answer a query aside.
    Ask(Box<Query>),
    /// Keep a verdict.
    Keep(Box<Entry>),
    /// Look for verdicts of others.
    ReadVerdicts,
    /// Look at the addresses that are open.
    LookAgain,
    /// Remember what a table's columns are, and open everything anew.
    MapColumns(Box<ColumnMap>),
    /// Take logs in or out, and read everything anew.
    Runs(BTreeMap<PathBuf, bool>),
    /// Keep what is said of names, and read everything anew if that changes it.
    Said(Said),
    /// Open one more log, or one that has changed.
    OpenLog(PathBuf),
    /// A command to the rerun worker.
    Live(RerunCommand),
    /// Write a file aside.
    Write(Box<Writing>),
    /// Put a text on the clipboard.
    Copy(String),
    /// Forget what the terminal shows and draw anew.
    Redraw,
    /// Go to the shell.
    Suspend,
    /// Leave.
    Quit,
}

/// An effect that asks.
pub fn ask(query: impl Into<Query>) -> Effect {
    Effect::Ask(Box::new(query.into()))
}
