//! Tests journals that are killed, shared and resumed.

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

fn done(key: &str) -> JournalEntry {
    JournalEntry {
        key: key.to_owned(),
        item: "i".to_owned(),
        outcome: "ok".to_owned(),
        text: "größer\n".to_owned(),
        ..JournalEntry::default()
    }
}

fn filled(folder: &Path) {
    let mut journal = Journal::create(folder, head()).unwrap();
    for key in ["a", "b", "c"] {
        let attempt = AttemptEntry {
            key: key.to_owned(),
            n: 1,
            ..AttemptEntry::default()
        };
        journal.attempted(attempt).unwrap();
        journal.finish(Arc::new(done(key))).unwrap();
    }
}

#[test]
fn a_log_without_its_journal_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join(crate::output::FILE);
    let text = "{\"sample_id\": \"1\"}\n";
    std::fs::write(&log, text).unwrap();
    for open in [Journal::create, Journal::open] {
        let error = open(folder.path(), head()).unwrap_err();
        assert!(matches!(error, JournalError::NoJournal(_)), "{error}");
        assert_eq!(std::fs::read_to_string(&log).unwrap(), text);
        assert!(!folder.path().join(FILE).exists());
    }
    std::fs::write(&log, "").unwrap();
    Journal::create(folder.path(), head()).unwrap();
}

#[test]
fn what_is_done_is_known_at_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path());
    let journal = Journal::open(folder.path(), head()).unwrap();
    let other = JournalEntry {
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
    let again = |head| Journal::open(folder.path(), head).map_err(|error| error.to_string());
    let anew = Journal::create(folder.path(), head()).unwrap_err();
    assert!(anew.to_string().contains("already contains a run"));
    let other = |change: &dyn Fn(&mut Head)| {
        let mut other = head();
        change(&mut other);
        again(other).unwrap_err()
    };
    assert!(other(&|head| head.model = "n".to_owned()).ends_with("model differs"));
    assert!(other(&|head| head.parameters = json!({"seed": 1})).ends_with("seed differs"));
    let open = Journal::open(folder.path(), head()).unwrap();
    assert!(again(head()).unwrap_err().contains("another program"));
    drop(open);
    assert!(again(head()).is_ok());
}

#[test]
fn a_bad_line_in_the_middle_is_named_and_the_others_count() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path());
    let path = folder.path().join(FILE);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("{\"line\":\"done\"", "?", 1)).unwrap();
    let journal = Journal::open(folder.path(), head()).unwrap();
    let bad: Vec<u64> = journal.damaged().iter().map(|bad| bad.line).collect();
    assert_eq!((journal.len(), bad), (2, vec![3]));
    let previous = PreviousRuns::new(vec![folder.path().to_path_buf()]);
    let [told] = &previous.troubles[..] else {
        panic!("one trouble");
    };
    assert!(
        told.contains("run.jsonl: 1 damaged line") && told.contains("line 3: "),
        "{told}"
    );
    assert_eq!(previous.runs[0].answered, 2);
}

#[test]
fn a_file_that_is_no_journal_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE);
    for text in ["{\"sample_id\":\"1\",\"score\":1}\n", "a,b\n1,2\n", "[]"] {
        std::fs::write(&path, text).unwrap();
        let error = Journal::open(folder.path(), head())
            .unwrap_err()
            .to_string();
        assert!(error.contains("run.jsonl is not a journal: "), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        assert!(PreviousRun::read(folder.path()).is_err());
    }
}

#[test]
fn lines_of_earlier_versions_are_read() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path());
    let path = folder.path().join(FILE);
    let text = std::fs::read_to_string(&path).unwrap();
    let bare = |line: &str| {
        let mut json: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(json.as_object_mut().unwrap().remove("check").is_some());
        format!("{json}\n")
    };
    std::fs::write(&path, text.lines().map(bare).collect::<String>()).unwrap();
    let mut journal = Journal::open(folder.path(), head()).unwrap();
    assert_eq!((journal.len(), journal.damaged()), (3, &[][..]));
    journal.finish(Arc::new(done("z"))).unwrap();
    drop(journal);
    assert_eq!(Journal::open(folder.path(), head()).unwrap().len(), 4);
}

#[test]
fn no_control_character_reaches_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::create(folder.path(), head()).unwrap();
    let hostile = JournalEntry {
        text: "\u{1b}[31m\u{9b}\u{202e}\u{200b}".to_owned(),
        ..done("a")
    };
    journal.finish(Arc::new(hostile.clone())).unwrap();
    drop(journal);
    let text = std::fs::read_to_string(folder.path().join(FILE)).unwrap();
    assert!(
        text.lines()
            .flat_map(str::chars)
            .all(|c| !base::format::is_control(c))
    );
    let journal = Journal::open(folder.path(), head()).unwrap();
    assert_eq!(journal.known(&hostile), Some(&hostile));
}

/// Returns the keys of the answers in a journal.
fn known_of(folder: &Path) -> Vec<String> {
    let journal = Journal::open(folder, head()).unwrap();
    let mut keys: Vec<String> = journal
        .known
        .done
        .values()
        .map(|done| done.key.clone())
        .collect();
    keys.sort();
    keys
}

proptest! {
    /// After a kill at any byte, every complete line counts and the journal can be resumed.
    #[test]
    fn a_kill_at_any_byte_loses_no_whole_line(share in 0.0..1.0_f64) {
        let folder = tempfile::tempdir().unwrap();
        filled(folder.path());
        let path = folder.path().join(FILE);
        let text = std::fs::read(&path).unwrap();
        let cut = (text.len() as f64 * share) as usize;
        std::fs::write(&path, &text[..cut]).unwrap();
        let lines = text[..cut].iter().filter(|byte| **byte == b'\n').count();
        // A line that lacks only its line break counts.
        let whole = lines + usize::from(text[cut] == b'\n');
        let mut journal = Journal::open(folder.path(), head()).unwrap();
        prop_assert_eq!(journal.len(), whole.saturating_sub(1) / 2);
        journal.finish(Arc::new(done("z"))).unwrap();
        drop(journal);
        let journal = Journal::open(folder.path(), head()).unwrap();
        prop_assert!(journal.known(&done("z")).is_some());
    }

    /// A truncated line that merges with the next, or a changed byte, costs one line. The journal
    /// can be resumed, and `--reuse` finds the rest.
    #[test]
    fn damage_costs_one_line(share in 0.0..1.0_f64, byte in any::<u8>(), is_cut in any::<bool>()) {
        let folder = tempfile::tempdir().unwrap();
        filled(folder.path());
        let path = folder.path().join(FILE);
        let mut text = std::fs::read(&path).unwrap();
        let at = (text.len() as f64 * share) as usize;
        let hit = text[..at].iter().filter(|byte| **byte == b'\n').count();
        if is_cut {
            // A line that is missing completely leaves no trace.
            prop_assume!(at == 0 || text[at - 1] != b'\n');
            let end = at + text[at..].iter().position(|byte| *byte == b'\n').unwrap();
            text.drain(at..=end);
        } else {
            text[at] = byte;
        }
        std::fs::write(&path, &text).unwrap();
        let left: Vec<String> = (0..3)
            .filter(|number| hit != 2 + 2 * number)
            .map(|number| ["a", "b", "c"][number].to_owned())
            .collect();
        let previous = PreviousRuns::new(vec![folder.path().to_path_buf()]);
        let lent: Vec<&JournalEntry> = previous
            .runs
            .iter()
            .chain(&previous.headless)
            .flat_map(|run| run.answers.iter())
            .collect();
        let known = known_of(folder.path());
        for key in &left {
            prop_assert_eq!(known.iter().filter(|known| *known == key).count(), 1);
            prop_assert!(lent.iter().any(|done| done.key == *key));
        }
        prop_assert!(known.len() == 3 || !previous.troubles.is_empty());
        // A second start finds the same answers.
        prop_assert_eq!(known_of(folder.path()), known);
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
        let mut journal = Journal::create(&folder.path().join(run), head).unwrap();
        for (repeat, outcome) in [(0, "ok"), (1, "failed:rate")] {
            let done = JournalEntry {
                key: format!("eyechart/question-1/{repeat}"),
                item: sample.key(),
                step: format!("repeat={}", repeat + 1),
                outcome: outcome.to_owned(),
                text: text.to_owned(),
                ..done("")
            };
            journal.finish(Arc::new(done)).unwrap();
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
    let mut journal = Journal::create(folder.path(), head()).unwrap();
    let stored = PreviousAnswer {
        done: JournalEntry {
            attempts: 3,
            ..done("k")
        },
        run: "first".to_owned(),
    };
    journal.lend([("k".to_owned(), stored)].into());
    assert!(journal.reusable_answer("other").is_none());
    let lent = journal.reusable_answer("k").unwrap();
    let asks = |item: &str| JournalEntry {
        item: item.to_owned(),
        ..JournalEntry::default()
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
