//! Tests the program with two nodes of a real `ClickHouse` server: publishing, opening, and clear
//! error messages. Without a server, each test prints that it is skipped.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test ends there"
)]

mod current;
mod faults;
mod large;
mod nodes;
mod same;
#[path = "../support/skipped.rs"]
mod skipped;
#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use eyechart::record::Table;
use eyechart::store::Address;
use eyechart::store::clickhouse::{DatabaseAddress, Server, TimeLimits};
use eyechart::workspace::database::{Database, PublishedRun};
use eyechart::workspace::load::{Request, load};
use eyechart::workspace::publish::SumsScope;
use large::sums;
use nodes::{Nodes, READS, WRITES};
use serde_json::Value;
use skipped::skipped;
use support::{Run, arg, list, sample_runs};
use tempfile::TempDir;

/// A name that would end an SQL literal and inject statements.
const HOSTILE: &str = r"'; DROP TABLE eyechart_runs; -- \' `x`";

/// A home folder with its own cache, state and config file.
struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes these limits to the config file.
    fn limit(&self, limits: &[(&str, u64)]) {
        let lines = limits
            .iter()
            .map(|(name, value)| format!("{name} = {value}\n"));
        let lines: String = lines.collect();
        fs::write(self.at("config.toml"), format!("[limits]\n{lines}")).unwrap();
    }

    fn command(&self, password: &str, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eyechart"));
        command
            .args(args)
            .current_dir(self.0.path())
            .env("EYECHART_CACHE", self.at("cache"))
            .env("EYECHART_STATE", self.at("state"))
            .env("EYECHART_CONFIG", self.at("config.toml"))
            .env("EYECHART_LOG", self.at("log.txt"))
            .env("EYECHART_LOG_LEVEL", "trace")
            .env("HOME", self.0.path())
            .env_remove("CLICKHOUSE_USER")
            .env("CLICKHOUSE_PASSWORD", password)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn run(&self, password: &str, args: &[&str]) -> Run {
        let output = self.command(password, args).output().unwrap();
        self.told(output)
    }

    /// Result of a run. Asserts that it contains no password.
    fn told(&self, output: std::process::Output) -> Run {
        let texts = [output.stdout, output.stderr];
        let [stdout, stderr] = texts.map(|text| String::from_utf8(text).unwrap());
        let log = fs::read_to_string(self.at("log.txt")).unwrap_or_default();
        for text in [&stdout, &stderr, &log] {
            for secret in [READS, WRITES] {
                assert!(!text.contains(secret), "{text}");
            }
        }
        Run {
            code: output.status.code().unwrap(),
            stdout,
            stderr,
        }
    }

    /// JSON output of a command about a database.
    fn json(&self, password: &str, args: &[&str]) -> Value {
        let args = [args, &["--format", "json"]].concat();
        let run = self.run(password, &args);
        assert_eq!(run.code, 0, "{}", run.stderr);
        serde_json::from_str(&run.stdout).unwrap()
    }
}

/// Two nodes, and a home for the program.
struct Setting {
    nodes: Nodes,
    home: Home,
}

impl Setting {
    fn new() -> Option<Self> {
        Some(Self {
            nodes: Nodes::start()?,
            home: Home::new(),
        })
    }

    fn publish(&self, logs: &Path) -> Run {
        let to = self.nodes.to_both("evals");
        self.home.run(WRITES, &["publish", arg(logs), "--to", &to])
    }

    fn reader(&self) -> String {
        self.nodes.address("reader", "evals")
    }

    fn report(&self) -> Run {
        let args = ["report", &self.reader(), "--format", "json"];
        self.home.run(READS, &args)
    }

    fn json(&self) -> Value {
        self.home.json(READS, &["report", &self.reader()])
    }

    fn server(&self, user: &str, password: &str) -> Server {
        let address = self.nodes.address(user, "evals");
        let place = DatabaseAddress::of(&Address::parse(&address).unwrap().unwrap()).unwrap();
        let password = Some(password.to_owned());
        Server::reach(&place, place.user(), password, TimeLimits::usual()).unwrap()
    }

    fn database(&self) -> Database {
        let address = Address::parse(&self.reader()).unwrap().unwrap();
        let place = DatabaseAddress::of(&address).unwrap();
        Database::new(self.server("reader", READS), place)
    }
}

fn exam() -> PathBuf {
    sample_runs().join("exam")
}

/// Scores and ranks of a report, without its sources.
fn numbers(report: &Value) -> Value {
    serde_json::json!([
        report["scores"],
        report["average_rank"],
        report["subgroups"]
    ])
}

/// The same value with all lists sorted.
fn sorted(mut value: Value) -> Value {
    if let Value::Array(values) = &mut value {
        *values = values.drain(..).map(sorted).collect();
        values.sort_by_key(ToString::to_string);
    }
    value
}

fn local(path: &Path) -> Table {
    let request = Request {
        paths: vec![path.to_path_buf()],
        ..Request::default()
    };
    load(&request, &mut |_| ControlFlow::Continue(()))
}

/// Samples as texts, sorted.
fn samples(home: &Home, password: &str, args: &[&str]) -> Vec<String> {
    let found = home.json(password, &[&["samples"], args].concat());
    let texts = list(&found, "samples").iter().map(|one| {
        let [sample, model] = [&one["sample_id"], &one["model"]];
        format!("{sample} {model} {} {}", one["question"], one["response"])
    });
    let mut texts: Vec<String> = texts.collect();
    texts.sort();
    assert!(!texts.is_empty());
    texts
}

/// Log of a model that is wrong on every `wrong`th sample.
fn log(folder: &Path, name: &str, model: &str, wrong: usize) -> PathBuf {
    let line = |at: usize| {
        let line = serde_json::json!({
            "sample_id": format!("s{at}"), "benchmark": "bench", "ability": (["ocr", "counting"][at % 2]), "model": model,
            "image": format!("i{}.png", at / 3), "question": format!("Which of {at}? {HOSTILE}"), "target": "A",
            "response": format!("A {HOSTILE} {at}"), "metric": "accuracy", "score": (u8::from(!at.is_multiple_of(wrong))),
            "tags": {"size": at % 7, (HOSTILE): HOSTILE},
        });
        format!("{line}\n")
    };
    fs::create_dir_all(folder).unwrap();
    let path = folder.join(format!("{name}.eyechart.jsonl"));
    fs::write(&path, (0..90).map(line).collect::<String>()).unwrap();
    path
}

#[test]
fn what_is_published_over_two_nodes_opens_with_the_same_numbers() {
    let Some(setting) = Setting::new() else {
        return;
    };
    let here = support::eyechart(&["report", arg(&exam())]);
    let run = setting.publish(&exam());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(numbers(&setting.json()), numbers(&here));
    assert!(!list(&here, "scores").is_empty());
    for table in ["rows", "texts", "cells"] {
        for node in [0, 1] {
            let sql = format!("SELECT count() > 0 FROM evals.eyechart_{table}_local");
            assert_eq!(
                setting.nodes.told(node, &sql),
                "1\n",
                "{table} on node {node}"
            );
        }
    }
    // All rows of a sample cluster are on one node.
    let clusters = [0, 1].map(|node| {
        let sql = "SELECT DISTINCT cluster FROM evals.eyechart_rows_local";
        let told = setting.nodes.told(node, sql);
        told.lines().map(str::to_owned).collect::<BTreeSet<_>>()
    });
    assert!(clusters[0].is_disjoint(&clusters[1]));
    let again = setting.publish(&exam());
    assert!(
        again.stderr.contains("0 new or changed, 0 inserts"),
        "{}",
        again.stderr
    );
    for source in list(&setting.json(), "sources") {
        let path = source["path"].as_str().unwrap();
        assert!(path.starts_with("clickhouse://reader@127.0.0.1:"), "{path}");
    }
}

#[test]
fn names_and_texts_that_look_like_sql_are_names_and_texts() {
    let Some(setting) = Setting::new() else {
        return;
    };
    let logs = setting.home.at("logs");
    log(&logs, "a", HOSTILE, 5);
    log(&logs, "b", "plain", 3);
    let here = support::eyechart(&["report", arg(&logs)]);
    let run = setting.publish(&logs);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let there = setting.json();
    assert_eq!(numbers(&there), numbers(&here));
    assert!(
        list(&there, "scores")
            .iter()
            .any(|score| score["model"] == HOSTILE)
    );
    assert_eq!(
        samples(&setting.home, READS, &[&setting.reader()]),
        samples(&setting.home, "", &[arg(&logs)])
    );
}

#[test]
fn of_two_who_publish_at_a_time_none_is_lost_and_a_newer_log_takes_the_place_of_the_old() {
    let Some(setting) = Setting::new() else {
        return;
    };
    let logs = [("a", 5), ("b", 3), ("c", 7)];
    let logs = logs.map(|(name, wrong)| log(&setting.home.at(name), name, name, wrong));
    let to = setting.nodes.to_both("evals");
    let running = logs.each_ref().map(|log| {
        let args = ["publish", arg(log), "--to", &to];
        setting.home.command(WRITES, &args).spawn().unwrap()
    });
    for one in running {
        let output = one.wait_with_output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let database = setting.database();
    let n = |runs: &[PublishedRun]| -> u64 { runs.iter().map(|run| run.run.n).sum() };
    assert_eq!(n(&database.runs().unwrap()), 270);
    log(&setting.home.at("b"), "b", "b", 2);
    let run = setting.publish(&setting.home.at("b"));
    assert!(run.stderr.contains("1 new or changed"), "{}", run.stderr);
    assert_eq!(n(&database.runs().unwrap()), 270);
    let all = setting.home.at("all");
    fs::create_dir_all(&all).unwrap();
    for log in &logs {
        fs::copy(log, all.join(log.file_name().unwrap())).unwrap();
    }
    let here = support::eyechart(&["report", all.to_str().unwrap()]);
    // The order of models differs: it is the order of publishing.
    assert_eq!(sorted(numbers(&setting.json())), sorted(numbers(&here)));
}

#[test]
fn rows_of_a_publishing_that_was_killed_do_not_count() {
    let Some(setting) = Setting::new() else {
        return;
    };
    let logs = setting.home.at("logs");
    log(&logs, "a", "a", 5);
    assert_eq!(setting.publish(&logs).code, 0);
    let before = setting.json();
    // State after a kill before the last line is written: rows and sums have a number that is not
    // listed.
    for table in ["rows", "texts", "cells", "measures"] {
        let columns = columns(&setting, table);
        let sql = format!(
            "INSERT INTO evals.eyechart_{table}_local SELECT toUInt64(7) AS load, {columns} FROM evals.eyechart_{table}"
        );
        let told = setting.nodes.told(0, &sql);
        assert_eq!(told, "", "{told}");
    }
    assert_eq!(numbers(&setting.json()), numbers(&before));
    let mut child = {
        let more = log(&setting.home.at("more"), "b", "b", 3);
        let to = setting.nodes.to_both("evals");
        let args = ["publish", arg(&more), "--to", &to];
        setting.home.command(WRITES, &args).spawn().unwrap()
    };
    child.kill().unwrap();
    child.wait().unwrap();
    let runs = setting.database().runs().unwrap().len();
    assert!(runs == 1 || runs == 2);
    assert_eq!(setting.publish(&setting.home.at("more")).code, 0);
    assert_eq!(setting.database().runs().unwrap().len(), 2);
    // A missing row is detected, not ignored.
    for table in ["rows", "cells"] {
        let sql = format!("TRUNCATE TABLE evals.eyechart_{table}_local");
        assert_eq!(setting.nodes.told(0, &sql), "");
    }
    fs::remove_dir_all(setting.home.at("cache")).unwrap();
    let run = setting.report();
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("incomplete numbers are not shown"),
        "{}",
        run.stderr
    );
    let database = setting.database();
    let runs = database.runs().unwrap();
    let error = sums(&database, &runs, SumsScope::Whole, u64::MAX).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("incomplete numbers are not shown"),
        "{error}"
    );
}

/// All columns of a table except the first.
fn columns(setting: &Setting, table: &str) -> String {
    let sql = format!(
        "SELECT name FROM system.columns WHERE database = 'evals' AND table = 'eyechart_{table}' AND name != 'load' FORMAT TSV"
    );
    let names = setting.nodes.told(0, &sql);
    let names: Vec<String> = names.lines().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
