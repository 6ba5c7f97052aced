//! Tests that a converted copy of a log leads to the same requests, byte for byte.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value as Json;

use super::log::{Log, lines, run};
use super::server::Server;

/// Keys of the answers, which are hashes of the requests.
fn asked(log: &Log, path: &str, out: &str, more: &[&str]) -> BTreeSet<String> {
    let asking = ["rerun", path, "--endpoint", "t", "--out", out];
    let output = run(log.command(&[&asking, more].concat()).args([
        "--protocol",
        "vanilla",
        "--format",
        "json",
    ]));
    assert_eq!(output.code, 0, "{}{}", output.out, output.err);
    let journal = lines(&log.path(out).join("run.jsonl"));
    let keys = journal.iter().filter_map(|line| line["key"].as_str());
    keys.map(str::to_owned).collect()
}

#[test]
fn copies_of_logs_are_asked_what_the_logs_asked() {
    let (log, server) = (Log::new(1), Server::new());
    log.config(&server.base("none"), "");
    log.patient();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    for (name, path, more) in [
        (
            "inspect",
            "inspect_ai/logs/2026-11-21T00-26-03-00-00_mini-color_f7pFjhtwgGsvRnYBP9L5fJ.eval",
            &["--limit", "6"][..],
        ),
        ("vlmevalkit", "vlmevalkit", &["--limit", "6"][..]),
    ] {
        let path = fixtures.join(path);
        let path = path.to_str().unwrap();
        let expected = asked(&log, path, &format!("{name}-log"), more);
        assert!(!expected.is_empty(), "{name}: nothing was asked");
        for ending in ["eyechart.jsonl", "parquet", "csv", "arrow"] {
            let copy = format!("copies-{name}/{ending}/it.{ending}");
            std::fs::create_dir_all(log.path(&copy).parent().unwrap()).unwrap();
            let made = run(&mut log.command(&["convert", path, "--out", &copy]));
            assert_eq!(made.code, 0, "{}{}", made.out, made.err);
            let found = asked(&log, &copy, &format!("{name}-{ending}"), more);
            assert_eq!(found, expected, "{name} as {ending}");
        }
        if name == "inspect" {
            let said = |path: &str| {
                let shown = run(&mut log.command(&["show", path, "--sample", "color-1"]));
                let told = shown.out.lines();
                let told = told.skip_while(|line| *line != "Conversation").skip(1);
                let told = told.take_while(|line| line.starts_with("  "));
                told.map(str::to_owned).collect::<Vec<String>>()
            };
            let copy = format!("copies-{name}/parquet/it.parquet");
            assert_eq!(said(&copy), said(path));
            assert_eq!(said(path).first().map(String::as_str), Some("  [system]"));
        }
        let published = format!("copies-{name}/set");
        let made = run(&mut log.command(&["publish", path, "--to", &published]));
        assert_eq!(made.code, 0, "{}{}", made.out, made.err);
        let found = asked(&log, &published, &format!("{name}-set"), more);
        assert_eq!(found, expected, "{name} as a published set");
    }
}

#[test]
fn copies_of_reruns_tell_what_their_requests_took() {
    let (log, server) = (Log::new(4), Server::new());
    log.config(&server.base("none"), "prices = [1.0, 2.0]");
    log.found(&["--protocol", "vanilla"]);
    let told = |path: &str| -> Json {
        let report = run(&mut log.command(&["report", path, "--format", "json"]));
        let report: Json = serde_json::from_str(&report.out).unwrap();
        report["costs"].clone()
    };
    let expected = told("out/rerun.eyechart.jsonl");
    assert_eq!(expected[0]["requests"], 4, "{expected}");
    for ending in ["eyechart.jsonl", "parquet", "csv"] {
        let (first, second) = (format!("c/first.{ending}"), format!("c/second.{ending}"));
        std::fs::create_dir_all(log.path("c")).unwrap();
        for (from, to) in [("out/rerun.eyechart.jsonl", &first), (&first, &second)] {
            let made = run(&mut log.command(&["convert", from, "--out", to]));
            assert_eq!(made.code, 0, "{}{}", made.out, made.err);
            assert_eq!(told(to), expected, "{to}");
        }
    }
}

#[test]
fn the_log_of_a_rerun_of_a_rerun_is_read_and_says_nothing_of_how_the_first_log_asked() {
    let (log, server) = (Log::new(2), Server::new());
    log.config(&server.base("none"), "");
    let line = log.path("corners.eyechart.jsonl");
    let asked = std::fs::read_to_string(&line).unwrap();
    let sent = r#","sent":{"system":"Be brief.","messages":[{"role":"user","content":["In which corner is the red block?",{"picture":0}]}]}}"#;
    let asked: Vec<String> = asked
        .lines()
        .map(|line| line.strip_suffix('}').unwrap().to_owned() + sent + "\n")
        .collect();
    std::fs::write(&line, asked.concat()).unwrap();
    asked_again(&log, "corners.eyechart.jsonl", "first", "rotational");
    asked_again(&log, "first/rerun.eyechart.jsonl", "second", "blind");
    for out in ["first", "second"] {
        let path = format!("{out}/rerun.eyechart.jsonl");
        let checked = run(&mut log.command(&["check", &path, "--strict"]));
        assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
        let lines = lines(&log.path(&path));
        assert!(!lines.is_empty());
        assert!(
            lines
                .iter()
                .all(|line| line["sent"].is_null() && line["rerun"].is_object())
        );
    }
}

fn asked_again(log: &Log, path: &str, out: &str, protocol: &str) {
    let asking = [
        "rerun",
        path,
        "--endpoint",
        "t",
        "--out",
        out,
        "--protocol",
        protocol,
    ];
    let output = run(&mut log.command(&asking));
    assert_eq!(output.code, 0, "{}{}", output.out, output.err);
}
