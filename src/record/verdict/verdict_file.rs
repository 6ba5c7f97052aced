//! Reads a verdict file incrementally.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use base::file::{BadLine, LineReader};
use base::limits::Limit;

use super::Entry;
use super::entry::EntryError;

/// Parses the text of a file; returns the entries and the invalid lines.
pub fn parse_lines(text: &[u8]) -> (Vec<Entry>, Vec<BadLine>) {
    let mut follow = VerdictFile::default();
    let entries = follow.parse(text);
    let bad = follow.problems().cloned().collect();
    (entries, bad)
}

/// A verdict file that can grow while it is open.
#[derive(Clone, Debug, Default)]
pub struct VerdictFile {
    path: PathBuf,
    lines: LineReader,
}

impl VerdictFile {
    /// Creates a reader at the start of a file; does not read yet.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_path_buf(),
            ..Self::default()
        }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the invalid lines read so far.
    pub fn problems(&self) -> impl Iterator<Item = &BadLine> {
        self.lines.problems()
    }

    /// Returns the entries added since the last read; no entries if the file does not exist.
    /// Returns `None` if the file was truncated or replaced; the next call then starts at the
    /// beginning.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read_on(&mut self) -> io::Result<Option<Vec<Entry>>> {
        let mut file = match base::platform::file::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok((self.lines.done() == 0)
                    .then(Vec::new)
                    .or_else(|| self.restart()));
            }
            Err(error) => return Err(error),
        };
        if file.metadata()?.len() < self.lines.done() {
            return Ok(self.restart());
        }
        file.seek(SeekFrom::Start(self.lines.done()))?;
        let room = Limit::VerdictFile.get().saturating_sub(self.lines.done());
        let mut text = Vec::new();
        file.by_ref().take(room).read_to_end(&mut text)?;
        let is_more = text.len() as u64 == room && file.read(&mut [0])? > 0;
        let entries = self.parse(&text);
        if is_more {
            let what = format!("{}: the rest is left out", Limit::VerdictFile.message());
            self.lines.report_unread_rest(what);
        }
        Ok(Some(entries))
    }

    fn restart(&mut self) -> Option<Vec<Entry>> {
        *self = Self::new(&self.path);
        None
    }

    /// Parses text that follows the last read position.
    fn parse(&mut self, text: &[u8]) -> Vec<Entry> {
        self.lines.parse(text, parsed)
    }
}

/// Parses a line of at most [`Limit::VerdictLine`] bytes.
fn parsed(line: &[u8]) -> Result<Entry, EntryError> {
    if line.len() > Limit::VerdictLine.length() {
        return Err(EntryError::TooLong);
    }
    Entry::parse(line)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::verdict::{SampleKey, Verdict};

    fn line(id: &str) -> String {
        let sample = SampleKey {
            sample_id: id.to_owned(),
            benchmark: "b".to_owned(),
            ability: "a".to_owned(),
            ..SampleKey::default()
        };
        let entry = Entry::now(sample, Verdict::BadImage, "", "ada");
        String::from_utf8(entry.line().unwrap()).unwrap()
    }

    fn ids(entries: &[Entry]) -> Vec<&str> {
        entries
            .iter()
            .map(|entry| entry.sample.sample_id.as_str())
            .collect()
    }

    #[test]
    fn good_lines_load_and_bad_ones_are_named() {
        let text = format!(
            "\u{feff}{}\n\nnonsense\n{}\r\n{{\"sample_id\": \"3",
            line("1"),
            line("2")
        );
        let (entries, bad) = parse_lines(text.as_bytes());
        assert_eq!(ids(&entries), ["1", "2"]);
        let lines: Vec<u64> = bad.iter().map(|bad| bad.line).collect();
        assert_eq!(lines, [3, 5]);
        assert_eq!(bad[1].what, "the last line is cut short");
    }

    #[test]
    fn a_growing_file_is_read_from_where_it_ended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.verdicts.jsonl");
        let mut follow = VerdictFile::new(&path);
        assert_eq!(follow.read_on().unwrap(), Some(Vec::new()));
        let (one, two) = (line("1"), line("2"));
        for (text, came, torn) in [
            (format!("{one}\n{}", &two[..9]), vec!["1"], 1),
            (format!("{one}\n{two}"), vec!["2"], 0),
            (format!("{one}\n{two}\n"), vec![], 0),
            (format!("{one}\n{two}\nx\n{one}\n"), vec!["1"], 1),
        ] {
            fs::write(&path, &text).unwrap();
            assert_eq!(ids(&follow.read_on().unwrap().unwrap()), came, "{text}");
            assert_eq!(follow.problems().count(), torn, "{text}");
        }
        assert_eq!(follow.problems().next().unwrap().line, 3);
        fs::write(&path, &two).unwrap();
        assert_eq!(follow.read_on().unwrap(), None, "another file");
        assert_eq!(ids(&follow.read_on().unwrap().unwrap()), ["2"]);
    }
}
