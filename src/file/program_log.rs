//! The file with the program's own messages.

use std::fs::File;
use std::path::Path;

use super::FileError;

/// Opens the file to which the program's own messages are appended; makes it if it is not there.
///
/// # Errors
/// The system does not let it be opened.
pub fn open_program_log(path: &Path) -> Result<File, FileError> {
    let opened = File::options().create(true).append(true).open(path);
    opened.map_err(|why| FileError::at(path, why))
}
