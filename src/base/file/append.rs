//! Appends JSON lines to a file; existing lines never change.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::FileError;
use super::check::stamped;
use super::sync::{folder_of, sync_folder};
use crate::format::EscapeControls;
use crate::platform::file::check_kind;

/// Maximum wait for a lock. After it, the lock counts as held by another program.
const PATIENCE: Duration = Duration::from_millis(500);

/// State of the file's end before an append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileEnd {
    /// The file ended with a line break.
    Neatly,
    /// The last line had no line break. A line break was added before the new line.
    AfterTorn,
}

/// A file to which JSON lines are appended.
///
/// Several programs may append at once, and any of them may be killed. Each line is written in
/// one call under a lock, with its length and hash. A truncated last line is terminated first.
#[derive(Debug)]
pub struct AppendFile {
    file: Arc<File>,
    path: PathBuf,
    /// True if the lock is kept until the file is closed, or if the file system has no locks.
    is_held: bool,
    /// True if other programs are locked out by the kept lock.
    is_alone: bool,
    /// Length of the file after the line that we wrote last. `None` if other programs can append
    /// lines too.
    end: Option<u64>,
}

/// Flushes the lines of an [`AppendFile`] to disk, possibly on another thread.
#[derive(Clone, Debug)]
pub struct Syncer {
    file: Arc<File>,
    path: PathBuf,
}

/// Serializes a value as a JSON object on one line, without control characters. This is the form
/// that [`AppendFile`] requires.
///
/// # Errors
/// If the value cannot be serialized as JSON.
pub fn json_object(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut object = Vec::new();
    let mut out = serde_json::Serializer::with_formatter(&mut object, EscapeControls::default());
    value.serialize(&mut out)?;
    Ok(object)
}

impl AppendFile {
    /// Opens a file, creating it if it does not exist.
    ///
    /// # Errors
    /// If the system cannot open or create it, or if it is a pipe or device.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let failed = |why| FileError::at(path, why);
        let mut options = File::options();
        options.read(true).append(true);
        let file = match check_kind(path).and_then(|()| options.open(path)) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let file = options.create(true).open(path).map_err(failed)?;
                sync_folder(folder_of(path)).map_err(failed)?;
                file
            }
            opened => opened.map_err(failed)?,
        };
        Ok(Self {
            file: Arc::new(file),
            path: path.to_path_buf(),
            is_held: false,
            is_alone: false,
            end: None,
        })
    }

    /// Locks the file against other programs until it is closed. Returns false if another program
    /// holds the lock. On file systems without locks, nothing is locked.
    ///
    /// # Errors
    /// If locking fails.
    pub fn hold(&mut self) -> Result<bool, FileError> {
        // A process that was just forked may still hold a copy of our lock after we released it.
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.file.try_lock() {
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(10));
                }
                Err(TryLockError::WouldBlock) => return Ok(false),
                Err(TryLockError::Error(why)) if why.kind() != ErrorKind::Unsupported => {
                    return Err(self.failed(why));
                }
                lock @ (Err(TryLockError::Error(_)) | Ok(())) => {
                    (self.is_held, self.is_alone) = (true, lock.is_ok());
                    return Ok(true);
                }
            }
        }
    }

    /// Returns the first bytes of the file, at most `most` of them.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn head(&self, most: u64) -> Result<Vec<u8>, FileError> {
        let mut file = &*self.file;
        let mut text = Vec::new();
        let read = file.seek(SeekFrom::Start(0));
        read.and_then(|_| file.take(most).read_to_end(&mut text))
            .map_err(|why| self.failed(why))?;
        Ok(text)
    }

    /// Appends an object as a line, with its length and hash. The line is in the file, but not yet
    /// flushed to disk.
    ///
    /// # Errors
    /// If the line cannot be written. The next append then terminates the partial line.
    pub fn append(&mut self, object: &[u8]) -> Result<FileEnd, FileError> {
        let line = stamped(object);
        let known = self.end.take();
        let (appended, end) = self.locked(|file, is_alone| {
            let end = file.metadata()?.len();
            let ends_neatly = is_alone && known == Some(end);
            let appended = append_line(file, &line, ends_neatly);
            if appended.is_err() && is_alone {
                // Remove the partial line. The next line can then use the space on disk.
                drop(file.set_len(end));
            }
            let (appended, length) = appended?;
            Ok((appended, is_alone.then_some(end + length)))
        })?;
        self.end = end;
        Ok(appended)
    }

    /// Adds a line break if the last line was truncated. Returns the state of the end before that.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn close_line(&mut self) -> Result<FileEnd, FileError> {
        self.locked(|mut file, _| {
            if ends_a_line(&mut file)? {
                return Ok(FileEnd::Neatly);
            }
            file.write_all(b"\n")?;
            Ok(FileEnd::AfterTorn)
        })
    }

    /// Returns a handle that flushes the lines to disk.
    pub fn syncer(&self) -> Syncer {
        Syncer {
            file: Arc::clone(&self.file),
            path: self.path.clone(),
        }
    }

    fn failed(&self, why: io::Error) -> FileError {
        FileError::at(&self.path, why)
    }

    /// Runs `act` under the lock; its argument is true if the lock is held. The system releases the
    /// lock if the process is killed. On file systems without locks, `act` runs without one.
    fn locked<T>(
        &mut self,
        act: impl FnOnce(&File, bool) -> io::Result<T>,
    ) -> Result<T, FileError> {
        if self.is_held {
            return act(&self.file, self.is_alone).map_err(|why| self.failed(why));
        }
        let acted = match self.file.lock() {
            Err(error) if error.kind() != ErrorKind::Unsupported => Err(error),
            lock => act(&self.file, lock.is_ok()),
        };
        // Unlocking may fail if the file system has no locks. Closing the file also unlocks it.
        drop(self.file.unlock());
        acted.map_err(|why| self.failed(why))
    }
}

impl Syncer {
    /// Returns once every appended line is on disk.
    ///
    /// # Errors
    /// If flushing fails.
    pub fn sync(&self) -> Result<(), FileError> {
        let synced = self.file.sync_data();
        synced.map_err(|why| FileError::at(&self.path, why))
    }
}

/// Appends a line in one call. Returns the state of the file's end before, and the number of bytes
/// written.
///
/// A truncated last line is terminated first, unless `ends_neatly` rules that out. If an earlier
/// attempt wrote this line without its line break, only the line break is written.
fn append_line(
    mut file: impl Read + Write + Seek,
    line: &[u8],
    ends_neatly: bool,
) -> io::Result<(FileEnd, u64)> {
    let (appended, bytes) = if ends_neatly || ends_a_line(&mut file)? {
        (FileEnd::Neatly, [line, b"\n"].concat())
    } else if ends_with(&mut file, line)? {
        (FileEnd::Neatly, b"\n".to_vec())
    } else {
        (FileEnd::AfterTorn, [b"\n", line, b"\n"].concat())
    };
    file.write_all(&bytes)?;
    Ok((appended, bytes.len() as u64))
}

/// Returns true if the file is empty or ends with a line break.
fn ends_a_line(file: &mut (impl Read + Seek)) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// Returns true if the last line of the file equals `line` and lacks only its line break.
fn ends_with(file: &mut (impl Read + Seek), line: &[u8]) -> io::Result<bool> {
    let end = file.seek(SeekFrom::End(0))?;
    let Some(start) = end.checked_sub(line.len() as u64) else {
        return Ok(false);
    };
    let from = start.saturating_sub(1);
    file.seek(SeekFrom::Start(from))?;
    let mut text = Vec::new();
    file.take(end - from).read_to_end(&mut text)?;
    Ok(match text.strip_suffix(line) {
        Some(before) => matches!(before, b"" | b"\n"),
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use serde_json::json;

    use super::*;
    use crate::file::fault::FaultyFile;
    use crate::file::read_lines;

    fn object(number: u64) -> Vec<u8> {
        json_object(&json!({"n": number, "text": "größer\u{1b}\u{9b}\u{202e}\n"})).unwrap()
    }

    fn parse(line: &[u8]) -> Result<u64, String> {
        let json: serde_json::Value =
            serde_json::from_slice(line).map_err(|error| error.to_string())?;
        json["n"].as_u64().ok_or_else(|| "no number".to_owned())
    }

    #[test]
    fn no_control_character_reaches_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let mut file = AppendFile::open(&path).unwrap();
        file.append(&object(1)).unwrap();
        file.syncer().sync().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(
            text.chars()
                .filter(|c| crate::format::is_control(*c))
                .collect::<String>(),
            "\n"
        );
        assert_eq!(read_lines(text.as_bytes(), parse), (vec![1], Vec::new()));
        assert_eq!(file.head(5).unwrap(), b"{\"n\":");
    }

    /// Reading such a file would never end.
    #[cfg(unix)]
    #[test]
    fn a_device_is_no_file_to_append_to() {
        let device = Path::new("/dev/zero");
        let error = AppendFile::open(device).unwrap_err().to_string();
        assert!(error.contains("a pipe or a device"), "{error}");
        assert!(super::super::GrowingFile::begin(device).is_err());
    }

    #[test]
    fn a_torn_line_is_ended_and_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        fs::write(&path, "{\"n\":1}\n{\"n").unwrap();
        let mut file = AppendFile::open(&path).unwrap();
        assert_eq!(file.append(&object(2)).unwrap(), FileEnd::AfterTorn);
        assert_eq!(file.append(&object(3)).unwrap(), FileEnd::Neatly);
        assert_eq!(file.close_line().unwrap(), FileEnd::Neatly);
        let (entries, bad) = read_lines(&fs::read(&path).unwrap(), parse);
        assert_eq!(entries, [1, 2, 3]);
        assert_eq!(bad.iter().map(|bad| bad.line).collect::<Vec<_>>(), [2]);
        fs::write(&path, "{\"n").unwrap();
        assert_eq!(file.close_line().unwrap(), FileEnd::AfterTorn);
        assert_eq!(fs::read(&path).unwrap(), b"{\"n\n");
    }

    /// The disk becomes full at some byte while five lines are written, and each write is retried
    /// once there is space. The file must then contain every line once, and at most one line is
    /// reported as truncated.
    #[test]
    fn a_full_disk_at_any_byte_loses_and_doubles_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let all: usize = (0..5)
            .map(|number| stamped(&object(number)).len() + 1)
            .sum();
        assert!(all > 300);
        for room in 0..all {
            fs::write(&path, "").unwrap();
            let file = File::options().read(true).append(true).open(&path).unwrap();
            let mut faulty = FaultyFile::new(file, room);
            for number in 0..5 {
                let line = stamped(&object(number));
                if append_line(&mut faulty, &line, false).is_err() {
                    faulty.room = usize::MAX;
                    append_line(&mut faulty, &line, false).unwrap();
                }
            }
            let (entries, bad) = read_lines(&fs::read(&path).unwrap(), parse);
            assert_eq!(entries, [0, 1, 2, 3, 4], "{room}");
            assert!(bad.len() <= 1, "{room}: {bad:?}");
        }
    }

    /// A partial line remains after a full disk, and another program appends without terminating
    /// it. The appended line must still be read.
    #[test]
    fn what_was_confirmed_is_found_after_every_cut() {
        let whole = [stamped(&object(1)), b"\n".to_vec()].concat();
        let next = [stamped(&object(2)), b"\n".to_vec()].concat();
        for cut in 0..whole.len() {
            let merged = [&next, &whole[..cut], &next].concat();
            let (entries, bad) = read_lines(&merged, parse);
            let expected = if cut == whole.len() - 1 {
                vec![2, 1, 2]
            } else {
                vec![2, 2]
            };
            assert_eq!(entries, expected, "{cut}");
            assert_eq!(bad.is_empty(), cut == 0 || cut == whole.len() - 1, "{cut}");
        }
    }

    #[test]
    fn many_writers_at_once_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let path = &path;
                scope.spawn(move || {
                    for number in 0..25 {
                        let mut file = AppendFile::open(path).unwrap();
                        file.append(&object(writer * 100 + number)).unwrap();
                    }
                });
            }
        });
        let (entries, bad) = read_lines(&fs::read(&path).unwrap(), parse);
        let numbers: BTreeSet<u64> = entries.iter().copied().collect();
        assert_eq!((entries.len(), numbers.len(), bad), (200, 200, Vec::new()));
    }

    #[test]
    fn a_held_file_keeps_others_away() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let mut one = AppendFile::open(&path).unwrap();
        let mut two = AppendFile::open(&path).unwrap();
        assert!(one.hold().unwrap());
        assert!(!two.hold().unwrap());
        one.append(&object(1)).unwrap();
        drop(one);
        assert!(two.hold().unwrap());
        two.append(&object(2)).unwrap();
        assert_eq!(read_lines(&fs::read(&path).unwrap(), parse).0, [1, 2]);
    }
}
