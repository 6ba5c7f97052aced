//! Opens files for all readers.
//!
//! Most files are opened directly. Pipes can be read only once, so they are copied to an unnamed
//! temporary file. UTF-16 texts are converted to UTF-8 in such a file. The copies exist until the
//! program ends. Files in a store are downloaded in parts as they are read; they have no local
//! path, so only this module can open them.

use std::collections::HashMap;
use std::fs::{File, FileType, Metadata};
use std::io::{self, IsTerminal as _, Read, Seek, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use base::limits::Limit;
use store::PartialObject;

use super::encoding::Encoding;

/// Number of bytes copied at a time.
const PIECE: usize = 64 << 10;

/// Copies of files that cannot be read directly, by the path of the original.
static COPIES: LazyLock<Mutex<HashMap<PathBuf, FileCopy>>> = LazyLock::new(Mutex::default);

/// Copy of a file, and the state of the original.
#[derive(Clone, Debug)]
struct FileCopy {
    file: Arc<File>,
    /// State of the original when it was copied; `None` for a pipe.
    stamp: Option<Stamp>,
}

/// State of a file: length in bytes, and modification time.
pub type Stamp = (u64, Option<SystemTime>);

/// Returns the current state of a local or remote file; `None` if it does not exist.
pub fn file_stamp(path: &Path) -> Option<Stamp> {
    let here = path.metadata().ok();
    here.map(|meta| stamp(&meta)).or_else(|| in_parts(path))
}

/// Returns the state of a local file from its metadata.
pub fn stamp(meta: &Metadata) -> Stamp {
    (meta.len(), meta.modified().ok())
}

/// An open file, or the copy of a file.
#[derive(Debug)]
pub struct LogFile {
    bytes: Bytes,
    at: u64,
}

/// Source of a file's content.
#[derive(Clone, Debug)]
enum Bytes {
    /// A local file.
    Here(Arc<File>),
    /// A file in a store; downloaded parts are cached.
    InParts(Arc<PartialObject>),
}

/// Returns the state of a file that is downloaded in parts; `None` for other files.
pub fn in_parts(path: &Path) -> Option<Stamp> {
    let object = PartialObject::of(path).filter(|_| !path.exists())?;
    Some((object.length(), object.modified()))
}

/// True for a local or remote file that can be opened.
pub fn is_file(path: &Path) -> bool {
    path.is_file() || PartialObject::of(path).is_some()
}

/// Returns the length of a local or remote file in bytes; `None` if it does not exist.
pub fn length(path: &Path) -> Option<u64> {
    let here = path.metadata().ok().map(|meta| meta.len());
    here.or_else(|| Some(PartialObject::of(path)?.length()))
}

/// Returns the paths of local and remote files in a folder, sorted.
pub fn paths_in(folder: &Path) -> Vec<PathBuf> {
    let here = folder.read_dir().into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = here.map(|entry| entry.path()).collect();
    let elsewhere = PartialObject::below(folder).into_iter();
    paths.extend(elsewhere.filter(|path| path.parent() == Some(folder)));
    paths.sort();
    paths
}

/// Opens a file. If a copy of the file exists, opens the copy.
///
/// # Errors
/// If neither can be opened.
pub fn open(path: &Path) -> io::Result<LogFile> {
    match copy_of(path) {
        Some(copy) => Ok(LogFile::here(copy)),
        None => open_anew(path),
    }
}

/// Opens the file itself, even if a copy exists.
fn open_anew(path: &Path) -> io::Result<LogFile> {
    // Pipes cannot be opened here; `spool` reads them once.
    match base::platform::file::open(path) {
        Ok(file) => Ok(LogFile::here(Arc::new(file))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let object = PartialObject::of(path).ok_or(error)?;
            let bytes = Bytes::InParts(Arc::new(object));
            Ok(LogFile { bytes, at: 0 })
        }
        Err(error) => Err(error),
    }
}

/// Returns the copy of a file, if there is one.
pub fn copy_of(path: &Path) -> Option<Arc<File>> {
    copies().get(path).map(|copy| Arc::clone(&copy.file))
}

/// True for a file that can be read only once: a pipe, socket or device.
pub fn is_pipe(kind: FileType) -> bool {
    !kind.is_file() && !kind.is_dir() && !kind.is_symlink()
}

/// Copies the data of a pipe, unless a copy exists. Returns a message if the data was truncated.
///
/// # Errors
/// If the pipe cannot be read, or the copy cannot be stored.
pub fn spool(path: &Path) -> io::Result<Option<String>> {
    if copy_of(path).is_some() {
        return Ok(None);
    }
    let pipe = File::open(path)?;
    if pipe.is_terminal() {
        return Err(io::Error::other("a terminal is not a log"));
    }
    let (mut copy, most) = (tempfile::tempfile()?, Limit::Pipe.get());
    let length = io::copy(&mut pipe.take(most + 1), &mut copy)?;
    let what = format!("{}: the rest is left out", Limit::Pipe.message());
    keep(path, copy, None);
    Ok((length > most).then_some(what))
}

/// Converts a text file to UTF-8 in a copy, unless an up-to-date copy exists.
///
/// # Errors
/// If the file cannot be read or is too long, or the copy cannot be stored.
pub fn decode(path: &Path, stamp: Stamp, encoding: Encoding) -> io::Result<()> {
    let known = copies().get(path).cloned();
    // The data of a pipe is already in a copy.
    let (mut source, stamp) = match known {
        Some(FileCopy { file, stamp: None }) => (LogFile::here(file), None),
        known => {
            if known.is_some_and(|known| known.stamp == Some(stamp)) {
                return Ok(());
            }
            (open_anew(path)?, Some(stamp))
        }
    };
    let (mut copy, most) = (tempfile::tempfile()?, Limit::Decoded.get());
    let (mut decoder, mut length) = (encoding.decoder(), 0);
    let (mut piece, mut text) = (vec![0; PIECE], String::new());
    loop {
        let read = source.read(&mut piece)?;
        let bytes = piece.get(..read).unwrap_or_default();
        text.clear();
        text.reserve(decoder.max_utf8_buffer_length(read).unwrap_or(4 * PIECE));
        // Invalid bytes become replacement characters.
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

/// Removes the copy of a file that has changed since, so that the file itself is read again.
pub fn forget_changed(path: &Path, stamp: Stamp) {
    let mut copies = copies();
    let stamp = Some(stamp);
    if copies
        .get(path)
        .is_some_and(|copy| copy.stamp.is_some() && copy.stamp != stamp)
    {
        copies.remove(path);
    }
}

fn keep(path: &Path, copy: File, stamp: Option<(u64, Option<SystemTime>)>) {
    let kept = FileCopy {
        file: Arc::new(copy),
        stamp,
    };
    let mut copies = copies();
    if let Ok(real) = path.canonicalize() {
        copies.insert(real, kept.clone());
    }
    copies.insert(path.to_path_buf(), kept);
}

/// Locks the copies. They stay valid if another thread panics.
fn copies() -> MutexGuard<'static, HashMap<PathBuf, FileCopy>> {
    COPIES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LogFile {
    const fn here(file: Arc<File>) -> Self {
        Self {
            bytes: Bytes::Here(file),
            at: 0,
        }
    }

    /// Returns the length of the file in bytes.
    ///
    /// # Errors
    /// If the file system cannot report it.
    pub fn length(&self) -> io::Result<u64> {
        match &self.bytes {
            Bytes::Here(file) => Ok(file.metadata()?.len()),
            Bytes::InParts(object) => Ok(object.length()),
        }
    }

    /// True if the file is downloaded in parts from a store.
    pub const fn is_in_parts(&self) -> bool {
        matches!(self.bytes, Bytes::InParts(_))
    }

    /// Announces the byte ranges to be read next. Ranges of remote files are downloaded now,
    /// several at once.
    ///
    /// # Errors
    /// If the ranges cannot be downloaded.
    pub fn soon(&self, places: &[Range<u64>]) -> io::Result<()> {
        match &self.bytes {
            Bytes::Here(_) => Ok(()),
            Bytes::InParts(object) => object.soon(places),
        }
    }

    fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<usize> {
        match &self.bytes {
            Bytes::Here(file) => base::platform::file::read_at(file, bytes, at),
            Bytes::InParts(object) => object.read_at(bytes, at),
        }
    }

    /// Fills `bytes` with the data at an offset.
    ///
    /// # Errors
    /// If the file ends before `bytes` is filled, or cannot be read.
    pub fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        let (mut rest, mut at) = (bytes, offset);
        while !rest.is_empty() {
            match self.read_at(rest, at)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => {
                    rest = rest.get_mut(read..).unwrap_or_default();
                    at += read as u64;
                }
            }
        }
        Ok(())
    }

    /// Returns another handle of the same file, positioned at the start.
    #[must_use]
    pub fn again(&self) -> Self {
        Self {
            bytes: self.bytes.clone(),
            at: 0,
        }
    }
}

impl Read for LogFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.read_at(bytes, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl crate::tabular::Input for LogFile {
    fn soon(&self, places: &[Range<u64>]) -> io::Result<()> {
        Self::soon(self, places)
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
            decode(&path, stamp(&path.metadata().unwrap()), encoding).unwrap();
            assert_eq!(text(&path), plain);
            std::fs::write(&path, "short").unwrap();
            forget_changed(&path, stamp(&path.metadata().unwrap()));
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
        file.again().read_to_string(&mut whole).unwrap();
        assert_eq!(whole.len(), 10);
    }
}
