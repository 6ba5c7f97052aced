//! Tests the inputs of a release's packages, website and workflows, without building them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

use eyechart::base::manual::PAGES;
use toml::Value;

use crate::root;
use crate::skipped::skipped;

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs a script of the project in its folder.
fn script(arguments: &[&str]) -> Output {
    let output = Command::new("bash")
        .args(arguments)
        .current_dir(folder())
        .output();
    output.expect("bash")
}

#[test]
fn the_wheel_holds_the_program_of_this_workspace() {
    let settings: toml::Table = root(".ci/wheel/pyproject.toml").parse().expect("settings");
    let (project, maturin) = (&settings["project"], &settings["tool"]["maturin"]);
    assert_eq!(project["name"].as_str(), Some("eyechart"));
    // maturin takes the version from the manifest.
    assert!(project.get("version").is_none());
    let dynamic = project["dynamic"].as_array().expect("a list");
    assert_eq!(dynamic, &[Value::from("version")]);
    assert_eq!(project["license"].as_str(), Some("MIT OR Apache-2.0"));
    assert_eq!(maturin["bindings"].as_str(), Some("bin"));
    assert_eq!(maturin["profile"].as_str(), Some("dist"));
    let manifest = maturin["manifest-path"].as_str().expect("a path");
    let manifest = folder().join(".ci/wheel").join(manifest).canonicalize();
    let own = folder().join("Cargo.toml").canonicalize();
    assert_eq!(manifest.expect("a manifest"), own.expect("a manifest"));
    let manifest: toml::Table = root("Cargo.toml").parse().expect("a manifest");
    assert_eq!(
        project["description"].as_str(),
        manifest["package"]["description"].as_str()
    );
}

#[test]
fn the_citation_names_the_version() {
    let line = concat!("version: ", env!("CARGO_PKG_VERSION"));
    let citation = root(".github/CITATION.cff");
    assert!(citation.lines().any(|one| one == line), "{line}");
}

#[test]
fn an_installed_program_opens_its_sample_runs() {
    let prefix = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let prefix = prefix.path();
    for made in ["bin", "share/eyechart", "empty"] {
        fs::create_dir_all(prefix.join(made)).expect("a folder");
    }
    let program = prefix.join("bin/eyechart");
    fs::hard_link(env!("CARGO_BIN_EXE_eyechart"), &program).expect("a program");
    let shared = prefix.join("share/eyechart/sample_runs");
    symlink(folder().join("sample_runs"), shared).expect("a link");
    let report = Command::new(&program)
        .args(["report", "--format", "csv"])
        .current_dir(prefix.join("empty"))
        .env("EYECHART_CONFIG", prefix.join("none.toml"))
        .output()
        .expect("a report");
    let text = String::from_utf8_lossy(&report.stdout);
    assert!(report.status.success() && text.contains("gabor"), "{text}");
}

#[test]
fn unknown_package_formats_are_refused() {
    let output = script(&[".ci/dist", "rpm"]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("unknown format rpm"), "{message}");
}

#[test]
fn scripts_have_no_syntax_errors() {
    for name in [".ci/run", ".ci/dist", ".ci/book", ".ci/wheel/cargo"] {
        let output = script(&["-n", name]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {message}");
    }
}

#[test]
fn the_site_lists_every_page_of_the_manual_in_order() {
    let output = script(&[".ci/book", "summary"]);
    let summary = String::from_utf8_lossy(&output.stdout);
    let listed: Vec<&str> = summary
        .lines()
        .filter(|line| line.starts_with("- "))
        .collect();
    let pages: Vec<String> = PAGES
        .iter()
        .map(|page| format!("- [{}]({}.md)", page.title(), page.name))
        .collect();
    assert_eq!(listed, pages);
    let links = summary.split("](project/").skip(1);
    let others: Vec<&str> = links
        .filter_map(|link| Some(link.split_once(')')?.0))
        .collect();
    assert!(others.len() > 2, "{others:?}");
    for file in others {
        assert!(folder().join(".github").join(file).is_file(), "{file}");
    }
}

#[test]
fn workflows_run_scripts_that_exist() {
    for name in ["ci", "release"] {
        let workflow = root(&format!(".github/workflows/{name}.yml"));
        let scripts: Vec<&str> = workflow
            .split([' ', '\n'])
            .filter(|word| word.starts_with(".ci/"))
            .collect();
        assert!(!scripts.is_empty(), "{name}");
        for script in scripts {
            assert!(folder().join(script).is_file(), "{name}: {script}");
        }
        // Actions are given with a version.
        let mut actions = workflow
            .lines()
            .filter_map(|line| line.trim_start_matches([' ', '-']).strip_prefix("uses: "));
        assert!(actions.all(|action| action.contains('@')), "{name}");
    }
}

#[test]
fn workflows_and_forms_are_yaml() {
    let has_parser = Command::new("python3").args(["-c", "import yaml"]).output();
    if !has_parser.is_ok_and(|output| output.status.success()) {
        skipped("python3 with yaml");
        return;
    }
    let code = "import sys, yaml; [yaml.safe_load(open(name)) for name in sys.argv[1:]]";
    let mut files = vec![".github/CITATION.cff".to_owned()];
    for below in ["workflows", "ISSUE_TEMPLATE"] {
        let entries = fs::read_dir(folder().join(".github").join(below)).expect("a folder");
        files.extend(entries.map(|entry| {
            let name = entry.expect("an entry").file_name();
            format!(".github/{below}/{}", name.to_string_lossy())
        }));
    }
    assert!(files.len() > 5, "{files:?}");
    let output = Command::new("python3")
        .args(["-c", code])
        .args(files)
        .current_dir(folder())
        .output()
        .expect("python3");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
}
