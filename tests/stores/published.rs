//! Tests published data sets in a bucket: only the needed files are downloaded.

use std::fs;

use serde_json::Value;

use super::support::{self, list};
use super::{Setting, numbers, sample_runs};

/// A bucket with a data set of the exam's logs, and a machine without a cache.
fn published() -> Setting {
    let publisher = Setting::new();
    let logs = sample_runs().join("exam");
    let run = publisher.run(&["publish", logs.to_str().unwrap(), "--to", "s3://team/set"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let setting = publisher.elsewhere();
    drop(setting.server.seen());
    setting
}

impl Setting {
    /// Lowers the limit, so that data sets from 1,000 predictions on count as large.
    fn with_small_memory(self) -> Self {
        let limits = "[limits]\nwhole_set = 1000\nlens_rows = 2000\n";
        fs::write(self.at("config.toml"), limits).unwrap();
        self
    }

    /// Paths in the data set that were requested since the last call.
    fn fetched(&self) -> Vec<String> {
        let seen = self.server.seen();
        let below = seen.iter().filter_map(|request| {
            let (method, rest) = request.split_once(' ')?;
            assert!(matches!(method, "GET" | "HEAD"), "{request}");
            let path = rest.split(['?', ' ']).next()?;
            path.strip_prefix("/team/set/").map(str::to_owned)
        });
        below.collect()
    }

    /// Total bytes of these objects.
    fn bytes(&self, paths: &[String]) -> usize {
        let all = self.server.with(|store| store.below("team/set/"));
        let all = all.iter().filter(|(name, _)| {
            let name = name.strip_prefix("team/set/").unwrap();
            paths.iter().any(|path| path == name)
        });
        all.map(|(_, bytes)| bytes.len()).sum()
    }
}

fn are_below(paths: &[String], folders: &[&str]) -> bool {
    let mut paths = paths.iter();
    paths.all(|path| folders.iter().any(|folder| path.starts_with(folder)))
}

#[test]
fn of_a_data_set_that_is_read_whole_no_sums_are_fetched() {
    let setting = published();
    let report = setting.json(&["report", "s3://team/set"]);
    let here = support::eyechart(&["report", sample_runs().join("exam").to_str().unwrap()]);
    assert_eq!(numbers(&report), numbers(&here));
    let fetched = setting.fetched();
    let newest: Vec<&String> = fetched
        .iter()
        .filter(|path| path.starts_with("eyechart-data-set."))
        .collect();
    assert_eq!(newest, ["eyechart-data-set.000001.json"]);
    assert!(
        are_below(&fetched, &["eyechart-data-set.", "rows/", "texts/"]),
        "{fetched:?}"
    );
    setting.json(&["report", "s3://team/set"]);
    assert_eq!(setting.fetched(), Vec::<String>::new());
}

#[test]
fn of_a_large_data_set_the_sums_are_fetched_and_of_its_predictions_those_that_are_looked_at() {
    let setting = published().with_small_memory();
    // Medians, and answers to some of the samples, need rows.
    let of_sums = "not (ability:color or ability:absolute_depth)";
    let report = setting.json(&["report", "s3://team/set", "--filter", of_sums]);
    let logs = sample_runs().join("exam");
    let logs = logs.to_str().unwrap();
    let here = support::eyechart(&["report", logs, "--filter", of_sums]);
    let near = |a: &Value, b: &Value| match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() < 1e-9,
        _ => a == b,
    };
    for name in ["scores", "average_rank"] {
        let (found, wanted) = (list(&report, name), list(&here, name));
        assert_eq!(found.len(), wanted.len(), "{name}");
        for (found, wanted) in found.iter().zip(wanted) {
            for field in [
                "benchmark",
                "model",
                "ability",
                "metric",
                "n",
                "rank",
                "rank_ci",
            ] {
                assert_eq!(found[field], wanted[field], "{name}: {found} {wanted}");
            }
            for field in ["score", "value"] {
                assert!(near(&found[field], &wanted[field]), "{found} {wanted}");
            }
        }
    }
    let sums = setting.fetched();
    assert!(
        are_below(&sums, &["eyechart-data-set.", "cells/"]),
        "{sums:?}"
    );
    assert_eq!(
        sums.len(),
        21,
        "a manifest, and sums and totals of ten runs"
    );
    let all = setting.server.with(|store| store.below("team/set/"));
    let all: Vec<String> = all
        .into_iter()
        .map(|(name, _)| name.trim_start_matches("team/set/").to_owned())
        .collect();
    assert!(setting.bytes(&sums) < setting.bytes(&all));

    let lens = "model:color ability:texture";
    let samples = |limit: &str| {
        setting.json(&[
            "samples",
            "s3://team/set",
            "--filter",
            lens,
            "--limit",
            limit,
        ])
    };
    let local = support::eyechart(&["samples", logs, "--filter", lens, "--limit", "5"]);
    let names = |document: &Value| -> Vec<Value> {
        let rows = list(document, "samples").iter();
        rows.map(|row| row["sample_id"].clone()).collect()
    };
    let found = samples("5");
    assert_eq!(names(&found), names(&local));
    let rows = setting.fetched();
    assert!(
        are_below(&rows, &["rows/color-", "texts/color-"]),
        "{rows:?}"
    );
    assert_eq!(rows.len(), 2, "{rows:?}");
    samples("5");
    assert_eq!(setting.fetched(), Vec::<String>::new(), "they are here");

    let run = setting.run(&["samples", "s3://team/set"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("limits.lens_rows"), "{}", run.stderr);
}

#[test]
fn what_a_large_data_set_lacks_is_named_and_no_number_is_smaller() {
    let setting = published().with_small_memory();
    let names = |folder: &str| {
        let path = format!("team/set/{folder}/");
        let all = setting.server.with(|store| store.below(&path));
        all.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    };
    // The names end with a hash of the content, so their order may change.
    let [rows, cells] = ["rows", "cells"].map(|folder| {
        let mut boxes = names(folder)
            .into_iter()
            .filter(|name| name.contains("exam-boxes"));
        boxes.next().unwrap_or_else(|| names(folder).remove(0))
    });
    let of_sums = "ability:texture or benchmark:exam-boxes";
    setting.server.with(|store| store.remove(&rows));
    let run = setting.run(&[
        "report",
        "s3://team/set",
        "--filter",
        of_sums,
        "--format",
        "json",
    ]);
    assert_eq!(run.code, 4, "{}", run.stderr);
    assert!(
        run.stderr.contains(&format!("s3://{rows}")),
        "{}",
        run.stderr
    );
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let n = list(&report, "sources").iter();
    let n: u64 = n.map(|source| source["rows"].as_u64().unwrap()).sum();
    assert_eq!(n, 3_200, "sums are over all");
    let lens = ["samples", "s3://team/set", "--filter", "model:color"];
    let run = setting.run(&lens);
    assert_eq!(run.code, 4, "{}", run.stderr);
    assert!(
        run.stderr.contains("its 80 answers are not shown"),
        "{}",
        run.stderr
    );
    setting.server.with(|store| store.remove(&cells));
    let run = setting.run(&["report", "s3://team/set", "--filter", of_sums]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(
        run.stderr.contains(&format!("s3://{cells}")),
        "{}",
        run.stderr
    );
}
