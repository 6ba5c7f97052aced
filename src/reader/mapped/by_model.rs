//! Splits tables in which each row contains the answers of several models, one column per model.

use std::collections::BTreeMap;

use super::names::{RESPONSES, SCORES, is_alike, is_named, is_usual, names_model};
use super::row::named_metric;
use base::config::ColumnMap;
use record::REPEAT;

/// Words in column names that take the place of a model name but are not models.
#[rustfmt::skip]
const OTHERS: [&str; 48] = [
    "model", "llm", "vlm", "mllm", "raw", "parsed", "extracted", "correct", "gold", "gt",
    "ground_truth", "target", "true", "final", "expected", "generated", "predicted", "clean",
    "cleaned", "full", "short", "long", "question", "text", "image", "is", "label", "class",
    "original", "processed", "normalized", "reference", "ref", "human", "user", "system", "prompt",
    "judge", "box", "bbox", "top", "top1", "top5", "options", "answer", "val", "train", "test",
];
/// Additional names of response columns, valid only together with a model's name.
#[rustfmt::skip]
const SAID: [&str; 9] = [
    "answer", "answers", "responses", "predictions", "preds", "outputs", "model_outputs",
    "model_responses", "text",
];
/// Names of score columns, valid only together with a model's name.
const RIGHT: [&str; 6] = ["correct", "is_correct", "hit", "match", "acc", "score"];
/// Number of first entries in [`RIGHT`] that are never metric names.
const SURE: usize = 3;
/// Words for repetitions, followed by a number in a column name.
#[rustfmt::skip]
const REPEATS: [&str; 12] = [
    "seed", "prompt", "run", "trial", "attempt", "repeat", "template", "round", "sample", "try",
    "generation", "rollout",
];
/// Names of objects that hold one response, not the responses of several models.
const SINGLE: [&str; 4] = ["response", "prediction", "output", "model_output"];
/// Maximum length of a column name that is searched for a model.
const LONGEST: usize = 128;
/// Separators between a model and the rest of a column name.
const BETWEEN: [char; 5] = ['_', '.', '-', ' ', '/'];

/// Column map for the answers of one model or one repetition.
#[derive(Clone, Debug)]
pub struct PartMap {
    pub map: ColumnMap,
    /// Name and number of the repetition, if several columns contain answers of the same model.
    pub repetition: Option<(String, u64)>,
}

impl From<&ColumnMap> for PartMap {
    fn from(map: &ColumnMap) -> Self {
        Self {
            map: map.clone(),
            repetition: None,
        }
    }
}

/// Returns a map for each model or repetition with its own columns. Without such columns, returns
/// the map itself.
pub fn by_model(map: &ColumnMap) -> Vec<PartMap> {
    let mut found: Vec<(String, PartMap)> = Vec::new();
    let columns = map.responses.iter().map(|column| ("response", column));
    let columns = columns.chain(map.scores.iter().map(|column| ("score", column)));
    for (field, column) in columns.filter(|_| !map.is_published()) {
        let model = model_of(column);
        let at = found.iter().position(|(known, _)| *known == model);
        let at = at.unwrap_or_else(|| {
            let mut of_model = ColumnMap {
                responses: Vec::new(),
                scores: Vec::new(),
                ..map.clone()
            };
            let repetition = repetition(&model);
            if of_model.model.is_none() && repetition.is_none() {
                of_model.fixed.insert("model".to_owned(), model.clone());
            }
            let map = of_model;
            found.push((model, PartMap { map, repetition }));
            found.len() - 1
        });
        if let Some((model, PartMap { map, .. })) = found.get_mut(at) {
            map.assign(field, column.clone());
            let name = column.replacen(model.as_str(), "", 1);
            let metric = named_metric(name.trim_matches(BETWEEN));
            if let Some(metric) = metric.filter(|_| field == "score" && map.metric.is_none()) {
                map.fixed.entry("metric".to_owned()).or_insert(metric);
            }
        }
    }
    if found.is_empty() {
        return vec![map.into()];
    }
    found.into_iter().map(|(_, map)| map).collect()
}

/// Returns the word and number of a repetition: `seed` and 1 for `seed_1`, `repeat` and 2 for `2`
/// and for `responses[1]`.
fn repetition(name: &str) -> Option<(String, u64)> {
    if let Some((_, index)) = name
        .strip_suffix(']')
        .and_then(|name| name.rsplit_once('['))
    {
        return Some((REPEAT.to_owned(), index.parse::<u64>().ok()? + 1));
    }
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = name.strip_prefix(stem)?.parse().ok()?;
    let stem = stem.trim_end_matches(BETWEEN).to_lowercase();
    match stem.as_str() {
        "" => Some((REPEAT.to_owned(), number)),
        stem => REPEATS.contains(&stem).then(|| (stem.to_owned(), number)),
    }
}

/// Returns the model in a column name: `qwen2` for `qwen2_pred`, `correct_qwen2` and
/// `outputs.qwen2.text`. Any other name is returned as the model.
pub fn model_of(column: &str) -> String {
    if column.ends_with(']') || column.len() > LONGEST {
        return column.to_owned();
    }
    let mut name = column;
    // Known names can stand on both sides of the model.
    for _ in 0..2 {
        name = parts(name).map_or(name, |(_, model)| model);
    }
    name.trim_matches(['(', ')', '[', ']']).to_owned()
}

/// Splits a column name into a known name of responses or scores, and the rest.
fn parts(column: &str) -> Option<(&str, &str)> {
    let known = |name: &str| {
        let all = RESPONSES.iter().chain(&SCORES).chain(&SAID).chain(&RIGHT);
        !name.is_empty() && all.into_iter().any(|known| is_alike(name, known))
    };
    // Try the longest names first.
    let places: Vec<usize> = column.match_indices(BETWEEN).map(|(at, _)| at).collect();
    let end = places.iter().find_map(|&at| {
        let (model, name) = (&column[..at], &column[at + 1..]);
        (known(name) && !model.is_empty()).then_some((name, model))
    });
    let start = || {
        places.iter().rev().find_map(|&at| {
            let (name, model) = (&column[..at], &column[at + 1..]);
            (known(name) && !model.is_empty()).then_some((name, model))
        })
    };
    end.or_else(start)
}

/// Returns the response columns of several models, and their score columns. The names of these
/// columns differ only in the model.
pub fn columns_by_model(columns: &[String]) -> [Vec<&String>; 2] {
    let mut patterns: BTreeMap<String, Vec<&String>> = BTreeMap::new();
    for column in columns {
        let model = model_of(column);
        let is_other = OTHERS.iter().any(|other| is_alike(&model, other));
        let has_letters = model.len() > 2 && model.contains(char::is_alphabetic);
        let is_named = has_letters && !is_other || repetition(&model).is_some();
        let pattern = column.replacen(&model, "*", 1);
        let is_single = SINGLE
            .iter()
            .any(|name| pattern.starts_with(&format!("{name}.")));
        let is_other = is_usual(column) && !names_model(column) && !column.contains('.');
        if model != *column && is_named && !is_single && !is_other {
            patterns.entry(pattern).or_default().push(column);
        }
    }
    patterns.retain(|_, columns| columns.len() > 1);
    // Columns that differ only in a number can be answer options.
    let is_numbered = |name: &String| name.starts_with(|c: char| c.is_ascii_digit());
    patterns.retain(|pattern, columns| {
        let are_numbered = columns.iter().all(|column| is_numbered(&model_of(column)));
        let mut parts = pattern.split(BETWEEN);
        !are_numbered || parts.any(|part| RESPONSES.iter().any(|name| is_alike(part, name)))
    });
    let named = |pattern: &str, names: &[&str]| {
        let mut parts = pattern.split(BETWEEN);
        let is_text = pattern.len() == "*_text".len() && pattern.ends_with("text");
        !is_text && parts.any(|part| names.iter().any(|name| is_alike(part, name)))
    };
    let is_score = |pattern: &str| named(pattern, &RIGHT) || named(pattern, &SCORES);
    let most = |suits: &dyn Fn(&str) -> bool| {
        let found = patterns.iter().filter(|(pattern, _)| suits(pattern));
        let found = found.max_by_key(|(_, columns)| columns.len());
        found.map_or_else(Vec::new, |(_, columns)| columns.clone())
    };
    let responses = most(&|pattern| {
        !is_score(pattern) && (named(pattern, &RESPONSES) || named(pattern, &SAID))
    });
    let models: Vec<String> = responses.iter().map(|column| model_of(column)).collect();
    let mut scores = if models.is_empty() {
        let scores = most(&|pattern| named(pattern, &RIGHT[..SURE]));
        // Well-known models next to a response are judges.
        let is_response = |column: &String| RESPONSES.iter().any(|name| is_named(column, name));
        if scores.is_empty() && !columns.iter().any(is_response) {
            let scores = most(&is_score);
            let known = scores
                .iter()
                .filter(|column| names_model(&model_of(column)));
            if 2 * known.count() >= scores.len() {
                scores
            } else {
                Vec::new()
            }
        } else {
            scores
        }
    } else {
        most(&is_score)
    };
    scores.retain(|column| models.is_empty() || models.contains(&model_of(column)));
    [responses, scores]
}

#[cfg(test)]
mod tests {
    use super::{columns_by_model, model_of, repetition};

    #[test]
    fn models_are_what_differs_between_columns() {
        for (column, model) in [
            ("qwen2_pred", "qwen2"),
            ("pred_gpt-4o", "gpt-4o"),
            ("outputs.qwen.text", "qwen"),
            ("responses.gpt-4.1", "gpt-4.1"),
            ("gpt_4o_model_output", "gpt_4o"),
            ("Response (InternVL 2)", "InternVL 2"),
            ("is_correct_a7b", "a7b"),
            ("Qwen2-VL", "Qwen2-VL"),
        ] {
            assert_eq!(model_of(column), model, "{column}");
        }
        let columns = [
            "id",
            "question",
            "gt_answer",
            "correct_answer",
            "raw_answer",
            "gpt4_answer",
            "llava_answer",
            "gpt4_correct",
            "llava_correct",
            "human_correct",
        ];
        let columns = columns.map(str::to_owned);
        let [responses, scores] = columns_by_model(&columns);
        assert_eq!(responses, ["gpt4_answer", "llava_answer"]);
        assert_eq!(scores, ["gpt4_correct", "llava_correct"]);
        for (columns, expected) in [
            (
                ["id", "gpt4_score", "ours_score"],
                &["gpt4_score", "ours_score"][..],
            ),
            (["prediction", "gpt4_score", "gemini_score"], &[]),
            (["id", "perception_score", "cognition_score"], &[]),
        ] {
            let columns = columns.map(str::to_owned);
            let [responses, scores] = columns_by_model(&columns);
            assert!(responses.is_empty(), "{columns:?}");
            assert_eq!(scores, expected, "{columns:?}");
        }
    }

    #[test]
    fn numbers_are_those_of_repetitions() {
        let told = |name: &str| repetition(name).map(|(name, number)| format!("{name} {number}"));
        for (name, expected) in [
            ("seed_0", Some("seed 0")),
            ("prompt2", Some("prompt 2")),
            ("3", Some("repeat 3")),
            ("responses[1]", Some("repeat 2")),
            ("qwen2", None),
            ("a7b", None),
        ] {
            assert_eq!(told(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn several_columns_of_one_model_are_not_models() {
        for columns in [
            ["pred_label", "pred_text", "predicted_answer"],
            ["answer_1", "answer_2", "answer_3"],
            ["response.status", "response.body", "response.model"],
            ["pred_x1", "pred_y1", "pred_x2"],
            ["question_text", "option_a_text", "option_b_text"],
            ["top1_acc", "top5_acc", "val_acc"],
        ] {
            let columns = columns.map(str::to_owned);
            let found = columns_by_model(&columns);
            assert_eq!(found, [const { Vec::<&String>::new() }; 2], "{columns:?}");
        }
    }
}
