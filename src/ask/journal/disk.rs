//! Flushes journal lines to disk.

use std::io;

use tokio::sync::Mutex;
use tokio::task::spawn_blocking;

use base::file::Syncer;

/// Flushes lines to disk in groups: requests that arrive during a flush share the next one.
#[derive(Debug)]
pub struct Disk {
    file: Syncer,
    /// Number of lines known to be on disk.
    there: Mutex<u64>,
}

impl Disk {
    /// Returns the flusher of an open file.
    pub(super) fn new(file: Syncer) -> Self {
        Self {
            file,
            there: Mutex::new(0),
        }
    }

    /// Waits until line number `line` is on disk. `written` returns the number
    /// of lines written so far.
    ///
    /// # Errors
    /// The file cannot be flushed.
    pub async fn settle(&self, line: u64, written: impl Fn() -> u64) -> io::Result<()> {
        let mut there = self.there.lock().await;
        if *there >= line {
            return Ok(());
        }
        let all = written();
        let file = self.file.clone();
        let synced = spawn_blocking(move || file.sync()).await;
        synced.map_err(io::Error::other)??;
        *there = all;
        Ok(())
    }
}
