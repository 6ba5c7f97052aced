//! Who tells that a file has changed: the file system where it can, else a look every now and then.

use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::looks::Looked;
use crate::load::Looks;
use limits::Limit;
use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

/// Between two looks where the file system tells: the net below it.
const RARELY: Duration = Duration::from_secs(5);
/// Between two looks where it does not, as network file systems do not.
const OFTEN: Duration = Duration::from_secs(1);

/// What wakes the one who follows.
#[derive(Debug)]
pub enum Signal {
    /// These files or folders may have changed.
    Changed(Vec<PathBuf>),
    /// The last table is on the screen: another one is welcome.
    Ready,
    /// Look at the addresses now.
    Look,
    /// What a look at the addresses gave, and what of it is told.
    Looked(Box<(Looks, Looked)>),
    /// Nobody looks any more.
    Stop,
}

/// The file system's word on some folders.
#[derive(Debug)]
pub struct Watch {
    /// Its watches end with it.
    _watcher: Option<RecommendedWatcher>,
    deaf: bool,
}

impl Watch {
    /// Watches folders, not what lies deeper below them.
    pub fn start(folders: &[PathBuf], signals: Sender<Signal>) -> Self {
        let tell = move |event: notify::Result<Event>| {
            if let Some(event) = event.ok().filter(|event| is_change(event.kind)) {
                // Nobody listens when nobody follows any more.
                drop(signals.send(Signal::Changed(event.paths)));
            }
        };
        let watcher = notify::recommended_watcher(tell).and_then(|mut watcher| {
            for folder in folders {
                watcher.watch(folder, RecursiveMode::NonRecursive)?;
            }
            Ok(watcher)
        });
        if let Err(why) = &watcher {
            tracing::info!("logs are looked at every second: {why}");
        }
        Self {
            deaf: watcher.is_err() || folders.len() >= Limit::Folders.length(),
            _watcher: watcher.ok(),
        }
    }

    /// A look has found what the file system did not tell.
    pub fn missed(&mut self) {
        if !self.deaf {
            tracing::info!(
                "the file system does not tell changes: logs are looked at every second"
            );
        }
        self.deaf = true;
    }

    /// How long after the last look the next one comes.
    pub const fn between_looks(&self) -> Duration {
        if self.deaf { OFTEN } else { RARELY }
    }
}

/// Reading a file changes nothing.
const fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(access) => matches!(access, AccessKind::Close(AccessMode::Write)),
        _ => true,
    }
}
