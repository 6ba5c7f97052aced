//! Names of temporary files, and removal of temporary files of killed processes.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

/// Marker contained in the name of every temporary file.
const MARK: &str = ".eyechart-";
/// Suffix of every temporary file.
pub(crate) const SUFFIX: &str = ".tmp";
/// Maximum characters of the target's name in a temporary name; most file systems allow 255 bytes.
const KEPT: usize = 40;

/// Folders that this process has already cleaned.
static CLEANED: LazyLock<Mutex<HashSet<PathBuf>>> = LazyLock::new(Mutex::default);

/// Returns the prefix of temporary names for a target: `.NAME.eyechart-PID-`.
pub(crate) fn prefix(target: &Path) -> String {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let name: String = name.chars().take(KEPT).collect();
    format!(".{name}{MARK}{}-", std::process::id())
}

/// Returns true for the name of a temporary file, whether or not a process still uses it.
pub fn is_temporary(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let Some((_, rest)) = name.rsplit_once(MARK) else {
        return false;
    };
    let pid = rest
        .strip_suffix(SUFFIX)
        .and_then(|rest| rest.split('-').next());
    name.starts_with('.') && pid.is_some_and(|pid| pid.parse::<u32>().is_ok())
}

/// Removes the temporary files of ended processes from a folder. Each process does this once per
/// folder.
pub(crate) fn clean_once(folder: &Path) {
    let mut cleaned = CLEANED.lock().unwrap_or_else(PoisonError::into_inner);
    if cleaned.insert(folder.to_path_buf()) {
        drop(cleaned);
        clean(folder);
    }
}

/// Removes the temporary files of ended processes from a folder. A running process holds a lock on
/// its file. On file systems without locks, nothing is removed.
fn clean(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file
            && is_temporary(&entry.file_name())
            && let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            // If this fails, the file stays, which does no harm.
            drop(fs::remove_file(entry.path()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_dead_go_and_those_of_the_living_stay() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let prefix = prefix(&at("a.csv"));
        assert!(prefix.starts_with(".a.csv.eyechart-"));
        let (dead, living) = (
            at(&format!("{prefix}dead{SUFFIX}")),
            at(&format!("{prefix}living{SUFFIX}")),
        );
        let others = [
            ".a.tmp",
            "a.eyechart-1-x.tmp",
            ".a.eyechart-x-1.tmp",
            ".a.eyechart-1-x.csv",
        ]
        .map(at);
        for path in others.iter().chain([&dead, &living]) {
            fs::write(path, "half").unwrap();
        }
        let held = File::open(&living).unwrap();
        held.lock().unwrap();
        clean(folder.path());
        assert!(!dead.exists());
        assert!(living.exists());
        assert!(others.iter().all(|path| path.exists()));
        drop(held);
        clean(folder.path());
        assert!(!living.exists());
    }

    #[test]
    fn the_longest_name_has_room() {
        let prefix = prefix(Path::new(&"ß".repeat(120)));
        assert!(prefix.len() + SUFFIX.len() + 6 < 255, "{prefix}");
    }
}
