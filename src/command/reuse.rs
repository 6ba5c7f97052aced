//! Answers of previous runs, which need not be paid for again.

use std::io::{Write, stderr};
use std::path::Path;

use super::Failure;
use super::input::Named;
use cli::Rerun;
use format::{counted, visible};
use rerun::{PreviousRuns, Ready, age, newest};
use workspace::asked::journals;

/// Looks for answers of previous runs to the same questions as those of a run in a folder, and says that there are some.
pub fn offer(args: &Rerun, folder: &Path, ready: &mut Ready) -> Result<(), Failure> {
    let out = folder
        .canonicalize()
        .unwrap_or_else(|_| folder.to_path_buf());
    let parent = match out.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => Path::new("/"),
    };
    let request = Named::of(&args.input)?.request;
    let mut folders = journals(&request, &[parent.to_path_buf()]);
    folders.retain(|folder| *folder != out);
    ready.offer(&PreviousRuns::new(folders));
    for trouble in &ready.troubles {
        writeln!(stderr().lock(), "warning: {}", visible(trouble))?;
    }
    if !ready.stored.is_empty() {
        let hint = if args.reuse {
            "used"
        } else {
            "--reuse takes them"
        };
        writeln!(
            stderr().lock(),
            "{} of {} were answered by earlier runs, {}: {hint}",
            ready.stored.len(),
            counted(ready.estimate.requests as u64, "question"),
            age(newest(&ready.stored)),
        )?;
    }
    Ok(())
}
