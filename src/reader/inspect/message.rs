//! Extracts texts and pictures from chat messages, with attachments resolved.

use serde_json::Value as Json;

use crate::json;
use record::{ImageRef, SentPart};

/// Prefix of an attachment reference.
const ATTACHMENT: &str = "attachment://";
/// Text that old versions write in place of a picture.
const PLACEHOLDER: &str = "(Image)";

/// Long texts and pictures, stored by name.
#[derive(Clone, Copy, Debug)]
pub struct Attachments<'a>(pub &'a Json);

impl<'a> Attachments<'a> {
    /// Returns a text, resolved if it is an attachment reference.
    pub fn text(self, text: &'a str) -> &'a str {
        let name = text.strip_prefix(ATTACHMENT);
        let moved = name.and_then(|name| self.0.get(name)?.as_str());
        moved.unwrap_or(text)
    }

    /// Returns a message's text: its content, or the text parts of its content.
    pub fn message_text(self, message: &'a Json) -> String {
        let content = message.get("content").unwrap_or(message);
        if let Some(text) = content.as_str() {
            return self.text(text).to_owned();
        }
        let texts = content.as_array().into_iter().flatten();
        let texts = texts.filter_map(|part| part.get("text")?.as_str());
        let texts: Vec<&str> = texts
            .map(|text| self.text(text))
            .filter(|text| *text != PLACEHOLDER)
            .collect();
        texts.join("\n")
    }

    /// Returns a message's parts in order; pictures are numbered from `pictures` on. `None`
    /// if a part is neither text nor picture.
    pub fn message_parts(self, message: &Json, pictures: &mut usize) -> Option<Vec<SentPart>> {
        let content = message.get("content")?;
        if let Some(text) = content.as_str() {
            return Some(vec![SentPart::Text(self.text(text).to_owned())]);
        }
        let mut parts = Vec::new();
        for part in content.as_array()? {
            match part.get("type")?.as_str()? {
                "text" => parts.push(SentPart::Text(
                    self.text(part.get("text")?.as_str()?).to_owned(),
                )),
                "image" => {
                    parts.push(SentPart::Picture(*pictures));
                    *pictures += 1;
                }
                _ => return None,
            }
        }
        Some(parts)
    }

    /// Returns a message's pictures.
    pub fn message_images(self, message: &'a Json) -> impl Iterator<Item = ImageRef> + 'a {
        let parts = message.get("content").and_then(Json::as_array);
        let image = move |part: &'a Json| {
            let image = part.get("image")?;
            let reference = image.as_str().or_else(|| image.get("url")?.as_str())?;
            Some(json::image(self.text(reference)))
        };
        parts.into_iter().flatten().filter_map(image)
    }
}

/// True for a user message.
pub fn is_user(message: &Json) -> bool {
    role(message) == Some("user")
}

/// True for an answer of the model.
pub fn is_model(message: &Json) -> bool {
    role(message) == Some("assistant")
}

/// Returns the messages before the model's first answer.
pub fn asked(messages: &Json) -> impl Iterator<Item = &Json> {
    let messages = messages.as_array().into_iter().flatten();
    messages.take_while(|message| role(message) != Some("assistant"))
}

fn role(message: &Json) -> Option<&str> {
    message.get("role")?.as_str()
}
