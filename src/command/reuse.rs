//! Finds answers of earlier runs, which can be reused without cost.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::Failure;
use super::stderr::stderr;
use crate::cli::Rerun;
use ask::{JOURNAL, ReadyRun, age, newest};
use base::format::{counted, visible};

/// Returns folders that can contain earlier runs: `out`, its parent, and siblings that are not
/// runs.
pub fn folders(out: &Path) -> Vec<PathBuf> {
    let out = out.canonicalize().unwrap_or_else(|_| out.to_path_buf());
    let parent = match out.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => Path::new("/"),
    };
    let beside = [parent.to_path_buf(), out.clone()];
    beside.into_iter().chain(groups(parent)).collect()
}

/// Prints how many questions of a planned run have stored answers. `column` names the run if there
/// are several.
pub fn offer(args: &Rerun, column: &str, ready: &ReadyRun) -> Result<(), Failure> {
    if ready.stored.is_empty() {
        return Ok(());
    }
    let column = match column {
        "" => String::new(),
        name => format!("{name}: "),
    };
    let hint = if args.reuse {
        "used"
    } else {
        "--reuse uses them"
    };
    let stored = ready.stored.len();
    // The number of requests of a chain is known only at its end.
    let questions = if ready.estimate.between.is_some() {
        counted(stored as u64, "question")
    } else {
        let all = counted(ready.estimate.requests as u64, "question");
        format!("{stored} of {all}")
    };
    let were = if stored == 1 { "was" } else { "were" };
    let age = age(newest(&ready.stored));
    let line = format!("{column}{questions} {were} answered by earlier runs, {age}: {hint}");
    writeln!(stderr(), "{}", visible(&line))?;
    Ok(())
}

/// Returns subfolders that are not runs themselves. They can contain the runs of several columns.
fn groups(parent: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(parent).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let folders = folders.map(|entry| entry.path());
    folders
        .filter(|folder| !folder.join(JOURNAL).is_file())
        .collect()
}
