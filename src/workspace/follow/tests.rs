//! Tests followers with real files that grow.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use super::{Event, FollowStart, Growth, PollSettings, Signal, follow, signals};
use crate::load::{Request, open};
use record::{Row, Scoring, Table};

const PATIENCE: Duration = Duration::from_secs(20);

/// Formats a line of the native format.
fn line(model: &str, number: usize) -> String {
    format!(
        "{{\"sample_id\":\"s{number}\",\"ability\":\"counting\",\"model\":\"{model}\",\"question\":\"how many?\",\"target\":\"{}\",\"response\":\"{}\"}}\n",
        number % 7,
        number % 5
    )
}

fn append(path: &Path, text: &str) {
    let mut file = OpenOptions::new().append(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

/// A follower of a folder that runs in its own thread.
struct TestFollower {
    table: Table,
    events: Receiver<Event>,
    wake: Sender<Signal>,
}

impl TestFollower {
    fn start(folder: &Path) -> Self {
        let request = Request {
            paths: vec![folder.to_path_buf()],
            ..Request::default()
        };
        let (table, reading) = open(&request, &mut |_| ControlFlow::Continue(()));
        let first = table.clone();
        let (sender, events) = channel();
        let signals = signals();
        let wake = signals.0.clone();
        std::thread::spawn(move || {
            let start = FollowStart {
                table: first,
                reading,
                signals,
                polling: &PollSettings::default(),
            };
            follow(&request, start, &mut |event| match sender.send(event) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            });
        });
        wake.send(Signal::Ready).unwrap();
        Self {
            table,
            events,
            wake,
        }
    }

    /// Receives tables until `wanted` accepts one. Returns how often all logs were read again.
    fn until(&mut self, wanted: impl Fn(&Table) -> bool) -> usize {
        let (start, mut anew) = (Instant::now(), 0);
        while !wanted(&self.table) {
            let left = PATIENCE.saturating_sub(start.elapsed());
            if let Event::Grown(Growth { table, is_anew, .. }) =
                self.events.recv_timeout(left).unwrap()
            {
                anew += usize::from(is_anew);
                self.table = table;
                self.wake.send(Signal::Ready).unwrap();
            }
        }
        anew
    }
}

fn pending(table: &Table) -> usize {
    let problems = table.sources().iter().flat_map(|source| &source.problems);
    problems.filter(|problem| problem.pending).count()
}

fn problems(table: &Table) -> usize {
    table
        .sources()
        .iter()
        .map(|source| source.problems.len())
        .sum()
}

/// Returns all rows of a table as text, sorted.
fn told(table: &Table) -> Vec<String> {
    let row = |row| {
        let row = Row(row);
        let item = table.item(row);
        let score = table.scores(Scoring::Harness)[row.0 as usize];
        let text = crate::text::record(table, row).unwrap();
        format!(
            "{} {} {score} {text:?}",
            table.sample_id(item),
            table.names().model(table.model(row))
        )
    };
    let mut rows: Vec<String> = (0..table.len() as u32).map(row).collect();
    rows.sort();
    rows
}

/// Checks that the table equals the table from opening the folder again.
fn assert_as_fresh(following: &TestFollower, folder: &Path) {
    let request = Request {
        paths: vec![folder.to_path_buf()],
        ..Request::default()
    };
    let fresh = open(&request, &mut |_| ControlFlow::Continue(())).0;
    assert_eq!(told(&following.table), told(&fresh));
    assert_eq!(problems(&following.table), problems(&fresh));
}

#[test]
fn lines_are_read_on_and_half_a_line_waits_for_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.eyechart.jsonl");
    std::fs::write(&path, (0..50).map(|n| line("m", n)).collect::<String>()).unwrap();
    let mut following = TestFollower::start(folder.path());
    append(&path, &(50..90).map(|n| line("m", n)).collect::<String>());
    assert_eq!(following.until(|table| table.len() == 90), 0);
    let next = line("m", 90);
    let (first, rest) = next.split_at(40);
    append(&path, first);
    following.until(|table| pending(table) == 1);
    assert_eq!(following.table.len(), 90);
    append(&path, rest);
    assert_eq!(following.until(|table| table.len() == 91), 0);
    assert_eq!(
        (pending(&following.table), problems(&following.table)),
        (0, 0)
    );
    assert_as_fresh(&following, folder.path());
}

#[test]
fn a_line_that_stays_cut_short_becomes_a_problem() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.eyechart.jsonl");
    std::fs::write(&path, format!("{}{}", line("m", 0), &line("m", 1)[..30])).unwrap();
    let old = std::time::SystemTime::now() - Duration::from_secs(3600);
    File::options()
        .append(true)
        .open(&path)
        .unwrap()
        .set_modified(old)
        .unwrap();
    let mut following = TestFollower::start(folder.path());
    assert_eq!(pending(&following.table), 1);
    following.until(|table| pending(table) == 0);
    assert_eq!(problems(&following.table), 1);
}

#[test]
fn rows_of_csv_are_read_on_even_when_they_were_cut_within_a_cell() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.csv");
    let rows = |range: std::ops::Range<usize>| -> String {
        range
            .map(|n| format!("s{n},counting,m,\"a, b\nc\",{}.25\n", n % 3))
            .collect()
    };
    std::fs::write(
        &path,
        format!("sample_id,ability,model,response,score\n{}s", rows(0..20)),
    )
    .unwrap();
    let mut following = TestFollower::start(folder.path());
    append(&path, &rows(20..40)[1..]);
    following.until(|table| table.len() == 40);
    append(&path, "s40,counting,m,\"open\n");
    following.until(|table| pending(table) == 1);
    append(&path, "closed\",0.");
    following.until(|table| table.len() == 41);
    append(&path, "5\n");
    following.until(|table| table.scores(Scoring::Harness).last() == Some(&0.5));
    assert_eq!(following.table.len(), 41);
    assert_as_fresh(&following, folder.path());
}

#[test]
fn what_is_new_replaced_or_overruled_is_read_anew() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["a.eyechart.jsonl", "b.eyechart.jsonl"].map(|name| folder.path().join(name));
    std::fs::write(&a, (0..20).map(|n| line("m", n)).collect::<String>()).unwrap();
    let mut following = TestFollower::start(folder.path());
    std::fs::write(&b, (0..30).map(|n| line("n", n)).collect::<String>()).unwrap();
    assert_eq!(following.until(|table| table.len() == 50), 1);
    std::fs::write(&b, (0..5).map(|n| line("n", n)).collect::<String>()).unwrap();
    assert_eq!(following.until(|table| table.len() == 25), 1);
    std::fs::create_dir(folder.path().join("deep")).unwrap();
    let deep = folder.path().join("deep/c.eyechart.jsonl");
    std::fs::write(&deep, line("o", 1)).unwrap();
    following.until(|table| table.len() == 26);
    append(&deep, &line("o", 2));
    assert_eq!(following.until(|table| table.len() == 27), 0);
    // A log that repeats the answers of another log becomes a run.
    append(&a, &line("n", 3));
    assert_eq!(following.until(|table| table.len() == 28), 1);
    assert_eq!(problems(&following.table), 0);
    assert_as_fresh(&following, folder.path());
}

#[test]
fn logs_that_are_gone_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["a.eyechart.jsonl", "b.eyechart.jsonl"].map(|name| folder.path().join(name));
    for (path, model) in [(&a, "m"), (&b, "n")] {
        std::fs::write(path, (0..5).map(|n| line(model, n)).collect::<String>()).unwrap();
    }
    let gone = |table: &Table| {
        let problems = table.sources().iter().flat_map(|source| &source.problems);
        problems
            .filter(|problem| problem.what.contains("is gone"))
            .count()
    };
    let mut following = TestFollower::start(folder.path());
    assert_eq!(following.table.len(), 10);
    std::fs::remove_file(&b).unwrap();
    following.until(|table| table.len() == 5);
    assert_eq!(
        gone(&following.table),
        1,
        "its rows are gone, and that is told"
    );
    std::fs::remove_file(&a).unwrap();
    following.until(|table| gone(table) == 2);
    assert_eq!(
        following.table.len(),
        5,
        "the last rows stay, and that is told"
    );
}

/// One job points its link to the latest run. Another job empties its output folder.
#[cfg(unix)]
#[test]
fn a_link_that_leads_elsewhere_is_followed() {
    use std::os::unix::fs::symlink;
    let outer = tempfile::tempdir().unwrap();
    let [old, new, link] = ["old", "new", "link"].map(|name| outer.path().join(name));
    for (folder, model) in [(&old, "m"), (&new, "n")] {
        std::fs::create_dir(folder).unwrap();
        std::fs::write(folder.join("a.eyechart.jsonl"), line(model, 0)).unwrap();
    }
    symlink(&old, &link).unwrap();
    let mut linked = TestFollower::start(&link);
    symlink(&new, outer.path().join("next")).unwrap();
    std::fs::rename(outer.path().join("next"), &link).unwrap();
    linked.until(|table| table.names().models.values() == ["n"]);
    append(&new.join("a.eyechart.jsonl"), &line("n", 1));
    linked.until(|table| table.len() == 2);
}

#[test]
fn a_named_file_whose_folder_is_made_again_is_followed() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("runs");
    let log = folder.join("a.eyechart.jsonl");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(&log, line("m", 0)).unwrap();
    let mut named = TestFollower::start(&log);
    std::fs::remove_dir_all(&folder).unwrap();
    named.until(|table| problems(table) > 0);
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(&log, line("m", 0) + &line("m", 1)).unwrap();
    named.until(|table| table.len() == 2);
}

/// Opening the pipe would block forever.
#[cfg(unix)]
#[test]
fn an_empty_log_that_becomes_a_pipe_does_not_end_following() {
    let folder = tempfile::tempdir().unwrap();
    let [empty, other] =
        ["a", "b"].map(|name| folder.path().join(format!("{name}.eyechart.jsonl")));
    std::fs::write(&empty, "").unwrap();
    std::fs::write(&other, line("m", 0)).unwrap();
    let mut following = TestFollower::start(folder.path());
    std::fs::remove_file(&empty).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&empty).status();
    assert!(made.unwrap().success());
    append(&other, &line("m", 1));
    following.until(|table| table.len() == 2);
}

/// A file whose path was a folder for a while is found again. This also works if all files were
/// deleted and created again.
#[test]
fn a_file_that_was_a_folder_is_found_when_all_is_made_again() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("runs");
    let (one, two) = (
        folder.join("a.eyechart.jsonl"),
        folder.join("b.eyechart.jsonl"),
    );
    std::fs::create_dir(&folder).unwrap();
    for path in [&one, &two] {
        std::fs::write(path, line("m", 0)).unwrap();
    }
    let mut following = TestFollower::start(&folder);
    std::fs::remove_file(&one).unwrap();
    std::fs::create_dir(&one).unwrap();
    append(&two, &line("z", 1));
    following.until(|table| table.names().models.values().contains(&"z".to_owned()));
    std::fs::remove_dir_all(&folder).unwrap();
    following.until(|table| problems(table) > 0);
    std::fs::create_dir(&folder).unwrap();
    let rows: String = (0..7).map(|number| line("m", number)).collect();
    std::fs::write(&one, rows).unwrap();
    following.until(|table| table.len() == 7);
    let rows = told(&following.table);
    assert!(rows.iter().all(|row| row.contains(" m ")), "{rows:?}");
}
