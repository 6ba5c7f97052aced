//! Classifies files as answers, questions or ground truth, and groups the files of a unit.

use super::FORMAT;
use crate::find::put_back;
use crate::run_folder::{files_above, folders_above, shared, stem};
use crate::{Candidate, Context, Unit, find};

/// Number of lines and ids to examine, so that a single unusual row does not decide.
const LOOKED_AT: usize = 8;

/// Number of folders above the answers that are searched for companion files and pictures.
const ABOVE: usize = 3;

/// The role of an AVA-Bench file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileRole {
    Answers,
    Questions,
    Truth,
    /// Output of an evaluator; ignored, because scores are recomputed.
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
    // The user may have opened only the answers. Search their folders and the data folders for
    // questions and ground truth.
    let beside = files_above(answers.iter().copied(), ABOVE, &[""], &["json", "jsonl"]);
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
    let units: Vec<Unit> = answers.into_iter().map(unit).collect();
    let is_other =
        |(kind, _): &(FileRole, Candidate)| matches!(kind, FileRole::Questions | FileRole::Truth);
    let others = ours.into_iter().filter(is_other).map(|(_, file)| file);
    put_back(files, others, &units);
    units
}

/// True if `files` contain the ground truth of an answer file.
pub fn has_truth(answers: &Candidate, files: &[Candidate]) -> bool {
    let is_truth = |file: &&Candidate| kind(file) == Some(FileRole::Truth);
    nearest(answers, files.iter().filter(is_truth)).is_some()
}

/// True if the first question ids of two files overlap.
pub fn share_id(one: &Candidate, other: &Candidate) -> bool {
    let ids = first_ids(one);
    first_ids(other).iter().any(|id| ids.contains(id))
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
    // Picture paths are relative to an image folder. It is the ability's folder, its parent, or the
    // answers' folder.
    let mut image_roots = folders_above(&answers.path, 0..ABOVE);
    let mut companions: Vec<_> = companions.cloned().collect();
    companions.sort_by_key(|file| kind(file) == Some(FileRole::Questions));
    image_roots.extend(companions.iter().map(|file| file.folder().to_path_buf()));
    image_roots.extend(context.data.iter().cloned());
    image_roots.dedup();
    Unit {
        model: Some(stem(&answers.path)),
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

/// Returns the role of a file by the keys of its first objects; `None` for other files.
fn kind(file: &Candidate) -> Option<FileRole> {
    let head = file.head_text();
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
    if !holds_objects(text) || !has("\"question_id\"") || !has("\"text\"") {
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

/// True if a text starts like JSON, or if most of its first lines start like a JSON object.
fn holds_objects(text: &str) -> bool {
    let is_object = |line: &&str| line.trim_start().starts_with('{');
    let (objects, others): (Vec<&str>, Vec<&str>) = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .take(LOOKED_AT)
        .partition(is_object);
    text.starts_with(['[', '{']) || objects.len() > others.len()
}

/// Returns the file that shares a question id with the answers. Without such a file, returns the
/// file that shares the most folders.
fn nearest<'a>(
    answers: &Candidate,
    files: impl Iterator<Item = &'a Candidate>,
) -> Option<&'a Candidate> {
    let shared = |file: &Candidate| shared(&file.real, &answers.real);
    // Of equally near files, the first by name is chosen.
    let rank = |file: &&Candidate| {
        (
            share_id(answers, file),
            shared(file),
            std::cmp::Reverse(file.path.clone()),
        )
    };
    let best = files.max_by_key(rank)?;
    let same_ability = shared(best) + 3 > answers.real.components().count();
    (share_id(answers, best) || same_ability).then_some(best)
}

/// Returns the first question ids of a file.
fn first_ids(file: &Candidate) -> Vec<String> {
    let head = file.head_text();
    let values = head.split("\"question_id\"").skip(1).take(LOOKED_AT);
    let id = |rest: &str| {
        let value = rest.trim_start().strip_prefix(':')?.trim_start();
        let end = value.find([',', '}', '\n'])?;
        let id = value.get(..end)?.trim().trim_matches('"');
        Some(id.to_owned())
    };
    values.filter_map(id).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::ava_bench::AvaBench;
    use crate::testing::read_all;

    #[test]
    fn an_odd_first_line_costs_answers_in_json_lines_nothing_else() {
        let questions = |at: u32| {
            format!(
                "{{\"question_id\": \"q{at}\", \"image\": \"{at}.png\", \"text\": \"How many?\"}}"
            )
        };
        let answer = |at: u32| {
            format!(
                "{{\"question_id\": \"q{at}\", \"text\": \"3\", \"answer_id\": \"x\", \"metadata\": {{}}}}"
            )
        };
        for odd in [
            "",
            "null",
            "[]",
            "17",
            "{\"question_id\": \"q",
            "{\"question_id\": {}}",
        ] {
            let folder = tempfile::tempdir().unwrap();
            let counting = folder.path().join("counting");
            fs::create_dir_all(counting.join("answers")).unwrap();
            let list: Vec<String> = (0..4).map(questions).collect();
            fs::write(
                counting.join("questions.json"),
                format!("[{}]", list.join(",\n")),
            )
            .unwrap();
            let lines = [odd.to_owned(), answer(1), answer(2), answer(3)].join("\n");
            fs::write(counting.join("answers/m.jsonl"), lines).unwrap();
            let found = read_all(&AvaBench, folder.path());
            let read: Vec<(&str, u64)> = found
                .records
                .iter()
                .map(|(record, line)| (record.sample_id.as_str(), *line))
                .collect();
            assert_eq!(read, [("q1", 2), ("q2", 3), ("q3", 4)], "{odd}");
            let is_told = |problem: &String| problem.starts_with("m.jsonl:1: ");
            assert_eq!(found.problems.iter().any(is_told), !odd.is_empty(), "{odd}");
            assert!(
                found
                    .records
                    .iter()
                    .all(|(record, _)| !record.content.question.is_empty())
            );
        }
    }
}
