//! Journals that are killed, shared and taken up again.

use proptest::prelude::*;
use serde_json::json;

use super::*;

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
    assert_eq!(journal.known("b", "i"), Some(&done("b")));
    assert_eq!(journal.known("b", "another sample"), None);
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
        prop_assert!(journal.known("z", "i").is_some());
    }
}
