//! Reads answers row by row.

use std::path::Path;

use serde_json::Value as Json;

use crate::document::{self, Shape};
use crate::{Sink, json};
use record::Problem;

/// An answer of a model, with its line number.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    pub line: u64,
    /// Id of the question; in `TextVQA`, id of the picture.
    pub id: String,
    pub text: String,
    /// Question as sent to the model, if the file contains it.
    pub prompt: Option<String>,
    pub model: Option<String>,
    /// True for a `GQA` prediction, which the evaluator compares verbatim.
    pub is_prediction: bool,
}

/// Reads the answers in a file. Unusable rows become problems.
pub fn answers(path: &Path, sink: &mut dyn Sink) -> Vec<Answer> {
    let document = match json::read_bounded(path) {
        Ok(document) => document,
        Err(error) => {
            sink.problem(Problem::unreadable(path, error));
            return Vec::new();
        }
    };
    let mut found = Vec::new();
    let shape = if super::role::is_by_id(&document) {
        Shape::Keyed
    } else {
        Shape::Rows
    };
    document::for_each_entry(&document, shape, &mut |line, entry| {
        let answer = entry.and_then(|(key, value)| match shape {
            Shape::Keyed => keyed(key, &value),
            Shape::Rows => of_row(&value),
        });
        match answer {
            Ok(answer) => found.push(Answer { line, ..answer }),
            Err(what) => sink.left_out(path, line, what),
        }
    });
    found
}

/// Returns the readable answers at the beginning of a file.
pub fn first_answers(head: &[u8]) -> impl Iterator<Item = Answer> {
    let rows = json::elements(head);
    rows.filter_map(|(line, row)| of_row(&json::parse(row.ok()?, line).ok()?).ok())
}

fn keyed(key: String, value: &Json) -> Result<Answer, String> {
    Ok(Answer {
        text: text(value)?,
        id: key,
        ..Answer::default()
    })
}

fn of_row(row: &Json) -> Result<Answer, String> {
    let told = |key: &str| row.get(key).and_then(Json::as_str).map(str::to_owned);
    let get = |keys: [&str; 3]| {
        let mut values = keys.into_iter().filter_map(|key| row.get(key));
        values.next().unwrap_or(&Json::Null)
    };
    Ok(Answer {
        id: id(get(["question_id", "questionId", "id"])).ok_or("`question_id` is missing")?,
        text: text(get(["text", "answer", "prediction"]))?,
        prompt: told("prompt"),
        model: told("model_id").filter(|model| !model.is_empty()),
        is_prediction: row.get("prediction").is_some(),
        ..Answer::default()
    })
}

/// Returns an id as text; the number 7.0 becomes `7`.
pub fn id(value: &Json) -> Option<String> {
    match value {
        Json::String(text) if !text.is_empty() => Some(text.clone()),
        Json::Number(number) => {
            let text = number.to_string();
            Some(text.strip_suffix(".0").unwrap_or(&text).to_owned())
        }
        _ => None,
    }
}

fn text(value: &Json) -> Result<String, String> {
    match value {
        Json::String(text) => Ok(text.clone()),
        Json::Number(number) => Ok(number.to_string()),
        _ => Err("no answer: it is not a string".to_owned()),
    }
}
