//! Guesses the purpose of columns from their names and first values.

use serde_json::Value as Json;

use super::path::nested;
use super::row::score;
use crate::json::plain;
use base::config::ColumnMap;

/// Usual column names of each field, most specific first. A name with a dot is the end of a path.
const NAMES: [(&str, &[&str]); 15] = [
    (
        "score",
        &[
            "score",
            "is_correct",
            "correct",
            "hit",
            "accuracy",
            "acc",
            "exact_match",
            "reward",
        ],
    ),
    (
        "response",
        &[
            "response",
            "prediction",
            "pred",
            "model_response",
            "model_output",
            "model_answer",
            "model_response.text",
            "output",
            "generated_text",
            "generation",
            "completion",
            "hypothesis",
        ],
    ),
    (
        "sample_id",
        &[
            "sample_id",
            "question_id",
            "qid",
            "test_idx",
            "id",
            "uid",
            "index",
            "idx",
            "doc_id",
            "key",
            ColumnMap::KEY,
        ],
    ),
    (
        "model",
        &[
            "model",
            "model_name",
            "model_id",
            "system",
            "provider.label",
        ],
    ),
    (
        "condition",
        &[
            "condition",
            "prompt.label",
            "prompt_name",
            "prompt_id",
            "repeat",
            "repetition",
            "trial",
            "attempt",
            "seed",
            "generation_index",
        ],
    ),
    ("split", &["split"]),
    (
        "ability",
        &[
            "ability",
            "category",
            "task",
            "task_name",
            "skill",
            "subject",
            "question_type",
            "type",
        ],
    ),
    (
        "question",
        &[
            "question",
            "prompt",
            "origin_prompt",
            "query",
            "instruction",
            "input",
            "text",
        ],
    ),
    (
        "target",
        &[
            "target",
            "ground_truth",
            "gt",
            "gt_answer",
            "gold",
            "reference",
            "label",
            "expected",
            "correct_answer",
            "answer",
        ],
    ),
    (
        "image",
        &[
            "image",
            "images",
            "image_path",
            "image_file",
            "img_path",
            "img",
            "picture",
            "file_name",
            "filename",
        ],
    ),
    ("choices", &["choices", "options"]),
    (
        "parsed",
        &[
            "parsed",
            "extracted",
            "parsed_answer",
            "extracted_answer",
            "extracted_prediction",
        ],
    ),
    ("metric", &["metric"]),
    ("direction", &["direction"]),
    ("benchmark", &["benchmark"]),
];
/// Maximum length of an example in a column to split by.
const SHORT: usize = 32;
/// Maximum nesting of a column to split by.
const SHALLOW: usize = 1;

/// Guesses a column map. `examples` are the first values of the columns. Remaining
/// columns with short values become tags.
pub fn guess(columns: &[String], examples: &[Json]) -> ColumnMap {
    let mut guess = Guess {
        columns,
        examples,
        taken: vec![false; columns.len()],
        map: ColumnMap::default(),
    };
    for (field, names) in NAMES {
        let _ = names.iter().any(|name| guess.take(field, name));
    }
    if guess.map.choices.is_empty() {
        guess.take_letters();
    }
    if !guess.map.has_answer() {
        guess.take_response();
    }
    guess.take_tags();
    guess.map
}

/// A column map in the making.
struct Guess<'a> {
    columns: &'a [String],
    examples: &'a [Json],
    taken: Vec<bool>,
    map: ColumnMap,
}

impl Guess<'_> {
    /// Assigns the least nested free column of this name whose value suits the field.
    fn take(&mut self, field: &str, name: &str) -> bool {
        let columns = self.columns.iter().zip(self.examples).enumerate();
        let suiting = columns.filter_map(|(at, (column, example))| {
            let is_free = self.taken.get(at) == Some(&false) && is_named(column, name);
            let inside = is_free.then(|| inside(field, example))??;
            Some((at, column, inside))
        });
        let Some((at, column, inside)) = suiting.min_by_key(|(_, column, _)| depth(column)) else {
            return false;
        };
        self.map.assign(field, format!("{column}{inside}"));
        self.taken[at] = true;
        true
    }

    /// Assigns an object with options by letter, or options in columns such as `A`, `B`.
    fn take_letters(&mut self) {
        let at = |name: String| self.columns.iter().position(|column| *column == name);
        let before = self
            .columns
            .iter()
            .filter_map(|column| column.strip_suffix('A'));
        let before = before.filter(|before| before.is_empty() || before.ends_with(['.', '_']));
        let options = before.map(|before| -> (&str, Vec<usize>) {
            let letters = ('A'..='Z').map(|letter| at(format!("{before}{letter}")));
            (before, letters.map_while(|at| at).collect())
        });
        let options = options.max_by_key(|(_, found)| found.len());
        let Some((before, options)) = options.filter(|(_, found)| found.len() > 1) else {
            return;
        };
        let object = before.strip_suffix('.').map(str::to_owned);
        for &at in &options {
            self.taken[at] = true;
            if object.is_none() {
                self.map.assign("choices", self.columns[at].clone());
            }
        }
        // Later rows may have more options.
        self.map.choices.extend(object);
    }

    /// Assigns the response of files whose answers are called `text` or `answer`.
    fn take_response(&mut self) {
        if self.map.question.is_some() {
            self.take("response", "text");
        } else if self
            .map
            .target
            .as_ref()
            .is_some_and(|target| is_named(target, "answer"))
        {
            self.map.response = self.map.target.take();
        }
    }

    fn take_tags(&mut self) {
        let columns = self.columns.iter().zip(self.examples).zip(&self.taken);
        for ((column, example), taken) in columns {
            let is_single = matches!(example, Json::String(_) | Json::Number(_) | Json::Bool(_));
            let text = plain(example);
            let is_short = !text.is_empty() && text.len() <= SHORT;
            // Nested numbers are mostly counts and times of requests.
            let is_deep = depth(column) > SHALLOW || depth(column) > 0 && example.is_number();
            let is_row = column == ColumnMap::KEY || is_deep || is_id(&text);
            let is_row = is_row || is_repeated(column, self.columns);
            if !taken && is_single && is_short && nested(&text).is_none() && !is_row {
                self.map.assign("tags", column.clone());
            }
        }
    }
}

fn depth(column: &str) -> usize {
    column.matches('.').count()
}

/// True if a column, or the end of its path, has this name, whatever its case and separators.
fn is_named(column: &str, name: &str) -> bool {
    let plain = |text: &str| text.replace([' ', '-', '_'], "").to_lowercase();
    let parts = name.matches('.').count() + 1;
    let start = column.rmatch_indices('.').nth(parts - 1);
    let end = start.map_or(column, |(at, _)| &column[at + 1..]);
    plain(end) == plain(name)
}

/// Returns the path from a first value to the value that a field needs: empty for the value
/// itself, `None` if it is of another kind. Null may be followed by any value.
fn inside(field: &str, example: &Json) -> Option<String> {
    let suits = match (field, example) {
        (_, Json::Null) => true,
        (_, Json::String(text)) if text.is_empty() => true,
        ("image", Json::String(text)) => text.contains(['.', '/', ':']) || text.len() > SHORT,
        ("choices", Json::String(text)) => nested(text).is_some(),
        ("choices" | "image", Json::Array(list)) => !list.is_empty(),
        ("choices" | "image", example) => example.as_object().is_some_and(|it| !it.is_empty()),
        ("response" | "parsed", Json::Array(list)) => {
            return is_scalar(list.first()?).then(|| "[0]".to_owned());
        }
        ("question", Json::Array(messages)) => return last_text(messages),
        ("target", Json::Array(list)) => list.iter().all(is_scalar),
        (_, Json::Array(_) | Json::Object(_)) => false,
        // Commas may be decimal.
        ("score", Json::String(text)) => score(&text.replacen(',', ".", 1).into()).is_ok(),
        ("score", example) => score(example).is_ok(),
        ("sample_id", example) => !is_id(&plain(example)),
        ("model" | "split" | "metric" | "direction", example) => example.is_string(),
        _ => true,
    };
    suits.then(String::new)
}

/// Returns the path to the text of the last message of a chat.
fn last_text(messages: &[Json]) -> Option<String> {
    let last = messages.len().checked_sub(1)?;
    let name = ["prompt", "content"].into_iter().find(|name| {
        let text = messages.last().and_then(|message| message.get(*name));
        text.is_some_and(Json::is_string)
    })?;
    Some(format!("[{last}].{name}"))
}

fn is_scalar(value: &Json) -> bool {
    !value.is_array() && !value.is_object()
}

/// True for a UUID: the id of a row, which other models' rows of the sample do not share.
fn is_id(text: &str) -> bool {
    let lengths = text.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12]) && text.bytes().all(|b| b == b'-' || b.is_ascii_hexdigit())
}

/// True for a column whose name others have too, see [`super::path::numbered`].
pub fn is_repeated(column: &str, columns: &[String]) -> bool {
    let name = column.split_once('#').map_or(column, |(name, _)| name);
    let second = format!("{name}#2");
    columns.contains(&second) && columns.iter().any(|known| known == name)
}

/// True for the letter of an option.
pub fn is_letter(example: &Json) -> bool {
    matches!(
        example.as_str().map(|text| text.trim().as_bytes()),
        Some([b'A'..=b'J'])
    )
}
