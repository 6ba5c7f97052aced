//! What is said in the questions of a chain. The wordings are Eyechart's own.

use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use crate::question::Unaskable;
use client::{Part, Picture, Schema, Turn};
use media::Drawing;

/// What is said in a question.
pub(super) struct Words {
    pub(super) system: String,
    pub(super) turns: Vec<Turn>,
    pub(super) schema: Schema,
}

/// A message of the user's with a picture behind its words.
pub(super) fn shown(words: impl Into<String>, drawing: &Drawing) -> Result<Turn, Unaskable> {
    let encoded = drawing
        .png()
        .ok_or(Unaskable::Part("its picture cannot be written"))?;
    let picture = Picture::new(encoded.bytes, encoded.mime, encoded.size);
    Ok(Turn::user(vec![
        Part::Text(words.into()),
        Part::Picture(Arc::new(picture)),
    ]))
}

/// A message of the user's.
pub(super) fn said(words: impl Into<String>) -> Turn {
    Turn::user(vec![Part::Text(words.into())])
}

/// A schema of these fields, all of which are required, behind the steps of reasoning.
pub(super) fn schema(fields: Vec<(String, Json)>) -> Schema {
    let steps = json!({"type": "array", "items": {"type": "string"}});
    let fields: Map<String, Json> = std::iter::once(("reasoning_steps".to_owned(), steps))
        .chain(fields)
        .collect();
    let required: Vec<&String> = fields.keys().collect();
    let required = json!(required);
    Schema {
        name: "answer",
        schema: json!({
            "type": "object",
            "properties": fields,
            "required": required,
            "additionalProperties": false,
        }),
    }
}

/// A field that is one of some words.
pub(super) fn one_of(words: &[&str]) -> Json {
    json!({"type": "string", "enum": words})
}

/// Fields `1` to `count` of the same form.
pub(super) fn numbered(count: usize, form: &Json) -> Vec<(String, Json)> {
    (1..=count)
        .map(|number| (number.to_string(), form.clone()))
        .collect()
}

/// `{"reasoning_steps": ["..."], FIELDS}`: the form of an answer, for servers that know no schemas.
pub(super) fn form(fields: &str) -> String {
    format!(
        "Answer with one JSON object and nothing else: {{\"reasoning_steps\": [\"step 1\", \"step 2\"], {fields}}}"
    )
}

/// `"1": "yes", "2": "yes"` for two fields: the fields of [`form`].
pub(super) fn fields(count: usize, value: &str) -> String {
    let field = |number: usize| format!("\"{number}\": \"{value}\"");
    (1..=count).map(field).collect::<Vec<_>>().join(", ")
}
