//! Files: reading from a place, and which file is which.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

pub use file_id::FileId;

/// Opens a file. A pipe or a device is refused, as it may never begin or end.
///
/// # Errors
/// It is none, or cannot be opened.
pub fn open(path: &Path) -> io::Result<File> {
    let kind = path.metadata()?.file_type();
    if kind.is_file() || kind.is_dir() {
        return File::open(path);
    }
    Err(io::Error::other("it is a pipe or a device, and no file"))
}

/// Fills `bytes` with what stands at a place of a file, in bytes from its beginning. Several threads may read one file
/// at once; where the file goes on being read otherwise, its own place may have moved.
///
/// # Errors
/// The file cannot be read, or ends before `bytes` are full.
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

/// Returns when everything that was written to the file system of a folder is on the disk; false where the system
/// cannot do that at once.
///
/// # Errors
/// The disk.
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

/// Reads into `bytes` from a place of a file, in bytes from its beginning; gives how many were read, 0 at the end.
///
/// # Errors
/// The file cannot be read.
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

/// Makes a file that is created the user's alone. Where files take the permissions of their folder, it does nothing.
pub fn for_user_alone(options: &mut OpenOptions) {
    #[cfg(unix)]
    {
        std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    }
    #[cfg(windows)]
    let _ = options;
}

/// Makes a folder that is the user's alone, with those above it, unless it is there.
///
/// # Errors
/// The system does not let it be made.
pub fn create_own_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

/// Which file or folder a path leads to: the same for every name and link of it, as long as it exists.
///
/// # Errors
/// Nothing is there, or it cannot be looked at.
pub fn identity(path: &Path) -> io::Result<FileId> {
    file_id::get_file_id(path)
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
