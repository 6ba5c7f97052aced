//! Tests that the end of a run, `report`, `samples` and `compare` give equal numbers, for servers
//! of every kind.

use serde_json::Value as Json;

use super::log::{Log, run};
use super::server::Server;
use super::terminal::Terminal;

const SAMPLES: usize = 16;
const PROTOCOLS: [&str; 9] = [
    "vanilla",
    "rotational",
    "twin",
    "blind",
    "no-boxes",
    "prompt:words.txt",
    "effort:low,high",
    "self-check",
    "votes:3",
];
const SERVERS: [&str; 5] = [
    "none",
    "constant",
    "half-cut",
    "half-refusal",
    "half-rambling",
];

/// JSON that a command prints.
fn printed(log: &Log, arguments: &[&str]) -> Json {
    let output = run(&mut log.command(&[arguments, &["--format", "json"]].concat()));
    serde_json::from_str(&output.out).unwrap_or_else(|_| panic!("{arguments:?}: {}", output.err))
}

/// Sums over a list: the number of scores, and the number of right answers.
fn sums(list: &Json, one: impl Fn(&Json) -> Option<(f64, f64)>) -> (f64, f64) {
    let all = list.as_array().unwrap().iter().filter_map(one);
    all.fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

fn ask(server: &Server, kind: &str, protocol: &str) -> (Log, Json) {
    let log = Log::new(SAMPLES);
    log.config(&server.base(kind), "");
    log.patient();
    std::fs::write(
        log.path("words.txt"),
        "Look closely.\n{question}\n{options}",
    )
    .unwrap();
    let mut found = log.found(&["--filter", "model:old", "--protocol", protocol]);
    let found = found["found"].take();
    (log, found)
}

#[test]
fn run_report_and_samples_give_the_same_scores_under_every_protocol() {
    let server = Server::new();
    for (kind, protocol) in SERVERS
        .iter()
        .flat_map(|kind| PROTOCOLS.iter().map(move |protocol| (kind, protocol)))
    {
        let (log, found) = ask(&server, kind, protocol);
        let end = sums(&found["steps"], |step| {
            Some((step["scored"].as_f64()?, step["right"].as_f64()?))
        });
        assert!(end.0 >= SAMPLES as f64, "{kind} {protocol} {found}");
        let samples = printed(&log, &["samples", "out"]);
        let listed = sums(&samples["samples"], |sample| {
            Some((1.0, sample["score"].as_f64()?))
        });
        assert_eq!(end, listed, "samples: {kind} {protocol}");
        let report = printed(&log, &["report", "out"]);
        let (n, right) = sums(&report["scores"], |score| {
            let n = score["headline"]
                .as_bool()?
                .then(|| score["n"].as_f64())??;
            Some((n, n * score["score"].as_f64()?))
        });
        assert_eq!((n, right.round()), end, "report: {kind} {protocol}");
        assert!((right - end.1).abs() < 1e-9, "report: {kind} {protocol}");
    }
}

#[test]
fn a_run_and_compare_give_the_same_difference_from_the_log() {
    let server = Server::new();
    for kind in SERVERS {
        let (log, found) = ask(&server, kind, "vanilla");
        let step = &found["steps"][0];
        let paired = printed(
            &log,
            &["compare", "seer", "old", "corners.eyechart.jsonl", "out"],
        );
        let paired = &paired["abilities"][0];
        assert_eq!(paired["n"], step["compared"], "{kind}");
        assert_eq!(paired["difference"], step["difference"], "{kind}");
        assert_eq!(paired["only_a"], step["now_right"], "{kind}");
        assert_eq!(paired["only_b"], step["now_wrong"], "{kind}");
        let (ours, theirs) = (paired["p_value"].as_f64(), step["p_value"].as_f64());
        let is_same = |(ours, theirs): (f64, f64)| (ours - theirs).abs() < 1e-9;
        assert!(ours.zip(theirs).map_or(ours == theirs, is_same), "{kind}");
        assert_eq!(ours.is_none(), kind == "half-cut", "{kind}: {paired}");
    }
}

#[test]
fn failed_requests_and_cut_answers_are_in_the_evidence_of_a_stored_run() {
    let server = Server::new();
    let log = Log::new(SAMPLES);
    log.config(&server.base("half-whole-error"), "");
    log.patient();
    let output = log.rerun(&["--filter", "model:old", "--protocol", "vanilla"]);
    assert_eq!(output.code, 4, "{}", output.err);
    let failed = log.records().into_iter();
    let failed = failed
        .filter(|line| line["not_answered"].is_string())
        .count();
    assert!(0 < failed && failed < SAMPLES, "{failed}");
    let score = printed(&log, &["report", "out"])["scores"][0].take();
    let left_out = &score["evidence"]["left_out"][0];
    assert_eq!(left_out["n"], failed, "{score}");
    assert!(
        left_out["why"]
            .as_str()
            .unwrap()
            .starts_with("not answered: failed:")
    );
    assert_eq!(score["n"], SAMPLES - failed);
    assert!(score["rank"].is_null(), "{score}");
    let (log, _) = ask(&server, "half-cut", "vanilla");
    let score = printed(&log, &["report", "out"])["scores"][0].take();
    let why_not = score["why_not"].as_str().unwrap();
    assert!(why_not.contains("were cut at the token limit"), "{why_not}");
    assert!(
        score["rank"].is_null() && score["score"].is_f64(),
        "{score}"
    );
}

#[test]
fn cut_answers_lead_to_no_conclusion() {
    let server = Server::new();
    for (protocol, says) in [
        ("twin", "samples left out: "),
        (
            "blind",
            "not compared with chance, because answers were cut",
        ),
    ] {
        let log = Log::new(SAMPLES);
        log.config(&server.base("half-cut"), "");
        log.patient();
        let asking = ["--filter", "model:old", "--protocol", protocol];
        let output = run(&mut log.asking(&asking));
        assert!(output.out.contains(says), "{}{}", output.out, output.err);
        assert!(!output.out.contains("chance, 0"), "{}", output.out);
    }
    let (log, found) = ask(&server, "half-cut", "twin");
    let report = printed(&log, &["report", "out"]);
    let (told, reported) = (&found["memory"][0]["n"], &report["memory"][0]["n"]);
    assert_eq!(told, reported);
    assert!(told.as_u64().unwrap() < SAMPLES as u64 / 2, "{told}");
}

#[test]
fn screen_and_page_show_the_scores_of_the_run() {
    let server = Server::new();
    for (kind, protocol) in SERVERS
        .iter()
        .flat_map(|kind| ["vanilla", "blind"].map(|protocol| (kind, protocol)))
    {
        let (log, found) = ask(&server, kind, protocol);
        let step = &found["steps"][0];
        let share = step["right"].as_f64().unwrap() / step["scored"].as_f64().unwrap();
        let page = run(&mut log.command(&["report", "out", "--out", "page.html"]));
        assert_eq!(page.code, 0, "{}{}", page.out, page.err);
        let page = std::fs::read_to_string(log.path("page.html")).unwrap();
        assert!(page.contains(&format!("{share:.4}")), "{kind} {protocol}");
        let mut terminal = Terminal::open_in(&log.path(""), &["out", "--images", "off"]);
        terminal.wait_for_screen("corners");
        terminal.press("1");
        // The line below the grid has the score under the cursor, for example `0.250 [0.102, 0.495]
        // n 16`.
        terminal.wait_for_screen(&format!(" {share:.3} ["));
        terminal.wait_for_screen(&format!("n {}", step["scored"]));
    }
}
