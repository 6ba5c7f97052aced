//! Appends verdicts to a file.

use std::io;
use std::path::{Path, PathBuf};

use base::file::{AppendFile, FileEnd, FileError};
use serde_json::Value;
use thiserror::Error;

use super::{ENDING, Entry};

/// Number of bytes at the start of a file that are examined to recognise a verdict file.
const HEAD: u64 = 64 * 1024;
/// Start of every line of a verdict file.
const BEGIN: &[u8] = b"{\"sample_id\":";

/// Error for a verdict that was not saved. The message contains the path of the file.
#[derive(Debug, Error)]
pub enum AppendError {
    /// The file has other content, for example a log.
    #[error("{} does not contain verdicts; it is not changed", base::format::visible(&.0.display().to_string()))]
    Foreign(PathBuf),
    /// The file cannot be opened, locked or written. The line may nevertheless have been written;
    /// writing it again is harmless.
    #[error(transparent)]
    File(#[from] FileError),
    /// The entry cannot be written as JSON.
    #[error("a verdict cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

impl AppendError {
    /// Returns the I/O error kind that corresponds to the error.
    pub fn kind(&self) -> io::ErrorKind {
        match self {
            Self::Foreign(_) => io::ErrorKind::InvalidInput,
            Self::File(error) => error.kind(),
            Self::Json(_) => io::ErrorKind::InvalidData,
        }
    }
}

/// Appends an entry and syncs it to disk; returns the state of the file's end before the write.
///
/// Safe with concurrent writers and interrupted writes. Each line is written in one call under an
/// exclusive lock; an earlier incomplete line is first ended with a line break.
///
/// # Errors
/// If the file has other content, or cannot be opened, locked or written.
pub fn append(path: &Path, entry: &Entry) -> Result<FileEnd, AppendError> {
    let object = entry.line()?;
    let mut file = AppendFile::open(path)?;
    if !holds_verdicts(path, &file.head(HEAD)?) {
        return Err(AppendError::Foreign(path.to_path_buf()));
    }
    let appended = file.append(&object)?;
    file.syncer().sync()?;
    Ok(appended)
}

/// True if the start of a file contains verdicts or is blank. Damaged lines are ignored. If all
/// lines are damaged, the name of the file decides.
fn holds_verdicts(path: &Path, head: &[u8]) -> bool {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    if head.iter().all(is_blank) {
        return true;
    }
    let lines = || head.split(|byte| *byte == b'\n');
    if lines().any(is_verdict) {
        return true;
    }
    let is_named = path
        .file_name()
        .is_some_and(|name| name.to_string_lossy().ends_with(ENDING));
    let has_others = lines().any(|line| serde_json::from_slice::<Value>(line).is_ok());
    let start = head.get(..BEGIN.len()).unwrap_or(head);
    is_named && !has_others && BEGIN.starts_with(start)
}

/// True for a verdict, also if a later version wrote it or an incomplete line precedes it.
fn is_verdict(line: &[u8]) -> bool {
    let (entries, _) = super::parse_lines(line);
    let has = |value: &Value, field: &str| value.get(field).is_some_and(Value::is_string);
    !entries.is_empty()
        || serde_json::from_slice(line).is_ok_and(|value: Value| {
            ["sample_id", "verdict", "author"]
                .iter()
                .all(|field| has(&value, field))
        })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use proptest::prelude::*;

    use super::*;
    use crate::verdict::{SampleKey, Verdict, parse_lines};

    fn entry(id: usize) -> Entry {
        let sample = SampleKey {
            sample_id: id.to_string(),
            benchmark: "b".to_owned(),
            ability: "a".to_owned(),
            ..SampleKey::default()
        };
        Entry::now(sample, Verdict::Ok, "", "ada")
    }

    fn ids(entries: &[Entry]) -> Vec<&str> {
        entries
            .iter()
            .map(|entry| entry.sample.sample_id.as_str())
            .collect()
    }

    #[test]
    fn a_torn_line_is_closed_before_the_next_word() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.verdicts.jsonl");
        assert_eq!(append(&path, &entry(1)).unwrap(), FileEnd::Neatly);
        let mut text = fs::read(&path).unwrap();
        text.extend_from_slice(&entry(2).line().unwrap()[..20]);
        fs::write(&path, text).unwrap();
        assert_eq!(append(&path, &entry(3)).unwrap(), FileEnd::AfterTorn);
        let (entries, bad) = parse_lines(&fs::read(&path).unwrap());
        assert_eq!(ids(&entries), ["1", "3"]);
        assert_eq!(bad.iter().map(|bad| bad.line).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn many_writers_at_once_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.verdicts.jsonl");
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let path = &path;
                scope.spawn(move || {
                    for word in 0..25 {
                        append(path, &entry(writer * 100 + word)).unwrap();
                    }
                });
            }
        });
        let (entries, bad) = parse_lines(&fs::read(&path).unwrap());
        let distinct: BTreeSet<&str> = ids(&entries).into_iter().collect();
        assert_eq!((entries.len(), distinct.len(), bad), (200, 200, Vec::new()));
    }

    #[test]
    fn a_folder_that_is_none_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = append(&folder.path().join("no/x.verdicts.jsonl"), &entry(1)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn what_holds_anything_else_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let log = r#"{"sample_id":"1","benchmark":"b","ability":"a","model":"m","score":1}"#;
        let table = "sample_id,model,score\n1,m,1\n";
        let half = r#"{"sample_id":"1","benchm"#;
        for (name, text) in [
            ("a.jsonl", format!("{log}\n")),
            ("a.verdicts.jsonl", format!("{log}\n{half}")),
            ("b.csv", table.to_owned()),
            ("b.verdicts.jsonl", table.to_owned()),
            ("c.jsonl", half.to_owned()),
        ] {
            fs::write(at(name), &text).unwrap();
            let error = append(&at(name), &entry(2)).unwrap_err().to_string();
            assert!(
                error.contains("does not contain verdicts"),
                "{name}: {error}"
            );
            assert_eq!(fs::read_to_string(at(name)).unwrap(), text, "{name}");
        }
        let mut later = String::from_utf8(entry(1).line().unwrap()).unwrap();
        later = later.replace("\"ok\"", "\"of_a_later_version\"");
        for (name, text) in [
            ("empty", String::new()),
            ("zeros.jsonl", "\0\0\0".to_owned()),
            ("torn.verdicts.jsonl", half.to_owned()),
            ("begun.verdicts.jsonl", half[..3].to_owned()),
            ("later.jsonl", format!("{later}\n")),
        ] {
            fs::write(at(name), &text).unwrap();
            append(&at(name), &entry(2)).unwrap();
            let (entries, _) = parse_lines(&fs::read(at(name)).unwrap());
            assert_eq!(ids(&entries), ["2"], "{name}");
        }
    }

    proptest! {
        /// Damage to a line affects no other line, and later verdicts can still be saved.
        #[test]
        fn damage_stays_in_its_line(share in 0.0..1.0_f64, how in 0..3_u8, byte in any::<u8>()) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("x.verdicts.jsonl");
            for id in 0..5 {
                append(&path, &entry(id)).unwrap();
            }
            let mut text = fs::read(&path).unwrap();
            let at = (text.len() as f64 * share) as usize;
            let hit = text[..at].iter().filter(|byte| **byte == b'\n').count();
            match how {
                // A process was killed or the disk was full; then another program appends a line.
                0 => {
                    let end = at + text[at..].iter().position(|byte| *byte == b'\n').unwrap();
                    text.drain(at..=end);
                }
                1 => text[at] = byte,
                _ => text.truncate(at),
            }
            fs::write(&path, &text).unwrap();
            append(&path, &entry(9)).unwrap();
            let (entries, _) = parse_lines(&fs::read(&path).unwrap());
            let last = if how == 2 { hit } else { 5 };
            let mut expected: Vec<usize> = (0..last).filter(|id| *id != hit).collect();
            expected.push(9);
            let found = ids(&entries);
            for id in expected {
                prop_assert_eq!(found.iter().filter(|found| **found == id.to_string()).count(), 1, "{}", id);
            }
        }
    }
}
