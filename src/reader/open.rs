//! The one door through which readers open files.
//!
//! Most files are opened as they are. Of a pipe, which can be read only once, and of a text in UTF-16, readers see a
//! copy in an unnamed temporary file, made when the file is found and gone when the program ends.

use std::collections::HashMap;
use std::fs::{File, FileType, Metadata};
use std::io::{self, IsTerminal as _, Read, Seek, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use limits::Limit;

use super::encoding::Encoding;

/// Bytes that are copied at once.
const PIECE: usize = 64 << 10;

/// The copies of files that cannot be read as they are.
static COPIES: LazyLock<Mutex<HashMap<PathBuf, Copied>>> = LazyLock::new(Mutex::default);

/// A copy, and how its file looked when it was made.
#[derive(Clone, Debug)]
struct Copied {
    file: Arc<File>,
    /// `None` for a pipe, of which there is no second copy.
    stamp: Option<(u64, Option<SystemTime>)>,
}

/// An opened file or the copy that stands for it.
#[derive(Debug)]
pub struct LogFile {
    file: Arc<File>,
    at: u64,
}

/// Opens a file, or the copy that stands for it.
///
/// # Errors
/// It cannot be opened.
pub fn open(path: &Path) -> io::Result<LogFile> {
    let file = match copy_of(path) {
        Some(copy) => copy,
        None => Arc::new(File::open(path)?),
    };
    Ok(LogFile { file, at: 0 })
}

/// The copy that stands for a file, if there is one.
#[must_use]
pub fn copy_of(path: &Path) -> Option<Arc<File>> {
    copies().get(path).map(|copy| Arc::clone(&copy.file))
}

/// Returns true for what can be read only once: a pipe, a socket, a device.
#[must_use]
pub fn is_pipe(kind: FileType) -> bool {
    !kind.is_file() && !kind.is_dir() && !kind.is_symlink()
}

/// Copies what comes through a pipe, unless that was done before. Returns what was left out, one sentence.
///
/// # Errors
/// It cannot be read, or there is no room for the copy.
pub fn spool(path: &Path) -> io::Result<Option<String>> {
    if copy_of(path).is_some() {
        return Ok(None);
    }
    let pipe = File::open(path)?;
    if pipe.is_terminal() {
        return Err(io::Error::other("a terminal is no log"));
    }
    let (mut copy, most) = (tempfile::tempfile()?, Limit::Pipe.get());
    let length = io::copy(&mut pipe.take(most + 1), &mut copy)?;
    let what = format!("{}: the rest is left out", Limit::Pipe.message());
    keep(path, copy, None);
    Ok((length > most).then_some(what))
}

/// Copies a text in another encoding as UTF-8, unless the copy of an earlier look still holds.
///
/// # Errors
/// It cannot be read, is too long, or there is no room for the copy.
pub fn decode(path: &Path, meta: &Metadata, encoding: Encoding) -> io::Result<()> {
    let known = copies().get(path).cloned();
    // The text of a pipe stands in its copy.
    let (source, stamp) = match known {
        Some(Copied { file, stamp: None }) => (file, None),
        known => {
            let stamp = Some((meta.len(), meta.modified().ok()));
            if known.is_some_and(|known| known.stamp == stamp) {
                return Ok(());
            }
            (Arc::new(File::open(path)?), stamp)
        }
    };
    let mut source = LogFile {
        file: source,
        at: 0,
    };
    let (mut copy, most) = (tempfile::tempfile()?, Limit::Decoded.get());
    let (mut decoder, mut length) = (encoding.decoder(), 0);
    let (mut piece, mut text) = (vec![0; PIECE], String::new());
    loop {
        let read = source.read(&mut piece)?;
        let bytes = piece.get(..read).unwrap_or_default();
        text.clear();
        text.reserve(decoder.max_utf8_buffer_length(read).unwrap_or(4 * PIECE));
        // Bytes that are none of the encoding become replacement characters.
        let _ = decoder.decode_to_string(bytes, &mut text, read == 0);
        length += text.len() as u64;
        if length > most {
            return Err(io::Error::other(Limit::Decoded.message()));
        }
        copy.write_all(text.as_bytes())?;
        if read == 0 {
            break;
        }
    }
    keep(path, copy, stamp);
    Ok(())
}

/// Forgets the copy of a file that has changed since, so that the file itself is looked at.
pub fn forget_changed(path: &Path, meta: &Metadata) {
    let mut copies = copies();
    let stamp = Some((meta.len(), meta.modified().ok()));
    if copies
        .get(path)
        .is_some_and(|copy| copy.stamp.is_some() && copy.stamp != stamp)
    {
        copies.remove(path);
    }
}

fn keep(path: &Path, copy: File, stamp: Option<(u64, Option<SystemTime>)>) {
    let kept = Copied {
        file: Arc::new(copy),
        stamp,
    };
    let mut copies = copies();
    if let Ok(real) = path.canonicalize() {
        copies.insert(real, kept.clone());
    }
    copies.insert(path.to_path_buf(), kept);
}

/// Whoever panicked with it left it whole.
fn copies() -> MutexGuard<'static, HashMap<PathBuf, Copied>> {
    COPIES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LogFile {
    /// Length in bytes.
    ///
    /// # Errors
    /// The file system does not say.
    pub fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Reads exactly as many bytes as there is room for, from an offset.
    ///
    /// # Errors
    /// The file ends before, or cannot be read.
    pub fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        platform::file::read_exact_at(&self.file, bytes, offset)
    }

    /// The same file, at its beginning.
    #[must_use]
    pub fn again(&self) -> Self {
        Self {
            file: Arc::clone(&self.file),
            at: 0,
        }
    }

    /// The file itself, which begins at its first byte.
    ///
    /// # Errors
    /// The system gives no further handle of it.
    pub fn into_file(self) -> io::Result<File> {
        let mut file = match Arc::try_unwrap(self.file) {
            Ok(file) => file,
            Err(shared) => shared.try_clone()?,
        };
        file.rewind()?;
        Ok(file)
    }
}

impl Read for LogFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = platform::file::read_at(&self.file, bytes, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for LogFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.length()?.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Seek as _, SeekFrom};

    use super::*;

    fn text(path: &Path) -> String {
        let mut text = String::new();
        open(path).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn a_text_in_utf_16_is_read_as_utf_8() {
        let folder = tempfile::tempdir().unwrap();
        for (name, mark, order) in [
            ("a", true, u16::to_le_bytes as fn(u16) -> [u8; 2]),
            ("b", true, u16::to_be_bytes),
            ("c", false, u16::to_le_bytes),
            ("d", false, u16::to_be_bytes),
        ] {
            let path = folder.path().join(name);
            let plain = "{\"question\": \"Wie groß? 𝄞\"}\n".repeat(5_000);
            let marked = if mark {
                format!("\u{feff}{plain}")
            } else {
                plain.clone()
            };
            let bytes: Vec<u8> = marked.encode_utf16().flat_map(order).collect();
            std::fs::write(&path, &bytes).unwrap();
            let encoding = Encoding::of(&bytes[..1000]).unwrap();
            decode(&path, &path.metadata().unwrap(), encoding).unwrap();
            assert_eq!(text(&path), plain);
            std::fs::write(&path, "short").unwrap();
            forget_changed(&path, &path.metadata().unwrap());
            assert_eq!(text(&path), "short");
        }
    }

    #[test]
    fn offsets_count_from_both_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "0123456789").unwrap();
        let mut file = open(&path).unwrap();
        file.seek(SeekFrom::End(-2)).unwrap();
        let mut rest = String::new();
        file.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "89");
        assert!(file.seek(SeekFrom::Current(-20)).is_err());
        let mut whole = String::new();
        file.into_file()
            .unwrap()
            .read_to_string(&mut whole)
            .unwrap();
        assert_eq!(whole.len(), 10);
    }
}
