//! Inputs that once failed, kept as regression tests.

use std::fs;
use std::path::{Path, PathBuf};

use super::target::{Case, Target};

/// Maximum number of stored inputs.
pub const MOST: u64 = 100;

/// Folders of the inputs, `tests/fixtures/fuzz/TARGET/NAME/`, sorted by path.
fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/fuzz");
    let mut folders: Vec<PathBuf> = inside(&root)
        .iter()
        .filter(|path| path.is_dir())
        .flat_map(|target| inside(target))
        .collect();
    folders.sort();
    assert!(folders.len() < usize::try_from(MOST).unwrap());
    folders
}

fn inside(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// Returns the input with this number. After the last input, returns an empty case.
pub fn case(number: u64) -> Case {
    let Some(folder) = folders().into_iter().nth(usize::try_from(number).unwrap()) else {
        return Case::default();
    };
    let target = folder
        .parent()
        .unwrap()
        .file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    let named = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        (format!("{target}/{name}"), fs::read(&path).unwrap())
    };
    let mut files: Vec<_> = inside(&folder).into_iter().map(named).collect();
    files.sort();
    Case { files, unpacked: 0 }
}

/// Runs the check of the input's target.
pub fn check(case: &Case, folder: &Path) -> Result<(), String> {
    let Some((name, _)) = case.files.first() else {
        return Ok(());
    };
    let (target, _) = name.split_once('/').unwrap();
    (Target::named(target).check)(case, &folder.join(target))
}
