//! Flushes journal lines to disk.

use std::io;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep_until};

use base::file::Syncer;

/// Minimum time between the starts of two flushes if many answers arrive in parallel. Even a flush
/// that costs nothing wakes a thread.
const GAP: Duration = Duration::from_millis(1);
/// Number of parallel requests from which flushes keep this distance.
const MANY: usize = 32;

/// Flushes lines to disk in groups: requests that arrive during a flush share the next one.
#[derive(Debug)]
pub struct Disk {
    file: Syncer,
    /// True if flushes keep a distance.
    has_gap: bool,
    there: Mutex<Flushed>,
}

/// What was flushed so far.
#[derive(Debug, Default)]
struct Flushed {
    /// Number of lines known to be on disk.
    lines: u64,
    /// Start of the last flush.
    last: Option<Instant>,
}

impl Disk {
    /// Returns the flusher of an open file, for this number of parallel requests.
    pub(super) fn new(file: Syncer, width: usize) -> Self {
        Self {
            file,
            has_gap: width >= MANY,
            there: Mutex::default(),
        }
    }

    /// Waits until line number `line` is on disk. `written` returns the number
    /// of lines written so far.
    ///
    /// # Errors
    /// The file cannot be flushed.
    pub async fn settle(&self, line: u64, written: impl Fn() -> u64) -> io::Result<()> {
        let mut there = self.there.lock().await;
        if there.lines >= line {
            return Ok(());
        }
        if let Some(last) = there.last.filter(|_| self.has_gap) {
            sleep_until(last + GAP).await;
        }
        there.last = Some(Instant::now());
        let all = written();
        let file = self.file.clone();
        let synced = spawn_blocking(move || file.sync()).await;
        synced.map_err(io::Error::other)??;
        there.lines = all;
        Ok(())
    }
}
