//! Tests the architecture: crates depend only on lower crates, and restricted libraries are used
//! only in their crates, in the order listed in the crate documentation.

// Helper functions of tests may panic.
#![allow(clippy::expect_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

/// Libraries, each with the only crates that may depend on it.
const FENCES: [(&str, &[&str]); 14] = [
    ("ratatui", &["tui"]),
    ("crossterm", &["command", "tui"]),
    ("clap", &["command"]),
    ("image", &["exam", "media", "tui"]),
    ("tokio", &["ask", "base", "exam", "store", "tui"]),
    ("reqwest", &["ask", "store"]),
    ("object_store", &["store"]),
    ("rustls", &["store"]),
    ("polars", &["reader"]),
    ("calamine", &["reader"]),
    ("plotters", &["report"]),
    ("nalgebra", &["analysis", "exam"]),
    ("tiny-skia", &["exam"]),
    ("notify", &["workspace"]),
];

/// Crates listed in the crate documentation, lowest first.
fn rooms(doc: &str) -> Vec<String> {
    let lines = doc.lines().filter_map(|line| line.strip_prefix("//!"));
    let list = lines
        .skip_while(|line| *line != " # Rooms, lowest first")
        .skip(1);
    list.take_while(|line| !line.starts_with(" # "))
        .filter_map(|line| line.strip_prefix(" - `")?.split('`').next())
        .map(str::to_owned)
        .collect()
}

/// Names of a manifest's dependencies, except dev-dependencies.
fn dependencies(manifest: &str) -> Vec<String> {
    let manifest: Table = manifest.parse().expect("a manifest");
    let targets = manifest.get("target").and_then(Value::as_table);
    let targets = targets.into_iter().flat_map(Table::values);
    let tables = targets.filter_map(Value::as_table).chain([&manifest]);
    let lists = tables.flat_map(|table| {
        ["dependencies", "build-dependencies"]
            .into_iter()
            .filter_map(|list| table.get(list)?.as_table())
    });
    lists.flat_map(|list| list.keys().cloned()).collect()
}

/// Dependencies of a crate that are not allowed.
fn forbidden(rooms: &[String], room: &str, manifest: &str) -> Vec<String> {
    let height = |name: &str| rooms.iter().position(|room| room == name);
    let is_allowed = |name: &String| match height(name) {
        Some(other) => height(room).is_some_and(|own| other < own),
        None => FENCES
            .iter()
            .all(|(fenced, inside)| fenced != name || inside.contains(&room)),
    };
    let mut names = dependencies(manifest);
    names.retain(|name| !is_allowed(name));
    names
}

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn listed_rooms() -> Vec<String> {
    rooms(&fs::read_to_string(src().join("lib.rs")).expect("the crate root"))
}

#[test]
fn rooms_depend_on_what_stands_below_them() {
    for room in listed_rooms() {
        let manifest = src().join(&room).join("Cargo.toml");
        let manifest = fs::read_to_string(manifest).expect("a manifest");
        let forbidden = forbidden(&listed_rooms(), &room, &manifest);
        assert!(forbidden.is_empty(), "{room} must not use {forbidden:?}");
    }
}

#[test]
fn the_list_names_every_room_once() {
    let entries = fs::read_dir(src()).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let folders: BTreeSet<String> = paths
        .filter(|path| path.join("Cargo.toml").exists())
        .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
        .collect();
    let listed = listed_rooms();
    assert_eq!(listed.iter().cloned().collect::<BTreeSet<_>>(), folders);
    assert_eq!(listed.len(), folders.len());
}

#[test]
fn forbidden_dependencies_are_found() {
    let rooms = rooms(
        "//! - `none`: before the list\n//! # Rooms, lowest first\n//!\n//! - `format`: a\n//! - `record`: b, with `code`\n//! - `tui`: c\n//! # Glossary\n//! - `run`: d",
    );
    assert_eq!(rooms, ["format", "record", "tui"]);
    let found = |room: &str, manifest: &str| forbidden(&rooms, room, manifest);
    let none: [&str; 0] = [];
    let above = "[dependencies]\nformat.workspace = true\ntui = { path = \"..\" }";
    assert_eq!(found("record", above), ["tui"]);
    assert_eq!(
        found("format", "[dependencies]\nformat = \"1\""),
        ["format"]
    );
    assert_eq!(
        found("tui", "[dependencies]\nrecord = \"1\"\nregex = \"1\""),
        none
    );
    assert_eq!(
        found("record", "[dependencies]\nratatui = \"1\""),
        ["ratatui"]
    );
    assert_eq!(found("tui", "[dependencies]\nratatui = \"1\""), none);
    let target =
        "[target.'cfg(unix)'.dependencies]\nclap = \"1\"\n[build-dependencies]\ntui = \"1\"";
    assert_eq!(found("record", target), ["clap", "tui"]);
    assert_eq!(
        found("record", "[dev-dependencies]\ntui = \"1\"\nclap = \"1\""),
        none
    );
}

/// Calls that open a file for writing or rename a file.
const WRITES: [&str; 12] = [
    "fs::write",
    "File::create",
    "File::options",
    "OpenOptions",
    "NamedTempFile",
    "tempfile_in",
    ".persist(",
    "fs::rename",
    "fs::copy",
    "fs::hard_link",
    ".generate_to(",
    "::generate_to(",
];

/// Calls that create a network client.
const REACHES: [&str; 6] = [
    "Client::builder",
    "ClientBuilder::new",
    "Client::new()",
    "reqwest::get",
    "ReqwestConnector",
    "TcpStream::connect",
];

/// Calls that open stderr.
const TELLS: [&str; 3] = ["io::stderr", "eprint", "stderr,"];

/// Lines of a source file that contain one of these calls, outside of tests.
fn calling<'a>(source: &'a str, calls: &[&str]) -> Vec<&'a str> {
    let mut is_test = false;
    let program = source.lines().take_while(|line| {
        let ends =
            is_test && !line.starts_with(' ') && line.contains("mod ") && line.ends_with('{');
        is_test = line.trim() == "#[cfg(test)]" || (is_test && line.starts_with("#["));
        !ends
    });
    let writes = |line: &&str| {
        let code = line.split("//").next().unwrap_or_default();
        let code = code.replace("WholeFile::", "");
        calls.iter().any(|call| code.contains(call))
    };
    program.filter(writes).collect()
}

/// Source files below a folder, without files that contain only tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let is_test = name == "tests" || name.ends_with("_tests") || name == "testing";
        if path.is_dir() && !is_test {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") && !is_test {
            found.push(path);
        }
    }
}

/// Checks that calls of a kind occur only in certain files. Returns the lines with such calls in
/// other files, and the number of calls in the certain files.
fn through(doors: &[&str], calls: &[&str], among: &str) -> (Vec<String>, usize) {
    let mut files = Vec::new();
    sources(&src().join(among), &mut files);
    assert!(files.len() > 20, "{}", files.len());
    let doors: Vec<PathBuf> = doors.iter().map(|door| src().join(door)).collect();
    let is_door = |path: &PathBuf| doors.iter().any(|door| path.starts_with(door));
    let (inside, outside): (Vec<_>, Vec<_>) = files.into_iter().partition(is_door);
    let found = |path: &PathBuf| -> Vec<String> {
        let source = fs::read_to_string(path).expect("a source file");
        let lines = calling(&source, calls).into_iter();
        lines
            .map(|line| format!("{}: {}", path.display(), line.trim()))
            .collect()
    };
    let outside: Vec<String> = outside.iter().flat_map(found).collect();
    (outside, inside.iter().flat_map(found).count())
}

#[test]
fn nothing_is_written_but_through_the_room_for_it() {
    // Code for a single operating system is in `platform`.
    let (outside, inside) = through(&["base/file", "base/platform"], &WRITES, "");
    assert!(outside.is_empty(), "use `base::file`: {outside:#?}");
    assert!(inside > 3);
}

#[test]
fn nothing_reaches_the_network_but_through_one_door() {
    // The metadata service of a cloud is only probed; no data is sent.
    let (outside, inside) = through(&["store/door.rs", "store/objects.rs"], &REACHES, "");
    assert!(outside.is_empty(), "use store::http: {outside:#?}");
    assert!(inside > 0);
}

#[test]
fn nothing_is_told_on_stderr_but_through_one_door() {
    let (outside, inside) = through(&["command/stderr.rs"], &TELLS, "command");
    let outside: Vec<&String> = (outside.iter())
        .filter(|line| !line.contains("command/output.rs"))
        .collect();
    assert!(outside.is_empty(), "use command::stderr: {outside:#?}");
    assert!(inside > 0);
}

/// Names of the statistical functions that the module of metrics exports.
fn statistics() -> Vec<String> {
    let module = src().join("analysis/metric/mod.rs");
    let module = fs::read_to_string(module).expect("the module of metrics");
    let exports = module
        .lines()
        .filter_map(|line| line.strip_prefix("pub use "));
    let names = exports.filter_map(|export| export.split_once("::"));
    let names = names.flat_map(|(_, names)| names.split(['{', '}', ',', ';', ' ']));
    // `pattern_name` returns a text, so it is not a statistic.
    let functions = names.filter(|name| name.starts_with(char::is_lowercase));
    let functions = functions.filter(|name| *name != "pattern_name");
    functions.map(|name| format!("{name}(")).collect()
}

#[test]
fn what_is_shown_was_computed_in_one_place() {
    let calls = statistics();
    let calls: Vec<&str> = calls.iter().map(String::as_str).collect();
    assert!(calls.contains(&"wilson("), "{calls:?}");
    for room in ["tui", "report", "command"] {
        let (outside, _) = through(&[], &calls, room);
        assert!(outside.is_empty(), "compute it in `analysis`: {outside:#?}");
    }
}

#[test]
fn writing_is_found_and_tests_may_write() {
    let source = "fn a() {\n    fs::write(b, c);\n}\n#[cfg(test)]\nmod fault;\nlet x = File::create(y);\n// fs::write\n#[cfg(test)]\nmod tests {\n    fs::write(b, c);\n}\n";
    assert_eq!(
        calling(source, &WRITES),
        ["    fs::write(b, c);", "let x = File::create(y);"]
    );
}
