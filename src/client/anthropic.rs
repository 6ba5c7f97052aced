//! Anthropic's messages API, which llama-server, vLLM, `SGLang` and Ollama also offer.

use reqwest::header::{HeaderMap, HeaderValue, InvalidHeaderValue};
use serde_json::{Map, Value as Json, json};

use super::answer::Answer;
use super::class::Class;
use super::classify::classify_within;
use super::failure::{Failure, excerpt};
use super::json::{at, count, text};
use super::request::{Part, Request, Turn};
use super::secret::Secret;
use super::spelled::Marks;

/// Version of the API.
const VERSION: &str = "2023-06-01";
/// Default of the mandatory token limit.
const MAX_TOKENS: u32 = 1024;

/// The headers with the API key.
pub fn headers(secret: &Secret) -> Result<HeaderMap, InvalidHeaderValue> {
    let mut headers = HeaderMap::new();
    headers.insert("anthropic-version", HeaderValue::from_static(VERSION));
    if let Some(value) = secret.header("")? {
        headers.insert("x-api-key", value);
    }
    Ok(headers)
}

/// The JSON body of a request, with marks for the base64 of its pictures.
pub fn body(request: &Request, marks: &Marks, stream: bool) -> Json {
    let part = |part: &Part| match part {
        Part::Text(text) => json!({"type": "text", "text": text}),
        Part::Picture(picture) => json!({"type": "image", "source": {
            "type": "base64", "media_type": picture.mime, "data": marks.of(picture),
        }}),
    };
    let turn = |turn: &Turn| {
        let parts: Vec<Json> = turn.parts.iter().map(part).collect();
        json!({"role": turn.role.name(), "content": parts})
    };
    let messages: Vec<Json> = request.turns.iter().map(turn).collect();
    let sampling = &request.sampling;
    let mut body = Map::new();
    body.insert("model".into(), json!(request.model));
    body.insert("messages".into(), json!(messages));
    body.insert(
        "max_tokens".into(),
        json!(sampling.max_tokens.unwrap_or(MAX_TOKENS)),
    );
    let effort = sampling.effort.as_ref();
    let fields = [
        ("system", request.system.as_ref().map(|value| json!(value))),
        (
            "temperature",
            sampling.temperature.map(|value| json!(value)),
        ),
        ("top_p", sampling.top_p.map(|value| json!(value))),
        (
            "output_config",
            effort.map(|value| json!({"effort": value})),
        ),
        ("stream", stream.then_some(Json::Bool(true))),
    ];
    for (name, value) in fields {
        if let Some(value) = value {
            body.insert(name.into(), value);
        }
    }
    body.extend(sampling.extra.iter().filter_map(extra));
    Json::Object(body)
}

/// A further field in the names of this API, which has no log probabilities.
fn extra((name, value): (&String, &Json)) -> Option<(String, Json)> {
    let name = match name.as_str() {
        "stop" => "stop_sequences",
        "logprobs" | "top_logprobs" => return None,
        name => name,
    };
    Some((name.to_owned(), value.clone()))
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
    Ok(answer)
}

/// Adds one stream event to an answer.
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
        }
        _ => {}
    }
    Ok(())
}

/// The function that a block of the content calls.
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

    #[test]
    fn further_fields_have_the_names_of_this_api() {
        let extra = json!({"stop": ["x"], "logprobs": true, "top_logprobs": 5, "top_k": 1});
        let request = Request {
            model: "m".to_owned(),
            system: None,
            turns: vec![Turn::user(Vec::new())],
            sampling: crate::Sampling {
                extra: extra.as_object().unwrap().clone(),
                ..crate::Sampling::default()
            },
            schema: None,
        };
        let body = body(&request, &Marks::new(&request), false);
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
        let overloaded =
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
        let failure = add(&serde_json::from_str(overloaded).unwrap(), &mut answer).unwrap_err();
        assert_eq!(failure.class, Class::Busy);
    }
}
