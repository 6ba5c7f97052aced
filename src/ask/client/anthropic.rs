//! Anthropic's messages API, which llama-server, vLLM, `SGLang` and Ollama also offer.

use reqwest::header::{HeaderMap, HeaderValue, InvalidHeaderValue};
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::answer::{Answer, broken_by};
use super::class::Class;
use super::classify::classify_within;
use super::failure::{Failure, excerpt};
use super::json::{Fields, at, count, text};
use super::quirks::RequestForm;
use super::request::{Part, Request};
use super::request_body::Placeholders;
use store::Secret;

/// Value of the `anthropic-version` header.
const VERSION: &str = "2023-06-01";
/// Token limit if the request sets none; the API requires one.
const MAX_TOKENS: u32 = 1024;

/// Returns the headers: API version and key.
pub fn headers(secret: &Secret) -> Result<HeaderMap, InvalidHeaderValue> {
    let mut headers = HeaderMap::new();
    headers.insert("anthropic-version", HeaderValue::from_static(VERSION));
    if let Some(value) = secret.header("")? {
        headers.insert("x-api-key", value);
    }
    Ok(headers)
}

/// A message in this API's format.
#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: Vec<AnthropicPart<'a>>,
}

/// A part of a message in this API's format.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum AnthropicPart<'a> {
    Text { text: &'a str },
    Image { source: Image },
}

/// Source of an image part.
#[derive(Serialize)]
struct Image {
    #[serde(rename = "type")]
    kind: &'static str,
    media_type: &'static str,
    data: String,
}

impl<'a> AnthropicPart<'a> {
    fn of(part: &'a Part, marks: &Placeholders) -> Self {
        match part {
            Part::Text(text) => Self::Text { text },
            Part::Picture(picture) => Self::Image {
                source: Image {
                    kind: "base64",
                    media_type: picture.mime,
                    data: marks.of(picture),
                },
            },
        }
    }
}

/// Builds the JSON body of a request. Placeholders stand for the base64 of its pictures.
///
/// # Errors
/// A field cannot be written as JSON.
pub fn body(
    request: &Request,
    marks: &Placeholders,
    form: &RequestForm,
) -> serde_json::Result<Fields> {
    let messages = request.turns.iter().map(|turn| Message {
        role: turn.role.name(),
        content: turn
            .parts
            .iter()
            .map(|part| AnthropicPart::of(part, marks))
            .collect(),
    });
    let sampling = &request.sampling;
    let mut body = Fields::default();
    body.set("model", &request.model)?;
    body.set("messages", &messages.collect::<Vec<_>>())?;
    let most = sampling.max_tokens.unwrap_or(MAX_TOKENS);
    body.set("max_tokens", &most)?;
    body.maybe("system", request.system.as_ref())?;
    body.maybe("temperature", sampling.temperature)?;
    body.maybe("top_p", sampling.top_p)?;
    let effort = sampling.effort.as_ref();
    let effort = effort.map(|value| json!({"effort": value}));
    body.maybe("output_config", effort)?;
    body.maybe("stream", form.stream.then_some(true))?;
    for (name, value) in &sampling.extra {
        if let Some(name) = extra_name(name) {
            body.set(name, value)?;
        }
    }
    Ok(body)
}

/// Returns this API's name of an extra field; `None` for log probabilities, which it lacks.
fn extra_name(name: &str) -> Option<&str> {
    match name {
        "stop" => Some("stop_sequences"),
        "logprobs" | "top_logprobs" => None,
        name => Some(name),
    }
}

/// Reads the answer from a complete body.
pub fn read(json: &Json) -> Result<Answer, Failure> {
    if text(json, &["type"]).is_some_and(|kind| kind == "error") {
        return Err(classify_within(json));
    }
    let Some(parts) = at(json, &["content"]).and_then(Json::as_array) else {
        let what = format!("no `content` in {}", excerpt(&json.to_string()));
        return Err(Failure::new(Class::Protocol, what));
    };
    let mut answer = Answer::default();
    about(json, &mut answer);
    for part in parts {
        answer.text.extend(text(part, &["text"]));
        answer.reasoning.extend(text(part, &["thinking"]));
        answer.tools.extend(tool(part));
    }
    answer.finish_reason = text(json, &["stop_reason"]);
    match answer.finish_reason.as_deref().and_then(broken_by) {
        Some(failure) => Err(failure),
        None => Ok(answer),
    }
}

/// Adds one stream event to the answer so far.
pub fn add(event: &Json, answer: &mut Answer) -> Result<(), Failure> {
    match text(event, &["type"]).as_deref() {
        Some("error") => return Err(classify_within(event)),
        Some("message_start") => about(at(event, &["message"]).unwrap_or(&Json::Null), answer),
        Some("content_block_start") => {
            let block = at(event, &["content_block"]).unwrap_or(&Json::Null);
            answer.text.extend(text(block, &["text"]));
            answer.tools.extend(tool(block));
        }
        Some("content_block_delta") => {
            answer.text.extend(text(event, &["delta", "text"]));
            answer.reasoning.extend(text(event, &["delta", "thinking"]));
        }
        Some("message_delta") => {
            about(event, answer);
            answer.finish_reason =
                text(event, &["delta", "stop_reason"]).or(answer.finish_reason.take());
            if let Some(failure) = answer.finish_reason.as_deref().and_then(broken_by) {
                return Err(failure);
            }
        }
        _ => {}
    }
    Ok(())
}

/// Returns the name of the function that a content block calls.
fn tool(block: &Json) -> Option<String> {
    let kind = text(block, &["type"])?;
    let name = || text(block, &["name"]);
    (kind == "tool_use").then(name).flatten()
}

fn about(json: &Json, answer: &mut Answer) {
    answer.model = text(json, &["model"]).or(answer.model.take());
    let usage = |name| count(json, &["usage", name]);
    answer.usage.prompt = usage("input_tokens").or(answer.usage.prompt);
    answer.usage.completion = usage("output_tokens").or(answer.usage.completion);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{Sampling, TokenField, Turn};

    #[test]
    fn further_fields_have_the_names_of_this_api() {
        let extra = json!({"stop": ["x"], "logprobs": true, "top_logprobs": 5, "top_k": 1});
        let request = Request {
            model: "m".to_owned(),
            system: None,
            turns: vec![Turn::user(Vec::new())],
            sampling: Sampling {
                extra: extra.as_object().unwrap().clone(),
                ..Sampling::default()
            },
            schema: None,
        };
        let form = RequestForm::new(TokenField::MaxTokens);
        let body = body(&request, &Placeholders::new(&request), &form).unwrap();
        let body = serde_json::to_value(body).unwrap();
        assert_eq!(body["stop_sequences"], json!(["x"]));
        assert_eq!(body["top_k"], 1);
        assert!(body.get("stop").is_none() && body.get("logprobs").is_none());
    }

    #[test]
    fn a_stream_is_put_together() {
        let events = [
            r#"{"type":"message_start","message":{"model":"m","usage":{"input_tokens":9,"output_tokens":1}}}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
            r#"{"type":"ping"}"#,
            r#"{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"hm"}}"#,
            r#"{"type":"content_block_delta","delta":{"type":"text_delta","text":"B."}}"#,
            r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}"#,
            r#"{"type":"message_stop"}"#,
        ];
        let mut answer = Answer::default();
        for event in events {
            add(&serde_json::from_str(event).unwrap(), &mut answer).unwrap();
        }
        assert_eq!(
            (answer.text.as_str(), answer.reasoning.as_str()),
            ("B.", "hm")
        );
        assert_eq!(
            (answer.usage.prompt, answer.usage.completion),
            (Some(9), Some(3))
        );
        assert_eq!(answer.finish_reason.as_deref(), Some("end_turn"));
        let call = json!({"type": "content_block_start", "content_block": {"type": "tool_use", "name": "zoom"}});
        add(&call, &mut answer).unwrap();
        assert_eq!(answer.tools, ["zoom"]);
        let broken = json!({"type": "message_delta", "delta": {"stop_reason": "network_error"}});
        let failure = add(&broken, &mut answer.clone()).unwrap_err();
        assert_eq!(failure.class, Class::Busy);
        let overloaded =
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
        let failure = add(&serde_json::from_str(overloaded).unwrap(), &mut answer).unwrap_err();
        assert_eq!(failure.class, Class::Busy);
    }
}
