//! `eyechart join`: joins the parts of one run that was split over several machines.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::stderr::stderr;
use super::{Failure, Status};
use crate::cli::Join;
use ask::{BATCH, FILE, JOURNAL, Shard};
use base::file::{FileBatch, Inputs, is_temporary};
use base::format::{counted, visible};

/// Writes the joined run to a new folder.
pub fn run(args: &Join) -> Result<Status, Failure> {
    if args.out.join(JOURNAL).exists() {
        let there = format!("{} already contains a run", args.out.display());
        return Err(Failure::new(there).hint("choose another --out"));
    }
    let others = others(&args.folders)?;
    let joined = ask::join(&args.folders, &args.out).map_err(Failure::new)?;
    let inputs = Inputs::new(args.folders.iter().cloned());
    for name in others.keys() {
        inputs.refuse(&args.out.join(name))?;
    }
    let together = FileBatch::default();
    for (name, file) in &others {
        let from = fs::read(file);
        let from = from.map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
        together.write(&args.out.join(name), &from)?;
    }
    together.settle()?;
    let mut out = stderr();
    let twice = match joined.twice {
        0 => String::new(),
        count => format!(", {count} of them in several runs and counted once"),
    };
    writeln!(
        out,
        "{} of {} with {} in {}{twice}",
        counted(joined.done as u64, "question"),
        counted(args.folders.len() as u64, "run"),
        counted(joined.answers as u64, "answer"),
        visible(&args.out.display().to_string()),
    )?;
    for (journal, bad) in &joined.bad {
        let count = counted(bad.len() as u64, "damaged line");
        writeln!(
            out,
            "{}: {count} left out",
            visible(&journal.display().to_string())
        )?;
    }
    if joined.lacking.is_empty() {
        return Ok(Status::Done);
    }
    let lacking: Vec<String> = joined.lacking.iter().map(Shard::to_string).collect();
    writeln!(out, "missing: --shard {}", lacking.join(", "))?;
    Ok(Status::Partial)
}

/// Returns all files of the folders except journals and logs, by relative path. They are pictures,
/// and an exam's questions and baselines. Copies in several folders must be equal.
fn others(folders: &[PathBuf]) -> Result<BTreeMap<PathBuf, PathBuf>, Failure> {
    let mut found = BTreeMap::new();
    for folder in folders {
        let mut open = vec![folder.clone()];
        while let Some(inner) = open.pop() {
            let entries = fs::read_dir(&inner);
            let entries =
                entries.map_err(|error| Failure::new(format!("{}: {error}", inner.display())))?;
            for entry in entries.flatten() {
                let (path, kind) = (entry.path(), entry.file_type()?);
                let name = path.strip_prefix(folder).unwrap_or(&path).to_path_buf();
                if kind.is_dir() && name != Path::new(BATCH) {
                    open.push(path);
                } else if kind.is_file() && is_of_run(&name) {
                    take(name, path, &mut found)?;
                }
            }
        }
    }
    Ok(found)
}

/// Returns true for the files of a run except journal, log and temporary files. Verdict files are
/// not part of a run.
fn is_of_run(name: &Path) -> bool {
    let file = name.file_name().unwrap_or_default();
    let is_verdicts = file.to_string_lossy().ends_with(record::verdict::ENDING);
    name != Path::new(JOURNAL) && name != Path::new(FILE) && !is_verdicts && !is_temporary(file)
}

fn take(
    name: PathBuf,
    path: PathBuf,
    found: &mut BTreeMap<PathBuf, PathBuf>,
) -> Result<(), Failure> {
    let known: &Path = match found.entry(name) {
        Entry::Vacant(free) => {
            free.insert(path);
            return Ok(());
        }
        Entry::Occupied(known) => known.into_mut(),
    };
    if fs::read(known)? == fs::read(&path)? {
        return Ok(());
    }
    let differ = format!("{} and {} differ", known.display(), path.display());
    Err(Failure::new(differ)
        .hint("the parts of one exam need the same --set, --ability, --count, --level and --seed"))
}
