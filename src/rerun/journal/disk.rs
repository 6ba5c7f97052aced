//! Lines on their way to the disk.

use std::io;

use tokio::sync::Mutex;
use tokio::task::spawn_blocking;

use file::Syncer;

/// Brings lines to the disk, many at once: whoever comes while others are being brought shares the next turn.
#[derive(Debug)]
pub struct Disk {
    file: Syncer,
    /// Lines that are there.
    there: Mutex<u64>,
}

impl Disk {
    /// The disk under an open file.
    pub(super) fn new(file: Syncer) -> Self {
        Self {
            file,
            there: Mutex::new(0),
        }
    }

    /// Returns when a line is on the disk, of those that `written` counts.
    ///
    /// # Errors
    /// The disk.
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
