//! Tests the wording of results for samples selected by outcome, and of a rerun with the prompts in
//! the log.

use serde_json::json;

use super::log::{Log, run, was_right};
use super::server::Server;

const SAMPLES: usize = 32;

fn setup() -> (Log, Server) {
    let (log, server) = (Log::new(SAMPLES), Server::new());
    log.config(&server.base("none"), "prices = [1.0, 2.0]");
    (log, server)
}

fn count(is: impl Fn(usize) -> bool) -> usize {
    (0..SAMPLES).filter(|at| is(*at)).count()
}

#[test]
fn samples_that_were_picked_for_being_wrong_are_not_tested_against_the_log() {
    let (log, server) = setup();
    let picked = [
        "--protocol",
        "vanilla",
        "--filter",
        "model:old correct:false",
        "--against",
        "old",
    ];
    let found = log.found(&picked);
    let step = &found["found"]["steps"][0];
    assert_eq!(step["picked_by"], "correct:false");
    assert!(step["p_value"].is_null());
    let finding = found["found"]["finding"][0].as_str().unwrap();
    assert!(
        finding.contains("no test against the log") && finding.contains("--controls"),
        "{finding}"
    );
    let wrong = SAMPLES - count(was_right);
    assert_eq!(server.count("none"), wrong);
    let log = Log::new(SAMPLES);
    log.config(&server.base("none"), "");
    let found = log.found(&[&picked[..], &["--controls"]].concat());
    let step = &found["found"]["steps"][0];
    assert_eq!(
        (&step["was_right"], &step["compared"]),
        (&json!(wrong), &json!(2 * wrong))
    );
}

#[test]
fn a_rerun_as_the_log_asked_asks_the_same_as_its_log() {
    let (log, _server) = setup();
    log.found(&["--protocol", "vanilla"]);
    assert!(
        log.records()
            .iter()
            .all(|record| record["rerun"]["as_logged"] == true)
    );
    let compare =
        run(&mut log.command(&["compare", "old", "seer", "corners.eyechart.jsonl", "out"]));
    assert_eq!(compare.code, 0, "{}", compare.err);
    assert!(
        !compare.out.contains("between A and B; not paired"),
        "{}",
        compare.out
    );
}
