//! The program on two nodes of a real `ClickHouse` server: what is published there, opened from there, and said when
//! something is not to be had. Where no server is found, each test says that it is skipped.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test ends there"
)]

#[path = "support/clickhouse.rs"]
mod nodes;
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use eyechart::analysis::{Cell, Selection, Summed, stable_splits, summed};
use eyechart::clickhouse::{Patience, Place, Server};
use eyechart::record::ModelId;
use eyechart::record::{Scoring, Table};
use eyechart::store::Address;
use eyechart::workspace::database::{Database, DatabaseSums, Published, WantedSums};
use eyechart::workspace::load::{Request, load};
use eyechart::workspace::publish::{PublishError, RunOfSums, Which};
use nodes::{Nodes, READS, WRITES};
use serde_json::Value;
use support::{Run, list, sample_runs};
use tempfile::TempDir;

/// A name that would end a text of SQL, and everything after it.
const HOSTILE: &str = r"'; DROP TABLE eyechart_runs; -- \' `x`";

struct Setting {
    nodes: Nodes,
    home: TempDir,
}

impl Setting {
    fn new() -> Option<Self> {
        Some(Self {
            nodes: Nodes::start()?,
            home: tempfile::tempdir().unwrap(),
        })
    }

    fn at(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn command(&self, password: &str, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eyechart"));
        command
            .args(args)
            .current_dir(self.home.path())
            .env("EYECHART_CACHE", self.at("cache"))
            .env("EYECHART_STATE", self.at("state"))
            .env("EYECHART_CONFIG", self.at("config.toml"))
            .env("EYECHART_LOG", self.at("log.txt"))
            .env("EYECHART_LOG_LEVEL", "trace")
            .env("HOME", self.home.path())
            .env_remove("CLICKHOUSE_USER")
            .env("CLICKHOUSE_PASSWORD", password);
        command
    }

    fn run(&self, password: &str, args: &[&str]) -> Run {
        let output = self.command(password, args).output().unwrap();
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

    fn publish(&self, logs: &Path) -> Run {
        let to = self.nodes.to_both("evals");
        self.run(WRITES, &["publish", logs.to_str().unwrap(), "--to", &to])
    }

    fn reader(&self) -> String {
        self.nodes.address("reader", "evals")
    }

    fn report(&self) -> Run {
        self.run(READS, &["report", &self.reader(), "--format", "json"])
    }

    fn json(&self) -> Value {
        let run = self.report();
        assert_eq!(run.code, 0, "{}", run.stderr);
        serde_json::from_str(&run.stdout).unwrap()
    }

    fn database(&self) -> Database {
        let address = Address::parse(&self.reader()).unwrap().unwrap();
        let place = Place::of(&address).unwrap();
        let password = Some(READS.to_owned());
        let server = Server::reach(&place, place.user(), password, Patience::usual());
        Database::new(server.unwrap(), place)
    }
}

fn exam() -> PathBuf {
    sample_runs().join("exam")
}

/// What a report says of models, without where it was read.
fn numbers(report: &Value) -> Value {
    serde_json::json!([
        report["scores"],
        report["average_rank"],
        report["subgroups"]
    ])
}

fn local(path: &Path) -> Table {
    let request = Request {
        paths: vec![path.to_path_buf()],
        ..Request::default()
    };
    load(&request, false, &mut |_| ControlFlow::Continue(()))
}

/// A log of a model: right answers to all but every `wrong`th sample.
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
    let here = support::eyechart(&["report", exam().to_str().unwrap()]);
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
    // All rows of a cluster of samples lie on one node.
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

/// All cells of a measure and a model, in an order that no code has a part in.
type Cells = BTreeMap<(String, String), Vec<Cell>>;

fn by_name(sums: &[Summed], models: &[String]) -> Cells {
    let mut found = Cells::new();
    for sum in sums {
        let rules: Vec<_> = sum.rules.values().flatten().collect();
        let bare = Summed {
            cells: Vec::new(),
            rules: BTreeMap::new(),
            ..sum.clone()
        };
        for cell in &sum.cells {
            let key = (
                format!("{bare:?} {:?}", rules.first()),
                models[usize::from(cell.model)].clone(),
            );
            found.entry(key).or_default().push(Cell {
                part: 0,
                model: 0,
                cluster: 0,
                ..*cell
            });
        }
    }
    for cells in found.values_mut() {
        cells.sort_by(|a, b| {
            let keys =
                [a, b].map(|cell| (cell.items, cell.n, cell.right, cell.invalid, cell.others));
            keys[0].cmp(&keys[1]).then(a.sum.total_cmp(&b.sum))
        });
    }
    found
}

/// Counts are the same, and sums within 1e-9.
fn assert_same(found: &Cells, expected: &Cells) {
    assert_eq!(
        found.keys().collect::<Vec<_>>(),
        expected.keys().collect::<Vec<_>>()
    );
    for (key, expected) in expected {
        let found = &found[key];
        assert_eq!(found.len(), expected.len(), "{key:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!((found.sum - expected.sum).abs() < 1e-9, "{key:?}");
            let rounded = |cell: &Cell| Cell { sum: 0.0, ..*cell };
            assert_eq!(rounded(found), rounded(expected), "{key:?}");
        }
    }
}

/// The sums of all runs, whose models have the codes 0, 1, and so on.
fn sums(
    database: &Database,
    runs: &[Published],
    which: Which<'_>,
    most: u64,
) -> Result<DatabaseSums, PublishError> {
    let abilities: Vec<BTreeSet<&str>> = runs
        .iter()
        .map(|run| run.run.abilities.keys().map(String::as_str).collect())
        .collect();
    let coded = runs.iter().zip(&abilities).zip(0..);
    let coded: Vec<_> = coded
        .map(|((run, abilities), code)| {
            let of = RunOfSums {
                run: &run.run,
                model: ModelId(code),
                abilities,
            };
            (run, of)
        })
        .collect();
    let wanted = WantedSums {
        runs: &coded,
        which,
        most,
    };
    database.sums(wanted, &mut || ControlFlow::Continue(()))
}

#[test]
fn sums_that_the_server_adds_up_are_those_of_the_table() {
    let Some(setting) = Setting::new() else {
        return;
    };
    assert_eq!(setting.publish(&exam()).code, 0);
    let table = local(&exam());
    let expected = summed(
        Selection::all(&table, Scoring::Harness),
        &stable_splits(&table),
        &vec![0; table.len()],
    );
    let models = table.names().models.values().to_vec();
    let database = setting.database();
    let runs = database.runs().unwrap();
    assert_eq!(
        runs.iter().map(|run| run.run.n).sum::<u64>(),
        table.len() as u64
    );
    let names: Vec<String> = runs.iter().map(|run| run.run.model.clone()).collect();
    let is_whole = |sum: &&Summed| sum.bin.is_none();
    let whole: Vec<Summed> = expected.iter().filter(is_whole).cloned().collect();
    let found = sums(&database, &runs, Which::Whole, u64::MAX).unwrap();
    assert_eq!((found.joined, found.notice()), (None, None));
    assert_same(&by_name(&found.sums, &names), &by_name(&whole, &models));
    let mut splits = 0;
    for split in stable_splits(&table) {
        let is_own = |sum: &&Summed| sum.bin.as_ref().is_some_and(|bin| bin.by == split.text);
        let own: Vec<Summed> = expected.iter().filter(is_own).cloned().collect();
        let found = sums(&database, &runs, Which::Bins(&split.text), u64::MAX).unwrap();
        assert_same(&by_name(&found.sums, &names), &by_name(&own, &models));
        splits += usize::from(!own.is_empty());
    }
    assert!(splits > 0);
    // Joined groups and totals hold the same values.
    let count = |sums: &[Summed]| -> u64 {
        let cells = sums.iter().flat_map(|sum| &sum.cells);
        cells.map(|cell| cell.n).sum()
    };
    let joined = sums(&database, &runs, Which::Whole, 0).unwrap();
    assert_eq!(joined.joined, Some(1024));
    assert!(joined.notice().unwrap().contains("limits.database_groups"));
    let totals = sums(&database, &runs, Which::Totals, u64::MAX).unwrap();
    assert_eq!(
        [count(&joined.sums), count(&totals.sums)],
        [count(&whole); 2]
    );
}

#[test]
fn a_node_that_is_gone_is_an_error_and_never_a_smaller_number() {
    let Some(setting) = Setting::new() else {
        return;
    };
    assert_eq!(setting.publish(&exam()).code, 0);
    setting.nodes.signal(1, 9);
    let run = setting.report();
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("clickhouse://reader@"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("code "), "{}", run.stderr);
    let error = setting.database().runs().unwrap_err().to_string();
    assert!(
        error.contains("does not answer") || error.contains("broke off"),
        "{error}"
    );
    let written = setting.publish(&exam());
    assert_ne!(written.code, 0);
}

#[test]
fn a_node_that_hangs_is_given_up_at_the_own_deadline() {
    let Some(setting) = Setting::new() else {
        return;
    };
    assert_eq!(setting.publish(&exam()).code, 0);
    fs::write(setting.at("config.toml"), "[limits]\nquery_time = 2\n").unwrap();
    setting.nodes.signal(1, 19);
    let run = setting.report();
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("limit"), "{}", run.stderr);
    setting.nodes.signal(1, 18);
    let left = "SELECT count() FROM system.processes WHERE query NOT LIKE '%system.processes%' AND user = 'reader'";
    // The query that was given up was stopped, too.
    while setting.nodes.told(0, left) != "0\n" {
        std::thread::yield_now();
    }
    assert_eq!(setting.report().code, 0);
}

#[test]
fn wrong_passwords_and_users_who_only_read_are_told() {
    let Some(setting) = Setting::new() else {
        return;
    };
    let to = setting.nodes.address("reader", "evals");
    let logs = exam();
    let none = setting.report();
    assert_eq!(none.code, 1, "{}", none.stderr);
    let refused = setting.run(READS, &["publish", logs.to_str().unwrap(), "--to", &to]);
    assert_ne!(refused.code, 0);
    assert!(refused.stderr.contains("code 164"), "{}", refused.stderr);
    assert_eq!(setting.publish(&exam()).code, 0);
    let wrong = setting.run("WRONG-WORD", &["report", &to]);
    assert_eq!(wrong.code, 1, "{}", wrong.stderr);
    assert!(
        wrong.stderr.contains("does not know this user"),
        "{}",
        wrong.stderr
    );
    assert!(!wrong.stderr.contains("WRONG-WORD"), "{}", wrong.stderr);
    let fixed = setting.nodes.address("fixed", "evals");
    let run = setting.run(READS, &["report", &fixed, "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let inside = format!("clickhouse://reader:{READS}@127.0.0.1/evals");
    assert_eq!(setting.run("", &["report", &inside]).code, 2);
}

#[test]
fn names_and_texts_that_look_like_sql_are_names_and_texts() {
    let Some(setting) = Setting::new() else {
        return;
    };
    let logs = setting.at("logs");
    log(&logs, "a", HOSTILE, 5);
    log(&logs, "b", "plain", 3);
    let here = support::eyechart(&["report", logs.to_str().unwrap()]);
    let run = setting.publish(&logs);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let there = setting.json();
    assert_eq!(numbers(&there), numbers(&here));
    assert!(
        list(&there, "scores")
            .iter()
            .any(|score| score["model"] == HOSTILE)
    );
    let samples = |of: &str, password| {
        let run = setting.run(password, &["samples", of, "--format", "json"]);
        let found: Value = serde_json::from_str(&run.stdout).unwrap();
        let found = list(&found, "samples").iter();
        let mut texts: Vec<String> = found
            .map(|one| {
                format!(
                    "{} {} {}",
                    one["sample_id"], one["question"], one["response"]
                )
            })
            .collect();
        texts.sort();
        texts
    };
    assert_eq!(
        samples(&setting.reader(), READS),
        samples(logs.to_str().unwrap(), "")
    );
}

#[test]
fn of_two_who_publish_at_a_time_none_is_lost_and_a_newer_log_takes_the_place_of_the_old() {
    let Some(setting) = Setting::new() else {
        return;
    };
    let logs = [("a", 5), ("b", 3), ("c", 7)];
    let logs = logs.map(|(name, wrong)| log(&setting.at(name), name, name, wrong));
    let to = setting.nodes.to_both("evals");
    let running = logs.each_ref().map(|log| {
        let args = ["publish", log.to_str().unwrap(), "--to", &to];
        let mut command = setting.command(WRITES, &args);
        command.stderr(Stdio::piped()).spawn().unwrap()
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
    let n = |runs: &[Published]| -> u64 { runs.iter().map(|run| run.run.n).sum() };
    assert_eq!(n(&database.runs().unwrap()), 270);
    log(&setting.at("b"), "b", "b", 2);
    let run = setting.publish(&setting.at("b"));
    assert!(run.stderr.contains("1 new or changed"), "{}", run.stderr);
    assert_eq!(n(&database.runs().unwrap()), 270);
    let all = setting.at("all");
    fs::create_dir_all(&all).unwrap();
    for log in &logs {
        fs::copy(log, all.join(log.file_name().unwrap())).unwrap();
    }
    let here = support::eyechart(&["report", all.to_str().unwrap()]);
    assert_eq!(numbers(&setting.json()), numbers(&here));
}

#[test]
fn rows_of_a_publishing_that_was_killed_do_not_count() {
    let Some(setting) = Setting::new() else {
        return;
    };
    let logs = setting.at("logs");
    log(&logs, "a", "a", 5);
    assert_eq!(setting.publish(&logs).code, 0);
    let before = setting.json();
    // What one leaves that is killed before its line is written: rows and sums under a number of their own.
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
        let more = log(&setting.at("more"), "b", "b", 3);
        let to = setting.nodes.to_both("evals");
        let args = ["publish", more.to_str().unwrap(), "--to", &to];
        setting
            .command(WRITES, &args)
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    child.kill().unwrap();
    child.wait().unwrap();
    let runs = setting.database().runs().unwrap().len();
    assert!(runs == 1 || runs == 2);
    assert_eq!(setting.publish(&setting.at("more")).code, 0);
    assert_eq!(setting.database().runs().unwrap().len(), 2);
    // A row that is gone is noticed, and not left out.
    for table in ["rows", "cells"] {
        let sql = format!("TRUNCATE TABLE evals.eyechart_{table}_local");
        assert_eq!(setting.nodes.told(0, &sql), "");
    }
    fs::remove_dir_all(setting.at("cache")).unwrap();
    let run = setting.report();
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("no numbers are shown that lack"),
        "{}",
        run.stderr
    );
    let database = setting.database();
    let runs = database.runs().unwrap();
    let error = sums(&database, &runs, Which::Whole, u64::MAX).unwrap_err();
    assert!(
        error.to_string().contains("no numbers are shown that lack"),
        "{error}"
    );
}

/// All columns of a table but the first.
fn columns(setting: &Setting, table: &str) -> String {
    let sql = format!(
        "SELECT name FROM system.columns WHERE database = 'evals' AND table = 'eyechart_{table}' AND name != 'load' FORMAT TSV"
    );
    let names = setting.nodes.told(0, &sql);
    let names: Vec<String> = names.lines().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
