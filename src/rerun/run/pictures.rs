//! Pictures beside a run: what the model saw can be seen in it.

use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;

use crate::question::kept_as;
use client::Picture;

/// Keeps pictures below a folder, each once and whole.
pub(super) fn keep(folder: &Path, pictures: &[Arc<Picture>]) -> io::Result<()> {
    for picture in pictures {
        let path = folder.join(kept_as(picture));
        if path.exists() {
            continue;
        }
        let within = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(within)?;
        let mut aside = tempfile::Builder::new()
            .permissions(std::fs::Permissions::from_mode(0o644))
            .tempfile_in(within)?;
        aside.write_all(&picture.bytes)?;
        aside.persist(&path)?;
    }
    Ok(())
}
