//! Writes one line of a file of samples.

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json, json};

use super::document::{Header, compose_id};
use reader::every_eval_ever::{MARK, VERSION};
use reader::own::{fields, write_value};
use reader::{CONDITION, INVALID, TAG, label_text};
use record::{Choice, Record, SPLIT, Target};

/// Fields of a record that the schema has.
const NATIVE: [&str; 6] = [
    "sample_id",
    "model",
    "question",
    "response",
    "parsed",
    "score",
];

/// A scored prediction.
pub struct Sample<'a> {
    /// The record, with its score.
    pub record: &'a Record,
    /// The score, a finite number.
    pub score: f64,
    /// True if right, false if wrong; `None` if neither.
    pub correct: Option<bool>,
}

/// Returns the JSON line of a sample. `ids` are the ids of the results in the document.
pub fn instance(sample: &Sample<'_>, header: &Header<'_>, ids: &BTreeSet<String>) -> Json {
    let Sample {
        record,
        score,
        correct,
    } = *sample;
    let content = &record.content;
    let parsed = record.parsed.as_ref().filter(|parsed| !parsed.is_empty());
    let extracted = parsed.map(|parsed| {
        json!({
            "turn_idx": 0, "source": "output.raw", "extracted_value": parsed,
            "extraction_method": record.rule.words(), "is_terminal": true,
        })
    });
    let mut input = json!({
        "raw": content.question,
        "reference": content.target.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    if !content.choices.is_empty() {
        let texts = content.choices.iter().map(|choice| &choice.text);
        input["choices"] = texts.map(String::as_str).collect();
    }
    let mut line = json!({
        "schema_version": VERSION,
        "evaluation_id": header.id,
        "model_id": header.model,
        "evaluation_name": record.ability,
        "sample_id": record.sample_id,
        "interaction_type": "single_turn",
        "input": input,
        "output": {"raw": record.response.iter().collect::<Vec<_>>()},
        "answer_attribution": extracted.into_iter().collect::<Vec<_>>(),
        "evaluation": {"score": score, "is_correct": correct == Some(true)},
        "metadata": metadata(record),
    });
    if let Some(id) = result_of(record, ids) {
        line["evaluation_result_id"] = json!(id);
    }
    let usage = record.origin.as_ref().and_then(|origin| origin.usage);
    if let Some([input, output]) = usage.and_then(|usage| usage.tokens) {
        let total = u64::from(input) + u64::from(output);
        line["token_usage"] =
            json!({"input_tokens": input, "output_tokens": output, "total_tokens": total});
    }
    line
}

/// Returns the id of the result to which a record belongs; `None` if there is none.
fn result_of(record: &Record, ids: &BTreeSet<String>) -> Option<String> {
    let metric = record.metric.as_deref()?;
    let split = record.content.tags.get(SPLIT).map(ToString::to_string);
    let of = |split: Option<&str>| compose_id(&record.ability, metric, split);
    let found = [of(split.as_deref()), of(None)].into_iter();
    found.into_iter().find(|id| ids.contains(id))
}

/// Returns the columns that the schema does not have, as texts.
fn metadata(record: &Record) -> Map<String, Json> {
    let content = &record.content;
    let mut columns = fields(record);
    columns.retain(|name, _| !NATIVE.contains(&name.as_str()));
    if matches!(content.target, Some(Target::Text(_))) {
        columns.remove("target");
    }
    let letters = content.choices.iter().map(|choice| &choice.letter);
    if letters.eq((0..content.choices.len())
        .map(Choice::letters)
        .collect::<Vec<_>>()
        .iter())
    {
        columns.remove("choices");
    }
    let mut found = Map::from_iter([(MARK.to_owned(), json!(VERSION))]);
    let columns = columns.into_iter().map(|(name, value)| match value {
        text @ Json::String(_) => (name, text),
        other => (name, json!(write_value(&other))),
    });
    found.extend(columns);
    if record.parsed.as_ref().is_some_and(String::is_empty) {
        found.insert(INVALID.to_owned(), json!("true"));
    }
    let tags = content.tags.iter().map(|(name, value)| (TAG, name, value));
    let conditions = record.condition.iter();
    let conditions = conditions.map(|(name, value)| (CONDITION, name, value));
    for (prefix, name, value) in tags.chain(conditions) {
        found.insert(format!("{prefix}{name}"), json!(label_text(value)));
    }
    found
}
