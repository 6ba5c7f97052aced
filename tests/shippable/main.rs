//! Tests the requirements of a release: licences, oldest compiler, bill of materials, packages.
//!
//! `EYECHART_SBOM=FILE cargo test --test shippable bill_of_materials` writes the bill to a file.

// Helper functions of tests may panic.
#![allow(clippy::expect_used)]

mod bill;
mod metadata;
mod packages;
#[path = "../support/skipped.rs"]
mod skipped;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use metadata::{Metadata, Package};
use serde_json::Value as Json;
use spdx::{Expression, ParseMode};
use toml::Value;

fn root(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    std::fs::read_to_string(&path).expect("a file of the repository")
}

/// Licences that are allowed for every crate, and for single crates.
struct AllowedLicences {
    all: BTreeSet<String>,
    exceptions: BTreeMap<String, BTreeSet<String>>,
}

impl AllowedLicences {
    /// Reads the settings of `cargo deny`.
    fn read() -> Self {
        let settings: toml::Table = root(".deny.toml").parse().expect("settings");
        let licenses = &settings["licenses"];
        let list = |value: &Value| -> BTreeSet<String> {
            let list = value["allow"].as_array().expect("a list");
            let names = list.iter().map(|name| name.as_str().expect("a licence"));
            names.map(str::to_owned).collect()
        };
        let exceptions = licenses["exceptions"].as_array().expect("a list");
        let exception = |value: &Value| {
            let name = value["crate"].as_str().expect("a crate");
            (name.to_owned(), list(value))
        };
        Self {
            all: list(licenses),
            exceptions: exceptions.iter().map(exception).collect(),
        }
    }

    /// Returns true if a crate of this name may have this licence.
    fn allows(&self, name: &str, licence: &str) -> bool {
        let Ok(licence) = Expression::parse_mode(licence, ParseMode::LAX) else {
            return false;
        };
        let own = self.exceptions.get(name);
        licence.evaluate(|wanted| {
            let wanted = wanted.to_string();
            self.all.contains(&wanted) || own.is_some_and(|own| own.contains(&wanted))
        })
    }
}

#[test]
fn every_dependency_has_a_licence_that_is_allowed() {
    let (allowed, metadata) = (AllowedLicences::read(), Metadata::read());
    let foreign = metadata
        .packages
        .values()
        .filter(|package| package.is_foreign);
    let refused: Vec<String> = foreign
        .filter(|package| {
            let licence = package.licence.as_deref();
            licence.is_none_or(|licence| !allowed.allows(&package.name, licence))
        })
        .map(|package| {
            format!(
                "{} {}: {:?}",
                package.name, package.version, package.licence
            )
        })
        .collect();
    assert!(refused.is_empty(), "{refused:#?}");
    // Cargo may have only the packages for this system; the lock file lists all packages.
    let locked: toml::Table = root("Cargo.lock").parse().expect("a lock file");
    let packages = locked["package"].as_array().expect("packages").iter();
    let names: BTreeSet<&str> = packages.filter_map(|one| one["name"].as_str()).collect();
    let mut exceptions = allowed.exceptions.keys();
    let gone = exceptions.find(|name| !names.contains(name.as_str()));
    assert_eq!(gone, None, "an exception for nobody");
}

#[test]
fn licences_are_judged_as_they_are_written() {
    let allowed = AllowedLicences::read();
    for licence in [
        "MIT",
        "MIT/Apache-2.0",
        "GPL-3.0-only OR MIT",
        "(MIT OR Apache-2.0) AND Unicode-3.0",
    ] {
        assert!(allowed.allows("any", licence), "{licence}");
    }
    for licence in [
        "GPL-3.0-only",
        "MIT AND GPL-3.0-only",
        "MPL-2.0",
        "",
        "no licence",
    ] {
        assert!(!allowed.allows("any", licence), "{licence}");
    }
    assert!(allowed.allows("nucleo-matcher", "MPL-2.0"));
}

/// The numbers of a Rust version. `1.95` means `1.95.0`.
fn numbers(version: &str) -> Vec<u32> {
    let mut numbers: Vec<u32> = version
        .split('.')
        .map(|n| n.parse().expect("a number"))
        .collect();
    numbers.resize(3, 0);
    numbers
}

#[test]
fn the_oldest_compiler_is_the_one_that_dependencies_ask_for() {
    let metadata = Metadata::read();
    let own = &metadata.packages[&metadata.root];
    let own = own.rust_version.as_deref().expect("a rust-version");
    let built = metadata.built();
    let foreign = built.iter().map(|id| &metadata.packages[*id]);
    let foreign = foreign.filter(|package| package.is_foreign);
    let asks = |package: &Package| {
        Some((
            numbers(package.rust_version.as_deref()?),
            package.name.clone(),
        ))
    };
    let newest = foreign.filter_map(asks).max().expect("dependencies");
    assert_eq!(numbers(own), newest.0, "{} asks for its own", newest.1);
    assert!(root("README.md").contains(&format!("Rust {own} or newer")));
    assert!(root(".github/CONTRIBUTING.md").contains(&format!("Rust {own} or newer")));
}

#[test]
fn dependencies_are_compiled_alike_for_the_program_and_its_tests() {
    let tested = metadata::features(&[]);
    let alone = metadata::features(&["--edges", "no-dev"]);
    let twice: Vec<&String> = alone.difference(&tested).collect();
    assert!(
        twice.is_empty(),
        "compiled twice, as tests need more of them: {twice:?}"
    );
    assert!(alone.len() > 100 && tested.len() > alone.len());
}

#[test]
fn bill_of_materials() {
    let metadata = Metadata::read();
    let bill = bill::of(&metadata, &bill::checksums(&root("Cargo.lock")));
    bill::check(&bill);
    let components = bill["components"].as_array().expect("components");
    let find = |name: &str| components.iter().find(|one| one["name"] == name);
    let ratatui = find("ratatui").expect("ratatui");
    assert_eq!(ratatui["licenses"][0]["expression"], "MIT");
    assert!(
        find("insta").is_none() && find("vt100").is_none(),
        "crates of tests"
    );
    assert!(find("eyechart-base").is_some_and(|room| room.get("hashes").is_none()));
    let text = format!("{:#}\n", Json::from(bill));
    if let Some(file) = std::env::var_os("EYECHART_SBOM") {
        std::fs::write(file, text).expect("a bill that can be written");
    }
}

#[test]
fn what_is_handed_out_has_its_papers() {
    assert!(root(".github/LICENSE-MIT").contains("Permission is hereby granted"));
    assert!(root(".github/LICENSE-APACHE").contains("END OF TERMS AND CONDITIONS"));
    let manifest: toml::Table = root("Cargo.toml").parse().expect("a manifest");
    let own = manifest["workspace"]["package"]["license"].as_str();
    assert_eq!(own, Some("MIT OR Apache-2.0"));
    let dist = &manifest["profile"]["dist"];
    assert_eq!(dist["inherits"].as_str(), Some("release"));
    assert_eq!(dist["codegen-units"].as_integer(), Some(1));
    // Settings of a single package override those of the profile.
    for strip in [&dist["strip"], &dist["package"]["eyechart"]["strip"]] {
        assert_eq!(strip.as_str(), Some("symbols"));
    }
    // A panic in a worker thread must not end the program, so panics must unwind.
    assert!(dist.get("panic").is_none());
}
