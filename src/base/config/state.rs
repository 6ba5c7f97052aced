//! The state folder. Its files are kept between runs, and the user can delete them at any time.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::file::{Access, Inputs, WholeFile};
use etcetera::BaseStrategy as _;

/// Environment variable with the path of another state folder.
const FOLDER: &str = "EYECHART_STATE";

/// Returns the state folder; `None` if the system has none.
pub fn state_folder() -> Option<PathBuf> {
    let named = std::env::var_os(FOLDER).filter(|folder| !folder.is_empty());
    let usual = || {
        let base = etcetera::choose_base_strategy().ok()?;
        let folder = base.state_dir().unwrap_or_else(|| base.data_dir());
        Some(folder.join("eyechart"))
    };
    named.map(PathBuf::from).or_else(usual)
}

/// Returns the session file for a set of paths. Their order and the working directory do not
/// matter.
pub fn session_file(paths: &[PathBuf]) -> Option<PathBuf> {
    let whole = whole_paths(paths);
    let name = whole.first()?.file_stem()?.to_string_lossy().into_owned();
    let kept = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let name: String = name.chars().filter(kept).take(40).collect();
    let folder = state_folder()?.join("sessions");
    Some(folder.join(format!("{name}-{:016x}.toml", fingerprint(&whole))))
}

/// Returns the absolute paths, sorted and without duplicates.
pub fn whole_paths(paths: &[PathBuf]) -> Vec<PathBuf> {
    let whole = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
    let mut whole: Vec<PathBuf> = paths.iter().map(whole).collect();
    whole.sort();
    whole.dedup();
    whole
}

/// Returns the FNV-1a hash of the paths. The standard library's hash can change between versions.
fn fingerprint(paths: &[PathBuf]) -> u64 {
    let bytes = paths
        .iter()
        .flat_map(|path| path.as_os_str().as_encoded_bytes().iter().chain(&[0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Writes a file atomically, and creates missing parent folders. Only the user can read the file.
///
/// # Errors
/// The folder cannot be written.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = WholeFile::create_for(Access::Private, path, &Inputs::none())?;
    file.write_all(text.as_bytes())?;
    Ok(file.commit()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_paths_have_the_same_file_and_others_another() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a.jsonl", "b.jsonl"].map(|name| folder.path().join(name));
        for path in [&a, &b] {
            std::fs::write(path, "").unwrap();
        }
        let around = folder.path().join(".").join("a.jsonl");
        let file = |paths: &[&PathBuf]| {
            session_file(&paths.iter().map(|path| (*path).clone()).collect::<Vec<_>>()).unwrap()
        };
        assert_eq!(file(&[&a, &b]), file(&[&b, &around]));
        assert_ne!(file(&[&a]), file(&[&b]));
        assert_ne!(file(&[&a]), file(&[&a, &b]));
        assert!(
            file(&[&a])
                .file_name()
                .unwrap()
                .to_string_lossy()
                .starts_with("a-")
        );
        assert_eq!(session_file(&[]), None);
    }

    #[test]
    fn a_file_is_written_whole_with_its_folders() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/er/x.toml");
        for text in ["one", "two"] {
            write_whole(&path, text).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(
            std::fs::read_dir(path.parent().unwrap()).unwrap().count(),
            1
        );
    }
}
