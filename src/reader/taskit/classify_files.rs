//! Classifies files as outputs, backups, error lists or ground truth. Selects the runs to read.

use std::collections::HashSet;
use std::path::PathBuf;

use super::FORMAT;
use super::names::{LogName, ability, log_name};
use super::truth::Shape;
use crate::run_folder::{files_above, folders_above, shared};
use crate::{Candidate, Context, Unit, find, runs};

/// Folders that usually contain ground truth, relative to the folders above a log.
const TRUTH_FOLDERS: [&str; 6] = [
    "",
    "gt",
    "metadata",
    "scripts/metadata",
    "annotations",
    "ground_truth",
];
/// Number of folders above a log that are searched for ground truth and pictures.
const LEVELS: usize = 5;

#[derive(Default)]
struct ClassifiedFiles {
    outputs: Vec<Log>,
    backups: Vec<Log>,
    errors: Vec<Candidate>,
}

struct Log {
    file: Candidate,
    task: String,
    name: LogName,
}

pub fn plan(files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let mut found = ClassifiedFiles::default();
    files.retain(|file| !found.take(file));
    let ClassifiedFiles {
        mut outputs,
        backups,
        errors,
    } = found;
    let stem = |file: &Candidate| stem(file).to_owned();
    let is_known = |backup: &Log| {
        let name = stem(&backup.file);
        outputs
            .iter()
            .any(|output| Some(stem(&output.file).as_str()) == name.strip_prefix("backup_"))
    };
    // If the output of a finished run exists, its backup is not needed.
    let interrupted: Vec<Log> = backups.into_iter().filter(|log| !is_known(log)).collect();
    outputs.extend(interrupted);
    if outputs.is_empty() {
        return Vec::new();
    }
    let truths = truths(&outputs, files, context);
    let experiments: Vec<_> = outputs.iter().map(Log::experiment).collect();
    let superseded = context.runs.superseded(&experiments);
    let units = outputs.iter().zip(superseded).map(|(log, superseded)| {
        let wanted = ability(&log.task).and_then(Shape::of_ability);
        let truths = truths.iter().filter(|(shape, _)| Some(*shape) == wanted);
        let mut truths: Vec<&Candidate> = truths.map(|(_, file)| file).collect();
        truths.sort_by_key(|truth| std::cmp::Reverse(shared(&log.file.real, &truth.real)));
        let error = errors.iter().find(|error| {
            let name = stem(error);
            name.strip_prefix("error_") == Some(stem(&log.file).trim_start_matches("backup_"))
        });
        unit(log, error, &truths, context, superseded)
    });
    let units: Vec<Unit> = units.collect();
    // Boxes stay for other readers, because they can also be the annotations of COCO results. Other
    // unused files can belong to another format.
    let used: HashSet<&PathBuf> = units.iter().flat_map(|unit| &unit.companions).collect();
    files.retain(|file| {
        !used.contains(&file.path) || matches!(Shape::of_file(file), None | Some(Shape::Boxes))
    });
    units
}

impl ClassifiedFiles {
    /// Adds a file if it belongs to this format. Returns whether it does.
    fn take(&mut self, file: &Candidate) -> bool {
        let head = file.head_text();
        let text = head.trim_start_matches('\u{feff}').trim_start();
        let name = stem(file);
        if name.starts_with("error_")
            && !text.starts_with(['{', '['])
            && log_name(name).task.is_some()
        {
            self.errors.push(file.clone());
        } else if let Some(task) = output_task(text).or_else(|| damaged_output(name, text)) {
            self.outputs.push(log(file, task, name));
        } else if let (true, Some(bare)) = (text.starts_with('{'), name.strip_prefix("backup_")) {
            let Some(task) = log_name(bare).task else {
                return false;
            };
            self.backups.push(log(file, task, bare));
        } else {
            // The harness may still be writing this output.
            return name.starts_with("temp_")
                && text.starts_with("{\"")
                && log_name(name).task.is_some();
        }
        true
    }
}

fn log(file: &Candidate, task: &str, name: &str) -> Log {
    Log {
        file: file.clone(),
        task: task.to_owned(),
        name: log_name(name),
    }
}

fn stem(file: &Candidate) -> &str {
    let name = file.name();
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Returns the task of an output file, determined from its first keys.
fn output_task(text: &str) -> Option<&str> {
    let before = text.split("\"data\"").next()?;
    if !text.starts_with('{')
        || !before.contains("\"completion_tokens\"")
        || before.len() == text.len()
    {
        return None;
    }
    let (_, rest) = before.split_once("\"task\"")?;
    let value = rest
        .trim_start()
        .strip_prefix(':')?
        .trim_start()
        .strip_prefix('"')?;
    let task = value.split('"').next()?;
    ability(task).map(|_| task)
}

/// Returns the task in the name of an output file, for a file whose first keys are damaged.
fn damaged_output(name: &str, text: &str) -> Option<&'static str> {
    let is_output = text.starts_with('{') && text.contains("\"completion_tokens\"");
    let task = log_name(name).task.filter(|_| is_output)?;
    ability(task).map(|_| task)
}

/// Criteria that rank runs, most important first: is not a backup, is evaluated, time of the run,
/// file time.
type LogRank<'a> = (bool, bool, &'a str, i128);

impl Log {
    /// Returns the run with its rank. Runs in different folders are different experiments.
    fn experiment(&self) -> runs::Attempt<'_, LogRank<'_>> {
        // The evaluation rewrites an output as a single line.
        let head = self.file.head_text();
        let data = head.split("\"data\": [").nth(1);
        let is_evaluated = data.is_some_and(|rest| !rest.starts_with(['\n', '\r']));
        let is_backup = stem(&self.file).starts_with("backup_");
        let folder = self.file.folder().to_string_lossy().into_owned();
        runs::Attempt {
            key: Some((&self.name.model, &self.task)),
            settings: [("folder".to_owned(), folder)].into(),
            root: self.file.root,
            standing: (
                !is_backup,
                is_evaluated,
                &self.name.time,
                self.file.modified,
            ),
        }
    }
}

/// Finds ground truth among `files`, near the logs, and in the data folders.
fn truths(logs: &[Log], files: &[Candidate], context: &Context) -> Vec<(Shape, Candidate)> {
    let with_shape = |file: &Candidate| Some((Shape::of_file(file)?, file.clone()));
    let mut found: Vec<(Shape, Candidate)> = files.iter().filter_map(with_shape).collect();
    let logs = logs.iter().map(|log| &log.file);
    let mut paths = files_above(logs, LEVELS, &TRUTH_FOLDERS, &["json"]);
    paths.extend(context.data.iter().cloned());
    for file in find(&paths).0 {
        let known = found.iter().any(|(_, known)| known.real == file.real);
        if let (false, Some(shape)) = (known, Shape::of_file(&file)) {
            found.push((shape, file));
        }
    }
    found
}

fn unit(
    log: &Log,
    error: Option<&Candidate>,
    truths: &[&Candidate],
    context: &Context,
    superseded: bool,
) -> Unit {
    let mut image_roots = folders_above(&log.file.path, 0..LEVELS);
    image_roots.extend(context.data.iter().cloned());
    let companions = error.into_iter().chain(truths.iter().copied());
    Unit {
        path: log.file.path.clone(),
        format: FORMAT,
        companions: companions.map(|file| file.path.clone()).collect(),
        image_roots,
        model: Some(log.name.model.clone()),
        dataset: Some(log.task.clone()),
        length: log.file.length,
        superseded,
        ..Unit::default()
    }
}
