//! A lock that says who uses a folder, and the time at which a file was used.

use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::FileError;
use super::sync::folder_of;

/// The use of a folder, which many processes share and one may have alone. It ends with the process.
#[derive(Debug)]
pub struct Hold {
    path: PathBuf,
    file: File,
}

impl Hold {
    /// Shares the use that a file stands for, which is made if it is not there. Waits for one who has it alone.
    ///
    /// # Errors
    /// The file cannot be made.
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

    /// Does something if nobody else shares the use now; `None` if somebody does, or if the file system has no locks.
    ///
    /// # Errors
    /// The use cannot be shared again afterwards.
    pub fn alone<T>(&self, work: impl FnOnce() -> T) -> Result<Option<T>, FileError> {
        // Not every system turns one kind of lock into the other.
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
            // Nobody can have it alone there.
            Err(error) if error.kind() == ErrorKind::Unsupported => Ok(()),
            shared => shared.map_err(|why| FileError::at(&self.path, why)),
        }
    }
}

/// Sets the time of a file's last change to now. What cannot be set stays.
pub fn touch(path: &Path) {
    let opened = File::options().append(true).open(path);
    // The time only orders files by their use.
    drop(opened.and_then(|file| file.set_modified(SystemTime::now())));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_use_is_had_alone_only_when_nobody_shares_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/lock");
        let first = Hold::shared(&path).unwrap();
        assert_eq!(first.alone(|| 1).unwrap(), Some(1));
        let second = Hold::shared(&path).unwrap();
        assert_eq!(first.alone(|| 1).unwrap(), None);
        drop(second);
        assert_eq!(first.alone(|| 2).unwrap(), Some(2));
    }
}
