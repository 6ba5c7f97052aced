//! Pictures beside a run: what the model saw can be seen in it.

use std::path::Path;
use std::sync::Arc;

use file::{FileError, Together};

use crate::question::kept_as;
use client::Picture;

/// Keeps pictures below a folder, each once and whole.
pub(super) fn keep(
    kept: &Together,
    folder: &Path,
    pictures: &[Arc<Picture>],
) -> Result<(), FileError> {
    for picture in pictures {
        let path = folder.join(kept_as(picture));
        // A crash of the whole system may have left a name without its content.
        let is_kept = path
            .metadata()
            .is_ok_and(|meta| meta.len() == picture.bytes.len() as u64);
        if !is_kept {
            kept.write(&path, &picture.bytes)?;
        }
    }
    Ok(())
}
