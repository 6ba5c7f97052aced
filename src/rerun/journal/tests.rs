//! Journals that are killed, shared and taken up again.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::asking::Asking;
use crate::plan::Plan;
use crate::protocol::Protocol;
use crate::question::Question;
use crate::sample::Sample;
use record::{Content, Record};

fn head() -> Head {
    Head {
        model: "m".to_owned(),
        protocol: "blind".to_owned(),
        parameters: json!({"seed": null}),
        ..Head::default()
    }
}

fn done(key: &str) -> Done {
    Done {
        key: key.to_owned(),
        item: "i".to_owned(),
        outcome: "ok".to_owned(),
        text: "größer\n".to_owned(),
        ..Done::default()
    }
}

fn filled(folder: &Path) {
    let mut journal = Journal::open(folder, head(), false).unwrap();
    for key in ["a", "b", "c"] {
        let attempt = Attempted {
            key: key.to_owned(),
            n: 1,
            ..Attempted::default()
        };
        journal.attempted(attempt).unwrap();
        journal.finish(&done(key)).unwrap();
    }
}

#[test]
fn what_is_done_is_known_at_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path());
    let journal = Journal::open(folder.path(), head(), true).unwrap();
    let other = Done {
        item: "another sample".to_owned(),
        ..done("b")
    };
    assert_eq!(journal.known(&done("b")), Some(&done("b")));
    assert_eq!(journal.known(&other), None);
    assert_eq!(journal.len(), 3);
}

#[test]
fn a_journal_is_not_overwritten_shared_or_taken_for_another_run() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path());
    let again = |head, resume| {
        Journal::open(folder.path(), head, resume).map_err(|error| error.to_string())
    };
    assert!(
        again(head(), false)
            .unwrap_err()
            .contains("holds a run already")
    );
    let other = |change: &dyn Fn(&mut Head)| {
        let mut other = head();
        change(&mut other);
        again(other, true).unwrap_err()
    };
    assert!(other(&|head| head.model = "n".to_owned()).ends_with("model differs"));
    assert!(other(&|head| head.parameters = json!({"seed": 1})).ends_with("seed differs"));
    let open = Journal::open(folder.path(), head(), true).unwrap();
    assert!(again(head(), true).unwrap_err().contains("another program"));
    drop(open);
    assert!(again(head(), true).is_ok());
}

#[test]
fn a_bad_line_in_the_middle_is_named() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path());
    let path = folder.path().join(FILE);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("{\"line\":\"done\"", "?", 1)).unwrap();
    let error = Journal::open(folder.path(), head(), true)
        .unwrap_err()
        .to_string();
    assert!(error.contains("run.jsonl:3:"), "{error}");
}

proptest! {
    /// Killed after any byte: every line that was whole counts, and the journal can go on.
    #[test]
    fn a_kill_at_any_byte_loses_no_whole_line(share in 0.0..1.0_f64) {
        let folder = tempfile::tempdir().unwrap();
        filled(folder.path());
        let path = folder.path().join(FILE);
        let text = std::fs::read(&path).unwrap();
        let cut = (text.len() as f64 * share) as usize;
        std::fs::write(&path, &text[..cut]).unwrap();
        let whole = text[..cut].iter().filter(|byte| **byte == b'\n').count();
        let mut journal = Journal::open(folder.path(), head(), true).unwrap();
        prop_assert_eq!(journal.len(), whole.saturating_sub(1) / 2);
        journal.finish(&done("z")).unwrap();
        drop(journal);
        let journal = Journal::open(folder.path(), head(), true).unwrap();
        prop_assert!(journal.known(&done("z")).is_some());
    }
}

#[test]
fn answers_of_earlier_runs_are_found_by_key_the_newest_first() {
    let folder = tempfile::tempdir().unwrap();
    let sample = Sample {
        record: Record {
            sample_id: "s".to_owned(),
            content: Content {
                question: "What?".to_owned(),
                ..Content::default()
            },
            ..Record::default()
        },
        pictures: Vec::new(),
        format: "eyechart".to_owned(),
        before: None,
        turned: BTreeMap::new(),
    };
    let asking = Asking {
        model: "m".to_owned(),
        ..Asking::default()
    };
    let plan = Plan::new(vec![sample.clone()], Protocol::Repeat(2), asking);
    let key = |question: &Question| format!("{}/{}", question.version, question.repeat);
    for (run, started, text) in [("old", "2026-01-01", "A"), ("new", "2026-02-01", "B")] {
        let head = Head {
            run: run.to_owned(),
            started: started.to_owned(),
            ..Head::new(&plan, "there")
        };
        let mut journal = Journal::open(&folder.path().join(run), head, false).unwrap();
        for (repeat, outcome) in [(0, "ok"), (1, "failed:rate")] {
            let done = Done {
                key: format!("eyechart/question-1/{repeat}"),
                item: sample.key(),
                step: format!("repeat={}", repeat + 1),
                outcome: outcome.to_owned(),
                text: text.to_owned(),
                ..done("")
            };
            journal.finish(&done).unwrap();
        }
        journal.unaskable("i", "crop=0.1", "no box").unwrap();
        journal.unaskable("i", "crop=0.1", "no box").unwrap();
    }
    let folders = ["old", "new", "none"].map(|name| folder.path().join(name));
    let previous = PreviousRuns::new(folders.to_vec());
    let runs: Vec<&str> = previous
        .runs
        .iter()
        .map(|run| run.head.run.as_str())
        .collect();
    assert_eq!(runs, ["new", "old"]);
    let stored = previous.stored(&plan, "there", &key);
    let found: Vec<(&str, &str)> = stored
        .iter()
        .map(|(key, stored)| (key.as_str(), stored.done.text.as_str()))
        .collect();
    assert_eq!(
        found,
        [("eyechart/question-1/0", "B")],
        "what failed is no answer"
    );
    assert!(previous.stored(&plan, "elsewhere", &key).is_empty());
    let first = &previous.runs[0];
    assert_eq!((first.answered, first.failed, first.unasked), (1, 1, 1));
}

#[test]
fn a_known_answer_is_lent_by_its_key_and_marked_with_its_run() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(folder.path(), head(), false).unwrap();
    let stored = Stored {
        done: Done {
            attempts: 3,
            ..done("k")
        },
        run: "first".to_owned(),
    };
    journal.lend([("k".to_owned(), stored)].into());
    assert!(journal.lent("other").is_none());
    let lent = journal.lent("k").unwrap();
    let asks = |item: &str| Done {
        item: item.to_owned(),
        ..Done::default()
    };
    let again = lent.done.reused(&lent.run, asks("j"));
    assert_eq!(
        (again.item.as_str(), again.attempts, again.reused.as_deref()),
        ("j", 0, Some("first"))
    );
    let twice = again.reused("second", asks("k"));
    assert_eq!(
        twice.reused.as_deref(),
        Some("first"),
        "where it was asked for"
    );
}
