//! Flushes files and the names in their folders to disk, so that they survive a crash.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::FileError;

/// Minimum number of files for which the whole file system is synced at once, if the system can.
pub(crate) const MANY: usize = 64;

/// Returns the folder of a path; `.` if it has none.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Flushes files and their folder entries to disk.
///
/// # Errors
/// If flushing fails.
pub(crate) fn sync_files(paths: &[PathBuf]) -> Result<(), FileError> {
    for path in paths {
        let synced = File::open(path).and_then(|file| file.sync_all());
        synced.map_err(|why| FileError::at(path, why))?;
    }
    let folders: BTreeSet<&Path> = paths.iter().map(|path| folder_of(path)).collect();
    for folder in folders {
        sync_folder(folder).map_err(|why| FileError::at(folder, why))?;
    }
    Ok(())
}

/// Like [`sync_files`], for files below one folder on one file system. Many files are flushed with
/// one call, if the system can.
///
/// # Errors
/// If flushing fails.
pub(crate) fn sync_below(folder: &Path, paths: &[PathBuf]) -> Result<(), FileError> {
    let failed = |why| FileError::at(folder, why);
    if paths.len() >= MANY && crate::platform::file::sync_file_system(folder).map_err(failed)? {
        return Ok(());
    }
    sync_files(paths)
}

/// Flushes the entries of a folder to disk. Does nothing on systems
/// that cannot open or sync folders.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    let Ok(folder) = File::open(folder) else {
        return Ok(());
    };
    match folder.sync_all() {
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::InvalidInput | ErrorKind::Unsupported | ErrorKind::PermissionDenied
            ) =>
        {
            Ok(())
        }
        synced => synced,
    }
}
