//! What is renamed or created survives a crash once its folder is on the disk.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::FileError;

/// Files from which on the whole file system is brought to the disk at once, where the system can.
pub(crate) const MANY: usize = 64;

/// The folder in which a path stands.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Brings files, and the names in their folders, to the disk.
///
/// # Errors
/// The disk.
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

/// As [`sync_files`], for files below one folder of one file system: many of them are brought to the disk at once, where
/// the system can.
///
/// # Errors
/// The disk.
pub(crate) fn sync_below(folder: &Path, paths: &[PathBuf]) -> Result<(), FileError> {
    let failed = |why| FileError::at(folder, why);
    if paths.len() >= MANY && platform::file::sync_file_system(folder).map_err(failed)? {
        return Ok(());
    }
    sync_files(paths)
}

/// Brings the names in a folder to the disk. Systems on which a folder cannot be opened or synced do it themselves.
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
