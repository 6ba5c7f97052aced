//! Reads cargo's metadata of the packages, without using a network.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value as Json;

/// A package of the workspace or from a registry.
pub struct Package {
    pub name: String,
    pub version: String,
    pub licence: Option<String>,
    pub rust_version: Option<String>,
    /// True if it comes from a registry.
    pub is_foreign: bool,
}

/// Packages by id, with their dependencies except dev-dependencies.
pub struct Metadata {
    pub root: String,
    pub packages: BTreeMap<String, Package>,
    pub needs: BTreeMap<String, BTreeSet<String>>,
}

/// Target triple of this system.
fn host() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output().expect("rustc");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("a host").to_owned()
}

/// Output of `cargo metadata`, or its error messages.
fn told(more: &[&str]) -> Result<Vec<u8>, String> {
    let fixed = ["metadata", "--format-version", "1"];
    cargo(&[&fixed, more].concat())
}

/// Packages and the features with which they are compiled here, one per line. `more` adds
/// arguments.
pub fn features(more: &[&str]) -> BTreeSet<String> {
    let fixed = ["tree", "--workspace", "--prefix", "none"];
    let text = cargo(&[&fixed, ["--format", "{p} {f}"].as_slice(), more].concat());
    let text = String::from_utf8(text.expect("a tree")).expect("UTF-8");
    // Cargo marks a repeated package with a star at the end.
    let lines = text.lines().map(|line| line.trim_end_matches(" (*)"));
    lines.map(str::to_owned).collect()
}

/// Output of cargo without a network, or its error messages.
fn cargo(arguments: &[&str]) -> Result<Vec<u8>, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(arguments)
        .args(["--offline", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo");
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

impl Metadata {
    pub fn read() -> Self {
        // If only the packages for this system were downloaded, cargo lists only these.
        let host = host();
        let here = || told(&["--filter-platform", &host]);
        let text = told(&[]).or_else(|_| here()).expect("what cargo knows");
        let read: Json = serde_json::from_slice(&text).expect("JSON");
        let list = |value: &Json| value.as_array().expect("a list").clone();
        let text = |value: &Json| value.as_str().expect("a text").to_owned();
        let package = |one: &Json| {
            let package = Package {
                name: text(&one["name"]),
                version: text(&one["version"]),
                licence: one["license"].as_str().map(str::to_owned),
                rust_version: one["rust_version"].as_str().map(str::to_owned),
                is_foreign: !one["source"].is_null(),
            };
            (text(&one["id"]), package)
        };
        let needs = |node: &Json| {
            let is_used = |need: &Json| {
                let kinds = need["dep_kinds"].as_array().expect("a list");
                kinds.iter().any(|kind| kind["kind"] != "dev")
            };
            let needs = list(&node["deps"]).into_iter().filter(|need| is_used(need));
            let needs = needs.map(|need| text(&need["pkg"])).collect();
            (text(&node["id"]), needs)
        };
        Self {
            root: text(&read["resolve"]["root"]),
            packages: list(&read["packages"]).iter().map(package).collect(),
            needs: list(&read["resolve"]["nodes"]).iter().map(needs).collect(),
        }
    }

    /// All packages in the program, including indirect ones, for any system.
    pub fn built(&self) -> BTreeSet<&String> {
        let mut found = BTreeSet::new();
        let mut open = vec![&self.root];
        while let Some(id) = open.pop() {
            if found.insert(id) {
                open.extend(&self.needs[id]);
            }
        }
        found
    }
}
