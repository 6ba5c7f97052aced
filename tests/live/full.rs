//! Tests full disks, damaged journals, and outputs that are also inputs.
//!
//! The disk becomes full at a few positions of the journal. To test more positions, and every other
//! output (`--test cli`):
//!
//! ```text
//! EYECHART_FULL_DISK=100 cargo test --release --test live --test cli full_disk
//! ```

use std::collections::HashSet;
use std::fs;

use super::amount::amount;
use super::limited::{limited, positions};
use super::log::{Log, run};
use super::server::Server;

/// Number of samples. Each is asked at four rotations.
const SAMPLES: usize = 12;

/// Keys of all answers in the journal.
fn keys(log: &Log) -> Vec<String> {
    let done = log.journal("done");
    done.iter()
        .map(|done| done["key"].as_str().unwrap().to_owned())
        .collect()
}

/// The disk becomes full repeatedly while a run is resumed. A run with an answer that could not be
/// saved never ends successfully, and reports the full disk. In the end, every answer is stored
/// once.
#[test]
fn a_run_on_a_full_disk_says_so_and_goes_on() {
    let arguments = ["--protocol", "rotational", "--resume"];
    let length = {
        let (log, server) = (Log::new(SAMPLES), Server::new());
        log.config(&server.base("none"), "");
        log.found(&arguments);
        fs::metadata(log.path("out/run.jsonl")).unwrap().len()
    };
    let (log, server) = (Log::new(SAMPLES), Server::new());
    log.config(&server.base("none"), "");
    let mut kept = HashSet::new();
    // The length of a line varies by a few bytes between runs.
    for at in positions(amount("EYECHART_FULL_DISK", 12), length * 9 / 10) {
        let output = run(&mut limited(at, &log.asking(&arguments)));
        assert_eq!(output.code, 1, "{at}: {}", output.err);
        assert!(
            output.err.contains("the file would become too large"),
            "{}",
            output.err
        );
        let now: HashSet<String> = keys(&log).into_iter().collect();
        assert!(kept.is_subset(&now), "{at} of {length}");
        kept = now;
    }
    assert!(
        !kept.is_empty() && kept.len() < 4 * SAMPLES,
        "{}",
        kept.len()
    );
    let before = server.seen.lock().unwrap().asked.len();
    assert!(before >= kept.len());
    let output = run(&mut log.asking(&arguments));
    assert_eq!(output.code, 0, "{}", output.err);
    let all = keys(&log);
    let distinct: HashSet<&String> = all.iter().collect();
    assert_eq!(
        (all.len(), distinct.len()),
        (4 * SAMPLES, 4 * SAMPLES),
        "each once"
    );
    assert_eq!(log.records().len(), 4 * SAMPLES);
}

/// One byte of an earlier journal is damaged. The good answers are used, and the bad line is
/// reported.
#[test]
fn a_bad_byte_in_an_earlier_journal_costs_one_answer() {
    let (log, server) = (Log::new(SAMPLES), Server::new());
    log.config(&server.base("none"), "");
    log.found(&["--protocol", "rotational"]);
    let asked = server.count("none");
    fs::create_dir(log.path("before")).unwrap();
    fs::rename(log.path("out"), log.path("before/run")).unwrap();
    let journal = log.path("before/run/run.jsonl");
    let whole = fs::read(&journal).unwrap();
    for share in [0, 1, 50, 99] {
        let mut text = whole.clone();
        let at = (text.len() - 1) * share / 100;
        text[at] = b'\xff';
        fs::write(&journal, &text).unwrap();
        let before = server.count("none");
        let mut command = log.command(&[
            "rerun",
            "corners.eyechart.jsonl",
            "--endpoint",
            "t",
            "--out",
            "before/out",
            "--protocol",
            "rotational",
            "--reuse",
        ]);
        let output = run(&mut command);
        assert_eq!(output.code, 0, "{}", output.err);
        let line = memchr::memchr_iter(b'\n', &text[..at]).count() + 1;
        let told = output.err.contains("run.jsonl: 1 damaged line")
            && output.err.contains(&format!("line {line}: "));
        assert!(told, "{share}: {}", output.err);
        assert!(
            server.count("none") - before <= 1,
            "{share}: at most the damaged answer is asked again"
        );
        fs::remove_dir_all(log.path("before/out")).unwrap();
    }
    assert_eq!(asked, 4 * SAMPLES);
}

/// A journal with damage in its middle is resumed, and the unusable lines are reported.
#[test]
fn a_damaged_journal_is_resumed() {
    let (log, server) = (Log::new(SAMPLES), Server::new());
    log.config(&server.base("none"), "");
    log.found(&["--protocol", "vanilla"]);
    let journal = log.path("out/run.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let second = text.match_indices("{\"line\":\"done\"").nth(1).unwrap().0;
    let end = second + text[second..].find('\n').unwrap();
    // The first half of a line, joined with the next line.
    let merged = format!("{}{}", &text[..second + 40], &text[end + 1..]);
    fs::write(&journal, merged).unwrap();
    let before = server.count("none");
    let output = log.rerun(&["--protocol", "vanilla", "--resume"]);
    assert_eq!(output.code, 0, "{}", output.err);
    assert!(
        output.err.contains("warning: ") && output.err.contains("run.jsonl:"),
        "{}",
        output.err
    );
    assert_eq!(server.count("none") - before, 1);
    // The next line of the journal may be joined to the damaged line. The log is complete.
    let records = log.records();
    let ids: HashSet<&str> = records
        .iter()
        .filter_map(|record| record["sample_id"].as_str())
        .collect();
    assert_eq!((records.len(), ids.len()), (SAMPLES, SAMPLES));
}

#[test]
fn a_run_does_not_replace_a_log_that_it_reads() {
    let (log, server) = (Log::new(2), Server::new());
    log.config(&server.base("none"), "");
    fs::create_dir(log.path("out")).unwrap();
    let own = log.path("out/rerun.eyechart.jsonl");
    fs::copy(log.path("corners.eyechart.jsonl"), &own).unwrap();
    let before = fs::read(&own).unwrap();
    let output = run(&mut log.command(&[
        "rerun",
        ".",
        "--endpoint",
        "t",
        "--out",
        "out",
        "--protocol",
        "vanilla",
    ]));
    assert_eq!(output.code, 1, "{}", output.err);
    assert!(
        output.err.contains("is one of the input files"),
        "{}",
        output.err
    );
    fs::remove_file(&own).unwrap();
    fs::hard_link(log.path("corners.eyechart.jsonl"), &own).unwrap();
    let output = log.rerun(&["--protocol", "vanilla"]);
    assert!(
        output.err.contains("is one of the input files"),
        "{}",
        output.err
    );
    assert_eq!((fs::read(&own).unwrap(), server.count("none")), (before, 0));
    // A resumed run also reads its own log.
    fs::remove_file(&own).unwrap();
    let again = [
        "rerun",
        ".",
        "--filter",
        "model:old",
        "--endpoint",
        "t",
        "--out",
        "out",
        "--protocol",
        "vanilla",
        "--resume",
    ];
    for _ in 0..2 {
        let output = run(&mut log.command(&again));
        assert_eq!(output.code, 0, "{}", output.err);
    }
}

/// A file of another kind that has the journal's name is not changed.
#[test]
fn a_file_that_is_no_journal_is_not_appended_to() {
    let (log, server) = (Log::new(2), Server::new());
    log.config(&server.base("none"), "");
    fs::create_dir(log.path("out")).unwrap();
    fs::copy(
        log.path("corners.eyechart.jsonl"),
        log.path("out/run.jsonl"),
    )
    .unwrap();
    let before = fs::read(log.path("out/run.jsonl")).unwrap();
    let output = log.rerun(&["--protocol", "vanilla", "--resume"]);
    assert!(
        output.code == 1 && output.err.contains("run.jsonl is not a journal"),
        "{}",
        output.err
    );
    assert_eq!(
        (
            fs::read(log.path("out/run.jsonl")).unwrap(),
            server.count("none")
        ),
        (before, 0)
    );
}
