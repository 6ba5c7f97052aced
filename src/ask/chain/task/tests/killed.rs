//! Tests resuming chains whose journal was cut at any line, as after a kill.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value as Json;
use tokio::runtime::Builder;

use super::scenes::scene;
use super::*;
use crate::item::Failures;
use crate::journal::{FILE, Head, Journal};
use crate::model::Model;
use crate::plan::Plan;
use crate::protocol::Protocol;
use crate::reference_model::ReferenceModel;
use crate::run::{Control, Run, RunResult};

fn plan(folder: &Path, chain: &str) -> Arc<Plan> {
    let protocol = Protocol::parse(chain).unwrap();
    let asking = Asking {
        model: "oracle".to_owned(),
        ..Asking::default()
    };
    let samples = vec![Sample::clone(&scene(folder))];
    Arc::new(Plan::new(samples, protocol, asking))
}

fn run(folder: &Path, plan: &Arc<Plan>) -> RunResult {
    let model = Arc::new(ReferenceModel::named("builtin:oracle").unwrap()) as Arc<dyn Model>;
    let journal = Journal::open(folder, Head::new(plan, &model.address())).unwrap();
    let run = Run::new(Arc::clone(plan), model, journal, Failures::Keep);
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(Arc::new(run).execute(Control::default(), Arc::new(|_| {})))
}

/// Returns the keys of the journal lines of a kind.
fn keys(text: &str, kind: &str) -> Vec<String> {
    let lines = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Json>(line).ok());
    let of = lines.filter(|line| line["line"] == kind);
    of.map(|line| line["key"].as_str().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn wherever_a_run_is_killed_no_answer_of_its_journal_is_asked_for_again() {
    for chain in [
        "chain:detect",
        "chain:group,segments=40,batch=8",
        "chain:depth,segments=20,pairs=12",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(folder.path(), chain);
        let whole = run(&folder.path().join("whole"), &plan);
        assert_eq!(
            (whole.finished.len(), whole.stopped.is_none()),
            (1, true),
            "{chain}"
        );
        let record = whole.finished[0].record.clone().unwrap();
        let journal = std::fs::read_to_string(folder.path().join("whole").join(FILE)).unwrap();
        let lines: Vec<&str> = journal.split_inclusive('\n').collect();
        let all: BTreeSet<String> = keys(&journal, "done").into_iter().collect();
        assert_eq!(
            all.len(),
            keys(&journal, "done").len(),
            "{chain}: a key for each part"
        );
        for cut in 1..lines.len() {
            let killed = folder.path().join(format!("killed{cut}"));
            std::fs::create_dir(&killed).unwrap();
            let mut begun = lines[..cut].concat();
            // The line that was being written at the kill.
            begun.push_str(&lines[cut][..lines[cut].len() / 2]);
            std::fs::write(killed.join(FILE), &begun).unwrap();
            let ended = run(&killed, &plan);
            let text = std::fs::read_to_string(killed.join(FILE)).unwrap();
            let answered: BTreeSet<String> =
                keys(&lines[..cut].concat(), "done").into_iter().collect();
            let asked = keys(&text[begun.len()..], "try");
            assert!(
                asked.iter().all(|key| !answered.contains(key)),
                "{chain} {cut}"
            );
            assert_eq!(asked.len(), all.len() - answered.len(), "{chain} {cut}");
            assert_eq!(
                ended.finished[0].record.as_ref(),
                Some(&record),
                "{chain} {cut}"
            );
            assert_eq!(keys(&text, "ended").len(), 1, "{chain} {cut}");
        }
    }
}

#[test]
fn a_run_keeps_the_pictures_of_its_result_and_none_of_its_parts() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(folder.path(), "chain:segment,segments=40,batch=8");
    let at = folder.path().join("run");
    let ended = run(&at, &plan);
    let one = &ended.finished[0];
    assert!(one.done.parts.len() > 1);
    let kept = std::fs::read_dir(at.join("images")).unwrap();
    // The picture, the annotation and the answer.
    assert_eq!(kept.count(), 3);
    let summary = plan.summary(&ended.finished);
    let finding = plan.protocol.finding(&summary);
    assert!(
        finding
            .iter()
            .any(|words| words.contains("miou") && words.contains("of 1")),
        "{finding:?}"
    );
}
