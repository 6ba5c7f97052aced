//! A text file that grows by lines while other programs read it.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use super::FileError;

/// A text file to which different complete lines are appended. The file is not synced to disk.
/// After a system crash, lost lines can be restored, because they are stored elsewhere too.
#[derive(Debug)]
pub struct GrowingFile {
    path: PathBuf,
    /// `None` until the first line is added.
    file: Option<File>,
    /// Hashes of the lines in the file.
    lines: HashSet<blake3::Hash>,
}

impl GrowingFile {
    /// Opens a file, or prepares to create it with the first line. Existing lines are kept, but a
    /// truncated last line is removed.
    ///
    /// # Errors
    /// If the existing file cannot be read or changed.
    pub fn begin(path: &Path) -> Result<Self, FileError> {
        let failed = |why| FileError::at(path, why);
        let mut growing = Self {
            path: path.to_path_buf(),
            file: None,
            lines: HashSet::new(),
        };
        let text = match crate::platform::file::read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(growing),
            text => text.map_err(failed)?,
        };
        let last = memchr::memrchr(b'\n', &text);
        let whole = text.get(..last.map_or(0, |last| last + 1));
        let whole = whole.unwrap_or_default();
        let lines = whole.split_inclusive(|byte| *byte == b'\n');
        growing.lines = lines.map(blake3::hash).collect();
        if whole.len() < text.len() {
            let file = growing.open()?;
            file.set_len(whole.len() as u64).map_err(failed)?;
            growing.file = Some(file);
        }
        Ok(growing)
    }

    fn open(&self) -> Result<File, FileError> {
        let mut options = OpenOptions::new();
        let opened = options.append(true).create(true).open(&self.path);
        opened.map_err(|why| FileError::at(&self.path, why))
    }

    /// Adds a line, unless the file already contains it. `line` includes its line break.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, line: &str) -> Result<(), FileError> {
        if !self.lines.insert(blake3::hash(line.as_bytes())) {
            return Ok(());
        }
        let mut file = match self.file.take() {
            Some(file) => file,
            None => self.open()?,
        };
        // Write in one call, so that concurrent readers see complete lines.
        let written = file.write_all(line.as_bytes());
        self.file = Some(file);
        written.map_err(|why| FileError::at(&self.path, why))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn lines_stand_there_once_and_half_a_line_goes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let text = || fs::read_to_string(&path).unwrap();
        let mut file = GrowingFile::begin(&path).unwrap();
        assert!(!path.exists());
        for line in ["b\n", "a\n", "b\n"] {
            file.add(line).unwrap();
        }
        assert_eq!(text(), "b\na\n");
        fs::write(&path, "b\na\nha").unwrap();
        let mut file = GrowingFile::begin(&path).unwrap();
        assert_eq!(text(), "b\na\n");
        for line in ["a\n", "half\n"] {
            file.add(line).unwrap();
        }
        assert_eq!(text(), "b\na\nhalf\n");
        assert!(GrowingFile::begin(folder.path()).is_err());
    }
}
