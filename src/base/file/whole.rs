//! Files that are written completely or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::TempPath;

use super::leftover::{SUFFIX, clean_once, prefix};
use super::sync::{folder_of, sync_folder};
use super::{FileError, Inputs};

/// Number of attempts to create a temporary file, in case another process removes it at once.
const TRIES: usize = 8;
/// Maximum number of symbolic links to follow; operating systems have a similar limit.
const MOST_LINKS: usize = 40;

/// Permissions of a new file. A replacement keeps the permissions of the old file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// The system's default permissions.
    #[default]
    Usual,
    /// Only the user can read the file.
    Private,
}

/// A writer that can flush its data to disk.
pub(crate) trait Medium: Write {
    /// Returns once all written data is on disk.
    fn sync(&self) -> io::Result<()>;
}

impl Medium for File {
    fn sync(&self) -> io::Result<()> {
        self.sync_all()
    }
}

/// A file that is written under a temporary name in the folder of its target. Without
/// [`WholeFile::commit`], dropping the value removes the temporary file.
#[derive(Debug)]
pub struct WholeFile {
    out: TemporaryFile<File>,
    /// Message of the first error of the system.
    trouble: Option<String>,
}

impl WholeFile {
    /// Starts writing a file. An old file stays until the new file is complete. Symbolic links are
    /// followed. Terminals and pipes are written directly.
    ///
    /// # Errors
    /// If the file is one of the inputs, or the system cannot write it.
    pub fn create(path: &Path, inputs: &Inputs) -> Result<Self, FileError> {
        Self::create_for(Access::Usual, path, inputs)
    }

    /// Like [`WholeFile::create`], with the given permissions.
    ///
    /// # Errors
    /// As for [`WholeFile::create`].
    pub fn create_for(access: Access, path: &Path, inputs: &Inputs) -> Result<Self, FileError> {
        inputs.refuse(path)?;
        let out = TemporaryFile::new(access, path, |file| file);
        let out = out.map_err(|why| FileError::at(path, why))?;
        let trouble = None;
        Ok(Self { out, trouble })
    }

    /// Returns the first write error, as one sentence with the path. Needed because some encoders
    /// drop the errors of their writer.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// Syncs the file to disk and moves it to its target.
    ///
    /// # Errors
    /// If the system cannot write it; an old file is unchanged.
    pub fn commit(self) -> Result<(), FileError> {
        self.out.commit(Durability::Now)
    }

    /// Like [`WholeFile::commit`], but never replaces an existing file. Returns true if the new
    /// file was moved to its target. If several processes do this at once, exactly one of them gets
    /// true.
    ///
    /// # Errors
    /// If the system cannot write it.
    pub fn commit_new(self) -> Result<bool, FileError> {
        self.out.commit_new()
    }

    /// Moves the file to its target without syncing, and returns the target's path. The caller must
    /// sync it.
    pub(crate) fn commit_unsynced(self) -> Result<PathBuf, FileError> {
        let target = self.out.target.clone();
        self.out.commit(Durability::Later)?;
        Ok(target)
    }

    /// Like [`WholeFile::commit_unsynced`], with a given modification time.
    pub(crate) fn commit_unsynced_as_of(
        mut self,
        modified: Option<SystemTime>,
    ) -> Result<PathBuf, FileError> {
        if let Some(modified) = modified {
            let named = self.out.named.clone();
            let set = self.flush();
            let set = set.and_then(|()| self.out.out.get_ref().set_modified(modified));
            set.map_err(|why| FileError::at(&named, unnamed(why)))?;
        }
        self.commit_unsynced()
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes);
        if let Err(error) = &written {
            self.trouble.get_or_insert_with(|| error.to_string());
        }
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        if let Err(error) = &flushed {
            self.trouble.get_or_insert_with(|| error.to_string());
        }
        flushed
    }
}

/// Writes a complete file.
///
/// # Errors
/// As for [`WholeFile::create`] and [`WholeFile::commit`].
pub fn write(path: &Path, bytes: &[u8], inputs: &Inputs) -> Result<(), FileError> {
    filled(path, bytes, inputs)?.commit()
}

/// Creates a file and writes all its bytes, but does not commit it.
pub(crate) fn filled(path: &Path, bytes: &[u8], inputs: &Inputs) -> Result<WholeFile, FileError> {
    let mut file = WholeFile::create(path, inputs)?;
    let written = file.write_all(bytes);
    written.map_err(|why| FileError::at(path, unnamed(why)))?;
    Ok(file)
}

/// Returns the system error inside a [`FileError`]. Any other error is unchanged.
fn unnamed(error: io::Error) -> io::Error {
    match error.downcast::<FileError>() {
        Ok(FileError::System { why, .. }) => why,
        Ok(other) => other.into(),
        Err(error) => error,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Durability {
    Now,
    Later,
}

/// A file that is being written to any medium.
#[derive(Debug)]
struct TemporaryFile<F: Medium> {
    /// Path given by the user.
    named: PathBuf,
    /// Target path, with links resolved.
    target: PathBuf,
    /// `None` if the target is not a regular file, and is written directly.
    temporary: Option<TempPath>,
    out: BufWriter<F>,
}

impl<F: Medium> TemporaryFile<F> {
    fn new(access: Access, path: &Path, medium: impl FnOnce(File) -> F) -> io::Result<Self> {
        let old = fs::metadata(path).ok();
        let target = match &old {
            Some(old) if old.is_file() => path.canonicalize()?,
            // The target of the link is a pipe that has no path of its own.
            Some(_) => path.to_path_buf(),
            None => unlinked(path),
        };
        let (temporary, file) = match &old {
            Some(old) if old.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Some(old) if !old.is_file() => (None, File::options().write(true).open(&target)?),
            _ => {
                clean_once(folder_of(&target));
                let (temporary, file) = temporary(access, &target)?;
                if let Some(old) = &old {
                    // Ignore errors, because some file systems have no permissions.
                    drop(file.set_permissions(old.permissions()));
                }
                (Some(temporary), file)
            }
        };
        Ok(Self {
            named: path.to_path_buf(),
            target,
            temporary,
            out: BufWriter::new(medium(file)),
        })
    }

    fn commit(mut self, durability: Durability) -> Result<(), FileError> {
        let named = self.named.clone();
        let failed = |why| FileError::at(&named, unnamed(why));
        self.flush().map_err(failed)?;
        let Some(temporary) = self.temporary else {
            return Ok(());
        };
        if durability == Durability::Now {
            self.out.get_ref().sync().map_err(failed)?;
        }
        // Hold the lock until the rename. Otherwise another process may remove the file as a
        // leftover.
        let kept = temporary.persist(&self.target);
        kept.map_err(|error| failed(error.error))?;
        if durability == Durability::Now {
            sync_folder(folder_of(&self.target)).map_err(failed)?;
        }
        Ok(())
    }

    /// Moves the file to its target unless one exists; returns true if it was moved.
    fn commit_new(mut self) -> Result<bool, FileError> {
        let named = self.named.clone();
        let failed = |why| FileError::at(&named, unnamed(why));
        self.flush().map_err(failed)?;
        let Some(temporary) = self.temporary else {
            return Ok(false);
        };
        self.out.get_ref().sync().map_err(failed)?;
        match temporary.persist_noclobber(&self.target) {
            Ok(()) => {}
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => return Ok(false),
            Err(error) => return Err(failed(error.error)),
        }
        sync_folder(folder_of(&self.target)).map_err(failed)?;
        Ok(true)
    }
}

impl<F: Medium> Write for TemporaryFile<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes);
        written.map_err(|why| FileError::at(&self.named, why).into())
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        flushed.map_err(|why| FileError::at(&self.named, why).into())
    }
}

/// Follows symbolic links even if their last target does not exist yet. For a cycle of links,
/// returns the original path.
fn unlinked(path: &Path) -> PathBuf {
    let mut target = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&target) else {
            return target;
        };
        target = folder_of(&target).join(next);
    }
    path.to_path_buf()
}

/// Creates a temporary file in the target's folder, locked as long as it is open.
fn temporary(access: Access, target: &Path) -> io::Result<(TempPath, File)> {
    let prefix = prefix(target);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(SUFFIX);
    let mut tries = 0;
    loop {
        let made = builder.make_in(folder_of(target), |path| options(access).open(path))?;
        let (file, path) = made.into_parts();
        // Ignore errors: on file systems without locks, no process removes temporary files.
        drop(file.try_lock());
        // Another process may have removed the file before it was locked.
        if path.exists() {
            return Ok((path, file));
        }
        tries += 1;
        if tries == TRIES {
            return Err(ErrorKind::NotFound.into());
        }
    }
}

/// Returns the options to create a file with these permissions. The system also applies the user's
/// umask.
fn options(access: Access) -> OpenOptions {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    if access == Access::Private {
        crate::platform::file::for_user_alone(&mut options);
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::fault::FaultyFile;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_there_when_it_is_complete_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let mut file = WholeFile::create(&path, &Inputs::none()).unwrap();
        file.write_all(b"half").unwrap();
        file.flush().unwrap();
        assert!(!path.exists());
        let [name] = &names(folder.path())[..] else {
            panic!("one temporary file");
        };
        assert!(
            name.starts_with(".a.csv.eyechart-") && name.ends_with(".tmp"),
            "{name}"
        );
        drop(file);
        assert!(names(folder.path()).is_empty(), "what was given up is gone");
        write(&path, b"one", &Inputs::none()).unwrap();
        write(&path, b"two", &Inputs::none()).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["a.csv"]);
    }

    #[test]
    fn of_several_that_write_one_name_at_a_time_one_does() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let new = |text: &[u8]| {
            let mut file = WholeFile::create(&path, &Inputs::none()).unwrap();
            file.write_all(text).unwrap();
            file
        };
        let (first, second) = (new(b"first"), new(b"second"));
        assert!(second.commit_new().unwrap());
        assert!(!first.commit_new().unwrap());
        assert!(!new(b"third").commit_new().unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(names(folder.path()), ["a.json"]);
    }

    #[test]
    fn folders_missing_folders_and_inputs_are_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let said = |path: &Path, inputs: &Inputs| write(path, b"", inputs).unwrap_err().to_string();
        assert!(said(folder.path(), &Inputs::none()).contains("directory"));
        assert!(said(&at("no/a.csv"), &Inputs::none()).contains("a.csv: No such"));
        fs::write(at("a.csv"), "old").unwrap();
        let inputs = Inputs::new([at("a.csv")]);
        assert!(said(&at("a.csv"), &inputs).contains("is one of the input files"));
        assert_eq!(fs::read(at("a.csv")).unwrap(), b"old");
    }

    /// The disk becomes full at some byte. The old file must stay, no other file may remain, and a
    /// retry must work.
    #[test]
    fn a_full_disk_at_any_byte_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let text: Vec<u8> = (0..60_000_u32).flat_map(u32::to_le_bytes).collect();
        let positions = (0..120).map(|n| n * text.len() / 120);
        for room in positions.chain([text.len() - 1]) {
            write(&path, b"old", &Inputs::none()).unwrap();
            let aside =
                TemporaryFile::new(Access::Usual, &path, |file| FaultyFile::new(file, room));
            let mut aside = aside.unwrap();
            let written = text.chunks(997).try_for_each(|part| aside.write_all(part));
            let error = match written {
                Ok(()) => aside.commit(Durability::Now).unwrap_err().to_string(),
                Err(error) => {
                    drop(aside);
                    error.to_string()
                }
            };
            assert!(
                error.ends_with("a.csv: the disk is full"),
                "{room}: {error}"
            );
            assert_eq!(fs::read(&path).unwrap(), b"old", "{room}");
            assert_eq!(names(folder.path()), ["a.csv"], "{room}");
        }
        let mut aside = TemporaryFile::new(Access::Usual, &path, |file| {
            FaultyFile::new(file, text.len())
        })
        .unwrap();
        aside.write_all(&text).unwrap();
        aside.commit(Durability::Now).unwrap();
        assert_eq!(fs::read(&path).unwrap(), text);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay_and_devices_are_written_to() {
        use std::fs::Permissions;
        use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("real.csv"), "old").unwrap();
        fs::set_permissions(at("real.csv"), Permissions::from_mode(0o640)).unwrap();
        symlink("real.csv", at("link.csv")).unwrap();
        write(&at("link.csv"), b"new", &Inputs::none()).unwrap();
        assert!(fs::symlink_metadata(at("link.csv")).unwrap().is_symlink());
        assert_eq!(fs::read(at("real.csv")).unwrap(), b"new");
        let mode = fs::metadata(at("real.csv")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        let private = WholeFile::create_for(Access::Private, &at("own"), &Inputs::none());
        private.unwrap().commit().unwrap();
        let mode = fs::metadata(at("own")).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0);
        symlink("later.csv", at("dangling.csv")).unwrap();
        write(&at("dangling.csv"), b"new", &Inputs::none()).unwrap();
        assert!(
            fs::symlink_metadata(at("dangling.csv"))
                .unwrap()
                .is_symlink()
        );
        assert_eq!(fs::read(at("later.csv")).unwrap(), b"new");
        symlink("/dev/null", at("null.csv")).unwrap();
        write(&at("null.csv"), b"new", &Inputs::none()).unwrap();
        let target = fs::metadata(at("null.csv")).unwrap();
        assert!(target.file_type().is_char_device());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_without_room_is_a_full_disk() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("full.csv");
        std::os::unix::fs::symlink("/dev/full", &path).unwrap();
        let error = write(&path, b"new", &Inputs::none())
            .unwrap_err()
            .to_string();
        assert!(error.ends_with("full.csv: the disk is full"), "{error}");
    }
}
