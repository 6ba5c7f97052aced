//! Tests that an unusual row affects only itself. One line, element or sample of a log is changed
//! in many ways. All other rows must keep their ability, metrics and scores, and the figures
//! printed by the harness must stay.
//!
//! Some of the changes are tested in every test run. To test all of them:
//!
//! ```text
//! EYECHART_ODD_ROWS=all cargo test --release --test odd_rows
//! ```
//!
//! Logs of real runs next to the project's folder are tested too. If there are none, that test is
//! skipped.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test ends there"
)]

#[path = "odd_rows/change.rs"]
mod change;
#[path = "odd_rows/loaded_folder.rs"]
mod loaded_folder;
#[path = "odd_rows/log.rs"]
mod log;
#[path = "support/rows.rs"]
mod rows;
#[path = "support/skipped.rs"]
mod skipped;

use std::path::Path;

use loaded_folder::LoadedFolder;
use log::Log;
use skipped::skipped;

/// Default number of changes of all logs that are tested together.
const USUAL: usize = 80;
/// Minimum of the default number of changes per log.
const LEAST: usize = 10;

/// Tests `usual` changes of a log, or all changes, starting with the change with index `first`.
/// Returns their effects on other rows.
fn broken_by(log: &Log, first: usize, usual: usize) -> Vec<String> {
    let whole = LoadedFolder::of(log.folder());
    assert!(!whole.is_empty(), "{}: nothing is read", log.name());
    let changes: Vec<(usize, change::Change)> = log
        .rows_to_change()
        .into_iter()
        .flat_map(|row| {
            log.changes(row)
                .into_iter()
                .map(move |change| (row, change))
        })
        .collect();
    let all = std::env::var("EYECHART_ODD_ROWS").is_ok_and(|wanted| wanted == "all");
    let step = if all {
        1
    } else {
        changes.len().div_ceil(usual).max(1)
    };
    let mut broken = Vec::new();
    for (row, change) in changes.iter().skip(first % step).step_by(step) {
        log.write(*row, change);
        let odd = LoadedFolder::of(log.folder());
        for what in whole.differences(&odd, log, *row, change) {
            broken.push(format!(
                "{}: row {row}, {}: {what}",
                log.name(),
                change.what
            ));
        }
    }
    log.restore();
    broken
}

/// Asserts that all logs keep their other rows. Each log starts with another change, so that
/// different logs test different kinds of changes.
fn hold(logs: impl IntoIterator<Item = Log>) {
    let logs: Vec<Log> = logs.into_iter().collect();
    assert!(!logs.is_empty(), "no logs");
    let usual = USUAL.div_ceil(logs.len()).max(LEAST);
    let broken = logs.iter().enumerate();
    let broken = broken.flat_map(|(first, log)| broken_by(log, first, usual));
    let broken: Vec<String> = broken.collect();
    let shown = broken.get(..40).unwrap_or(&broken).join("\n");
    assert!(
        broken.is_empty(),
        "{} changes moved other rows:\n{shown}",
        broken.len()
    );
}

fn fixtures(folder: &str, wanted: &dyn Fn(&Path) -> bool) -> Vec<Log> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    Log::all_below(&root.join(folder), wanted)
}

fn ends(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found == ending)
}

fn is_named(path: &Path, part: &str) -> bool {
    path.to_string_lossy().contains(part)
}

#[test]
fn of_lm_eval() {
    hold(fixtures("lm_eval", &|path| is_named(path, "samples_")));
}

#[test]
fn of_lmms_eval() {
    hold(fixtures("lmms_eval", &|path| is_named(path, "samples_")));
}

#[test]
fn of_ava_bench() {
    hold(fixtures("ava_bench", &|path| {
        is_named(path, "answers/clip")
    }));
}

#[test]
fn of_questions_and_truths_of_ava_bench() {
    hold(fixtures("ava_bench/counting", &|path| {
        is_named(path, "ground_truth")
    }));
    hold(fixtures("ava_bench/ocr", &|path| {
        is_named(path, "questions")
    }));
}

#[test]
fn of_taskit() {
    hold(fixtures("taskit", &|path| {
        is_named(path, "logs/outputs/") && !is_named(path, "_group_")
    }));
}

#[test]
fn of_inspect() {
    hold(fixtures("inspect_ai", &|path| {
        ends(path, "json") && is_named(path, "odd-ids")
    }));
}

#[test]
fn of_vlmevalkit() {
    hold(fixtures("vlmevalkit", &|path| {
        let is_table = ends(path, "tsv") || ends(path, "json");
        is_table && is_named(path, "outputs/") && !is_named(path, "status")
    }));
}

#[test]
fn of_own_logs() {
    hold(fixtures("slices", &|path| ends(path, "jsonl")));
    hold(fixtures("maps", &|path| ends(path, "jsonl")));
}

#[test]
fn of_csv() {
    let rows = (0..12).map(|at| {
        let score = f64::from(at % 3) / 2.0;
        format!(
            "s{at},counting,b,m{},\"how, many?\",3,\"{at} \"\"of\"\" them\",accuracy,{score}",
            at % 2
        )
    });
    let header = "sample_id,ability,benchmark,model,question,target,response,metric,score";
    let text = format!("{header}\n{}\n", rows.collect::<Vec<_>>().join("\n"));
    hold([Log::of_text("rows.csv", &text)]);
}

#[test]
fn of_published_scores() {
    let rows = (0..8).map(|at| format!("b,t,m{at},counting,accuracy,higher,0.{at}"));
    let text = format!(
        "benchmark,table,model,ability,metric,direction,score\n{}\n",
        rows.collect::<Vec<_>>().join("\n")
    );
    hold([Log::of_text("paper.scores.csv", &text)]);
}

#[test]
fn of_real_logs_where_they_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/real_logs");
    if !root.is_dir() {
        skipped("no logs of real runs next to the project");
        return;
    }
    let wanted = |path: &Path| {
        let is_rows = is_named(path, "samples_") || is_named(path, "answers/siglip2");
        // In a log of groups, one element contains several samples.
        let is_taskit = is_named(path, "logs/outputs/o4") && !is_named(path, "_group_");
        is_rows && ends(path, "jsonl") || is_taskit && ends(path, "json")
    };
    for harness in ["lm-eval", "lmms-eval", "ava-bench", "taskit"] {
        hold(Log::all_below(&root.join(harness), &wanted));
    }
}
