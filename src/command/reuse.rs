//! Offers answers of previous runs, which need not be paid for again.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::Failure;
use super::input::ResolvedInput;
use super::stderr::stderr;
use crate::cli::Rerun;
use ask::asked::journals;
use ask::{JOURNAL, PreviousRuns, ReadyRun, age, newest};
use base::format::{counted, visible};

/// Looks for stored answers to the questions of a planned run and prints how many there are.
/// `column` names the run if there are several.
pub fn offer(
    args: &Rerun,
    folder: &Path,
    column: Option<&str>,
    ready: &mut ReadyRun,
) -> Result<(), Failure> {
    let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    // Search next to the run (or the group of columns) and in it.
    let out = whole(&args.out);
    let parent = match out.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => Path::new("/"),
    };
    let beside = [parent.to_path_buf(), out.clone()];
    let beside = beside.into_iter().chain(groups(parent));
    let request = ResolvedInput::of(&args.input)?.request;
    let mut folders = journals(&request, &beside.collect::<Vec<_>>());
    let own = whole(folder);
    folders.retain(|folder| *folder != own);
    ready.offer(&PreviousRuns::new(folders));
    let column = column.map_or_else(String::new, |name| format!("{name}: "));
    for trouble in &ready.troubles {
        writeln!(stderr(), "warning: {column}{}", visible(trouble))?;
    }
    if !ready.stored.is_empty() {
        let hint = if args.reuse {
            "used"
        } else {
            "--reuse uses them"
        };
        let stored = ready.stored.len();
        // A chain's number of requests is only known at its end.
        let questions = if ready.estimate.between.is_some() {
            counted(stored as u64, "question")
        } else {
            let all = counted(ready.estimate.requests as u64, "question");
            format!("{stored} of {all}")
        };
        let were = if stored == 1 { "was" } else { "were" };
        writeln!(
            stderr(),
            "{column}{questions} {were} answered by earlier runs, {}: {hint}",
            age(newest(&ready.stored)),
        )?;
    }
    Ok(())
}

/// Subfolders that are not runs themselves but may contain the columns of one.
fn groups(parent: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(parent).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let folders = folders.map(|entry| entry.path());
    folders
        .filter(|folder| !folder.join(JOURNAL).is_file())
        .collect()
}
