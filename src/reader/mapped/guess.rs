//! Guesses the purpose of columns from their names.

use base::config::ColumnMap;

/// Usual column names of each field, most specific first.
const NAMES: [(&str, &[&str]); 12] = [
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
            "id",
            "uid",
            "index",
            "idx",
            "doc_id",
            "key",
        ],
    ),
    ("model", &["model", "model_name", "model_id", "system"]),
    (
        "ability",
        &[
            "ability",
            "category",
            "task",
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
    ("benchmark", &["benchmark"]),
];
/// Maximum length of an example in a column to split by.
const SHORT: usize = 32;
/// Names of option columns.
const LETTERS: [&str; 6] = ["A", "B", "C", "D", "E", "F"];

/// Guesses a column map. `examples` are the values in the first record. Remaining
/// columns with short values become tags.
#[must_use]
pub fn guess(columns: &[String], examples: &[String]) -> ColumnMap {
    let mut map = ColumnMap::default();
    let mut taken = vec![false; columns.len()];
    let mut take = |map: &mut ColumnMap, field: &str, name: &str| {
        let same = |column: &String| {
            let last = column.rsplit('.').next().unwrap_or(column);
            last.replace([' ', '-'], "_").eq_ignore_ascii_case(name)
        };
        let at = columns.iter().position(same);
        let free = at.and_then(|at| taken.get_mut(at).filter(|taken| !**taken));
        match (free, at.and_then(|at| columns.get(at))) {
            (Some(taken), Some(column)) => {
                *taken = true;
                map.assign(field, column.clone());
                true
            }
            _ => false,
        }
    };
    for (field, names) in NAMES {
        let _ = names.iter().any(|name| take(&mut map, field, name));
    }
    if columns.iter().any(|column| column == "A") && columns.iter().any(|column| column == "B") {
        for letter in LETTERS {
            take(&mut map, "choices", letter);
        }
    }
    for ((column, example), taken) in columns.iter().zip(examples).zip(taken) {
        let nested = example.starts_with(['[', '{']);
        if !taken && !example.is_empty() && example.len() <= SHORT && !nested {
            map.assign("tags", column.clone());
        }
    }
    map
}
