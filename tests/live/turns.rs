//! Tests protocols whose questions depend on earlier answers: further turns, self-check, votes.

use std::collections::HashSet;
use std::fs;
use std::process::Stdio;
use std::time::Duration;

use super::log::{Log, sample};
use super::server::Server;

const SAMPLES: usize = 32;

/// Returns true if the server's model is right about a sample in one of four moods. The first mood
/// is used at temperature 0.
fn right(at: usize, mood: usize) -> bool {
    sample(at).1 >> mood & 1 == 1
}

fn count(is: impl Fn(usize) -> bool) -> usize {
    (0..SAMPLES).filter(|at| is(*at)).count()
}

fn setup() -> (Log, Server) {
    let (log, server) = (Log::new(SAMPLES), Server::new());
    log.config(&server.base("none"), "");
    (log, server)
}

#[test]
fn a_self_check_finds_what_was_mended_in_the_same_conversation() {
    let (log, server) = setup();
    let found = log.found(&["--protocol", "self-check"]);
    let steps = &found["found"]["steps"];
    assert_eq!(steps[0]["right"], count(|at| right(at, 0)));
    assert_eq!(
        steps[1]["right"], SAMPLES,
        "asked again, it is always right"
    );
    assert_eq!(server.count("none"), 2 * SAMPLES);
    let wrong = count(|at| !right(at, 0));
    let finding = found["found"]["finding"].to_string();
    assert!(finding.contains("right to wrong 0.000"), "{finding}");
    let mended = format!("wrong to right {:.3}", wrong as f64 / SAMPLES as f64);
    assert!(finding.contains(&mended), "{finding}");
    let last = server.seen.lock().unwrap().last.clone();
    let messages = last["messages"].as_array().unwrap();
    let roles: Vec<&str> = messages
        .iter()
        .map(|message| message["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["user", "assistant", "user"]);
    assert!(messages[2].to_string().contains("Are you sure?"));
    let checks: HashSet<String> = log
        .records()
        .iter()
        .map(|record| record["condition"]["check"].to_string())
        .collect();
    assert_eq!(checks.len(), 2);
}

#[test]
fn further_turns_are_in_the_users_own_words() {
    let (log, server) = setup();
    fs::write(
        log.path("doubt.txt"),
        "I doubt it. One of {letters}, please.\n",
    )
    .unwrap();
    fs::write(log.path("again.txt"), "Once more.\n").unwrap();
    let asking = ["--protocol", "follow:doubt.txt,again.txt", "--limit", "4"];
    let planned = log.found(&[&asking[..], &["--dry-run"]].concat());
    assert_eq!(
        (planned["requests"].as_u64(), server.count("none")),
        (Some(12), 0)
    );
    let found = log.found(&asking);
    assert_eq!(found["found"]["steps"].as_array().unwrap().len(), 3);
    assert_eq!(server.count("none"), 12);
    let last = server.seen.lock().unwrap().last.to_string();
    assert!(last.contains("I doubt it. One of A, B, C, D, please.") && last.contains("Once more."));
    let other = "--protocol follow:other.txt --limit 4 --resume";
    fs::write(log.path("other.txt"), "Other words.\n").unwrap();
    let words: Vec<&str> = other.split(' ').collect();
    let refused = log.rerun(&words);
    assert!(
        refused.code == 1 && refused.err.contains("differs"),
        "{}",
        refused.err
    );
}

#[test]
fn votes_stop_when_they_are_settled() {
    let (log, server) = setup();
    let found = log.found(&["--protocol", "votes:3"]);
    assert_eq!(
        found["requests_between"],
        serde_json::json!([2 * SAMPLES, 3 * SAMPLES])
    );
    let votes = |at: usize| [0, 1, 2].map(|mood| right(at, mood));
    let open = count(|at| votes(at)[0] != votes(at)[1]);
    assert_eq!(server.count("none"), 2 * SAMPLES + open);
    let by_vote = count(|at| votes(at).iter().filter(|right| **right).count() > 1);
    let steps = &found["found"]["steps"];
    assert_eq!(
        (&steps[0]["right"], &steps[0]["scored"]),
        (&by_vote.into(), &SAMPLES.into())
    );
    let finding = found["found"]["finding"].to_string();
    assert!(
        finding.contains("by majority vote: accuracy") && finding.contains("first vote only"),
        "{finding}"
    );
    let records = log.records();
    assert_eq!(records.len(), SAMPLES);
    for record in &records {
        let steps = record["rerun"]["steps"].as_array().unwrap().len();
        assert!((2..=3).contains(&steps));
        assert!(record["scores"]["vote_agreement"].as_f64().unwrap() > 0.5);
        let image = log.path("out").join(record["image"].as_str().unwrap());
        assert!(image.is_file());
    }
    let again = log.found(&["--protocol", "votes:3", "--resume"]);
    assert_eq!(again["found"]["steps"], found["found"]["steps"]);
    assert_eq!(
        server.count("none"),
        2 * SAMPLES + open,
        "nothing is asked twice"
    );
}

#[test]
fn killed_between_two_turns_no_answer_is_asked_for_again() {
    let (log, server) = (
        Log::new(SAMPLES),
        Server::slow(Duration::from_millis(4), "127.0.0.1:0".parse().unwrap()),
    );
    log.config(&server.base("none"), "");
    log.patient();
    for wanted in [5, 22, 41] {
        let mut command = log.asking(&["--protocol", "self-check", "--resume"]);
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while log.journal("done").len() < wanted && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    log.found(&["--protocol", "self-check", "--resume"]);
    assert_eq!(log.journal("done").len(), 2 * SAMPLES);
    let seen = server.seen.lock().unwrap();
    assert_eq!(seen.asked.len(), 2 * SAMPLES, "none lost");
    let twice: usize = seen.asked.values().map(|count| count - 1).sum();
    assert!(twice <= 12, "four at once, three kills: {twice}");
}
