//! Input files. The program never overwrites them.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::platform::file::identity;
use unicode_normalization::UnicodeNormalization as _;

use super::FileError;
use super::sync::folder_of;

/// Extensions of documents that no reader opens. These files can be overwritten, even in an input
/// folder.
const DOCUMENTS: [&str; 3] = ["html", "htm", "md"];

/// The input files and folders; all files below an input folder are inputs.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    roots: Vec<PathBuf>,
}

impl Inputs {
    /// Returns an empty set of inputs.
    pub const fn none() -> Self {
        Self { roots: Vec::new() }
    }

    /// Creates the inputs from files and folders; folders include all files below them.
    pub fn new(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let roots = paths.into_iter().collect();
        Self { roots }
    }

    /// Checks that writing `target` does not change an input. Detects links, and file systems that
    /// ignore case.
    ///
    /// # Errors
    /// If the file is an input.
    pub fn refuse(&self, target: &Path) -> Result<(), FileError> {
        if self.roots.is_empty() {
            return Ok(());
        }
        if let Some(input) = self.input_at(target) {
            let target = target.to_path_buf();
            return Err(FileError::IsRead { target, input });
        }
        for sibling in namesakes(target) {
            if self.input_at(&sibling).is_some() {
                let (target, input) = (target.to_path_buf(), sibling);
                return Err(FileError::IsReadButForCase { target, input });
            }
        }
        Ok(())
    }

    /// Returns the input that is the same file as `path`; `None` if there is none.
    fn input_at(&self, path: &Path) -> Option<PathBuf> {
        let length = fs::metadata(path).ok().filter(fs::Metadata::is_file)?.len();
        let own = identity(path).ok()?;
        // Compare the length first: that is cheap and excludes nearly all files.
        let is_it = |file: &Path| {
            fs::metadata(file).is_ok_and(|meta| meta.is_file() && meta.len() == length)
                && identity(file).ok() == Some(own)
        };
        self.roots.iter().find_map(|root| {
            if root.is_dir() {
                find_below(root, &|file| !is_document(file) && is_it(file))
            } else {
                is_it(root).then(|| root.clone())
            }
        })
    }
}

fn is_document(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| {
        DOCUMENTS
            .iter()
            .any(|known| known.eq_ignore_ascii_case(ending))
    })
}

/// Returns the first file below a folder for which `wanted` is true. Follows links, and visits each
/// folder once.
fn find_below(root: &Path, wanted: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
    let mut open = vec![root.to_path_buf()];
    let mut seen = HashSet::new();
    while let Some(folder) = open.pop() {
        let is_new = |real: PathBuf| seen.insert(real);
        if !folder.canonicalize().is_ok_and(is_new) {
            continue;
        }
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if wanted(&path) {
                return Some(path);
            }
        }
    }
    None
}

/// Returns files in the same folder whose names differ only in case or Unicode normalisation.
fn namesakes(path: &Path) -> Vec<PathBuf> {
    let fold = |path: &Path| -> String {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.nfc().flat_map(char::to_lowercase).nfc().collect()
    };
    let own = fold(path);
    let entries = fs::read_dir(folder_of(path)).into_iter().flatten();
    entries
        .flatten()
        .filter(|entry| Some(&*entry.file_name()) != path.file_name())
        .map(|entry| entry.path())
        .filter(|other| fold(other) == own)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(inputs: &Inputs, target: &Path) -> String {
        inputs
            .refuse(target)
            .map_or_else(|error| error.to_string(), |()| "free".to_owned())
    }

    #[test]
    fn a_file_is_refused_under_every_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("logs")).unwrap();
        for name in [
            "logs/a.jsonl",
            "logs/Größe.csv",
            "logs/b.html",
            "other.jsonl",
        ] {
            fs::write(at(name), name).unwrap();
        }
        fs::hard_link(at("logs/a.jsonl"), at("hard.csv")).unwrap();
        let whole = Inputs::new([at("logs")]);
        let single = Inputs::new([at("logs/a.jsonl")]);
        for inputs in [&whole, &single] {
            let same = said(inputs, &at("logs/a.jsonl"));
            assert!(
                same.ends_with("a.jsonl is one of the input files; it is not changed"),
                "{same}"
            );
            let around = said(inputs, &at("logs/../logs/a.jsonl"));
            assert!(around.contains("is one of the input files"), "{around}");
            let hard = said(inputs, &at("hard.csv"));
            assert!(
                hard.contains("hard.csv is one of the input files, as "),
                "{hard}"
            );
            let cased = said(inputs, &at("logs/A.JSONL"));
            assert!(
                cased.contains("differs only in upper and lower case from")
                    || cased.contains("is one of the input files"),
                "{cased}"
            );
            for free in [
                "logs/b.html",
                "logs/new.csv",
                "other.jsonl",
                "A.jsonl",
                "none/a.jsonl",
            ] {
                assert_eq!(said(inputs, &at(free)), "free", "{free}");
            }
        }
        let decomposed = said(&whole, &at("logs/GRO\u{308}ßE.csv"));
        assert!(decomposed.contains("Größe.csv"), "{decomposed}");
        assert_eq!(said(&Inputs::none(), &at("logs/a.jsonl")), "free");
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_what_is_read_and_rings_of_folders_end() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["logs", "away"] {
            fs::create_dir(at(name)).unwrap();
        }
        fs::write(at("away/a.jsonl"), "a").unwrap();
        symlink(at("away"), at("logs/away")).unwrap();
        symlink(at("logs"), at("away/back")).unwrap();
        symlink(at("away/a.jsonl"), at("soft.csv")).unwrap();
        let inputs = Inputs::new([at("logs")]);
        for target in ["away/a.jsonl", "soft.csv", "logs/away/a.jsonl"] {
            assert!(
                said(&inputs, &at(target)).contains("is one of the input files"),
                "{target}"
            );
        }
    }
}
