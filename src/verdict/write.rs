//! Appends verdicts to a file.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::Entry;

/// Appends an entry and syncs it to the disk before returning.
///
/// Safe when several programs write at once or one of them is killed: the line is written in one call under an
/// exclusive lock, and an earlier incomplete line is ended first.
///
/// # Errors
/// The file cannot be opened, locked or written. The line may have been written all the same; writing it again does
/// no harm.
pub fn append(path: &Path, entry: &Entry) -> io::Result<()> {
    let mut text = entry.line().map_err(io::Error::other)?;
    text.push(b'\n');
    let (mut file, is_new) = open(path)?;
    lock(&file)?;
    if !ends_a_line(&mut file)? {
        text.insert(0, b'\n');
    }
    let written = file.write(&text)?;
    if written < text.len() {
        return Err(io::Error::new(
            io::ErrorKind::StorageFull,
            "only a part of the line could be written",
        ));
    }
    file.sync_data()?;
    if is_new {
        keep_name(path);
    }
    Ok(())
}

/// Opens the file; returns true if it was created.
fn open(path: &Path) -> io::Result<(File, bool)> {
    let mut options = OpenOptions::new();
    options.read(true).append(true);
    match options.open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Ok((options.create(true).open(path)?, true))
        }
        opened => Ok((opened?, false)),
    }
}

/// Locks the file until it is closed, also by a kill. Without locks in the file system, appending has to do.
fn lock(file: &File) -> io::Result<()> {
    match file.lock() {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        locked => locked,
    }
}

/// Returns true if the file is empty or ends with a line break.
fn ends_a_line(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// Syncs the folder, so that a new file's name survives a crash. Not every system allows it, and the line itself is
/// safe.
fn keep_name(path: &Path) {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        drop(folder.sync_all());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SampleKey, Verdict, parse_lines};

    fn entry(id: usize) -> Entry {
        let sample = SampleKey {
            sample_id: id.to_string(),
            benchmark: "b".to_owned(),
            ability: "a".to_owned(),
        };
        Entry::now(sample, Verdict::Ok, "", "ada")
    }

    #[test]
    fn a_torn_line_is_closed_before_the_next_word() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.verdicts.jsonl");
        append(&path, &entry(1)).unwrap();
        let torn = entry(2).line().unwrap();
        OpenOptions::new()
            .append(true)
            .open(&path)
            .unwrap()
            .write_all(&torn[..20])
            .unwrap();
        append(&path, &entry(3)).unwrap();
        let (entries, bad) = parse_lines(&std::fs::read(&path).unwrap());
        let ids: Vec<&str> = entries
            .iter()
            .map(|entry| entry.sample.sample_id.as_str())
            .collect();
        assert_eq!(ids, ["1", "3"]);
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
        let (entries, bad) = parse_lines(&std::fs::read(&path).unwrap());
        let ids: std::collections::BTreeSet<&str> = entries
            .iter()
            .map(|entry| entry.sample.sample_id.as_str())
            .collect();
        assert_eq!((entries.len(), ids.len(), bad), (200, 200, Vec::new()));
    }

    #[test]
    fn a_folder_that_is_none_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(append(&folder.path().join("no/x.verdicts.jsonl"), &entry(1)).is_err());
    }
}
