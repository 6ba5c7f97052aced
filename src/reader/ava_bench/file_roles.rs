//! Classifies files as answers, questions or ground truth, and groups those that belong together.

use std::path::{Path, PathBuf};

use super::FORMAT;
use crate::{Candidate, Context, Unit, find};

/// The role of an AVA-Bench file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileRole {
    Answers,
    Questions,
    Truth,
    /// An evaluator's output, which is recomputed here.
    Result,
}

pub fn plan(files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let mut ours: Vec<(FileRole, Candidate)> = Vec::new();
    files.retain(|file| match kind(file) {
        Some(kind) => {
            ours.push((kind, file.clone()));
            false
        }
        None => true,
    });
    let answers: Vec<&Candidate> = of_kind(&ours, FileRole::Answers).collect();
    if answers.is_empty() {
        return Vec::new();
    }
    let known = |files: Vec<Candidate>| -> Vec<(FileRole, Candidate)> {
        let told = |file: Candidate| Some((kind(&file)?, file));
        files.into_iter().filter_map(told).collect()
    };
    // If only the answers were named, questions and truth are searched beside them and in the data folders.
    let beside: Vec<PathBuf> = answers.iter().flat_map(|file| files_above(file)).collect();
    let elsewhere = known(find(&context.data).0);
    let beside = known(find(&beside).0);
    let companion = |answers: &Candidate, wanted: FileRole| {
        let near = of_kind(&ours, wanted).chain(of_kind(&beside, wanted));
        nearest(answers, near).or_else(|| nearest(answers, of_kind(&elsewhere, wanted)))
    };
    let unit = |file: &Candidate| {
        let found = [
            companion(file, FileRole::Questions),
            companion(file, FileRole::Truth),
        ];
        unit(file, found.into_iter().flatten(), context)
    };
    answers.into_iter().map(unit).collect()
}

/// The JSON files in the folder of a file and in the two folders above it.
fn files_above(answers: &Candidate) -> Vec<PathBuf> {
    let folders = answers.real.ancestors().skip(1).take(3);
    let entries = folders
        .filter_map(|folder| folder.read_dir().ok())
        .flatten()
        .flatten();
    let is_json = |path: &PathBuf| {
        path.extension()
            .is_some_and(|ending| ending == "json" || ending == "jsonl")
    };
    entries
        .map(|entry| entry.path())
        .filter(|path| is_json(path) && path.is_file())
        .collect()
}

fn of_kind(files: &[(FileRole, Candidate)], wanted: FileRole) -> impl Iterator<Item = &Candidate> {
    files
        .iter()
        .filter(move |(kind, _)| *kind == wanted)
        .map(|(_, file)| file)
}

fn unit<'a>(
    answers: &Candidate,
    companions: impl Iterator<Item = &'a Candidate>,
    context: &Context,
) -> Unit {
    // Picture paths start at the image folder: the ability's folder, the one above it, or beside the answers.
    let mut image_roots: Vec<_> = answers
        .folder()
        .ancestors()
        .take(3)
        .map(Path::to_path_buf)
        .collect();
    image_roots.retain(|root| !root.as_os_str().is_empty());
    let mut companions: Vec<_> = companions.cloned().collect();
    companions.sort_by_key(|file| kind(file) == Some(FileRole::Questions));
    image_roots.extend(companions.iter().map(|file| file.folder().to_path_buf()));
    image_roots.extend(context.data.iter().cloned());
    image_roots.dedup();
    Unit {
        model: Some(
            answers
                .path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
        ),
        dataset: super::ability::of_path(&answers.real).map(str::to_owned),
        companions: companions.iter().map(|file| file.path.clone()).collect(),
        length: answers.length + companions.iter().map(|file| file.length).sum::<u64>(),
        path: answers.path.clone(),
        format: FORMAT,
        image_roots,
        superseded: false,
        ..Unit::default()
    }
}

/// The role of a file, from the keys of its first objects.
fn kind(file: &Candidate) -> Option<FileRole> {
    let bytes = file.head();
    let head = String::from_utf8_lossy(&bytes);
    let text = head.trim_start_matches('\u{feff}').trim_start();
    if matches!(file.name(), "results.txt" | "stdout.txt") && text.starts_with("Model: ")
        || text.starts_with("(Pdb)")
    {
        return Some(FileRole::Result);
    }
    if text.starts_with("Question ID,Ground Truth") {
        return Some(FileRole::Result);
    }
    let has = |key: &str| text.contains(key);
    if !text.starts_with(['[', '{']) || !has("\"question_id\"") || !has("\"text\"") {
        return None;
    }
    Some(if has("\"answer_id\"") || has("\"model_id\"") {
        FileRole::Answers
    } else if has("\"image\"") {
        FileRole::Questions
    } else {
        FileRole::Truth
    })
}

/// The file that shares the most folders with the answers, among those with the same first id, or among all if none
/// has it.
fn nearest<'a>(
    answers: &Candidate,
    files: impl Iterator<Item = &'a Candidate>,
) -> Option<&'a Candidate> {
    let id = first_id(answers);
    let shared = |file: &Candidate| {
        let pairs = file.real.components().zip(answers.real.components());
        pairs.take_while(|(a, b)| a == b).count()
    };
    // Among equally near files in one folder, the first by name.
    let rank = |file: &&Candidate| {
        (
            first_id(file) == id,
            shared(file),
            std::cmp::Reverse(file.path.clone()),
        )
    };
    let best = files.max_by_key(rank)?;
    let same_ability = shared(best) + 3 > answers.real.components().count();
    (first_id(best) == id || same_ability).then_some(best)
}

/// The first question id of a file as JSON.
fn first_id(file: &Candidate) -> Option<String> {
    let bytes = file.head();
    let head = String::from_utf8_lossy(&bytes);
    let (_, rest) = head.split_once("\"question_id\"")?;
    let value = rest.trim_start().strip_prefix(':')?.trim_start();
    let end = value.find([',', '}', '\n'])?;
    value
        .get(..end)
        .map(|id| id.trim().trim_matches('"').to_owned())
}
