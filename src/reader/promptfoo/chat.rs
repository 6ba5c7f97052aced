//! The prompt that was sent: a text, or the messages of a chat as JSON text.

use serde_json::Value as Json;

use super::content::picture;
use crate::json;
use record::{ImageRef, Sent, SentPart};

/// A rendered prompt.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chat {
    /// Text of the user's messages.
    pub text: String,
    /// Pictures of all messages.
    pub pictures: Vec<ImageRef>,
    /// The messages; `None` if one holds anything but text and pictures.
    pub sent: Option<Sent>,
}

impl Chat {
    /// Parses a rendered prompt.
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
        // Pictures inside a text have no place of their own.
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

    /// Returns the parts of a message; `None` if one is neither text nor picture.
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

/// Returns the picture of a message part, in the notations of `OpenAI` and Anthropic.
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
