//! Builds the content of a sample from the variables, the prompt and the assertions of its test.

use std::collections::BTreeSet;
use std::path::Path;

use record::{Content, ImageRef, Sent, SentPart};
use serde_json::{Map, Value as Json};

use crate::data_url::{ENDINGS, is_base64};
use crate::{has_ending, json};

/// Variables that can contain the question, most specific name first.
const QUESTIONS: [&str; 7] = [
    "question",
    "query",
    "prompt",
    "instruction",
    "input",
    "text",
    "message",
];
/// Variables that can contain the annotated answer, most specific name first.
const TARGETS: [&str; 13] = [
    "answer",
    "expected",
    "expected_answer",
    "expected_output",
    "correct_answer",
    "correct",
    "target",
    "ground_truth",
    "groundtruth",
    "gold",
    "reference",
    "label",
    "solution",
];
/// Types of assertions that contain the expected answer.
const ANSWERS: [&str; 8] = [
    "equals",
    "contains",
    "icontains",
    "starts-with",
    "similar",
    "levenshtein",
    "factuality",
    "regex",
];

/// The test that an answer belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Test<'a> {
    /// Values of the variables in the prompt template.
    pub vars: &'a Map<String, Json>,
    /// Metadata of the test.
    pub metadata: &'a Json,
    /// Assertions of the test, as a list.
    pub assertions: &'a Json,
    /// Prompt with its variables filled in; empty if the log does not contain it.
    pub prompt: &'a str,
}

impl Test<'_> {
    /// Returns the content of the sample.
    pub fn content(self) -> Content {
        let chat = Chat::of(self.prompt);
        let question = named(self.vars, &QUESTIONS);
        let target = named(self.vars, &TARGETS);
        let images = if chat.pictures.is_empty() {
            let texts = self.vars.values().filter_map(Json::as_str);
            texts.filter_map(picture).collect()
        } else {
            chat.pictures.clone()
        };
        let is_tag = |name: &str, value: &Json| {
            let is_used = [&question, &target].into_iter().flatten();
            let mut is_used = is_used.map(|(used, _)| used);
            !name.starts_with('_')
                && !is_used.any(|used| used == name)
                && value.as_str().is_none_or(|text| picture(text).is_none())
        };
        let rest = self.vars.iter().filter(|(name, value)| is_tag(name, value));
        let rest: Map<String, Json> = rest.map(|(name, it)| (name.clone(), it.clone())).collect();
        let mut tags = json::tags(&Json::Object(rest));
        tags.extend(json::tags(self.metadata));
        let target = target.map(|(_, text)| text).or_else(|| self.asserted());
        Content {
            target: target.map(|text| json::target(&text, &[])),
            question: question.map_or(chat.text, |(_, text)| text),
            sent: (chat.sent)
                .filter(|_| chat.pictures.len() == images.len())
                .map(Box::new),
            images,
            tags,
            ..Content::default()
        }
    }

    /// Returns the answer that the assertions expect. `None` if they expect no answer or different
    /// answers.
    fn asserted(self) -> Option<String> {
        let assertions = self.assertions.as_array().into_iter().flatten();
        let answers = assertions.filter_map(|assertion| answer(assertion, self.vars));
        let answers: BTreeSet<String> = answers.collect();
        let mut answers = answers.into_iter();
        answers.next().filter(|_| answers.next().is_none())
    }
}

/// Returns name and text of the variable whose name comes first in `names`; `None` if no such
/// variable exists.
fn named(vars: &Map<String, Json>, names: &[&str]) -> Option<(String, String)> {
    let plain_name = |name: &String| name.to_lowercase().replace(['-', ' '], "_");
    names.iter().find_map(|wanted| {
        let (name, value) = vars.iter().find(|(name, _)| plain_name(name) == *wanted)?;
        let text = scalar(value).filter(|text| picture(text).is_none())?;
        Some((name.clone(), text))
    })
}

fn scalar(value: &Json) -> Option<String> {
    let is_scalar = value.is_string() || value.is_number() || value.is_boolean();
    let text = is_scalar.then(|| json::plain(value));
    text.filter(|text| !text.trim().is_empty())
}

/// Returns the answer that an assertion expects. A regular expression counts only if it is a single
/// word. `{{name}}` is replaced by the value of the variable.
fn answer(assertion: &Json, vars: &Map<String, Json>) -> Option<String> {
    let kind = assertion.get("type").and_then(Json::as_str)?;
    let text = scalar(assertion.get("value")?).filter(|_| ANSWERS.contains(&kind))?;
    if kind == "regex" {
        let word = |edge: &str| text.strip_prefix(edge);
        let word = (word(r"\b").and_then(|it| it.strip_suffix(r"\b")))
            .or_else(|| word("^").and_then(|it| it.strip_suffix('$')))?;
        return word
            .chars()
            .all(char::is_alphanumeric)
            .then(|| word.to_owned());
    }
    if let Some(name) = text.strip_prefix("{{").and_then(|it| it.strip_suffix("}}")) {
        return scalar(vars.get(name.trim())?);
    }
    (!text.contains("{{") && !text.starts_with("file://")).then_some(text)
}

/// Returns the picture in a variable: a data URL, base64, a web address, or a path with the
/// extension of a picture. Paths that start with `file://` are relative to the configuration.
pub fn picture(text: &str) -> Option<ImageRef> {
    if text.starts_with("data:image/") || is_base64(text) {
        return Some(ImageRef::Inline(text.to_owned()));
    }
    let path = text.strip_prefix("file://").unwrap_or(text);
    let plain = path.split(['?', '#']).next().unwrap_or_default();
    let is_picture = has_ending(Path::new(plain), &ENDINGS);
    (is_picture && !path.contains(['\n', '\r'])).then(|| json::image(path))
}

/// A prompt with its variables filled in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chat {
    /// Texts of the user messages, joined.
    pub text: String,
    /// Pictures of all messages, in order.
    pub pictures: Vec<ImageRef>,
    /// The messages; `None` if they contain anything but texts and pictures.
    pub sent: Option<Sent>,
}

impl Chat {
    /// Parses a prompt, which is a JSON list of chat messages or a plain text.
    pub fn of(raw: &str) -> Self {
        let document = match raw.trim_start().as_bytes() {
            [b'[' | b'{', ..] => json::parse(raw.as_bytes(), 1).unwrap_or_default(),
            _ => Json::Null,
        };
        let messages = document.get("messages").unwrap_or(&document).as_array();
        let is_message = |message: &Json| message.get("role").is_some();
        match messages {
            Some(messages) if messages.iter().all(is_message) => Self::of_messages(messages),
            _ => Self::of_text(raw),
        }
    }

    fn of_text(raw: &str) -> Self {
        // The position of a picture inside a text is undefined.
        if raw.is_empty() || raw.contains(";base64,") {
            return Self::default();
        }
        Self {
            text: raw.to_owned(),
            pictures: Vec::new(),
            sent: Sent::default().with("user", vec![SentPart::Text(raw.to_owned())]),
        }
    }

    fn of_messages(messages: &[Json]) -> Self {
        let mut chat = Self::default();
        let mut sent = Some(Sent::default());
        for message in messages {
            let role = message.get("role").and_then(Json::as_str);
            let role = role.unwrap_or_default();
            let parts = chat.parts(message.get("content").unwrap_or(&Json::Null));
            if role == "user" {
                chat.add_text(parts.as_deref().unwrap_or_default());
            }
            sent = sent.and_then(|sent| sent.with(role, parts?));
        }
        chat.sent = sent.filter(Sent::ends_with_prompt);
        chat
    }

    fn add_text(&mut self, parts: &[SentPart]) {
        for part in parts {
            if let SentPart::Text(text) = part {
                if !self.text.is_empty() {
                    self.text.push('\n');
                }
                self.text.push_str(text);
            }
        }
    }

    /// Returns the parts of a message. `None` if a part is neither a text nor a picture.
    fn parts(&mut self, content: &Json) -> Option<Vec<SentPart>> {
        if let Some(text) = content.as_str() {
            return Some(vec![SentPart::Text(text.to_owned())]);
        }
        let mut parts = Vec::new();
        for part in content.as_array()? {
            if let Some(text) = part.get("text").and_then(Json::as_str) {
                parts.push(SentPart::Text(text.to_owned()));
            } else {
                self.pictures.push(picture_of(part)?);
                parts.push(SentPart::Picture(self.pictures.len() - 1));
            }
        }
        Some(parts)
    }
}

/// Returns the picture in a part of a message, in the format of `OpenAI` or Anthropic.
fn picture_of(part: &Json) -> Option<ImageRef> {
    let source = part.get("source").or_else(|| part.get("image_url"))?;
    if let (Some(kind), Some(data)) = (source.get("media_type"), source.get("data")) {
        let (kind, data) = (kind.as_str()?, data.as_str()?);
        return Some(ImageRef::Inline(format!("data:{kind};base64,{data}")));
    }
    let url = source.as_str().or_else(|| source.get("url")?.as_str())?;
    if url.starts_with("http") {
        return Some(json::image(url));
    }
    picture(url)
}
