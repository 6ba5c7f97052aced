//! Tests the label audit: which verdicts count, what they change, and that no confirmed verdict is
//! lost.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test ends there"
)]

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::own_format::log;
use crate::support::{arg, assert_near, eyechart, list, one, run, texts};

/// Path of the verdict file in a folder of logs.
fn beside(folder: &Path) -> PathBuf {
    folder.join("eyechart.verdicts.jsonl")
}

/// One line of a verdict file.
fn word(id: &str, verdict: &str, author: &str, second: usize) -> String {
    let at = format!(
        "2026-01-01T{:02}:{:02}:{:02}Z",
        second / 3600,
        second / 60 % 60,
        second % 60
    );
    json!({"sample_id": id, "benchmark": "b", "ability": "choice", "verdict": verdict, "note": "", "author": author, "at": at})
        .to_string()
}

/// Twelve questions. `near` is right on all but two. `far` is right only on these two, and on two
/// others whose labels are wrong.
fn runs() -> TempDir {
    let ask = |at: usize, model: &str, right: bool| {
        json!({
            "sample_id": format!("q{at}"), "benchmark": "b", "ability": "choice", "model": model, "choices": ["yes", "no", "maybe"],
            "target": "A", "response": if right { "A" } else { "B" }, "tags": {"dataset": if at < 6 { "one" } else { "two" }},
        })
        .to_string()
        .into_bytes()
    };
    let lines: Vec<Vec<u8>> = (0..12)
        .flat_map(|at| [ask(at, "near", at > 3), ask(at, "far", at < 4 || at == 7)])
        .collect();
    log(&lines)
}

/// Runs `verdicts` on a folder with these lines in its verdict file.
fn audit(folder: &TempDir, words: &[String], args: &[&str]) -> Value {
    fs::write(beside(folder.path()), words.join("\n") + "\n").unwrap();
    eyechart(&[&["verdicts", arg(folder.path())], args].concat())
}

#[test]
fn counts_error_rate_and_what_is_left_out() {
    let folder = runs();
    let words = [
        word("q0", "wrong_label", "ada", 1),
        word("q1", "ok", "ada", 2),
        word("q1", "wrong_label", "ada", 3),
        word("q2", "bad_image", "ada", 4),
        word("q3", "ambiguous", "ada", 5),
        word("q4", "ok", "ada", 6),
        word("q5", "ok", "ada", 7),
        word("q5", "none", "ada", 8),
        word("elsewhere", "ok", "ada", 9),
    ];
    let found = audit(&folder, &words, &[]);
    assert_eq!(found["schema"], "eyechart.verdicts/1");
    assert_eq!(found["audited"], 5);
    assert_eq!(
        found["counts"],
        json!({"ok": 1, "wrong_label": 2, "ambiguous": 1, "bad_image": 1})
    );
    assert_near(&found["error_rate"], 0.4, 1e-12, "two of five");
    // statsmodels: proportion_confint(2, 5, method="wilson").
    assert_near(&found["error_rate_ci"][0], 0.117_620_774_4, 1e-9, "low");
    assert_near(&found["error_rate_ci"][1], 0.769_275_718_6, 1e-9, "high");
    assert_eq!(
        (&found["not_in_logs"], &found["rule_of_three"]),
        (&json!(1), &Value::Null)
    );
    assert_eq!(
        texts(list(&found, "flagged"), "verdict"),
        ["wrong_label", "wrong_label", "bad_image"]
    );
    let scores = list(&found["without_flagged"], "scores");
    let near = one(scores, &[("model", "near"), ("metric", "accuracy")]);
    assert_eq!((&near["n"], &near["score"]), (&json!(9), &json!(8.0 / 9.0)));
    let brief = run(&["verdicts", arg(folder.path())]).stdout;
    let first = "All samples: 2 of 5 verdicts find a wrong label, error rate 0.4000 [0.1176, 0.7693]; 12 samples.\nWithout 3 flagged samples: the ranks stay as they are.\n";
    assert!(brief.starts_with(first), "{brief}");
    assert!(!brief.contains("Authors"), "{brief}");
    let long = run(&["verdicts", arg(folder.path()), "--long"]).stdout;
    for title in ["Label errors", "Authors", "Flagged samples"] {
        assert!(long.contains(title), "{title}: {long}");
    }
    let dropped = audit(&folder, &words, &["--drop-ambiguous"]);
    let near = one(
        list(&dropped["without_flagged"], "scores"),
        &[("model", "near"), ("metric", "accuracy")],
    );
    assert_eq!((&near["n"], &near["score"]), (&json!(8), &json!(1.0)));
    assert_eq!(
        list(&found, "rank_changes").len(),
        0,
        "near was first before"
    );
}

#[test]
fn answers_are_scored_anew_against_a_corrected_label() {
    let folder = runs();
    let rather = |id: &str, target: Value| {
        let mut entry: Value = serde_json::from_str(&word(id, "wrong_label", "ada", 1)).unwrap();
        entry["target"] = target;
        entry.to_string()
    };
    let words = [
        rather("q0", json!("B")),
        rather("q1", json!("no")),
        word("q2", "wrong_label", "ada", 2),
        word("q4", "bad_image", "ada", 3),
    ];
    let found = audit(&folder, &words, &[]);
    let corrected = &found["corrected"];
    assert_eq!(corrected["samples"], 2);
    // Of the ten remaining samples, near is wrong only on q3, and far is right on q3 and q7.
    for (model, right) in [("near", 9.0), ("far", 2.0)] {
        let row = one(
            list(corrected, "scores"),
            &[("model", model), ("metric", "accuracy")],
        );
        assert_eq!(
            (&row["n"], &row["score"]),
            (&json!(10), &json!(right / 10.0))
        );
    }
    let plain = audit(&folder, &[word("q0", "wrong_label", "ada", 1)], &[]);
    assert_eq!(plain["corrected"], Value::Null);
}

#[test]
fn statements_about_ranks_that_change_are_named() {
    let folder = runs();
    let right_of_near: Vec<String> = (4..12)
        .filter(|at| *at != 7)
        .map(|at| word(&format!("q{at}"), "wrong_label", "ada", 1))
        .collect();
    let found = audit(&folder, &right_of_near, &[]);
    let swap = one(
        list(&found, "rank_changes"),
        &[("kind", "swap"), ("ability", "choice")],
    );
    assert_eq!(
        (&swap["ahead"], &swap["behind"]),
        (&json!("far"), &json!("near"))
    );
    let firsts: Vec<&Value> = list(&found, "rank_changes")
        .iter()
        .filter(|change| change["kind"] == "first")
        .collect();
    assert_eq!(firsts.len(), 2, "in the ability and in the average rank");
    assert_eq!(firsts[0]["after"], json!(["far"]));
}

#[test]
fn without_an_error_the_bound_is_said() {
    let folder = runs();
    let words: Vec<String> = (0..12)
        .map(|at| word(&format!("q{at}"), "ok", "ada", at))
        .collect();
    let found = audit(&folder, &words, &[]);
    assert_near(&found["rule_of_three"], 0.25, 1e-12, "3 of 12");
    assert_eq!(found["error_rate"], 0.0);
    assert_near(
        &found["weighted"]["effective_n"],
        12.0,
        1e-9,
        "all of both data sets",
    );
    assert_eq!(found["more_for_0.05"], 0, "there are no more");
    let none = audit(&folder, &[], &[]);
    assert_eq!(
        (&none["audited"], &none["error_rate"], &none["weighted"]),
        (&json!(0), &Value::Null, &Value::Null)
    );
}

#[test]
fn two_people_agree_as_far_as_they_do() {
    let folder = runs();
    let other = folder.path().join("bob.verdicts.jsonl");
    let words: Vec<String> = (0..10)
        .map(|at| {
            word(
                &format!("q{at}"),
                if at < 5 { "ok" } else { "wrong_label" },
                "bob",
                at,
            )
        })
        .collect();
    fs::write(&other, words.join("\n") + "\n").unwrap();
    let own: Vec<String> = (0..10)
        .map(|at| {
            word(
                &format!("q{at}"),
                if at < 4 { "ok" } else { "wrong_label" },
                "ada",
                at,
            )
        })
        .collect();
    let found = audit(&folder, &own, &[]);
    let agreement = &list(&found, "agreement")[0];
    assert_eq!(
        (&agreement["a"], &agreement["b"], &agreement["n"]),
        (&json!("ada"), &json!("bob"), &json!(10))
    );
    assert_near(&agreement["observed"], 0.9, 1e-12, "nine of ten");
    assert_near(&agreement["kappa"], 0.8, 1e-12, "(0.9 - 0.5) / 0.5");
    assert_eq!(list(&found, "files").len(), 2);
    let bob = audit(&folder, &own, &["--author", "bob"]);
    assert_eq!(
        (&bob["author"], &bob["counts"]["wrong_label"]),
        (&json!("bob"), &json!(5))
    );
    // For both authors together, the later of the two verdicts on q4 counts.
    assert_eq!(found["audited"], 10);
}

#[test]
fn filters_know_verdicts() {
    let folder = runs();
    let words = [
        word("q0", "wrong_label", "ada", 1),
        word("q1", "ok", "ada", 1),
        word("q1", "ambiguous", "bob", 1),
    ];
    fs::write(beside(folder.path()), words.join("\n")).unwrap();
    let cases: [(&str, &[&str]); 8] = [
        ("verdict:wrong_label model:near", &["q0"]),
        ("verdict:ok model:near", &["q1"]),
        ("verdict:ambiguous model:near", &["q1"]),
        ("verdict:any model:near", &["q0", "q1"]),
        ("verdict=bad_image", &[]),
        ("verdict:none sample~\"q[0-3]$\" model:near", &["q2", "q3"]),
        ("verdict!=none model:near", &["q0", "q1"]),
        ("not verdict:any model:near sample:q3", &["q3"]),
    ];
    for (filter, ids) in cases {
        let found = eyechart(&["samples", arg(folder.path()), "--filter", filter]);
        assert_eq!(texts(list(&found, "samples"), "sample_id"), ids, "{filter}");
    }
    let report = eyechart(&["report", arg(folder.path()), "--filter", "verdict:any"]);
    assert_eq!(list(&report, "scores")[0]["n"], 2);
    let run = run(&["samples", arg(folder.path()), "--filter", "verdict:wrong"]);
    assert!(
        run.code == 2 && run.stderr.contains("wrong_label") && run.stderr.contains("^^^^^"),
        "{}",
        run.stderr
    );
}

#[test]
fn verdicts_are_no_log_and_their_bad_lines_are_told() {
    let folder = runs();
    let text = format!(
        "{}\nnonsense\n{}",
        word("q0", "ok", "ada", 1),
        &word("q1", "ok", "ada", 1)[..30]
    );
    fs::write(beside(folder.path()), text).unwrap();
    let check = run(&[
        "check",
        "--strict",
        arg(folder.path()),
        arg(&beside(folder.path())),
    ]);
    assert_eq!(check.code, 3, "{}{}", check.stdout, check.stderr);
    for place in [":2 ", ":3 "] {
        assert!(check.stdout.contains(place), "{}", check.stdout);
    }
    let found = eyechart(&["verdicts", arg(folder.path())]);
    let places = texts(list(&found, "problems"), "where");
    assert!(
        places[0].ends_with(":2") && places[1].ends_with(":3"),
        "{places:?}"
    );
    assert_eq!(found["audited"], 1);
}

#[test]
fn a_spot_check_is_drawn_from_what_the_author_has_not_judged() {
    let folder = runs();
    fs::write(beside(folder.path()), word("q0", "ok", "ada", 1)).unwrap();
    let drawn = |args: &[&str]| {
        let found =
            eyechart(&[&["verdicts", arg(folder.path()), "--spot-check", "6"], args].concat());
        texts(list(&found, "samples"), "sample_id")
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let first = drawn(&["--seed", "5", "--author", "ada"]);
    assert_eq!(first, drawn(&["--seed", "5", "--author", "ada"]));
    assert_ne!(first, drawn(&["--seed", "6", "--author", "ada"]));
    let one = first
        .iter()
        .filter(|id| id[1..].parse::<u32>().unwrap() < 6)
        .count();
    assert_eq!(one, 3, "5 of 11 lie in that data set: {first:?}");
    let all: BTreeSet<String> = (0..20)
        .flat_map(|seed| drawn(&["--author", "ada", "--seed", &seed.to_string()]))
        .collect();
    assert!(!all.contains("q0") && all.len() == 11, "{all:?}");
    assert!((0..20).any(|seed| {
        drawn(&["--author", "bob", "--seed", &seed.to_string()]).contains(&"q0".to_owned())
    }));
}

#[test]
fn suspects_come_first() {
    let ask = |id: &str, model: &str, response: &str| {
        json!({"sample_id": id, "ability": "choice", "model": model, "choices": ["yes", "no", "maybe"], "target": "A", "response": response})
            .to_string()
            .into_bytes()
    };
    let answers = [
        ("fine", "AA"),
        ("torn", "BC"),
        ("suspect", "CC"),
        ("hard", "AB"),
    ];
    let both = |(id, answers): (&str, &'static str)| {
        [ask(id, "m", &answers[..1]), ask(id, "n", &answers[1..])]
    };
    let folder = log(&answers.into_iter().flat_map(both).collect::<Vec<_>>());
    let found = eyechart(&[
        "samples",
        arg(folder.path()),
        "--sort",
        "suspect",
        "--limit",
        "3",
    ]);
    assert_eq!(
        texts(list(&found, "samples"), "sample_id"),
        ["suspect", "suspect", "fine"]
    );
}

#[test]
fn entries_of_another_file_are_taken_over_once() {
    let folder = runs();
    let other = folder.path().join("theirs.jsonl.txt");
    let words = [
        word("q0", "ok", "bob", 1),
        "nonsense".to_owned(),
        word("q1", "ok", "bob", 2),
    ];
    fs::write(&other, words.join("\n")).unwrap();
    let import = || run(&["verdicts", arg(folder.path()), "--import", arg(&other)]);
    let first = import();
    assert_eq!(
        (first.code, first.stdout.lines().count()),
        (1, 2),
        "{}",
        first.stderr
    );
    assert!(first.stderr.contains("line 2"), "{}", first.stderr);
    assert_eq!(import().stdout, "", "they are there");
    // In the file each line also has a checksum.
    let kept = fs::read(beside(folder.path())).unwrap();
    let told = eyechart::record::verdict::parse_lines(first.stdout.as_bytes());
    assert_eq!(eyechart::record::verdict::parse_lines(&kept), told);
    let named = folder.path().join("x/y.verdicts.jsonl");
    fs::write(&other, word("q2", "ok", "bob", 3)).unwrap();
    let failed = run(&[
        "verdicts",
        arg(folder.path()),
        "--verdicts",
        arg(&named),
        "--import",
        arg(&other),
    ]);
    assert!(
        failed.code == 1 && failed.stderr.contains("y.verdicts.jsonl"),
        "{}",
        failed.stderr
    );
}

/// An import process that reads from its standard input.
fn writer(folder: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_eyechart"))
        .args(["verdicts", arg(folder), "--import", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs")
}

/// Feeds an import until all lines are written or the process ends.
fn feed(child: &mut Child, words: Vec<String>) -> std::thread::JoinHandle<()> {
    let mut stdin = child.stdin.take().expect("a pipe");
    std::thread::spawn(move || {
        for word in words {
            if writeln!(stdin, "{word}").is_err() {
                return;
            }
        }
    })
}

/// Sample id and author of each entry in a file, and the number of invalid lines.
fn kept(path: &Path) -> (BTreeSet<(String, String)>, usize) {
    let text = fs::read(path).unwrap_or_default();
    let mut broken = 0;
    let mut found = BTreeSet::new();
    for line in text
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        match serde_json::from_slice::<Value>(line) {
            Ok(entry) => drop(found.insert(key(&entry))),
            Err(_) => broken += 1,
        }
    }
    (found, broken)
}

fn key(entry: &Value) -> (String, String) {
    let text = |field: &str| entry[field].as_str().expect("a text").to_owned();
    (text("sample_id"), text("author"))
}

#[test]
fn every_confirmed_word_survives_a_kill_at_any_moment() {
    let folder = TempDir::new().unwrap();
    let path = beside(folder.path());
    let mut confirmed = BTreeSet::new();
    let mut kills = 0;
    // A fixed series of times, most of them shortly after a confirmation.
    for round in 0..90 {
        let after = [1, 2, 30, 3, 90, 4][round % 6];
        let words = (0..600)
            .map(|at| word(&format!("q{at}"), "ok", &format!("round{round}"), at))
            .collect();
        let mut child = writer(folder.path());
        let feeding = feed(&mut child, words);
        let mut acknowledged = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let entry =
            |line: std::io::Result<String>| key(&serde_json::from_str(&line.unwrap()).unwrap());
        confirmed.extend(acknowledged.by_ref().take(after).map(entry));
        std::thread::sleep(Duration::from_micros(round as u64 * 61 % 700));
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        // A truncated line does not count as a confirmation.
        let rest = acknowledged.filter_map(|line| serde_json::from_str(&line.ok()?).ok());
        confirmed.extend(rest.map(|entry: Value| key(&entry)));
        feeding.join().unwrap();
        let (found, broken) = kept(&path);
        let lost: Vec<_> = confirmed.difference(&found).collect();
        assert!(lost.is_empty(), "round {round}: {lost:?}");
        assert!(broken <= kills, "a kill tears one line at most");
    }
    assert!(confirmed.len() > 1900, "{}", confirmed.len());
    // Make sure that there is a truncated line, which the next import must handle.
    let mut text = fs::read(&path).unwrap();
    text.extend(b"{\"sample_id\": \"to");
    fs::write(&path, &text).unwrap();
    let mut child = writer(folder.path());
    feed(&mut child, vec![word("last", "ok", "ada", 1)])
        .join()
        .unwrap();
    assert!(child.wait().unwrap().success());
    let (found, broken) = kept(&path);
    assert!(
        found.is_superset(&confirmed) && found.contains(&("last".to_owned(), "ada".to_owned()))
    );
    assert!(broken <= kills + 1);
}

#[test]
fn two_writers_at_once_lose_nothing() {
    let folder = TempDir::new().unwrap();
    let words = |author: &'static str| {
        (0..400)
            .map(move |at| word(&format!("q{at}"), "ok", author, at))
            .collect()
    };
    let mut children = [writer(folder.path()), writer(folder.path())];
    let feeding: Vec<_> = children
        .iter_mut()
        .zip(["ada", "bob"])
        .map(|(child, author)| feed(child, words(author)))
        .collect();
    let confirmed: Vec<String> = children
        .map(|child| child.wait_with_output().expect("it ends"))
        .into_iter()
        .flat_map(|output| {
            String::from_utf8(output.stdout)
                .expect("UTF-8")
                .lines()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect();
    for thread in feeding {
        thread.join().unwrap();
    }
    let (found, broken) = kept(&beside(folder.path()));
    assert_eq!((confirmed.len(), found.len(), broken), (800, 800, 0));
    let text = fs::read_to_string(beside(folder.path())).unwrap();
    let (ada, bob): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.contains("\"ada\""));
    assert_eq!((ada.len(), bob.len()), (400, 400));
}
