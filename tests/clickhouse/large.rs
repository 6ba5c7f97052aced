//! Tests sums that the server computes, and reports made from them.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use eyechart::analysis::{MeasureSums, Selection, stable_splits, summed};
use eyechart::reader::data_set::Manifest;
use eyechart::record::{ModelId, Scoring};
use eyechart::workspace::database::{Database, DatabaseSums, PublishedRun, SumsRequest};
use eyechart::workspace::publish::{PublishError, SumsScope, SumsSource};
use serde_json::Value;

use crate::nodes::READS;
use crate::same::{assert_near, assert_same, by_name};
use crate::support::{arg, list};
use crate::{Home, Setting, exam, local, log, numbers, samples};

/// Sums of all runs; models have the codes 0, 1, and so on.
pub fn sums(
    database: &Database,
    runs: &[PublishedRun],
    which: SumsScope<'_>,
    most: u64,
) -> Result<DatabaseSums, PublishError> {
    let abilities: Vec<BTreeSet<&str>> = runs
        .iter()
        .map(|run| run.run.abilities.keys().map(String::as_str).collect())
        .collect();
    let coded = runs.iter().zip(&abilities).zip(0..);
    let coded: Vec<_> = coded
        .map(|((run, abilities), code)| {
            let of = SumsSource {
                run: &run.run,
                model: ModelId(code),
                abilities,
            };
            (run, of)
        })
        .collect();
    let wanted = SumsRequest {
        runs: &coded,
        which,
        most,
    };
    database.sums(wanted, &mut || ControlFlow::Continue(()))
}

#[test]
fn sums_that_the_server_adds_up_are_those_of_the_table() {
    let Some(setting) = Setting::new() else {
        return;
    };
    assert_eq!(setting.publish(&exam()).code, 0);
    let table = local(&exam());
    let expected = summed(
        Selection::all(&table, Scoring::Harness),
        &stable_splits(&table),
        &vec![0; table.len()],
    );
    let models = table.names().models.values().to_vec();
    let database = setting.database();
    let runs = database.runs().unwrap();
    assert_eq!(
        runs.iter().map(|run| run.run.n).sum::<u64>(),
        table.len() as u64
    );
    let names: Vec<String> = runs.iter().map(|run| run.run.model.clone()).collect();
    let is_whole = |sum: &&MeasureSums| sum.bin.is_none();
    let whole: Vec<MeasureSums> = expected.iter().filter(is_whole).cloned().collect();
    let found = sums(&database, &runs, SumsScope::Whole, u64::MAX).unwrap();
    assert_eq!((found.joined, found.notice()), (None, None));
    assert_same(&by_name(&found.sums, &names), &by_name(&whole, &models));
    let mut splits = 0;
    for split in stable_splits(&table) {
        let is_own = |sum: &&MeasureSums| sum.bin.as_ref().is_some_and(|bin| bin.by == split.text);
        let own: Vec<MeasureSums> = expected.iter().filter(is_own).cloned().collect();
        let found = sums(&database, &runs, SumsScope::Bins(&split.text), u64::MAX).unwrap();
        assert_same(&by_name(&found.sums, &names), &by_name(&own, &models));
        splits += usize::from(!own.is_empty());
    }
    assert!(splits > 0);
    // Merged groups and totals contain the same values.
    let count = |sums: &[MeasureSums]| -> u64 {
        let cells = sums.iter().flat_map(|sum| &sum.cells);
        cells.map(|cell| cell.n).sum()
    };
    let joined = sums(&database, &runs, SumsScope::Whole, 0).unwrap();
    assert_eq!(joined.joined, Some(1024));
    assert!(joined.notice().unwrap().contains("limits.database_groups"));
    let totals = sums(&database, &runs, SumsScope::Totals, u64::MAX).unwrap();
    assert_eq!(
        [count(&joined.sums), count(&totals.sums)],
        [count(&whole); 2]
    );
}

/// Number of predictions with a local copy.
fn copied(home: &Home) -> u64 {
    let mut folders = vec![home.at("cache")];
    let mut n = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if entry
                .file_name()
                .to_str()
                .and_then(Manifest::number)
                .is_some()
            {
                n += predictions(&path);
            }
        }
    }
    n
}

fn predictions(manifest: &Path) -> u64 {
    Manifest::parse(&fs::read(manifest).unwrap()).unwrap().n()
}

/// Publishes logs. Compares reports on the loaded logs with reports on the database. Returns the
/// number of predictions that were copied for this.
fn compare(setting: &Setting, logs: &Path, by: &str) -> u64 {
    let home = &setting.home;
    let run = setting.publish(logs);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let address = setting.reader();
    let report = ["report", &address, "--by", by];
    let loaded = home.json(READS, &report);
    let ranks = home.json(READS, &["ranks", &address]);
    assert!(copied(home) > 0);
    home.limit(&[("whole_set", 0)]);
    fs::remove_dir_all(home.at("cache")).unwrap();
    let summed = home.json(READS, &report);
    let left = copied(home);
    assert_near(&numbers(&summed), &numbers(&loaded));
    assert_eq!(summed["notes"], loaded["notes"]);
    assert_near(&home.json(READS, &["ranks", &address]), &ranks);
    left
}

#[test]
fn what_is_not_loaded_has_the_numbers_of_what_is() {
    let Some(setting) = Setting::new() else {
        return;
    };
    // Some figures in the exam are medians, which need rows.
    compare(&setting, &exam(), "box_area");
}

#[test]
fn means_are_told_without_any_row() {
    let Some(setting) = Setting::new() else {
        return;
    };
    let logs = setting.home.at("logs");
    for (name, wrong) in [("a", 5), ("b", 3)] {
        log(&logs, name, name, wrong);
    }
    assert_eq!(compare(&setting, &logs, "size"), 0);
}

#[test]
fn of_what_is_not_loaded_only_the_rows_that_are_looked_at_are_fetched() {
    let Some(setting) = Setting::new() else {
        return;
    };
    let home = &setting.home;
    let logs: PathBuf = exam();
    assert_eq!(setting.publish(&logs).code, 0);
    let address = setting.reader();
    let scores = setting.json();
    let ability = list(&scores, "scores")[0]["ability"].as_str().unwrap();
    home.limit(&[("whole_set", 0)]);
    fs::remove_dir_all(home.at("cache")).unwrap();
    let filter = format!("ability:{ability}");
    let of = |path: &str, password: &str, more: &[&str]| {
        let args = [&[path, "--filter", &filter], more].concat();
        samples(home, password, &args)
    };
    let there = of(&address, READS, &[]);
    assert_eq!(there, of(arg(&logs), "", &[]));
    assert_eq!(copied(home), there.len() as u64);
    // A second query uses the local copies.
    assert_eq!(of(&address, READS, &[]), there);
    assert_eq!(copied(home), there.len() as u64);
    home.limit(&[("whole_set", 0), ("lens_rows", 1)]);
    let run = home.run(READS, &["samples", &address]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("limits.lens_rows"), "{}", run.stderr);
}

#[test]
fn intervals_of_joined_groups_say_that_they_are() {
    let Some(setting) = Setting::new() else {
        return;
    };
    assert_eq!(setting.publish(&exam()).code, 0);
    setting.home.limit(&[("whole_set", 0)]);
    let exact = setting.json();
    setting
        .home
        .limit(&[("whole_set", 0), ("database_groups", 0)]);
    let joined = setting.json();
    let notes = list(&joined, "notes").iter().filter_map(Value::as_str);
    let notes: Vec<&str> = notes
        .filter(|note| note.contains("limits.database_groups"))
        .collect();
    assert!(
        matches!(notes.as_slice(), [one] if one.contains("1,024 groups")),
        "{joined}"
    );
    let means = |report: &Value| -> Vec<Value> {
        let scores = list(report, "scores").iter();
        scores.map(|score| score["score"].clone()).collect()
    };
    assert_near(&means(&joined).into(), &means(&exact).into());
}
