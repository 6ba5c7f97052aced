//! Finds the questions, labels and grades that belong to each file of answers.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use serde_json::Value as Json;

use super::FORMAT;
use super::answer::{first_answers, id};
use super::benchmark::Benchmark;
use super::role::{Role, role};
use crate::ava_bench::{has_truth, share_id};
use crate::find::put_back;
use crate::run_folder::{files_above, shared, stem};
use crate::{Candidate, Context, Unit, find, has_ending, json};
use base::format::pattern;

/// Folders to search for questions and labels, relative to each folder above the answers.
const FOLDERS: [&str; 7] = [
    "",
    "coco",
    "data",
    "annotations",
    "Annotations",
    "Questions",
    "ScienceQA",
];
/// Folders to search for pictures, relative to the folders above the answers and the labels.
const PICTURES: [&str; 9] = [
    "",
    "images",
    "data/images",
    "ScienceQA/images",
    "train2014",
    "val2014",
    "test2015",
    "train_images",
    "train_val_images/train_images",
];
/// Number of parent folders of the answers that are searched for companion files.
pub const ABOVE: usize = 4;
/// Names that are neither a benchmark (as a folder) nor a model (as a file).
const GENERAL: [&str; 6] = ["answers", "results", "merge", "predictions", "upload", ""];

/// Matches a file name that contains only a split of GQA.
static GQA_SPLIT: LazyLock<Regex> =
    LazyLock::new(|| pattern("^(?:train|val|testdev|test|challenge|submission)_(?:balanced|all)$"));
/// Keys of rows that also contain the label. Without other labels, such a file is a table.
const LABELLED: [&str; 4] = [
    "\"label\":",
    "\"ground_truth\":",
    "\"gt_answer\":",
    "\"annotation\":",
];
/// Stem of the file into which the scripts of `LLaVA` merge the parts of a run.
const MERGED: &str = "merge";

/// Maximum number of parts that are looked for.
const MOST_PARTS: u32 = 256;

/// Matches the stem of a part, for example `8_0`: number of parts and index.
static PART: LazyLock<Regex> = LazyLock::new(|| pattern("^([0-9]+)_[0-9]+$"));
/// Matches the model name in the file name of an upload.
static MODEL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        "^(?:v2_)?(?:(?:OpenEnded|MultipleChoice)_)?(?:(?:mscoco|abstract_v002)_)?",
        "(?:(?:train|val|test|test-dev)20[0-9]{2}_)?(.*?)(?:_results|_predictions)?$"
    ))
});

/// A file and its role.
type WithRole = (Role, Candidate);

pub fn plan(files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let mut ours: Vec<WithRole> = Vec::new();
    let mut others: Vec<Candidate> = Vec::new();
    for file in std::mem::take(files) {
        match role(&file) {
            Some(role) => ours.push((role, file)),
            None => others.push(file),
        }
    }
    let is_answers = |role: Role| matches!(role, Role::Answers { .. } | Role::Results);
    let (answers, near): (Vec<WithRole>, Vec<WithRole>) =
        ours.into_iter().partition(|(role, _)| is_answers(*role));
    let mut units = Vec::new();
    if !answers.is_empty() {
        let beside = answers.iter().map(|(_, file)| file);
        let beside = files_above(beside, ABOVE, &FOLDERS, &["json", "jsonl"]);
        let mut companions = near.clone();
        companions.extend(with_roles(find(&beside).0));
        let search = Search {
            near: companions,
            elsewhere: with_roles(find(&context.data).0),
        };
        for (role, file) in answers {
            let found = search.companions(&file);
            if is_ours(role, &file, &found, &others) {
                units.push((file.clone(), unit(file, found, context)));
            } else {
                others.push(file);
            }
        }
    }
    drop_repeated(&mut units);
    let units: Vec<Unit> = units.into_iter().map(|(_, unit)| unit).collect();
    // The remaining labels and questions can belong to another format.
    put_back(&mut others, near.into_iter().map(|(_, file)| file), &units);
    *files = others;
    units
}

fn with_roles(files: Vec<Candidate>) -> Vec<WithRole> {
    let with_role = |file: Candidate| Some((role(&file)?, file));
    files.into_iter().filter_map(with_role).collect()
}

/// True if a file of answers belongs to this format. The answers of AVA-Bench have the same form,
/// so the labels and questions found for the file decide.
fn is_ours(role: Role, file: &Candidate, found: &[WithRole], others: &[Candidate]) -> bool {
    let has_labels = found
        .iter()
        .any(|(role, _)| matches!(role, Role::Labels(_)));
    let head = file.head_text();
    let is_upload = !head.contains("\"answer_id\"");
    let is_answers = matches!(role, Role::Answers { .. });
    if is_answers && !has_labels && LABELLED.iter().any(|key| head.contains(key)) {
        return false;
    }
    match role {
        Role::Answers { names_model: true } => has_labels || !has_truth(file, others),
        Role::Answers { .. } if !is_upload => has_labels && !has_truth(file, others),
        Role::Answers { .. } => !found.is_empty(),
        _ => true,
    }
}

/// Marks the results of MM-Vet and the predictions of GQA as superseded if the answers they were
/// converted from are present, and the parts of a run if the file they were merged into is.
fn drop_repeated(units: &mut [(Candidate, Unit)]) {
    let merged = units.iter().map(|(file, _)| &file.real);
    let merged = merged.filter(|path| stem(path) == MERGED);
    let merged: HashSet<PathBuf> = merged
        .filter_map(|path| Some(path.parent()?.into()))
        .collect();
    for (file, unit) in units.iter_mut() {
        let is_merged = file
            .real
            .parent()
            .is_some_and(|folder| merged.contains(folder));
        unit.superseded = is_merged && PART.is_match(&stem(&file.real));
    }
    let is_source = |unit: &Unit| has_ending(&unit.path, &["jsonl"]);
    let sources = units.iter().filter(|(_, unit)| is_source(unit));
    let sources: Vec<Candidate> = sources.map(|(file, _)| file.clone()).collect();
    for (file, unit) in units.iter_mut().filter(|(_, unit)| !is_source(unit)) {
        unit.superseded |= sources.iter().any(|source| {
            file.path.file_stem() == source.path.file_stem() || is_converted(file, source)
        });
    }
}

/// True if the first predictions of a file are the first answers of `source` as GQA's evaluator
/// needs them: in lower case, without a full stop at the end.
fn is_converted(predictions: &Candidate, source: &Candidate) -> bool {
    let head = predictions.head_text();
    if !head.contains("\"questionId\"") {
        return false;
    }
    let source = source.head_text();
    let pairs = first_answers(head.as_bytes()).zip(first_answers(source.as_bytes()));
    let is_same = pairs.map(|(prediction, answer)| {
        let text = answer.text.trim_end_matches('.').to_lowercase();
        prediction.id == answer.id && prediction.text == text
    });
    is_same.reduce(|all, is_same| all && is_same) == Some(true)
}

/// Files that can be companions.
struct Search {
    near: Vec<WithRole>,
    /// Files in the folders given with `--data`.
    elsewhere: Vec<WithRole>,
}

impl Search {
    /// Returns the questions, labels and grades of a file of answers.
    fn companions(&self, answers: &Candidate) -> Vec<WithRole> {
        let questions = self.closest(answers, |role| role == Role::Questions);
        // Answers can be deep below the benchmark's folder. The questions are closer to the labels.
        let is_label = |role: Role| matches!(role, Role::Labels(_));
        let from_questions = || self.closest(&questions.as_ref()?.1, is_label);
        let label = self.closest(answers, is_label).or_else(from_questions);
        let labels = label
            .into_iter()
            .flat_map(|label| self.like(&label, answers));
        let stem = stem(&answers.path);
        let is_grade = |(role, file): &&WithRole| {
            let rest = file.name().strip_prefix(&stem);
            *role == Role::Grades && rest.is_some_and(|rest| rest.starts_with('_'))
        };
        let grades = self.near.iter().find(is_grade).cloned();
        questions
            .iter()
            .cloned()
            .chain(labels)
            .chain(grades)
            .collect()
    }

    /// Returns the closest file whose role `is` accepts. Files that share an id come first, then
    /// files that share more folders.
    fn closest(&self, file: &Candidate, is: impl Fn(Role) -> bool) -> Option<WithRole> {
        let rank = |(role, other): &WithRole| {
            (
                share_id(file, other) || holds_id(file, *role, other),
                shared(&file.real, &other.real),
                Reverse(other.path.clone()),
            )
        };
        let of = |files: &[WithRole]| {
            let files = files.iter().filter(|(role, _)| is(*role));
            let best = files.map(|it| (rank(it), it)).max_by(|a, b| a.0.cmp(&b.0));
            best.map(|(rank, it)| (rank, it.clone()))
        };
        let near = of(&self.near).filter(|((shares_id, shared, _), _)| {
            *shares_id || shared + 3 > file.real.components().count()
        });
        let best = near.or_else(|| of(&self.elsewhere));
        best.map(|(_, found)| found)
    }

    /// Returns the label files of the same benchmark in the folder of `label`. POPE needs all
    /// files, one per category. Other benchmarks have one file per split; if `label` contains the
    /// ids, it is enough.
    fn like(&self, label: &WithRole, answers: &Candidate) -> Vec<WithRole> {
        let is_whole = label.0 != Role::Labels(Benchmark::Pope) && share_id(answers, &label.1);
        let is_like = |(role, file): &&WithRole| {
            let has_place = file.real.parent() == label.1.real.parent();
            *role == label.0 && has_place && (!is_whole || file.real == label.1.real)
        };
        let all = self.near.iter().chain(&self.elsewhere).filter(is_like);
        let mut all: Vec<WithRole> = all.cloned().collect();
        all.sort_by(|a, b| a.1.real.cmp(&b.1.real));
        all.dedup_by(|a, b| a.1.real == b.1.real);
        all
    }
}

/// True if labels keyed by id, or questions, contain the id of the first answer at any position.
fn holds_id(answers: &Candidate, role: Role, file: &Candidate) -> bool {
    let spelled: fn(&str) -> Vec<String> = match role {
        Role::Labels(Benchmark::Gqa) => |id| vec![format!("\"{id}\"")],
        Role::Questions => |id| {
            let ids = [format!("\"{id}\""), format!("{id},"), format!("{id}}}")];
            let keys = ["\"question_id\":", "\"question_id\": "];
            let all = keys
                .iter()
                .flat_map(|key| ids.iter().map(move |id| format!("{key}{id}")));
            all.collect()
        },
        _ => return false,
    };
    let head = answers.head_text();
    let row = head
        .lines()
        .find_map(|line| serde_json::from_str::<Json>(line).ok());
    let Some(id) = row.and_then(|row| id(&row["question_id"])) else {
        return false;
    };
    let Ok(text) = json::read_bounded(&file.real) else {
        return false;
    };
    let mut spelled = spelled(&id).into_iter();
    spelled.any(|id| memchr::memmem::find(&text, id.as_bytes()).is_some())
}

/// True for the answers of a part of a run, if the folder has all its parts.
pub fn is_part_of_whole(path: &Path) -> bool {
    let stem = stem(path);
    let parts = PART.captures(&stem).and_then(|found| found[1].parse().ok());
    let exists = |at: u32| {
        path.with_file_name(format!("{}_{at}.jsonl", parts.unwrap_or(0)))
            .is_file()
    };
    parts.is_some_and(|parts| parts <= MOST_PARTS && (0..parts).all(exists))
}

fn unit(file: Candidate, companions: Vec<WithRole>, context: &Context) -> Unit {
    let above = file.real.ancestors().skip(1).take(ABOVE - 1);
    let beside = companions
        .iter()
        .flat_map(|(_, file)| file.real.ancestors().skip(1).take(2));
    let data = context.data.iter().map(PathBuf::as_path);
    let image_roots = picture_roots(above.chain(beside).chain(data), &PICTURES);
    let lengths = companions.iter().map(|(_, file)| file.length);
    Unit {
        model: Some(model(&file.real)),
        dataset: folder_name(&file.real),
        length: file.length + lengths.sum::<u64>(),
        companions: companions.into_iter().map(|(_, file)| file.path).collect(),
        path: file.path,
        format: FORMAT,
        image_roots,
        ..Unit::default()
    }
}

/// Returns the existing subfolders `below` of some folders, without duplicates.
pub fn picture_roots<'a>(folders: impl Iterator<Item = &'a Path>, below: &[&str]) -> Vec<PathBuf> {
    let mut seen = HashSet::new();
    folders
        .flat_map(|folder| below.iter().map(move |below| folder.join(below)))
        .filter(|folder| seen.insert(folder.clone()) && folder.is_dir())
        .collect()
}

/// Returns the model named in the file name of an upload, or else the name of the folder.
fn model(path: &Path) -> String {
    let stem = stem(path);
    let name = MODEL.captures(&stem).and_then(|parts| parts.get(1));
    let name = name.map_or("", |name| name.as_str());
    if GENERAL.contains(&name) || GQA_SPLIT.is_match(name) {
        return folder_name(path).unwrap_or_default();
    }
    name.to_owned()
}

/// Returns the name of the nearest folder that is not one of [`GENERAL`].
fn folder_name(path: &Path) -> Option<String> {
    let names = path.ancestors().skip(1).filter_map(Path::file_name);
    let mut names = names.map(|name| name.to_string_lossy().into_owned());
    names.find(|name| !GENERAL.contains(&name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uploads_are_named_after_their_model() {
        for (path, name) in [
            ("/pope/answers/llava-v1.5-13b.jsonl", "llava-v1.5-13b"),
            ("/gqa/answers/llava-7b/merge.jsonl", "llava-7b"),
            ("/llava-7b/testdev_balanced_predictions.json", "llava-7b"),
            ("/v2_OpenEnded_mscoco_val2014_a_b_results.json", "a_b"),
            ("/OpenEnded_mscoco_test-dev2015_a_results.json", "a"),
            ("/vqa/OpenEnded_mscoco_val2014_results.json", "vqa"),
        ] {
            assert_eq!(model(Path::new(path)), name, "{path}");
        }
    }
}
