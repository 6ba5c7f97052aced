//! Formats paths as the user gave them: a downloaded file is shown as its URL.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Folders of downloaded copies, each with the URL of its original.
static FOLDERS: Mutex<Vec<(PathBuf, String)>> = Mutex::new(Vec::new());

/// Registers a folder of copies. From then on, paths below the folder are shown as the URL
/// `address`.
pub fn name_folder(folder: &Path, address: &str) {
    let mut folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    if !folders.iter().any(|(known, _)| known == folder) {
        folders.push((folder.to_path_buf(), address.to_owned()));
    }
}

/// Formats a path as the user gave it.
pub fn path(path: &Path) -> String {
    let folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    let named = folders.iter().find_map(|(folder, address)| {
        let rest = path.strip_prefix(folder).ok()?;
        let parts = rest
            .components()
            .map(|part| decoded(&part.as_os_str().to_string_lossy()));
        let parts: Vec<String> = std::iter::once(address.clone()).chain(parts).collect();
        Some(parts.join("/"))
    });
    named.unwrap_or_else(|| path.display().to_string())
}

/// Decodes `%2F` and other percent escapes.
fn decoded(name: &str) -> String {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let [first, more @ ..] = rest {
        let coded = more.get(..2).filter(|_| *first == b'%');
        let byte = coded
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = match byte {
            Some(_) => more.get(2..).unwrap_or_default(),
            None => more,
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_shown_under_their_address_and_other_files_as_they_are() {
        let folder = Path::new("/cache/files/s3-1/team");
        name_folder(folder, "s3://team");
        assert_eq!(
            path(&folder.join("runs/a%3Ab.jsonl")),
            "s3://team/runs/a:b.jsonl"
        );
        assert_eq!(path(folder), "s3://team");
        assert_eq!(
            path(Path::new("/cache/files/s3-1/team2/x")),
            "/cache/files/s3-1/team2/x"
        );
        assert_eq!(path(Path::new("runs/100%.csv")), "runs/100%.csv");
        assert_eq!(decoded("50%"), "50%");
    }
}
