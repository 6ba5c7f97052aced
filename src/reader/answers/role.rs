//! Recognises answers, questions, labels and grades by the keys of their first objects.

use serde_json::{Map, Value as Json};

use super::benchmark::Benchmark;
use crate::document::first_member;
use crate::{Candidate, json};

/// Number of rows to examine, so that a single unusual row does not decide.
const LOOKED_AT: usize = 8;

/// Role of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Rows with one answer each. `LLaVA` stores the model in each row, AVA-Bench does not.
    Answers {
        names_model: bool,
    },
    /// MM-Vet's results: an object with an answer for each id.
    Results,
    /// MM-Vet's grades: an object with a list of scores for each id.
    Grades,
    Questions,
    Labels(Benchmark),
}

/// Returns the role of a file; `None` for a file of another format.
pub fn role(file: &Candidate) -> Option<Role> {
    let head = file.head_text();
    let text = head.trim_start();
    if !text.starts_with(['{', '[']) && !text.contains("\"question_id\"") {
        return None;
    }
    let has = |key: &str| text.contains(&format!("\"{key}\""));
    let all = |keys: &[&str]| keys.iter().all(|key| has(key));
    let is_answered = has("answer_id") || has("model_id");
    if all(&["imagename", "capability"]) {
        Some(Role::Labels(Benchmark::MmVet))
    } else if all(&["annotations", "question_id", "answer_type", "answers"]) {
        // OK-VQA stores each answer twice: as given by the annotator, and normalised.
        Some(Role::Labels(if has("raw_answer") {
            Benchmark::OkVqa
        } else {
            Benchmark::VqaV2
        }))
    } else if all(&["data", "image_id", "question", "answers"]) {
        Some(Role::Labels(Benchmark::TextVqa))
    } else if all(&["questions", "question_id", "image_id", "question"]) {
        Some(Role::Questions)
    } else if all(&["imageId", "question", "answer"]) {
        Some(Role::Labels(Benchmark::Gqa))
    } else if all(&["choices", "question", "answer", "hint"]) && !has("doc") {
        Some(Role::Labels(Benchmark::ScienceQa))
    } else if all(&["question_id", "image", "text"]) && !is_answered {
        Some(if has("label") {
            Role::Labels(Benchmark::Pope)
        } else {
            Role::Questions
        })
    } else {
        by_id(text).or_else(|| of_rows(text))
    }
}

/// True for a JSON object whose keys are ids of MM-Vet.
pub fn is_by_id(text: &[u8]) -> bool {
    let text = json::without_mark(text);
    let head = text.get(..Candidate::HEAD).unwrap_or(text);
    by_id(&String::from_utf8_lossy(head)).is_some()
}

/// Returns the role of an object whose keys are ids of MM-Vet.
fn by_id(text: &str) -> Option<Role> {
    let (key, value) = first_member(text.as_bytes())?;
    let is_id = key
        .strip_prefix("v1_")
        .is_some_and(|number| number.parse::<u32>().is_ok());
    match value {
        Json::String(_) if is_id => Some(Role::Results),
        Json::Object(grade) if is_id && grade.contains_key("score") => Some(Role::Grades),
        _ => None,
    }
}

fn of_rows(text: &str) -> Option<Role> {
    let first = json::elements(text.as_bytes()).take(LOOKED_AT);
    let objects = first.filter_map(|(line, row)| match json::parse(row.ok()?, line) {
        Ok(Json::Object(object)) => Some(object),
        _ => None,
    });
    let mut objects = objects.filter(|object| !object.is_empty());
    objects.find_map(|object| of_row(&object, text.starts_with('[')))
}

fn of_row(object: &Map<String, Json>, is_list: bool) -> Option<Role> {
    let has = |key: &str| object.contains_key(key);
    let is = |keys: [&str; 2]| keys.iter().all(|key| has(key)) && object.len() == keys.len();
    let names_model = object.get("model_id").is_some_and(Json::is_string);
    let is_llava = has("question_id") && has("text") && (has("answer_id") || has("model_id"));
    let is_upload = is(["question_id", "answer"]) || is(["questionId", "prediction"]);
    (is_llava || is_list && is_upload).then_some(Role::Answers { names_model })
}
