//! Extracts texts and pictures from chat messages. Attachments are looked up.

use serde_json::Value as Json;

use crate::json;
use record::{ImageRef, Labels, Sent, SentPart};

/// Tag for the targets of a sample that has several.
const TARGETS: &str = "targets";
/// Prefix of an attachment reference.
const ATTACHMENT: &str = "attachment://";
/// Maximum length of a reported error, in characters.
const LONGEST_ERROR: usize = 300;
/// Value of `source` for an answer of the model itself; few-shot examples have other values.
const GENERATED: &str = "generate";
/// Text that stands for a picture in old versions.
const PLACEHOLDER: &str = "(Image)";

/// Long texts and pictures of a sample, by name.
#[derive(Clone, Copy, Debug)]
pub struct Attachments<'a>(pub &'a Json);

impl<'a> Attachments<'a> {
    /// Returns a text itself, or the attachment to which it refers.
    pub fn text(self, text: &'a str) -> &'a str {
        let name = text.strip_prefix(ATTACHMENT);
        let moved = name.and_then(|name| self.0.get(name)?.as_str());
        moved.unwrap_or(text)
    }

    /// Returns the text of a message: its content, or all text parts joined.
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

    /// Returns the parts of a message in order. Pictures are numbered from `pictures` on. `None` if
    /// a part is neither a text nor a picture.
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

    /// Returns the pictures in the user messages before the model's first answer, and the messages
    /// before its last answer. If few-shot examples precede the question, the pictures of the
    /// question come first, because they identify the sample.
    pub fn conversation(self, messages: &'a Json) -> (Vec<ImageRef>, Option<Sent>) {
        if let Some((images, sent)) = self.after_examples(messages) {
            return (images, Some(sent));
        }
        let images = self.asked_images(messages);
        let sent = self.sent(messages, images.len());
        (images, sent)
    }

    /// Returns the pictures in the user messages before the model's first answer.
    pub fn asked_images(self, messages: &'a Json) -> Vec<ImageRef> {
        self.images_of(asked(messages))
    }

    fn images_of(self, messages: impl Iterator<Item = &'a Json>) -> Vec<ImageRef> {
        let messages = messages.filter(|message| is_user(message));
        let images = messages.flat_map(|message| self.message_images(message));
        images.collect()
    }

    /// Returns pictures and messages of a question that follows few-shot examples, if both contain
    /// pictures. `None` for other conversations.
    fn after_examples(self, messages: &'a Json) -> Option<(Vec<ImageRef>, Sent)> {
        let all = messages.as_array()?;
        let answer = all.iter().rposition(is_model)?;
        let (question, before) = all.get(..answer)?.split_last()?;
        let is_generated = |message: &Json| message.get("source").is_some_and(|it| it == GENERATED);
        if before.iter().any(is_generated) {
            return None;
        }
        let mut images = self.images_of(std::iter::once(question));
        let (own, examples) = (images.len(), self.images_of(before.iter()));
        if own == 0 || examples.is_empty() || !before.iter().any(is_model) {
            return None;
        }
        let mut sent = self.sent(messages, own + examples.len())?;
        for part in sent.messages.iter_mut().flat_map(|it| &mut it.parts) {
            if let SentPart::Picture(at) = part {
                *at = match at.checked_sub(examples.len()) {
                    Some(place) => place,
                    None => *at + own,
                };
            }
        }
        images.extend(examples);
        Some((images, sent))
    }

    /// Returns the texts of the user messages, joined by line breaks.
    pub fn question(self, messages: impl Iterator<Item = &'a Json>) -> String {
        let messages = messages.filter(|message| is_user(message));
        let texts = messages.map(|message| self.message_text(message));
        let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
        texts.join("\n")
    }

    /// Returns the messages before the model's last answer. `None` if they contain anything but
    /// texts and pictures, or if the number of pictures is not `images`.
    fn sent(self, messages: &Json, images: usize) -> Option<Sent> {
        let messages = messages.as_array()?;
        let last = messages.iter().rposition(is_model);
        let mut sent = Sent::default();
        let mut pictures = 0;
        for message in messages.get(..last.unwrap_or(messages.len()))? {
            let parts = self.message_parts(message, &mut pictures)?;
            sent = sent.with(role(message)?, parts)?;
        }
        (sent.ends_with_prompt() && pictures == images).then_some(sent)
    }
}

/// Returns the first accepted answer. If there are several, they are also stored as a tag.
pub fn first_target(target: &Json, tags: &mut Labels) -> Option<String> {
    let all: Vec<String> = match target {
        Json::Null => Vec::new(),
        Json::Array(targets) => targets.iter().map(json::plain).collect(),
        one => vec![json::plain(one)],
    };
    if all.len() > 1 {
        tags.insert(TARGETS.to_owned(), all.join(" | ").as_str().into());
    }
    all.into_iter().next()
}

/// Returns the first line of an error message, shortened to [`LONGEST_ERROR`] characters.
pub fn first_line(error: &str) -> String {
    let first = error.lines().next().unwrap_or_default();
    first.chars().take(LONGEST_ERROR).collect()
}

/// True for a user message.
fn is_user(message: &Json) -> bool {
    role(message) == Some("user")
}

/// True for a message of the model.
fn is_model(message: &Json) -> bool {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn user(text: &str, image: &str) -> Json {
        let picture = json!({"type": "image", "image": image});
        json!({"role": "user", "content": [picture, {"type": "text", "text": text}]})
    }

    #[test]
    fn pictures_of_examples_follow_those_of_the_question() {
        let attachments = Json::Null;
        let reader = Attachments(&attachments);
        let answer = |source: &str| json!({"role": "assistant", "content": "A", "source": source});
        let chat = |source: &str| {
            json!([
                user("first?", "a.png"),
                answer(source),
                user("this?", "b.png"),
                answer("generate")
            ])
        };
        let path = |name: &str| ImageRef::Path(name.to_owned());
        let messages = chat("input");
        let (images, sent) = reader.conversation(&messages);
        assert_eq!(images, [path("b.png"), path("a.png")]);
        let sent = sent.unwrap();
        let firsts: Vec<&SentPart> = sent
            .messages
            .iter()
            .filter_map(|it| it.parts.first())
            .collect();
        let said = SentPart::Text("A".to_owned());
        assert_eq!(
            firsts,
            [&SentPart::Picture(1), &said, &SentPart::Picture(0)]
        );
        // An earlier answer of the model itself is not a few-shot example.
        let messages = chat("generate");
        let (images, sent) = reader.conversation(&messages);
        assert_eq!((images, sent), (vec![path("a.png")], None));
    }
}
