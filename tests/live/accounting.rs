//! Tests the cost of a run: it is counted, displayed and limited, and never estimated twice.

use serde_json::Value as Json;

use super::log::{Log, run};
use super::server::Server;

/// Prices per million tokens: 1 for input, 0 for output. The server counts 90 input tokens per
/// response.
const PRICES: &str = "prices = [1.0, 0.0]";
/// Cost of one response.
const EACH: f64 = 90e-6;

fn priced(samples: usize) -> (Log, Server) {
    let (log, server) = (Log::new(samples), Server::new());
    log.config(&server.base("none"), &format!("{PRICES}\nconcurrency = 1"));
    (log, server)
}

fn near(json: &Json, expected: f64) -> bool {
    (json.as_f64().unwrap() - expected).abs() < 1e-9
}

#[test]
fn the_cost_of_a_run_is_told_probes_included() {
    let (log, _server) = priced(24);
    let found = log.found(&["--protocol", "vanilla"]);
    let paid = &found["paid"];
    assert_eq!(paid["probes"]["requests"], 3);
    let probes = paid["probes"]["tokens"]["input"].as_f64().unwrap();
    assert!(probes > 60.0, "{paid}");
    assert!(near(&paid["cost"], 24.0 * EACH + probes * 1e-6), "{paid}");
    assert_eq!(log.journal("probe").len(), 1);
    // The resumed run sends nothing, and keeps the cost of the earlier run.
    let again = log.found(&["--protocol", "vanilla", "--resume"]);
    assert_eq!(again["paid"], found["paid"]);
    let told = run(log
        .asking(&["--protocol", "vanilla", "--resume"])
        .args(["--format", "table"]));
    for words in [
        "3 requests to check whether the server",
        "total cost of the run: 0.00",
    ] {
        assert!(told.out.contains(words), "{}", told.out);
    }
}

#[test]
fn what_is_answered_already_is_not_estimated_again() {
    let (log, server) = priced(20);
    let whole = log.found(&["--protocol", "vanilla", "--dry-run"]);
    log.found(&["--protocol", "vanilla", "--limit", "5"]);
    let left = log.found(&["--protocol", "vanilla", "--resume", "--dry-run"]);
    assert_eq!(
        (&left["requests"], &left["answered"]),
        (&15.into(), &5.into())
    );
    assert!(
        near(&left["cost"], whole["cost"].as_f64().unwrap() * 0.75),
        "{left}"
    );
    let other = |more: &[&str]| {
        let fixed = "rerun corners.eyechart.jsonl --endpoint t --out other --protocol vanilla --dry-run --format json";
        let words: Vec<&str> = fixed.split(' ').chain(more.iter().copied()).collect();
        let output = run(&mut log.command(&words));
        serde_json::from_str::<Json>(&output.out).unwrap()
    };
    assert_eq!(other(&[])["requests"], 20, "never taken silently");
    assert_eq!(other(&["--reuse"])["requests"], 15);
    assert_eq!(server.count("none"), 5);
}

#[test]
fn a_run_stops_before_it_costs_more_than_it_may() {
    let (log, server) = priced(20);
    let most = |answers: f64| format!("{}", answers * EACH);
    // The estimate for a picture and its text is slightly above the count of the server.
    let stopped = log.rerun(&["--protocol", "rotational", "--max-cost", &most(30.5)]);
    assert_eq!(stopped.code, 4, "{}", stopped.err);
    assert!(stopped.err.contains(" not asked"), "{}", stopped.err);
    let asked = server.count("none");
    assert!((20..=30).contains(&asked), "{asked}");
    assert_eq!(asked % 4, 0, "samples are whole");
    let again = log.rerun(&[
        "--protocol",
        "rotational",
        "--resume",
        "--max-cost",
        &most(30.5),
    ]);
    assert_eq!(
        (again.code, server.count("none")),
        (4, asked),
        "{}",
        again.err
    );
    assert_eq!(log.records().len(), asked, "what is known stays in the log");
    log.found(&[
        "--protocol",
        "rotational",
        "--resume",
        "--max-cost",
        &most(90.0),
    ]);
    assert_eq!(server.count("none"), 80);
}

#[test]
fn a_bound_on_the_cost_needs_a_price() {
    let (log, server) = (Log::new(2), Server::new());
    log.config(&server.base("none"), "");
    let output = log.rerun(&["--protocol", "vanilla", "--max-cost", "1"]);
    assert_eq!(output.code, 2, "{}", output.err);
    assert!(
        output.err.contains("no price is known for `seer`"),
        "{}",
        output.err
    );
    assert_eq!(server.count("none"), 0);
}

#[test]
fn a_wrong_name_of_a_model_stops_the_run_and_loses_nothing() {
    let (log, server) = (Log::new(40), Server::new());
    log.config(&server.base("404"), "concurrency = 4");
    let output = log.rerun(&["--protocol", "vanilla"]);
    assert_eq!(output.code, 1, "{}", output.err);
    assert!(
        output
            .err
            .contains("hint: check that the server knows the name"),
        "{}",
        output.err
    );
    // Four requests run in parallel.
    assert!(server.count("404") <= 4, "{}", server.count("404"));
    log.config(&server.base("none"), "");
    let found = log.rerun(&["--protocol", "vanilla", "--resume"]);
    assert_eq!(found.code, 1, "another endpoint: {}", found.err);
    let (log, server) = (Log::new(10), Server::new());
    log.config(&server.base("404~1"), "concurrency = 1");
    assert_eq!(log.rerun(&["--protocol", "vanilla"]).code, 1);
    let found = log.found(&["--protocol", "vanilla", "--resume"]);
    assert_eq!(found["found"]["outcomes"]["ok"], 10);
    assert_eq!(server.count("404~1"), 11);
}

#[test]
fn the_first_repeat_has_the_seed_itself() {
    for (protocol, seeds) in [("repeat:1", 7..=7), ("repeat:3", 7..=9)] {
        let (log, server) = (Log::new(1), Server::new());
        log.config(&server.base("none"), "");
        log.found(&["--protocol", protocol, "--seed", "7"]);
        let seed = server.seen.lock().unwrap().last["seed"].as_u64().unwrap();
        assert!(seeds.contains(&seed), "{protocol}: {seed}");
    }
}
