//! Locks that mark a folder as in use, and the time at which a file was last used.

use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::FileError;
use super::sync::folder_of;

/// Shared use of a folder by several processes. A process can also request exclusive use.
///
/// The lock ends with the process.
#[derive(Debug)]
pub struct FolderLock {
    path: PathBuf,
    file: File,
}

impl FolderLock {
    /// Acquires shared use through a lock file, which is created if missing. Waits while another
    /// process has exclusive use.
    ///
    /// # Errors
    /// If the lock file cannot be created or locked.
    pub fn shared(path: &Path) -> Result<Self, FileError> {
        let failed = |why| FileError::at(path, why);
        fs::create_dir_all(folder_of(path)).map_err(failed)?;
        let mut options = File::options();
        options.create(true).read(true).append(true);
        let file = options.open(path).map_err(failed)?;
        let hold = Self {
            path: path.to_path_buf(),
            file,
        };
        hold.share()?;
        Ok(hold)
    }

    /// Runs `work` if no other process uses the folder. Returns `None` if a process does, or if the
    /// file system has no locks.
    ///
    /// # Errors
    /// If shared use cannot be acquired again afterwards.
    pub fn alone<T>(&self, work: impl FnOnce() -> T) -> Result<Option<T>, FileError> {
        // Release the shared lock first, because some systems cannot convert it to an exclusive
        // lock.
        drop(self.file.unlock());
        let done = match self.file.try_lock() {
            Ok(()) => Some(work()),
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => None,
        };
        drop(self.file.unlock());
        self.share()?;
        Ok(done)
    }

    fn share(&self) -> Result<(), FileError> {
        match self.file.lock_shared() {
            // On a file system without locks, no process can get exclusive use.
            Err(error) if error.kind() == ErrorKind::Unsupported => Ok(()),
            shared => shared.map_err(|why| FileError::at(&self.path, why)),
        }
    }
}

/// Sets the modification time of a file to now. Errors are ignored.
pub fn touch(path: &Path) {
    let opened = File::options().append(true).open(path);
    // An error does no harm: the time only orders files by last use.
    drop(opened.and_then(|file| file.set_modified(SystemTime::now())));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_use_is_had_alone_only_when_nobody_shares_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/lock");
        let first = FolderLock::shared(&path).unwrap();
        assert_eq!(first.alone(|| 1).unwrap(), Some(1));
        let second = FolderLock::shared(&path).unwrap();
        assert_eq!(first.alone(|| 1).unwrap(), None);
        drop(second);
        assert_eq!(first.alone(|| 2).unwrap(), Some(2));
    }
}
