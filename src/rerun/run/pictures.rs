//! Pictures beside a run: what the model saw can be seen in it.

use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;

use crate::question::kept_as;
use client::Picture;
use platform::file::temporary_in;

/// Keeps pictures below a folder, each once and whole.
pub(super) fn keep(folder: &Path, pictures: &[Arc<Picture>]) -> io::Result<()> {
    for picture in pictures {
        let path = folder.join(kept_as(picture));
        if path.exists() {
            continue;
        }
        let within = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(within)?;
        let mut aside = temporary_in(within)?;
        aside.write_all(&picture.bytes)?;
        aside.persist(&path)?;
    }
    Ok(())
}
