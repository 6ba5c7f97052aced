//! Tests that code for a single operating system stays in the module `base::platform`.

// Helper functions of tests may panic.
#![allow(clippy::expect_used)]

use std::fs;
use std::path::{Path, PathBuf};

/// Names that exist only on one operating system, or that test for one.
const SIGNS: [&str; 11] = [
    "std::os::",
    "cfg(unix)",
    "cfg(windows)",
    "cfg(not(unix",
    "cfg(not(windows",
    "cfg(target_",
    "cfg(any(unix",
    "signal_hook",
    "libc::",
    "rustix::",
    "tokio::signal",
];
/// The only module that may contain such names.
const ROOM: &str = "base/platform";
/// The only crate that may depend on libraries for one operating system.
const CRATE: &str = "base";

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let below = paths.flat_map(|path| {
        if path.is_dir() {
            files(&path)
        } else {
            vec![path]
        }
    });
    below.collect()
}

/// Returns true if the file contains only tests.
fn is_test(path: &Path) -> bool {
    let mut parts = path.iter().map(|part| part.to_string_lossy());
    parts.any(|part| {
        let name = part.strip_suffix(".rs").unwrap_or(&part);
        matches!(name, "tests" | "testing") || name.ends_with("_tests")
    })
}

/// Lines with such a name. Skips comments, and the tests at the end of a file.
fn found(text: &str) -> Vec<&str> {
    let end = ["#[cfg(test)]\nmod tests {", "#[cfg(all(test"];
    let end = end.iter().filter_map(|mark| text.find(mark)).min();
    let code = text.get(..end.unwrap_or(text.len())).unwrap_or(text);
    let lines = code.lines().map(str::trim_start);
    let lines = lines.filter(|line| !line.starts_with("//"));
    lines
        .filter(|line| SIGNS.iter().any(|sign| line.contains(sign)))
        .collect()
}

#[test]
fn only_one_room_knows_the_system() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in files(&src) {
        let place = path.strip_prefix(&src).expect("a path below src");
        let is_rust = path.extension().is_some_and(|extension| extension == "rs");
        if !is_rust || is_test(place) || place.starts_with(ROOM) {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a text");
        let found = found(&text);
        let place = place.display();
        assert!(found.is_empty(), "{place} belongs into {ROOM}: {found:?}");
    }
}

#[test]
fn only_one_room_depends_on_crates_of_one_system() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in files(&src) {
        if path.file_name().is_none_or(|name| name != "Cargo.toml") {
            continue;
        }
        let manifest = fs::read_to_string(&path).expect("a manifest");
        let manifest: toml::Table = manifest.parse().expect("a manifest");
        let is_room = path.parent().is_some_and(|folder| folder.ends_with(CRATE));
        let is_free = manifest.get("target").is_none();
        assert!(is_room || is_free, "{}", path.display());
    }
}

#[test]
fn signs_are_found() {
    assert_eq!(found("use std::os::unix::fs;\nfn f() {}").len(), 1);
    assert_eq!(found("    #[cfg(unix)]\n    // std::os::\n").len(), 1);
    assert!(found("fn f() {}\n#[cfg(test)]\nmod tests {\n use std::os::unix::fs;").is_empty());
    assert!(
        is_test(Path::new("engine/tests/mod.rs")) && is_test(Path::new("tui/picture_tests.rs"))
    );
    assert!(!is_test(Path::new("exam/test_set.rs")));
}
