//! A prediction: request, response, and accepted answers.

use serde_json::Value as Json;

use crate::inspect::first_target;
use crate::json::{image, plain, target};
use record::{Content, ImageRef, Labels, Sent, SentMessage, SentPart};

/// Prefix of the members of a prediction by perplexity; there is one member per option.
const LABEL: &str = "label: ";
/// Role names in messages of the model.
const MODEL: [&str; 2] = ["BOT", "assistant"];
const SYSTEM: [&str; 2] = ["SYSTEM", "system"];

/// The members of a prediction that are used.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prediction {
    /// Request as a text or as messages.
    pub prompt: Json,
    /// Response of the model, if the file contains it.
    pub response: Option<String>,
    /// Accepted answer or answers.
    pub target: Json,
}

impl Prediction {
    /// Parses an entry of a predictions file.
    pub fn new(entry: &Json) -> Self {
        let members = entry.as_object().into_iter().flatten();
        let mut labels = members.filter_map(|(key, value)| key.starts_with(LABEL).then_some(value));
        let get = |key: &str| entry.get(key).filter(|value| !value.is_null());
        let prompt = get("origin_prompt").or_else(|| get("testing input"));
        let prompt = prompt.or_else(|| labels.next()?.get("prompt"));
        Self {
            prompt: prompt.cloned().unwrap_or_default(),
            response: get("prediction").map(|response| match response.as_array() {
                Some(answers) => answers.iter().map(plain).collect::<Vec<_>>().join("\n"),
                None => plain(response),
            }),
            target: get("gold").cloned().unwrap_or_default(),
        }
    }

    /// Returns the question, pictures, target and other content of the request.
    pub fn content(&self) -> Content {
        let mut request = Request::default();
        request.add(&self.prompt);
        let mut tags = Labels::new();
        let expected = first_target(&self.target, &mut tags);
        Content {
            question: request.question.join("\n"),
            target: expected.map(|text| target(&text, &[])),
            images: request.images,
            sent: (!request.sent.messages.is_empty()).then(|| Box::new(request.sent)),
            tags,
            ..Content::default()
        }
    }
}

/// A parsed request.
#[derive(Default)]
struct Request {
    /// Texts of the user's messages.
    question: Vec<String>,
    images: Vec<ImageRef>,
    sent: Sent,
}

impl Request {
    /// Adds a text, a message, or a list of texts and messages.
    fn add(&mut self, prompt: &Json) {
        match prompt {
            Json::String(text) => self.add_message("", &Json::String(text.clone())),
            Json::Array(messages) => messages.iter().for_each(|message| self.add(message)),
            Json::Object(message) => {
                let role = message
                    .get("role")
                    .and_then(Json::as_str)
                    .unwrap_or_default();
                let content = message.get("prompt").or_else(|| message.get("content"));
                self.add_message(role, content.unwrap_or(&Json::from("")));
            }
            _ => {}
        }
    }

    fn add_message(&mut self, role: &str, content: &Json) {
        let parts = self.parts(content);
        let text = |part: &SentPart| match part {
            SentPart::Text(text) => Some(text.clone()),
            SentPart::Picture(_) => None,
        };
        let texts: Vec<String> = parts
            .iter()
            .filter_map(text)
            .filter(|text| !text.is_empty())
            .collect();
        let by_model = MODEL.contains(&role);
        if SYSTEM.contains(&role) && self.sent.system.is_none() {
            self.sent.system = Some(texts.join("\n"));
            return;
        }
        if !by_model {
            self.question.extend(texts);
        }
        self.sent.messages.push(SentMessage { by_model, parts });
    }

    /// Returns the parts of a message, which is a text or a list of texts and pictures.
    fn parts(&mut self, content: &Json) -> Vec<SentPart> {
        let Some(parts) = content.as_array() else {
            return vec![SentPart::Text(plain(content))];
        };
        let part = |part: &Json| {
            let picture = part.get("image_url").or_else(|| part.get("image"));
            let picture = picture.and_then(|it| it.as_str().or_else(|| it.get("url")?.as_str()));
            if let Some(reference) = picture {
                self.images.push(image(reference));
                return SentPart::Picture(self.images.len() - 1);
            }
            SentPart::Text(plain(part.get("text").unwrap_or(part)))
        };
        parts.iter().map(part).collect()
    }
}
