//! Files: reads at an offset, permissions, and file identity.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read as _};
use std::path::Path;

/// Identity of a file: the number of its volume, and its number on that volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileId {
    volume: u64,
    file: u64,
}

/// Opens a file or folder. Fails for pipes and devices, because reading them may block forever.
///
/// # Errors
/// If the path is a pipe or device, or cannot be opened.
pub fn open(path: &Path) -> io::Result<File> {
    check_kind(path)?;
    File::open(path)
}

/// Checks that a path is not a pipe or device, because reading these may block forever.
///
/// # Errors
/// If the path is a pipe or device, or does not exist.
pub fn check_kind(path: &Path) -> io::Result<()> {
    let kind = path.metadata()?.file_type();
    if kind.is_file() || kind.is_dir() {
        return Ok(());
    }
    Err(io::Error::other("it is a pipe or a device, not a file"))
}

/// Reads a whole file.
///
/// # Errors
/// If the path is a pipe or device, or cannot be read.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Fills `bytes` from a file, starting at offset `place`. Several threads may read the same file at
/// once. The file's own position may change.
///
/// # Errors
/// If the file cannot be read, or ends before `bytes` is full.
pub fn read_exact_at(file: &File, bytes: &mut [u8], place: u64) -> io::Result<()> {
    #[cfg(unix)]
    {
        std::os::unix::fs::FileExt::read_exact_at(file, bytes, place)
    }
    #[cfg(windows)]
    {
        let (mut rest, mut place) = (bytes, place);
        while !rest.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(file, rest, place) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => {
                    rest = rest.split_at_mut(count).1;
                    place += count as u64;
                }
                Err(why) if why.kind() == io::ErrorKind::Interrupted => {}
                Err(why) => return Err(why),
            }
        }
        Ok(())
    }
}

/// Flushes the whole file system of a folder to disk. Returns false if
/// the system does not support that.
///
/// # Errors
/// If flushing fails.
pub fn sync_file_system(folder: &Path) -> io::Result<bool> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        rustix::fs::syncfs(File::open(folder)?)?;
        Ok(true)
    }
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    {
        let _ = folder;
        Ok(false)
    }
}

/// Reads into `bytes` from offset `place`. Returns the number of bytes read, 0 at the end of the
/// file.
///
/// # Errors
/// If the file cannot be read.
pub fn read_at(file: &File, bytes: &mut [u8], place: u64) -> io::Result<usize> {
    #[cfg(unix)]
    {
        std::os::unix::fs::FileExt::read_at(file, bytes, place)
    }
    #[cfg(windows)]
    {
        std::os::windows::fs::FileExt::seek_read(file, bytes, place)
    }
}

/// Makes newly created files readable by the user only. Does nothing on Windows, where
/// files inherit the permissions of their folder.
pub fn for_user_alone(options: &mut OpenOptions) {
    #[cfg(unix)]
    {
        std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    }
    #[cfg(windows)]
    let _ = options;
}

/// Creates a folder and its parents for the user only, unless it exists.
///
/// # Errors
/// If the system cannot create it.
pub fn create_own_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

/// Returns the identity of the file or folder at a path. All names and links of a file have the
/// same identity, as long as the file exists.
///
/// # Errors
/// If the path does not exist or cannot be accessed.
pub fn identity(path: &Path) -> io::Result<FileId> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let metadata = path.metadata()?;
        Ok(FileId {
            volume: metadata.dev(),
            file: metadata.ino(),
        })
    }
    #[cfg(windows)]
    {
        let handle = winapi_util::Handle::from_path_any(path)?;
        let information = winapi_util::file::information(&handle)?;
        Ok(FileId {
            volume: information.volume_serial_number(),
            file: information.file_index(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn a_place_is_read_whole_or_not_at_all() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"0123456789").unwrap();
        let mut bytes = [0; 4];
        read_exact_at(&file, &mut bytes, 3).unwrap();
        assert_eq!(&bytes, b"3456");
        let beyond = read_exact_at(&file, &mut bytes, 8).unwrap_err();
        assert_eq!(beyond.kind(), io::ErrorKind::UnexpectedEof);
    }

    #[cfg(unix)]
    #[test]
    fn names_of_one_file_are_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let [one, link, other] = ["one", "link", "other"].map(|name| folder.path().join(name));
        std::fs::write(&one, "").unwrap();
        std::fs::write(&other, "").unwrap();
        std::fs::hard_link(&one, &link).unwrap();
        assert_eq!(identity(&one).unwrap(), identity(&link).unwrap());
        assert_ne!(identity(&one).unwrap(), identity(&other).unwrap());
        assert!(identity(&folder.path().join("none")).is_err());
    }
}
