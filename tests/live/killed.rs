//! Killed at any moment, a run goes on without asking again what it knows.

use std::collections::HashSet;
use std::process::{Child, Stdio};
use std::time::Duration;

use super::log::Log;
use super::server::Server;

const SAMPLES: usize = 60;

fn start(log: &Log) -> Child {
    let arguments = ["--protocol", "rotational", "--resume"];
    log.asking(&arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_killed_run_is_resumed_and_no_finished_question_is_asked_again() {
    let (log, server) = (
        Log::new(SAMPLES),
        Server::slow(Duration::from_millis(4), "127.0.0.1:0".parse().unwrap()),
    );
    log.config(&server.base("none"), "");
    let mut kept = 0;
    for wanted in [1, 20, 61, 130] {
        let mut child = start(&log);
        while log.journal("done").len() < wanted && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let done = log.journal("done").len();
        assert!(done >= kept, "{done} after {kept}");
        kept = done;
    }
    assert!(kept < 4 * SAMPLES, "killed too late to mean anything");
    assert!(start(&log).wait().unwrap().success());
    let done = log.journal("done");
    let keys: HashSet<&str> = done
        .iter()
        .map(|done| done["key"].as_str().unwrap())
        .collect();
    assert_eq!(
        (keys.len(), done.len()),
        (4 * SAMPLES, 4 * SAMPLES),
        "each once"
    );
    let seen = server.seen.lock().unwrap();
    assert_eq!(seen.asked.len(), 4 * SAMPLES, "none lost");
    // Only what was on its way when the program was killed may be asked twice: four at once, four kills.
    let twice: usize = seen.asked.values().map(|count| count - 1).sum();
    assert!(twice <= 16, "{twice} asked twice");
    drop(seen);
    let ids: HashSet<String> = log
        .records()
        .iter()
        .map(|record| {
            format!(
                "{} {}",
                record["sample_id"], record["condition"]["rotation"]
            )
        })
        .collect();
    assert_eq!((ids.len(), log.records().len()), (4 * SAMPLES, 4 * SAMPLES));
    let before = server.count("none");
    assert!(start(&log).wait().unwrap().success());
    assert_eq!(server.count("none"), before, "all is known");
}

#[test]
fn a_run_is_not_begun_twice_in_one_folder_by_mistake() {
    let (log, server) = (Log::new(2), Server::new());
    log.config(&server.base("none"), "");
    log.found(&["--protocol", "vanilla"]);
    let again = log.rerun(&["--protocol", "vanilla"]);
    assert!(
        again.code == 1 && again.err.contains("hint: --resume"),
        "{}",
        again.err
    );
    let other = log.rerun(&["--protocol", "blind", "--resume"]);
    assert!(
        other.code == 1 && other.err.contains("protocol differs"),
        "{}",
        other.err
    );
    assert_eq!(server.count("none"), 2);
}
