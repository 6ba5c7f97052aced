//! Tests a plan that several machines share. Each sample is asked by one machine, and the joined
//! run equals the run of a single machine.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::log::{Log, Output, lines, run};
use super::server::Server;

const SAMPLES: usize = 40;
/// Number of answers in a complete run: each sample at four rotations.
const ANSWERS: usize = 4 * SAMPLES;

fn rerun(log: &Log, out: &str, more: &[&str]) -> Output {
    let fixed = [
        "rerun",
        "corners.eyechart.jsonl",
        "--endpoint",
        "t",
        "--protocol",
        "rotational",
        "--format",
        "json",
        "--out",
        out,
    ];
    run(&mut log.command(&[&fixed, more].concat()))
}

/// Answers of a run, by sample and rotation.
fn answers(log: &Log, out: &str) -> BTreeMap<(String, String), Json> {
    let records = lines(&log.path(out).join("rerun.eyechart.jsonl"));
    let count = records.len();
    let key = |record: &Json| {
        (
            record["sample_id"].to_string(),
            record["condition"].to_string(),
        )
    };
    let said = |record: &Json| {
        let fields = ["response", "score", "target", "model", "image"];
        fields
            .map(|field| record[field].clone())
            .into_iter()
            .collect()
    };
    let found: BTreeMap<_, Json> = records
        .iter()
        .map(|record| (key(record), said(record)))
        .collect();
    assert_eq!(found.len(), count, "each once");
    found
}

#[test]
fn shards_ask_each_sample_once_and_join_into_the_whole_run() {
    let (log, server) = (Log::new(SAMPLES), Server::new());
    log.config(&server.base("none"), "");
    let mut asked = 0;
    for shard in ["1/3", "2/3", "3/3"] {
        let out = format!("part{}", &shard[..1]);
        let done = rerun(&log, &out, &["--shard", shard]);
        assert_eq!(done.code, 0, "{}", done.err);
        asked += answers(&log, &out).len();
    }
    assert_eq!((asked, server.count("none")), (ANSWERS, ANSWERS));
    let half = run(&mut log.command(&["join", "part1", "part3", "--out", "half"]));
    assert_eq!(half.code, 4, "{}", half.err);
    assert!(half.err.contains("--shard 2/3"), "{}", half.err);
    let joined = run(&mut log.command(&["join", "part1", "part2", "part3", "--out", "joined"]));
    assert_eq!(joined.code, 0, "{}", joined.err);
    let whole = rerun(&log, "whole", &[]);
    assert_eq!(whole.code, 0, "{}", whole.err);
    assert_eq!(answers(&log, "joined"), answers(&log, "whole"));
    // No questions are left to ask.
    let before = server.count("none");
    let goes_on = rerun(&log, "joined", &["--resume"]);
    assert_eq!(
        (goes_on.code, server.count("none")),
        (0, before),
        "{}",
        goes_on.err
    );
    let report = |out: &str| {
        let report = run(&mut log.command(&["report", out, "--format", "json"]));
        let report: Json = serde_json::from_str(&report.out).unwrap();
        report["scores"].clone()
    };
    assert_eq!(report("joined"), report("whole"));
}

#[test]
fn a_part_goes_on_only_as_the_same_part() {
    let (log, server) = (Log::new(8), Server::new());
    log.config(&server.base("none"), "");
    assert_eq!(rerun(&log, "part", &["--shard", "1/2"]).code, 0);
    let other = rerun(&log, "part", &["--shard", "2/2", "--resume"]);
    assert_eq!(other.code, 1, "{}", other.err);
    assert!(other.err.contains("shard"), "{}", other.err);
    let again = run(&mut log.command(&["join", "part", "--out", "part"]));
    assert_eq!(again.code, 1, "{}", again.err);
    assert!(
        again.err.contains("already contains a run"),
        "{}",
        again.err
    );
    let cases = [
        ("5/4", "rerun", ["--protocol", "vanilla"].as_slice()),
        ("1/2", "judge", &[]),
        ("1/2", "judge", &["--labels"]),
    ];
    for (wrong, command, more) in cases {
        let mut words = vec![
            command,
            "corners.eyechart.jsonl",
            "--endpoint",
            "t",
            "--out",
            "x",
            "--shard",
            wrong,
        ];
        words.extend(more);
        let refused = run(&mut log.command(&words));
        assert_eq!(refused.code, 2, "{words:?}");
        assert!(refused.err.contains("--shard"), "{}", refused.err);
    }
}
