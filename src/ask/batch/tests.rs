//! Tests a batch from writing to answers: resumed several times, no request written twice.

use std::fs;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use tempfile::TempDir;

use super::*;
use crate::asking::Asking;
use crate::client::{Schema, Setup};
use crate::item::Failures;
use crate::journal::{Head, Journal};
use crate::kind::Kind;
use crate::plan::Plan;
use crate::protocol::Protocol;
use crate::run::{Control, Run, RunResult};
use crate::runtime::blocking;
use crate::sample::Sample;
use record::{Choice, Content, Record, Rule, Target};

const SAMPLES: usize = 6;

fn plan() -> Arc<Plan> {
    let choice = |letter: &str, text: &str| Choice {
        letter: letter.to_owned(),
        text: text.to_owned(),
    };
    let sample = |at: usize| Sample {
        record: Record {
            sample_id: at.to_string(),
            ability: "x".to_owned(),
            content: Content {
                question: format!("Which, {at}?"),
                choices: vec![choice("A", "cat"), choice("B", "dog")],
                target: Some(Target::Text("B".to_owned())),
                ..Content::default()
            },
            rule: Rule::Strict,
            ..Record::default()
        },
        pictures: Vec::new(),
        format: "eyechart".to_owned(),
        before: None,
        turned: std::collections::BTreeMap::new(),
    };
    let asking = Asking {
        model: "m".to_owned(),
        label: "m".to_owned(),
        ..Asking::default()
    };
    let samples = (0..SAMPLES).map(sample).collect();
    Arc::new(Plan::new(samples, Protocol::Vanilla, asking))
}

/// Runs the plan once with the files in a folder.
fn start(folder: &TempDir, failures: Failures) -> (RunResult, BatchSummary) {
    let setup = Setup {
        address: "http://h/v1".to_owned(),
        ..Setup::default()
    };
    let endpoint = Endpoint::new(setup).unwrap();
    let batch = Batch::open(endpoint, folder.path(), failures).unwrap();
    let (plan, batch) = (plan(), Arc::new(batch));
    let head = Head::new(&plan, &batch.address());
    let journal = Journal::open(folder.path(), head).unwrap();
    let model = Arc::clone(&batch);
    let run = Run::new(plan, model, journal, Failures::Retry);
    let ended = blocking(Arc::new(run).execute(Control::default(), Arc::new(|_| {}))).unwrap();
    (ended, batch.finish().unwrap().unwrap())
}

fn path(folder: &TempDir, name: &str) -> PathBuf {
    folder.path().join(FOLDER).join(name)
}

/// Returns the names of the requests in a file.
fn names(folder: &TempDir, file: &str) -> Vec<String> {
    let text = fs::read_to_string(path(folder, file)).unwrap();
    let lines = text
        .lines()
        .map(|line| serde_json::from_str::<Json>(line).unwrap());
    lines
        .map(|line| line["custom_id"].as_str().unwrap().to_owned())
        .collect()
}

fn answer(id: &str, text: &str) -> String {
    let choice = json!({"message": {"content": text}, "finish_reason": "stop"});
    let body = json!({"choices": [choice], "usage": {"prompt_tokens": 9, "completion_tokens": 1}});
    json!({"custom_id": id, "response": {"status_code": 200, "body": body}, "error": null})
        .to_string()
}

fn failure(id: &str) -> String {
    json!({"custom_id": id, "response": null, "error": {"code": "batch_expired", "message": "late"}}).to_string()
}

#[test]
fn a_batch_goes_there_and_back_and_nothing_is_asked_twice() {
    let folder = tempfile::tempdir().unwrap();
    let (ended, told) = start(&folder, Failures::Keep);
    assert!(ended.finished.is_empty() && ended.stopped.is_none());
    assert_eq!(
        (told.written, told.waiting, told.files.len()),
        (SAMPLES, SAMPLES, 1)
    );
    let ids = names(&folder, "requests-1.jsonl");
    assert_eq!(ids.len(), SAMPLES);
    // No answers yet: nothing is written again.
    let (_, told) = start(&folder, Failures::Keep);
    assert_eq!((told.written, told.waiting), (0, SAMPLES));
    let lines = [
        answer(&ids[0], "B"),
        answer(&ids[1], "A"),
        failure(&ids[2]),
        answer("of another run", "B"),
        "{\"half".to_owned(),
    ];
    fs::write(path(&folder, "output.jsonl"), lines.join("\n")).unwrap();
    let (ended, told) = start(&folder, Failures::Keep);
    // Requests are written in the order in which they are ready.
    let kinds = |ended: &RunResult| -> Vec<Kind> {
        let kinds = ended.finished.iter().map(|one| one.judged.kind);
        let mut kinds: Vec<Kind> = kinds.collect();
        kinds.sort();
        kinds
    };
    assert_eq!(
        kinds(&ended),
        [Kind::Ok, Kind::Ok, Kind::Failed(Class::Server)]
    );
    assert_eq!(
        (told.written, told.waiting, told.unknown),
        (0, SAMPLES - 3, 1)
    );
    assert!(
        told.problems[0].contains("output.jsonl:5"),
        "{:?}",
        told.problems
    );
    assert_eq!(ended.cost.tokens, [18, 2]);
    // A failed request is written again only once.
    for expected in [1, 0] {
        let (_, told) = start(&folder, Failures::Retry);
        assert_eq!((told.written, told.waiting), (expected, SAMPLES - 2));
    }
    assert_eq!(names(&folder, "requests-2.jsonl"), [ids[2].clone()]);
    let rest: Vec<String> = ids[2..].iter().map(|id| answer(id, "B")).collect();
    fs::write(path(&folder, "second.jsonl"), rest.join("\n")).unwrap();
    let (ended, told) = start(&folder, Failures::Keep);
    assert_eq!(kinds(&ended), [Kind::Ok; SAMPLES]);
    assert_eq!((told.written, told.waiting), (0, 0));
    let rights = ended
        .finished
        .iter()
        .filter(|one| one.judged.right == Some(true));
    assert_eq!(rights.count(), SAMPLES - 1);
    // A duplicated file adds nothing.
    fs::copy(path(&folder, "second.jsonl"), path(&folder, "third.jsonl")).unwrap();
    assert_eq!(start(&folder, Failures::Retry).1.written, 0);
}

#[test]
fn a_schema_that_the_server_does_not_know_is_left_away_once() {
    let folder = tempfile::tempdir().unwrap();
    let endpoint = || {
        Endpoint::new(Setup {
            address: "http://h/v1".to_owned(),
            ..Setup::default()
        })
        .unwrap()
    };
    let open = || Batch::open(endpoint(), folder.path(), Failures::Keep).unwrap();
    let mut question = plan().question(0).unwrap().unwrap();
    question.request.schema = Some(Schema {
        name: "answer",
        schema: json!({"type": "object"}),
    });
    let ask = |batch: &Batch| {
        let outcome = batch.outcome(&question);
        batch.close().unwrap();
        outcome.map_err(|failure| failure.class)
    };
    let body = |name: &str| {
        let text = fs::read_to_string(path(&folder, name)).unwrap();
        serde_json::from_str::<Json>(text.trim()).unwrap()["body"].clone()
    };
    let refusal = |id: &str| {
        let error = json!({"message": "response_format is not supported"});
        json!({"custom_id": id, "response": {"status_code": 400, "body": {"error": error}}})
            .to_string()
    };
    assert_eq!(ask(&open()), Err(Class::Cancelled));
    assert!(body("requests-1.jsonl").get("response_format").is_some());
    let [id] = &names(&folder, "requests-1.jsonl")[..] else {
        panic!("one request");
    };
    fs::write(path(&folder, "errors.jsonl"), refusal(id)).unwrap();
    for _ in 0..2 {
        assert_eq!(ask(&open()), Err(Class::Cancelled), "it waits");
    }
    assert!(body("requests-2.jsonl").get("response_format").is_none());
    assert!(!path(&folder, "requests-3.jsonl").exists());
    // A second refusal is an ordinary failure.
    let again = format!("{} ", refusal(id)).replace("supported", "known");
    fs::write(path(&folder, "more.jsonl"), again).unwrap();
    assert_eq!(ask(&open()), Err(Class::Request));
}

#[test]
fn a_file_that_is_full_is_followed_by_another() {
    for most in [(2, 1_000), (1_000, 25)] {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = BatchFiles::default().writer();
        writer.most = most;
        for _ in 0..5 {
            writer.add(folder.path(), b"ten bytes!").unwrap();
        }
        writer.close().unwrap();
        assert_eq!((writer.files.len(), writer.requests), (3, 5), "{most:?}");
    }
}
