//! Detects changed files, by events of the file system or by regular checks.

use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::poller::PollResult;
use crate::load::LatestPolls;
use base::limits::Limit;
use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

/// Interval between checks if the file system reports changes. The checks find missed events.
const RARELY: Duration = Duration::from_secs(5);
/// Interval between checks if the file system reports no changes, as many network file systems.
const OFTEN: Duration = Duration::from_secs(1);

/// Signal to a follower.
#[derive(Debug)]
pub enum Signal {
    /// These files or folders may have changed.
    Changed(Vec<PathBuf>),
    /// The last table is on screen; the next table may be sent.
    Ready,
    /// Poll the addresses now.
    Poll,
    /// Result of polling the addresses, with a summary.
    Polled(Box<(LatestPolls, PollResult)>),
    /// Stop following.
    Stop,
}

/// Watch on some folders.
#[derive(Debug)]
pub struct Watch {
    /// Stops the watch when it is dropped.
    _watcher: Option<RecommendedWatcher>,
    deaf: bool,
}

impl Watch {
    /// Watches folders, without their subfolders.
    pub fn start(folders: &[PathBuf], signals: Sender<Signal>) -> Self {
        let tell = move |event: notify::Result<Event>| {
            if let Some(event) = event.ok().filter(|event| is_change(event.kind)) {
                // The receiver is gone if following has ended.
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
            tracing::info!("logs are checked every second: {why}");
        }
        Self {
            deaf: watcher.is_err() || folders.len() >= Limit::Folders.length(),
            _watcher: watcher.ok(),
        }
    }

    /// Records that a check found a change which was not reported. From then on, checks are more
    /// frequent.
    pub fn missed(&mut self) {
        if !self.deaf {
            tracing::info!(
                "the file system does not report changes: logs are checked every second"
            );
        }
        self.deaf = true;
    }

    /// Returns the interval between checks.
    pub const fn check_interval(&self) -> Duration {
        if self.deaf { OFTEN } else { RARELY }
    }
}

/// Returns true for any event except a read access.
const fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(access) => matches!(access, AccessKind::Close(AccessMode::Write)),
        _ => true,
    }
}
