//! One program at a time writes a journal.

use std::fs::{File, TryLockError};
use std::time::{Duration, Instant};

/// How long a lock may be held before it counts as another program's.
const PATIENCE: Duration = Duration::from_millis(500);

/// A process that is just being started holds a lock of ours for a moment after we gave it back.
pub(super) fn patient_lock(file: &File) -> Result<(), TryLockError> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(10));
            }
            result => return result,
        }
    }
}
