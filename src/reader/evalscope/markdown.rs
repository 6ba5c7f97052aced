//! Converts a request stored as Markdown, as by EvalScope 1.0, to chat messages.

use serde_json::{Value as Json, json};

/// Roles in the headings of messages.
const ROLES: [&str; 4] = ["System", "User", "Assistant", "Tool"];

/// Splits a text into messages. A heading `**User**: ` starts a message; `![image](reference)` on a
/// separate line is a picture. A text without headings is one message of the user.
pub fn messages(text: &str) -> Json {
    let mut messages: Vec<Json> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (role, body) = heading(rest).unwrap_or(("User", rest));
        let breaks = body.match_indices("\n\n").map(|(at, _)| at);
        let mut ends =
            breaks.filter(|at| heading(body.get(at + 2..).unwrap_or_default()).is_some());
        let end = ends.next().unwrap_or(body.len());
        let (body, behind) = body.split_at(end);
        messages.push(json!({"role": role.to_lowercase(), "content": parts(body)}));
        rest = behind.trim_start_matches("\n\n");
    }
    Json::Array(messages)
}

/// Returns the role in a message's heading, and the text after it.
fn heading(text: &str) -> Option<(&'static str, &str)> {
    let inner = text.strip_prefix("**")?;
    let mut roles = ROLES.into_iter();
    roles.find_map(|role| {
        let body = inner.strip_prefix(role)?.strip_prefix("**: ")?;
        Some((role, body.strip_prefix('\n').unwrap_or(body)))
    })
}

/// Returns the texts and pictures of a message.
fn parts(body: &str) -> Vec<Json> {
    let (mut parts, mut text): (Vec<Json>, Vec<&str>) = (Vec::new(), Vec::new());
    let add = |text: &mut Vec<&str>, parts: &mut Vec<Json>| {
        if !text.is_empty() {
            parts.push(json!({"type": "text", "text": text.join("\n")}));
            text.clear();
        }
    };
    for line in body.split('\n') {
        let image = line.strip_prefix("![image](");
        match image.and_then(|image| image.strip_suffix(')')) {
            Some(image) => {
                add(&mut text, &mut parts);
                parts.push(json!({"type": "image", "image": image}));
            }
            None => text.push(line),
        }
    }
    add(&mut text, &mut parts);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_and_pictures_become_messages() {
        let text =
            "**System**: \nBe brief.\n\n**User**: \nOne\n\ntwo\n![image](a (1).png)\n**bold**";
        let expected = json!([
            {"role": "system", "content": [{"type": "text", "text": "Be brief."}]},
            {"role": "user", "content": [
                {"type": "text", "text": "One\n\ntwo"},
                {"type": "image", "image": "a (1).png"},
                {"type": "text", "text": "**bold**"},
            ]},
        ]);
        assert_eq!(messages(text), expected);
        let alone = json!([{"role": "user", "content": [{"type": "text", "text": "Plain"}]}]);
        assert_eq!(messages("Plain"), alone);
        assert_eq!(messages(""), json!([]));
    }
}
