//! Request in a converted record: messages, system prompt, and generation settings.

use serde_json::{Map, Value as Json, json};

use super::raw::Field;
use record::{Sent, SentMessage, SentPart};

/// Parses the request in a line; `None` if the line contains none.
///
/// # Errors
/// If the member has another structure.
pub(super) fn read(field: Field<'_>) -> Result<Option<Sent>, String> {
    let Some(raw) = field.filter(|raw| *raw != "null") else {
        return Ok(None);
    };
    let Ok(Json::Object(told)) = serde_json::from_str(raw) else {
        return Err("`sent` must be an object".to_owned());
    };
    let text = |key: &str| told.get(key).and_then(Json::as_str).map(str::to_owned);
    let messages = match told.get("messages") {
        None | Some(Json::Null) => Some(Vec::new()),
        Some(messages) => messages
            .as_array()
            .and_then(|messages| messages.iter().map(message).collect()),
    };
    let wrong = "`sent.messages` must be a list of messages, each with `role` and `content`";
    let lines = told.get("hint_lines").and_then(Json::as_u64);
    Ok(Some(Sent {
        system: text("system"),
        messages: messages.ok_or(wrong)?,
        hint_lines: lines
            .and_then(|lines| usize::try_from(lines).ok())
            .unwrap_or_default(),
        generation: match told.get("generation") {
            None | Some(Json::Null) => None,
            Some(Json::String(text)) => Some(text.clone()),
            Some(other) => Some(other.to_string()),
        },
        harness: text("harness"),
    }))
}

fn message(told: &Json) -> Option<SentMessage> {
    let parts = match told.get("content")? {
        Json::String(text) => vec![SentPart::Text(text.clone())],
        Json::Array(parts) => parts.iter().map(part).collect::<Option<_>>()?,
        _ => return None,
    };
    Some(SentMessage {
        by_model: match told.get("role")?.as_str()? {
            "assistant" => true,
            "user" => false,
            _ => return None,
        },
        parts,
    })
}

fn part(told: &Json) -> Option<SentPart> {
    match told {
        Json::String(text) => Some(SentPart::Text(text.clone())),
        Json::Object(told) => {
            let place = told.get("picture")?.as_u64()?;
            Some(SentPart::Picture(usize::try_from(place).ok()?))
        }
        _ => None,
    }
}

/// Converts a request to a member of a line. The result is an object with `system`, `messages` and
/// so on. A message looks like `{"role": "user", "content": ["…", {"picture": 0}]}`.
pub(super) fn write(sent: &Sent) -> Json {
    let mut told = Map::new();
    let texts = [
        ("harness", sent.harness.as_ref()),
        ("system", sent.system.as_ref()),
    ];
    for (name, text) in texts {
        if let Some(text) = text {
            told.insert(name.to_owned(), json!(text));
        }
    }
    if let Some(generation) = sent.generation.as_ref().filter(|told| *told != "{}") {
        // Write an object as JSON, and any other text as a string.
        let object = serde_json::from_str::<Map<String, Json>>(generation);
        let value = object.map_or_else(|_| json!(generation), Json::Object);
        told.insert("generation".to_owned(), value);
    }
    if sent.hint_lines > 0 {
        told.insert("hint_lines".to_owned(), json!(sent.hint_lines));
    }
    if !sent.messages.is_empty() {
        let messages = sent.messages.iter().map(|message| {
            let role = if message.by_model {
                "assistant"
            } else {
                "user"
            };
            let parts = message.parts.iter().map(|part| match part {
                SentPart::Text(text) => json!(text),
                SentPart::Picture(place) => json!({"picture": place}),
            });
            json!({"role": role, "content": parts.collect::<Vec<_>>()})
        });
        told.insert("messages".to_owned(), messages.collect());
    }
    Json::Object(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_tells_how_it_was_asked() {
        let sent = Sent {
            system: Some("Be \"brief\".".to_owned()),
            messages: vec![
                SentMessage {
                    by_model: false,
                    parts: vec![
                        SentPart::Picture(0),
                        SentPart::Text("Where?\n\nA) left".to_owned()),
                    ],
                },
                SentMessage {
                    by_model: true,
                    parts: vec![SentPart::Text(String::new())],
                },
            ],
            hint_lines: 2,
            generation: Some(r#"{"temperature":0.5}"#.to_owned()),
            harness: Some("inspect-ai".to_owned()),
        };
        for sent in [sent, Sent::default()] {
            let line = write(&sent).to_string();
            assert_eq!(read(Some(&line)), Ok(Some(sent)));
        }
        assert_eq!(read(Some("null")), Ok(None));
    }

    #[test]
    fn messages_of_another_shape_are_an_error() {
        for messages in [
            r#""Where?""#,
            r#"[{"role":"tool","content":"x"}]"#,
            r#"[{"role":"user","content":[{"picture":-1}]}]"#,
            r#"[{"role":"user"}]"#,
        ] {
            let line = format!("{{\"messages\":{messages}}}");
            assert!(
                read(Some(&line)).unwrap_err().contains("messages"),
                "{line}"
            );
        }
        assert!(read(Some("[]")).is_err());
    }
}
