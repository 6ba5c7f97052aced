//! Request independent of the API dialect, and the key under which its answer is stored.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value as Json};

use super::dialect::Dialect;
use super::picture::Picture;

/// One request to one model, in no particular dialect.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The model's name at its endpoint.
    pub model: String,
    /// The system prompt; `None` sends none.
    pub system: Option<String>,
    /// The messages of the conversation; the last one is the user's.
    pub turns: Vec<Turn>,
    /// Sampling parameters, token limit and extra fields.
    pub sampling: Sampling,
    /// The JSON schema of the answer. Left out if the server does not support schemas.
    pub schema: Option<Schema>,
}

/// A JSON schema that the server enforces on the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    /// Name of the schema: letters, digits, `_` and `-`.
    pub name: &'static str,
    /// The schema as JSON Schema.
    pub schema: Json,
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// The speaker: user or model.
    pub role: Role,
    /// Pictures and texts, in the order in which the model sees them.
    pub parts: Vec<Part>,
}

base::named_enum! {
    /// The speaker of a message.
    ///
    /// Names are those in requests, the same in both dialects.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Role {
        /// The user: a question.
        User = "user",
        /// The model: an earlier answer.
        Assistant = "assistant",
    }
}

impl Turn {
    /// Returns a user message.
    pub const fn user(parts: Vec<Part>) -> Self {
        Self {
            role: Role::User,
            parts,
        }
    }

    /// Returns an earlier answer of the model.
    pub fn assistant(text: &str) -> Self {
        Self {
            role: Role::Assistant,
            parts: vec![Part::Text(text.to_owned())],
        }
    }
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Plain text.
    Text(String),
    /// An encoded picture.
    Picture(Arc<Picture>),
}

/// Sampling parameters. Unset ones are not sent, because some servers reject
/// fields that they do not know.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sampling {
    /// Sampling temperature; 0 is greedy.
    pub temperature: Option<f64>,
    /// Nucleus sampling (`top_p`), 0 to 1.
    pub top_p: Option<f64>,
    /// Maximum tokens of the answer.
    pub max_tokens: Option<u32>,
    /// Random seed of the server.
    pub seed: Option<u64>,
    /// Reasoning effort, in the server's terms.
    pub effort: Option<String>,
    /// Extra fields, sent as they are.
    pub extra: Map<String, Json>,
}

impl Request {
    /// Returns the pictures and texts of all turns, in order.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        self.turns.iter().flat_map(|turn| &turn.parts)
    }

    /// Returns the pictures of all turns, in order.
    pub fn pictures(&self) -> impl Iterator<Item = &Arc<Picture>> {
        self.parts().filter_map(|part| match part {
            Part::Picture(picture) => Some(picture),
            Part::Text(_) => None,
        })
    }

    /// Returns the texts of all turns, joined by line breaks.
    pub fn text(&self) -> String {
        let texts = self.parts().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Picture(_) => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    /// Returns the BLAKE3 hash of everything that the answer may depend on, as canonical
    /// JSON: address, texts, picture digests, sampling, prompt version and repeat number.
    /// Key, waits and streaming are excluded. Requests with one turn or without a schema keep
    /// the keys of earlier versions.
    pub fn key(&self, dialect: Dialect, address: &str, version: &str, repeat: u32) -> String {
        let sampling = &self.sampling;
        hashed(&DigestInput {
            address,
            dialect: dialect.name(),
            effort: sampling.effort.as_deref(),
            extra: SortedFields(&sampling.extra),
            max_tokens: sampling.max_tokens,
            model: &self.model,
            parts: Conversation(&self.turns),
            repeat,
            schema: self.schema.as_ref().map(|form| SortedJson(&form.schema)),
            seed: sampling.seed,
            system: self.system.as_deref(),
            temperature: sampling.temperature,
            top_p: sampling.top_p,
            version,
        })
    }
}

/// Everything that an answer may depend on. The fields are in alphabetical
/// order, as in canonical JSON.
#[derive(Serialize)]
struct DigestInput<'a> {
    address: &'a str,
    dialect: &'a str,
    effort: Option<&'a str>,
    extra: SortedFields<'a>,
    max_tokens: Option<u32>,
    model: &'a str,
    parts: Conversation<'a>,
    repeat: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<SortedJson<'a>>,
    seed: Option<u64>,
    system: Option<&'a str>,
    temperature: Option<f64>,
    top_p: Option<f64>,
    version: &'a str,
}

/// Returns the BLAKE3 hash of a JSON value, in hexadecimal digits. The
/// order of keys does not matter.
pub fn digest(json: &Json) -> String {
    hashed(&SortedJson(json))
}

/// Returns the BLAKE3 hash of a value as JSON, in hexadecimal digits.
fn hashed(value: &impl Serialize) -> String {
    // Only keys that are not strings would fail, and there are none.
    let text = serde_json::to_vec(value).unwrap_or_default();
    blake3::hash(&text).to_hex().to_string()
}

/// The messages of a conversation, with digests instead of pictures. A single user message is
/// written as its parts.
struct Conversation<'a>(&'a [Turn]);

impl Serialize for Conversation<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            [only] if only.role == Role::User => DigestParts(&only.parts).serialize(out),
            turns => out.collect_seq(turns.iter().map(DigestMessage)),
        }
    }
}

/// A message, written under its speaker's name.
struct DigestMessage<'a>(&'a Turn);

impl Serialize for DigestMessage<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_map([(self.0.role.name(), DigestParts(&self.0.parts))])
    }
}

/// The parts of a message, as a list.
struct DigestParts<'a>(&'a [Part]);

impl Serialize for DigestParts<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_seq(self.0.iter().map(DigestPart))
    }
}

/// A part of a message: text, or a picture's digest.
struct DigestPart<'a>(&'a Part);

impl Serialize for DigestPart<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_map([match self.0 {
            Part::Text(text) => ("text", text),
            Part::Picture(picture) => ("picture", &picture.digest),
        }])
    }
}

/// JSON with sorted keys, so equal values give equal texts.
struct SortedJson<'a>(&'a Json);

impl Serialize for SortedJson<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Json::Object(fields) => SortedFields(fields).serialize(out),
            Json::Array(items) => out.collect_seq(items.iter().map(SortedJson)),
            plain => plain.serialize(out),
        }
    }
}

/// A JSON object with sorted keys.
struct SortedFields<'a>(&'a Map<String, Json>);

impl Serialize for SortedFields<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut fields: Vec<_> = self.0.iter().collect();
        fields.sort_unstable_by_key(|(name, _)| *name);
        out.collect_map(
            fields
                .into_iter()
                .map(|(name, value)| (name, SortedJson(value))),
        )
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn request() -> Request {
        Request {
            model: "m".to_owned(),
            system: None,
            turns: vec![Turn::user(vec![
                Part::Picture(Arc::new(Picture::new(vec![1, 2], "image/png", (1, 1)))),
                Part::Text("what?".to_owned()),
            ])],
            sampling: Sampling::default(),
            schema: None,
        }
    }

    #[test]
    fn objects_are_sorted_at_every_depth() {
        let json: Json =
            serde_json::from_str(r#"{"b": [{"d": 1, "c": "x\n"}], "a": null}"#).unwrap();
        let canonical = serde_json::to_string(&SortedJson(&json)).unwrap();
        assert_eq!(canonical, r#"{"a":null,"b":[{"c":"x\n","d":1}]}"#);
    }

    #[test]
    fn a_single_turn_keeps_its_key_and_further_turns_change_it() {
        let asked = request();
        let digest = &asked.pictures().next().unwrap().digest;
        let known = format!(
            r#"{{"address":"a","dialect":"openai","effort":null,"extra":{{}},"max_tokens":null,"model":"m","parts":[{{"picture":"{digest}"}},{{"text":"what?"}}],"repeat":0,"seed":null,"system":null,"temperature":null,"top_p":null,"version":"1"}}"#
        );
        let known = blake3::hash(known.as_bytes()).to_hex().to_string();
        let key = |request: &Request| request.key(Dialect::OpenAi, "a", "1", 0);
        assert_eq!(key(&asked), known);
        let with = |said: &str| {
            let mut request = request();
            request.turns.push(Turn::assistant(said));
            request
        };
        assert_ne!(key(&with("A")), known);
        assert_ne!(key(&with("A")), key(&with("B")));
    }

    #[test]
    fn whatever_changes_the_answer_changes_the_key() {
        let key = |change: &dyn Fn(&mut Request)| {
            let mut request = request();
            change(&mut request);
            request.key(Dialect::OpenAi, "http://h/v1", "1", 0)
        };
        let same = key(&|_| {});
        assert_eq!(same, key(&|_| {}));
        assert_eq!(same.len(), 64);
        let changes: [&dyn Fn(&mut Request); 8] = [
            &|r| r.model = "n".to_owned(),
            &|r| r.system = Some(String::new()),
            &|r| r.turns[0].parts.swap(0, 1),
            &|r| {
                r.turns[0].parts[0] =
                    Part::Picture(Arc::new(Picture::new(vec![1, 3], "image/png", (1, 1))))
            },
            &|r| r.sampling.temperature = Some(0.0),
            &|r| r.sampling.effort = Some("low".to_owned()),
            &|r| drop(r.sampling.extra.insert("a".to_owned(), json!(1))),
            &|r| {
                r.schema = Some(Schema {
                    name: "answer",
                    schema: json!({"type": "object"}),
                });
            },
        ];
        for change in changes {
            assert_ne!(same, key(change));
        }
        let others = [
            request().key(Dialect::Anthropic, "http://h/v1", "1", 0),
            request().key(Dialect::OpenAi, "http://g/v1", "1", 0),
            request().key(Dialect::OpenAi, "http://h/v1", "2", 0),
            request().key(Dialect::OpenAi, "http://h/v1", "1", 1),
        ];
        assert!(!others.contains(&same));
    }
}
