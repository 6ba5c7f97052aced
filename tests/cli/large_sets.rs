//! Data sets of more predictions than are read: commands look at those of their lens, or say what to narrow.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Run, arg, list, run, sample_runs};

/// The exam's logs as a data set: 3,200 predictions of five models.
struct Setting {
    all: TempDir,
}

impl Setting {
    fn new() -> Self {
        let setting = Self {
            all: tempfile::tempdir().expect("it is there"),
        };
        let config = "[limits]\nwhole_set = 1000\nlens_rows = 2000\n";
        fs::write(setting.at("config.toml"), config).expect("it is there");
        setting.publish("set", &["color", "gabor", "hog", "pixels", "randconv"]);
        setting
    }

    fn at(&self, name: &str) -> PathBuf {
        self.all.path().join(name)
    }

    fn publish(&self, to: &str, models: &[&str]) {
        let log = |model: &&str| sample_runs().join(format!("exam/{model}.eyechart.jsonl"));
        let logs: Vec<PathBuf> = models.iter().map(log).collect();
        let mut args = vec!["publish"];
        args.extend(logs.iter().map(|log| arg(log)));
        let to = self.at(to);
        args.extend(["--to", arg(&to)]);
        let done = run(&args);
        assert_eq!(done.code, 0, "{}", done.stderr);
    }

    /// Runs the program with little memory.
    fn run(&self, args: &[&str]) -> Run {
        let output = assert_cmd::cargo::cargo_bin_cmd!("eyechart")
            .args(args)
            .current_dir(self.all.path())
            .env("EYECHART_CONFIG", self.at("config.toml"))
            .output()
            .expect("it is there");
        let [stdout, stderr] = [output.stdout, output.stderr]
            .map(|text| String::from_utf8(text).expect("it is there"));
        Run {
            code: output.status.code().expect("it is there"),
            stdout,
            stderr,
        }
    }

    /// What a command prints with little memory and with enough.
    fn same(&self, args: &[&str]) -> Value {
        let set = self.at("set");
        let args = args.iter().map(|arg| match *arg {
            "set" => set.to_str().expect("a path in UTF-8"),
            other => other,
        });
        let args: Vec<&str> = args.chain(["--format", "json"]).collect();
        let (found, wanted) = (self.run(&args), run(&args));
        for run in [&found, &wanted] {
            assert_eq!(run.code, 0, "{args:?}: {}", run.stderr);
        }
        let parsed = |run: &Run| {
            let mut document: Value = serde_json::from_str(&run.stdout).expect("it is there");
            // What is read tells where its rows were.
            if let Some(object) = document.as_object_mut() {
                object.remove("sources");
            }
            document
        };
        assert_eq!(parsed(&found), parsed(&wanted), "{args:?}");
        parsed(&found)
    }

    /// A command that would look at too much says what to narrow.
    fn refused(&self, args: &[&str]) {
        let run = self.run(args);
        assert_eq!(run.code, 2, "{args:?}: {}", run.stderr);
        for said in ["3,200 predictions", "limits.lens_rows", "model:"] {
            assert!(run.stderr.contains(said), "{args:?}: {}", run.stderr);
        }
        assert_eq!(run.stdout, "", "{args:?}");
    }
}

const LENS: &str = "model:color or model:hog";

#[test]
fn commands_look_at_their_lens_and_at_no_more() {
    let setting = Setting::new();
    for command in [
        &["samples", "set", "--limit", "7", "--filter", LENS][..],
        &["agree", "set", "--subset", "--draws", "5", "--filter", LENS],
        &["verdicts", "set", "--filter", LENS],
        &["models", "set"],
        &[
            "items",
            "set",
            "--filter",
            "model:color or model:hog or model:pixels",
        ],
    ] {
        setting.same(command);
    }
    let samples = setting.same(&["samples", "set", "--limit", "7", "--filter", LENS]);
    assert_eq!(list(&samples, "samples").len(), 7);
    for command in [
        &["samples", "set"][..],
        &["agree", "set", "--subset"],
        &[
            "agree",
            "set",
            "--between",
            "scoring:harness",
            "scoring:strict",
        ],
        &["verdicts", "set"],
        &["convert", "set", "--out", "all.jsonl"],
    ] {
        setting.refused(command);
    }
    assert!(!setting.at("all.jsonl").exists());
}

#[test]
fn a_lens_of_a_large_data_set_is_converted_as_that_of_a_small_one() {
    let setting = Setting::new();
    let converted = |whole: bool, name: &str| {
        let out = setting.at(name);
        let set = setting.at("set");
        let args = ["convert", arg(&set), "--filter", LENS, "--out", arg(&out)];
        let done = if whole {
            run(&args)
        } else {
            setting.run(&args)
        };
        assert_eq!(done.code, 0, "{}", done.stderr);
        fs::read_to_string(out).expect("it is there")
    };
    let found = converted(false, "some.jsonl");
    assert_eq!(found, converted(true, "all.jsonl"));
    assert!(found.lines().count() >= 1_280);
}

#[test]
fn every_file_of_a_large_data_set_is_checked() {
    let setting = Setting::new();
    let good = setting.same(&["check", "set"]);
    assert_eq!(good, good);
    let checked = setting.run(&["check", "set", "--strict"]);
    assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
    for folder in ["texts", "rows", "cells"] {
        let file = first(&setting.at("set").join(folder));
        let whole = fs::read(&file).expect("it is there");
        let mut damaged = whole.clone();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 1;
        fs::write(&file, damaged).expect("it is there");
        let checked = setting.run(&["check", "set", "--strict"]);
        assert_eq!(checked.code, 3, "{}", checked.stderr);
        let name = file
            .file_name()
            .expect("it is there")
            .to_str()
            .expect("it is there");
        assert!(checked.stdout.contains(name), "{}", checked.stdout);
        assert!(checked.stdout.contains("damaged"), "{}", checked.stdout);
        fs::write(&file, whole).expect("it is there");
    }
}

/// The first file of a folder.
fn first(folder: &Path) -> PathBuf {
    let files = fs::read_dir(folder).expect("it is there");
    files
        .map(|file| file.expect("it is there").path())
        .min()
        .expect("it is there")
}

#[test]
fn what_sums_cannot_answer_is_left_out_by_name_and_never_in_part() {
    let setting = Setting::new();
    setting.publish("other", &["pixels"]);
    for args in [
        &["report", "set", "other"][..],
        &["report", "set", "--runs", "all"],
    ] {
        let run = setting.run(args);
        assert_eq!(run.code, 1, "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains("limits.lens_rows"), "{}", run.stderr);
        assert_eq!(run.stdout, "");
    }
    let log = sample_runs().join("exam/hog.eyechart.jsonl");
    let run = setting.run(&["report", "set", arg(&log), "--format", "json"]);
    assert_eq!(run.code, 4, "{}", run.stderr);
    assert!(run.stderr.contains("limits.lens_rows"), "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).expect("it is there");
    let models = list(&report, "scores").iter();
    assert!(models.clone().count() > 0);
    assert!(models.clone().all(|score| score["model"] == "hog"));
}
