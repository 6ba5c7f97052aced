//! Builds the messages of a chain's questions. The wordings are Eyechart's own.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use crate::asking::Asking;
use crate::client::{Part, Picture, Schema, Turn};
use crate::question::Unaskable;
use media::{Drawing, PictureLimits};

/// The user messages of a question, with pictures within the limits of the run.
pub(super) struct Messages {
    limits: PictureLimits,
    /// The messages, in order.
    pub(super) turns: Vec<Turn>,
    /// Descriptions of how pictures were changed to fit the limits.
    pub(super) made: BTreeSet<String>,
}

impl Messages {
    /// Returns a question without messages, which will show this number of pictures.
    pub(super) fn new(asking: &Asking, pictures: usize) -> Self {
        Self {
            limits: asking.pictures.limits(pictures),
            turns: Vec::new(),
            made: BTreeSet::new(),
        }
    }

    /// Adds a message with text and a picture.
    ///
    /// # Errors
    /// The picture cannot be encoded.
    pub(super) fn show(
        &mut self,
        words: impl Into<String>,
        drawing: &Drawing,
    ) -> Result<(), Unaskable> {
        let (encoded, how) = drawing
            .encoded(self.limits)
            .ok_or(Unaskable::Part("its picture cannot be encoded"))?;
        self.made.extend(how.words());
        let picture = Picture::new(encoded.bytes, encoded.mime, encoded.size);
        self.turns.push(Turn::user(vec![
            Part::Text(words.into()),
            Part::Picture(Arc::new(picture)),
        ]));
        Ok(())
    }

    /// Adds a message with text.
    pub(super) fn add_text(&mut self, words: impl Into<String>) {
        self.turns.push(Turn::user(vec![Part::Text(words.into())]));
    }
}

/// Returns a schema with a list of reasoning steps, then these required fields.
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

/// Returns the schema of a field that is one of these words.
pub(super) fn one_of(words: &[&str]) -> Json {
    json!({"type": "string", "enum": words})
}

/// Returns fields `1` to `count` with the same schema.
pub(super) fn numbered(count: usize, form: &Json) -> Vec<(String, Json)> {
    (1..=count)
        .map(|number| (number.to_string(), form.clone()))
        .collect()
}

/// Returns a JSON answer with these values for questions 1, 2 and so on.
pub(super) fn replies(values: impl Iterator<Item = impl Into<Json>>) -> String {
    let numbered = (1_usize..).zip(values);
    let fields = numbered.map(|(number, value)| (number.to_string(), value.into()));
    Json::Object(fields.collect()).to_string()
}

/// Describes the answer for servers without schema support: `{"reasoning_steps": ["..."], FIELDS}`.
pub(super) fn form(fields: &str) -> String {
    format!(
        "Answer with one JSON object and nothing else: {{\"reasoning_steps\": [\"step 1\", \"step 2\"], {fields}}}"
    )
}

/// Returns the fields for [`form`], for example `"1": "yes", "2": "yes"`.
pub(super) fn fields(count: usize, value: &str) -> String {
    let field = |number: usize| format!("\"{number}\": \"{value}\"");
    (1..=count).map(field).collect::<Vec<_>>().join(", ")
}
