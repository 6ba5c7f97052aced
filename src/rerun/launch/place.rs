//! Where a new run stands.

use std::io;
use std::path::{Path, PathBuf};

/// A new folder for a run, in the first place that can be written.
pub(super) fn place(places: &[PathBuf], run: &str) -> Result<PathBuf, String> {
    let mut last = "there is no place for the new run".to_owned();
    for place in places {
        match made(place, run) {
            Ok(folder) => return Ok(folder),
            Err(error) => last = format!("{}: {error}", place.display()),
        }
    }
    Err(last)
}

fn made(place: &Path, run: &str) -> io::Result<PathBuf> {
    std::fs::create_dir_all(place)?;
    let numbered = (2..100).map(|count| format!("{run}-{count}"));
    for name in std::iter::once(run.to_owned()).chain(numbered) {
        let folder = place.join(name);
        match std::fs::create_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(()) => return Ok(folder),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
