//! Chooses the folder of a run.

use std::io;
use std::path::{Path, PathBuf};

use super::error::RerunError;

/// Location of a run: a given folder, or a new one.
#[derive(Clone, Debug)]
pub enum RunLocation {
    /// In this folder, which is created if necessary.
    In {
        /// Path of the run's folder.
        folder: PathBuf,
        /// True to resume the run in the folder.
        resume: bool,
    },
    /// In a new folder below the first of these that is writable.
    Below(Vec<PathBuf>),
}

impl RunLocation {
    /// Returns the folder, and whether to resume its run.
    pub(crate) fn folder(self, run: &str) -> Result<(PathBuf, bool), RerunError> {
        let places = match self {
            Self::In { folder, resume } => return Ok((folder, resume)),
            Self::Below(places) => places,
        };
        let mut last = RerunError::NoPlace;
        for path in places {
            match made(&path, run) {
                Ok(folder) => return Ok((folder, false)),
                Err(why) => last = RerunError::Folder { path, why },
            }
        }
        Err(last)
    }
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
