//! `eyechart convert`: writes all logs to one file that Eyechart can open, or to a folder in the
//! format of another program.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::input::{LoadedInput, RequiredData, ResolvedInput};
use super::stderr::stderr;
use super::{Failure, Status, input, named};
use crate::cli::{Convert, ForeignFormat};
use base::format::{counted, shell_word};
use base::job::FOR_GOOD;
use engine::{
    Ask as _, CommandLine, ExportFailure, ExportGaps, ExportTarget, Report, Scope, export,
    export_folder,
};
use record::Source;
use workspace::export::folder::{FolderTarget, Gap};
use workspace::export::{ExportError, OutsidePictures, check_ending};

/// Exports the selected predictions to the file or folder `--out`.
pub fn run(args: &Convert) -> Result<Status, Failure> {
    if let Some(format) = args.to {
        return write_folder(args, format);
    }
    check_ending(&args.out)?;
    let opened = input::open_sums(&args.input)?;
    let inputs = opened.inputs();
    let scope = Scope::from(&args.lens);
    let target = ExportTarget {
        path: &args.out,
        inputs: &inputs,
    };
    let ExportGaps {
        lost,
        outside,
        problems,
    } = export(&*opened.engine, &scope, target, &FOR_GOOD)?;
    if lost > 0 {
        return Err(lost_records(lost));
    }
    mention_pictures(&outside);
    let status = input::warn_unreadable(&problems);
    input::mention(&opened, problems.len());
    mention_left_out(&opened);
    Ok(status)
}

/// Refuses standard output, and a folder among the logs: its files would be read together with the
/// logs next time.
fn check_folder(out: &Path, logs: &[PathBuf]) -> Result<(), Failure> {
    if out == Path::new("-") {
        return Err(Failure::usage("--to writes a folder: name it with --out"));
    }
    let out = std::path::absolute(out)?;
    let real = out.ancestors().find_map(|path| path.canonicalize().ok());
    let mut logs = logs.iter().filter_map(|log| log.canonicalize().ok());
    let is_among = |log: PathBuf| real.as_ref().is_some_and(|real| real.starts_with(log));
    if logs.any(is_among) {
        return Err(Failure::usage(
            "--out is inside a folder of the logs: its files would be read as logs too",
        )
        .hint("name a folder outside the folders of the logs"));
    }
    Ok(())
}

/// Exports the selected predictions to a folder, and prints the counts of omitted content.
fn write_folder(args: &Convert, format: ForeignFormat) -> Result<Status, Failure> {
    let scope = Scope::from(&args.lens);
    let scopes = [scope.clone()];
    let input = ResolvedInput::of(&args.input)?;
    check_folder(&args.out, &input.request.paths)?;
    let opened = input.open_to(&RequiredData::At(&scopes))?;
    let inputs = opened.inputs();
    let command = Report::over(&scope).command(&opened.named.request);
    let command = command.map(|command| command.to_string());
    let target = FolderTarget {
        layout: named::layout(format),
        folder: &args.out,
        inputs: &inputs,
        command: &command.unwrap_or_default(),
        time: SystemTime::now(),
    };
    let gaps = export_folder(&*opened.engine, &scope, &target, &FOR_GOOD)?;
    for message in gaps.messages() {
        // A failed warning is not an error.
        drop(writeln!(stderr(), "{message}"));
    }
    let lost = gaps.count(Gap::Lost);
    if lost > 0 {
        return Err(lost_records(lost));
    }
    if gaps.files == 0 {
        return Err(Failure::new(
            "nothing to write: no prediction or score fits the format",
        ));
    }
    input::mention(&opened, 0);
    mention_left_out(&opened);
    Ok(Status::Done)
}

fn lost_records(lost: u64) -> Failure {
    Failure::new(format!(
        "{lost} records could no longer be read from their logs"
    ))
}

/// Maximum number of folders that a message lists.
const MOST_FOLDERS: usize = 4;

/// Prints how to open the file so that its pictures are found. Pictures are not copied.
fn mention_pictures(outside: &OutsidePictures) {
    if outside.count > 0 {
        let folders = outside.folders.iter().take(MOST_FOLDERS);
        let options = folders.map(|it| format!(" --data {}", shell_word(it.as_os_str())));
        let more = outside.folders.len().saturating_sub(MOST_FOLDERS);
        let more = match more {
            0 => String::new(),
            more => format!(", and {}", counted(more as u64, "more folder")),
        };
        let what = format!(
            "{} outside the output folder: open the output with{}{more}",
            counted(outside.count, "picture"),
            options.collect::<String>()
        );
        drop(writeln!(stderr(), "{what}"));
    }
}

/// Prints how many rows were left out when the logs were read, and are therefore not in the file.
fn mention_left_out(opened: &LoadedInput) {
    let sources = opened.table().sources().iter();
    let sources = sources.filter(|source| !source.superseded);
    let left_out: u64 = sources.map(Source::left_out).sum();
    if left_out > 0 {
        let check = CommandLine::new("check", &[], &opened.named.request);
        let what = format!(
            "{} of the logs left out and not in the output; `{check}` lists them",
            counted(left_out, "row")
        );
        drop(writeln!(stderr(), "{what}"));
    }
}

impl From<ExportFailure> for Failure {
    fn from(failure: ExportFailure) -> Self {
        match failure {
            ExportFailure::Query(error) => error.into(),
            ExportFailure::File(error) => error.into(),
        }
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Ending(_) => Self::usage(error),
            ExportError::File(error) => error.into(),
            ExportError::System(error) => error.into(),
            ExportError::Write(_) | ExportError::Stopped => Self::new(error),
        }
    }
}
