//! Tests data sets above the memory limit. Commands read only what their filter selects, or suggest
//! how to narrow the filter.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Run, arg, list, program, run, sample_runs};

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

    /// Runs the program with low memory limits.
    fn run(&self, args: &[&str]) -> Run {
        let output = program()
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

    /// Output of a command. Asserts that it is the same with low and with high limits.
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
            // Sources contain row positions, which differ.
            if let Some(object) = document.as_object_mut() {
                object.remove("sources");
            }
            document
        };
        assert_eq!(parsed(&found), parsed(&wanted), "{args:?}");
        parsed(&found)
    }

    /// Asserts that a command refuses to read too much and suggests a filter.
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
        // Which answers are right depends on all predictions.
        &[
            "convert",
            "set",
            "--out",
            "all.jsonl",
            "--filter",
            "right:hog",
        ],
    ] {
        setting.refused(command);
    }
    assert!(!setting.at("all.jsonl").exists());
}

/// Converted file and output. Asserts that both are the same with low and with high limits.
fn converted(setting: &Setting, set: &str, filter: &str, ending: &str) -> (Vec<u8>, Run) {
    let set = setting.at(set);
    let outs = ["some", "all"].map(|name| setting.at(&format!("{name}.{ending}")));
    let [found, wanted] = [false, true].map(|is_whole| {
        let out = &outs[usize::from(is_whole)];
        let args = ["convert", arg(&set), "--filter", filter, "--out", arg(out)];
        let done = if is_whole {
            run(&args)
        } else {
            setting.run(&args)
        };
        let bytes = fs::read(out).unwrap_or_default();
        drop(fs::remove_file(out));
        (bytes, done)
    });
    assert_eq!(found.1.code, wanted.1.code, "{filter}: {}", found.1.stderr);
    assert_eq!(found.1.stderr, wanted.1.stderr, "{filter}");
    assert!(found.0 == wanted.0, "{filter}: another {ending}");
    found
}

#[test]
fn a_large_data_set_is_converted_as_a_small_one() {
    let setting = Setting::new();
    // With these limits, only one file is read at a time.
    let config = "[limits]\nwhole_set = 100\nlens_rows = 100\n";
    fs::write(setting.at("config.toml"), config).expect("it is there");
    for ending in ["csv", "parquet", "arrow"] {
        converted(&setting, "set", "", ending);
        converted(&setting, "set", "ability:counting correct:false", ending);
    }
    for (filter, least) in [
        ("", 3_200),
        ("ability:counting correct:false", 1),
        (LENS, 1_280),
        ("depth_m>2 or invalid:true", 1),
        ("not model:color score<1", 1),
        ("scorers:disagree or metric:accuracy", 1),
    ] {
        let (found, done) = converted(&setting, "set", filter, "jsonl");
        assert_eq!(done.code, 0, "{filter}: {}", done.stderr);
        let lines = found.split(|byte| *byte == b'\n').count();
        assert!(lines > least, "{filter}: {lines}");
    }
    for filter in ["colour:3", "model:colour", "depth_m:x", "("] {
        let (found, done) = converted(&setting, "set", filter, "jsonl");
        assert_eq!(
            (found.len(), done.code),
            (0, 2),
            "{filter}: {}",
            done.stderr
        );
    }
}

#[test]
fn a_word_means_in_each_file_what_it_means_in_all() {
    let setting = Setting::new();
    let config = "[limits]\nwhole_set = 1\nlens_rows = 1\n";
    fs::write(setting.at("config.toml"), config).expect("it is there");
    let logs = setting.at("logs");
    fs::create_dir(&logs).expect("it is there");
    for (model, kind, other, id) in [
        ("a", "\"coco\"", "\"x\": 7", "s1"),
        ("b", "\"coco2017\"", "\"x\": \"seven\"", "s10"),
        ("c", "2017", "\"y\": \"near\"", "s11"),
    ] {
        let line = format!(
            "{{\"sample_id\": \"{id}\", \"benchmark\": \"bench\", \"ability\": \"of {model}\", \"model\": \"{model}\", \
             \"target\": \"A\", \"response\": \"A\", \"tags\": {{\"kind\": {kind}, {other}}}}}\n"
        );
        fs::write(logs.join(format!("{model}.eyechart.jsonl")), line).expect("it is there");
    }
    let set = setting.at("words");
    let done = run(&["publish", arg(&logs), "--to", arg(&set)]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    for (filter, models) in [
        ("kind:coco", "a"),
        ("kind:2017", "c"),
        ("kind:coco201", "b"),
        ("kind!=coco", "bc"),
        ("x:7", "a"),
        ("x:seven", "b"),
        ("y:near", "c"),
        ("not y:near", "ab"),
        ("sample:s1", "a"),
        ("sample:s11", "c"),
        ("sample:1", "abc"),
        ("of:a or x:7 or x~7", ""),
    ] {
        for ending in ["jsonl", "csv"] {
            let (found, _) = converted(&setting, "words", filter, ending);
            let text = String::from_utf8(found).expect("it is a text");
            if ending == "jsonl" {
                let has = |model: &char| text.contains(&format!("\"model\":\"{model}\""));
                let found: String = "abc".chars().filter(has).collect();
                assert_eq!(found, models, "{filter}: {text}");
            }
        }
    }
    for filter in ["kind:cocoo", "z:1", "x<3"] {
        let (_, done) = converted(&setting, "words", filter, "jsonl");
        assert_eq!(done.code, 2, "{filter}: {}", done.stderr);
    }
}

#[cfg(unix)]
#[test]
fn links_out_of_a_data_set_are_followed_only_if_it_is_said() {
    let setting = Setting::new();
    for folder in ["rows", "cells"] {
        let (here, there) = (setting.at("set").join(folder), setting.at(folder));
        fs::rename(&here, &there).expect("it is there");
        std::os::unix::fs::symlink(&there, &here).expect("a link");
        for run in [
            run(&["report", arg(&setting.at("set"))]),
            setting.run(&["report", "set"]),
        ] {
            assert_eq!(run.code, 1, "{}", run.stderr);
            assert!(run.stderr.contains("--follow-links"), "{}", run.stderr);
        }
        setting.same(&["samples", "set", "--filter", LENS, "--follow-links"]);
        let report = setting.run(&["report", "set", "--follow-links"]);
        assert_eq!(report.code, 0, "{}", report.stderr);
        fs::remove_file(&here).expect("it is there");
        fs::rename(&there, &here).expect("it is there");
    }
    setting.same(&["samples", "set", "--filter", LENS]);
}

#[test]
fn what_is_left_of_a_damaged_large_data_set_is_converted() {
    let setting = Setting::new();
    let file = first(&setting.at("set").join("rows"));
    let mut bytes = fs::read(&file).expect("it is there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, bytes).expect("it is there");
    let samples = ["samples", "set", "--limit", "9", "--filter", LENS];
    let [here, whole] = [setting.run(&samples), {
        let set = setting.at("set");
        let args = samples.map(|word| if word == "set" { arg(&set) } else { word });
        run(&args)
    }];
    for run in [&here, &whole] {
        assert_eq!(run.code, 4, "{}", run.stderr);
        assert!(run.stderr.contains("damaged"), "{}", run.stderr);
    }
    assert_eq!(here.stdout, whole.stdout);
    let (found, done) = converted(&setting, "set", "", "jsonl");
    assert_eq!(done.code, 4, "{}", done.stderr);
    assert!(done.stderr.contains("damaged"), "{}", done.stderr);
    let lines = found.split(|byte| *byte == b'\n').count();
    assert!(lines > 2_500, "{lines}");
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
