//! What is renamed or created survives a crash once its folder is on the disk.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

/// The folder in which a path stands.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
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
