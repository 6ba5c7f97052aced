//! Tests of open logs with real files: reading, growth, added logs, verdicts, and the resulting
//! events.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use record::verdict::{Entry, SampleKey, Verdict};
use record::{PredictionKey, Row, Table};

use super::reading::{ReadFunction, read};
use super::{Change, Event, Replacement, Workspace};
use crate::follow::PollSettings;
use crate::load::Request;
use crate::verdicts::Audit;

/// Timeout that is sufficient even on slow machines.
const PATIENCE: Duration = Duration::from_secs(120);

fn write(path: &Path, model: &str, numbers: std::ops::Range<usize>) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .unwrap();
    let lines: String = numbers
        .map(|number| {
            format!(
                "{{\"sample_id\":\"s{number}\",\"benchmark\":\"b\",\"ability\":\"counting\",\"model\":\"{model}\",\"target\":\"3\",\"response\":\"{}\"}}\n",
                number % 5
            )
        })
        .collect();
    file.write_all(lines.as_bytes()).unwrap();
}

/// A workspace and its events.
struct TestWorkspace {
    workspace: Workspace,
    events: Receiver<Event>,
    table: Table,
}

impl TestWorkspace {
    fn start(read: ReadFunction, folder: &Path) -> Self {
        let request = Request {
            paths: vec![folder.to_path_buf()],
            ..Request::default()
        };
        let audit = Audit {
            paths: request.paths.clone(),
            author: "ada".to_owned(),
            ..Audit::default()
        };
        let (sender, events) = channel();
        let listener = Box::new(move |event| match sender.send(event) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        });
        Self {
            workspace: Workspace::open_with(
                read,
                request,
                audit,
                Some(PollSettings::default()),
                listener,
            )
            .unwrap(),
            events,
            table: Table::default(),
        }
    }

    /// Returns the next event that `wanted` accepts. Checks for each table before it that the rows
    /// are at the reported positions.
    fn wait<T>(&mut self, wanted: impl Fn(&Event) -> Option<T>) -> T {
        loop {
            let event = self.events.recv_timeout(PATIENCE).unwrap();
            if let Event::Table(new) = &event {
                self.take(new);
            }
            if let Some(found) = wanted(&event) {
                return found;
            }
        }
    }

    fn take(&mut self, new: &Replacement) {
        for old in (0..self.table.len()).map(|row| Row(row as u32)) {
            let key = |row| new.table.key(row);
            assert_eq!(new.moved.row(old).map(key), Some(self.table.key(old)));
        }
        assert_ne!(new.table.generation(), self.table.generation());
        self.table = new.table.clone();
        self.workspace.shown();
    }

    fn wait_for(&mut self, change: Change) {
        self.wait(|event| matches!(event, Event::Table(new) if new.change == change).then_some(()));
    }

    fn wait_for_rows(&mut self, rows: usize) {
        self.wait(|event| {
            matches!(event, Event::Table(new) if new.table.len() == rows).then_some(())
        });
    }

    fn keys(&self) -> Vec<PredictionKey> {
        (0..self.table.len())
            .map(|row| self.table.key(Row(row as u32)))
            .collect()
    }
}

#[test]
fn a_log_grows_on_after_a_rerun_and_the_new_run_stays() {
    let folder = tempfile::tempdir().unwrap();
    let [runs, reruns] = ["runs", "reruns"].map(|name| folder.path().join(name));
    let log = runs.join("run.eyechart.jsonl");
    write(&log, "m", 0..20);
    let mut open = TestWorkspace::start(read, &runs);
    open.wait_for(Change::Whole);
    write(&log, "m", 20..30);
    open.wait_for_rows(30);
    write(&reruns.join("new.eyechart.jsonl"), "n", 5..15);
    open.workspace.add(reruns).unwrap();
    let moved = open.wait(|event| match event {
        Event::Table(new) if new.change == Change::Whole => Some(new.moved.clone()),
        _ => None,
    });
    assert_eq!(moved.row(Row(0)), Some(Row(10)), "the new log comes first");
    assert_eq!(open.table.len(), 40);
    write(&log, "m", 30..35);
    open.wait_for_rows(45);
    let models = open.keys().into_iter().map(|key| key.model);
    assert_eq!(models.filter(|model| model == "n").count(), 10);
}

#[test]
fn other_verdicts_make_another_table_with_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("run.eyechart.jsonl");
    write(&log, "m", 0..3);
    let mut open = TestWorkspace::start(read, folder.path());
    open.wait_for(Change::Whole);
    let sample = SampleKey {
        sample_id: "s1".to_owned(),
        benchmark: "b".to_owned(),
        ability: "counting".to_owned(),
        ..SampleKey::default()
    };
    let entry = Entry::now(sample, Verdict::WrongLabel, "", "ada");
    open.workspace.save_verdict(entry);
    open.wait_for(Change::Judged);
    assert_eq!(open.table.verdicts(), [0, Verdict::WrongLabel.bit(), 0]);
    open.wait(|event| matches!(event, Event::Verdicts(news) if news.saved == 1).then_some(()));
    write(&log, "m", 3..5);
    open.wait_for_rows(5);
    assert_eq!(open.table.verdicts()[1..3], [Verdict::WrongLabel.bit(), 0]);
    assert!(open.workspace.finish().unsaved.is_empty());
}

#[test]
fn a_reader_that_panics_is_told_and_the_rest_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("run.eyechart.jsonl"), "m", 0..3);
    let mut open = TestWorkspace::start(|_, _, _| panic!("this log is cursed"), folder.path());
    let why = open.wait(|event| match event {
        Event::ReaderFailed(failure) => Some(failure.to_string()),
        _ => None,
    });
    assert_eq!(why, "the log reader failed: this log is cursed");
    open.workspace.read = read;
    open.workspace.add(PathBuf::from(folder.path())).unwrap();
    open.wait_for(Change::Whole);
    assert_eq!(
        (open.table.len(), open.workspace.finish().unsaved.len()),
        (3, 0)
    );
}
