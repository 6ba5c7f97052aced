//! The program's own log file.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use crate::platform::file::for_user_alone;

use super::FileError;

/// Opens the program's log file for appending, and creates it if missing. Only the user can read
/// it.
///
/// # Errors
/// If the file cannot be opened, or contains something other than log messages.
pub fn open_program_log(path: &Path) -> Result<File, FileError> {
    let failed = |why| FileError::at(path, why);
    let mut options = File::options();
    for_user_alone(options.create(true).read(true).append(true));
    let mut file = options.open(path).map_err(failed)?;
    let mut start = Vec::new();
    if file.metadata().map_err(failed)?.is_file() {
        let read = (&mut file).take(TIME.len() as u64).read_to_end(&mut start);
        read.map_err(failed)?;
    }
    let is_time = TIME.len() == start.len()
        && (TIME.iter().zip(&start)).all(|(sign, byte)| match sign {
            b'0' => byte.is_ascii_digit(),
            sign => sign == byte,
        });
    if start.is_empty() || is_time {
        return Ok(file);
    }
    Err(failed(io::Error::other(
        "it does not contain messages of this program",
    )))
}

/// Pattern of the date at the start of a message. `0` matches any digit.
const TIME: [u8; 11] = *b"0000-00-00T";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_added_to_messages_alone() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for (name, text, is_good) in [
            ("new", None, true),
            ("empty", Some(""), true),
            ("log", Some("2026-11-26T05:00:00Z INFO x\n"), true),
            ("rows", Some("{\"sample_id\": 1}\n"), false),
            ("short", Some("2026"), false),
        ] {
            if let Some(text) = text {
                std::fs::write(at(name), text).unwrap();
            }
            assert_eq!(open_program_log(&at(name)).is_ok(), is_good, "{name}");
            let kept = std::fs::read_to_string(at(name)).unwrap();
            assert_eq!(kept, text.unwrap_or_default());
        }
    }
}
