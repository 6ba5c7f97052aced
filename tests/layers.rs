//! Rooms depend on rooms below them, and fenced crates stay in their rooms: the Cargo.toml files keep to the crate doc.

// Helpers of a test may fail it.
#![allow(clippy::expect_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

/// External crates that only these rooms may depend on.
const FENCES: [(&str, &[&str]); 14] = [
    ("ratatui", &["graphics", "tui", "widget"]),
    ("ratatui-image", &["graphics"]),
    ("crossterm", &["command", "graphics", "tui", "widget"]),
    ("clap", &["cli", "command"]),
    ("image", &["encoder", "exam", "graphics", "media"]),
    ("tokio", &["client", "platform", "rerun", "tui"]),
    ("reqwest", &["client"]),
    ("rustls", &["client"]),
    ("polars", &["tabular"]),
    ("calamine", &["reader"]),
    ("plotters", &["report"]),
    ("nalgebra", &["encoder"]),
    ("tiny-skia", &["exam"]),
    ("notify", &["workspace"]),
];

/// The rooms in the list of a crate doc, lowest first.
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

/// The names of a manifest's dependencies, those of tests left out.
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

/// The dependencies that a room must not have.
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
