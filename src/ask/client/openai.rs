//! `OpenAI`'s chat completions API, read leniently: any field may be missing or malformed.

use reqwest::header::{AUTHORIZATION, HeaderMap, InvalidHeaderValue};
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::answer::{Answer, Usage, broken_by};
use super::class::Class;
use super::classify::classify_within;
use super::failure::{Failure, excerpt};
use super::json::{Fields, at, content, count, text};
use super::quirks::RequestForm;
use super::request::{Part, Request};
use super::request_body::Placeholders;
use store::Secret;

base::named_enum! {
    /// The name of the token limit field.
    ///
    /// Names are those in requests.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum TokenField {
        /// `max_tokens`, which all servers accept except for `OpenAI`'s reasoning models.
        #[default]
        MaxTokens = "max_tokens",
        /// `max_completion_tokens`, which Ollama silently ignores.
        MaxCompletionTokens = "max_completion_tokens",
    }
}

impl TokenField {
    /// Returns the other name, to try if a server refuses this name.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::MaxTokens => Self::MaxCompletionTokens,
            Self::MaxCompletionTokens => Self::MaxTokens,
        }
    }
}

/// Returns the header with the API key as a bearer token.
pub fn headers(secret: &Secret) -> Result<HeaderMap, InvalidHeaderValue> {
    let mut headers = HeaderMap::new();
    if let Some(value) = secret.header("Bearer ")? {
        headers.insert(AUTHORIZATION, value);
    }
    Ok(headers)
}

/// A message in this API's format.
#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: Content<'a>,
}

/// Content of a message: plain text or a list of parts.
#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Text(&'a str),
    Parts(Vec<OpenAiPart<'a>>),
}

/// A part of a message in this API's format.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum OpenAiPart<'a> {
    Text { text: &'a str },
    ImageUrl { image_url: ImageUrl },
}

impl<'a> OpenAiPart<'a> {
    fn of(part: &'a Part, marks: &Placeholders) -> Self {
        match part {
            Part::Text(text) => Self::Text { text },
            Part::Picture(picture) => {
                let url = format!("data:{};base64,{}", picture.mime, marks.of(picture));
                let image_url = ImageUrl { url };
                Self::ImageUrl { image_url }
            }
        }
    }
}

/// An image address that contains the picture itself (`data:`).
#[derive(Serialize)]
struct ImageUrl {
    url: String,
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
    let system = request.system.as_deref().map(|text| Message {
        role: "system",
        content: Content::Text(text),
    });
    let turns = request.turns.iter().map(|turn| Message {
        role: turn.role.name(),
        content: Content::Parts(
            turn.parts
                .iter()
                .map(|part| OpenAiPart::of(part, marks))
                .collect(),
        ),
    });
    let messages: Vec<Message> = system.into_iter().chain(turns).collect();
    let mut body = Fields::default();
    body.set("model", &request.model)?;
    body.set("messages", &messages)?;
    let sampling = &request.sampling;
    body.maybe("temperature", sampling.temperature)?;
    body.maybe("top_p", sampling.top_p)?;
    body.maybe(form.field.name(), sampling.max_tokens)?;
    body.maybe("seed", sampling.seed)?;
    body.maybe("reasoning_effort", sampling.effort.as_ref())?;
    body.maybe("stream", form.stream.then_some(true))?;
    let counts = form.stream && !form.leaves_out("stream_options");
    let usage = || json!({"include_usage": true});
    body.maybe("stream_options", counts.then(usage))?;
    if let Some(schema) = &request.schema {
        let form = json!({"name": schema.name, "strict": true, "schema": schema.schema});
        body.set(
            "response_format",
            &json!({"type": "json_schema", "json_schema": form}),
        )?;
    }
    for (name, value) in &sampling.extra {
        body.set(name, value)?;
    }
    Ok(body)
}

/// Reads the answer from a complete body.
pub fn read(json: &Json) -> Result<Answer, Failure> {
    if is_error(json) {
        return Err(classify_within(json));
    }
    let Some(choice) = first_choice(json) else {
        let what = format!("no `choices` in {}", excerpt(&json.to_string()));
        return Err(Failure::new(Class::Protocol, what));
    };
    let has_answer = ["message", "text", "error"]
        .iter()
        .any(|name| choice.get(name).is_some());
    if !has_answer && text(choice, &["finish_reason"]).is_none() {
        let what = format!("no `message` in {}", excerpt(&choice.to_string()));
        return Err(Failure::new(Class::Protocol, what));
    }
    let mut answer = Answer::default();
    about(json, &mut answer);
    take(choice, "message", &mut answer)?;
    Ok(answer)
}

/// Adds one stream chunk to the answer so far.
pub fn add(chunk: &Json, answer: &mut Answer) -> Result<(), Failure> {
    if is_error(chunk) {
        return Err(classify_within(chunk));
    }
    about(chunk, answer);
    first_choice(chunk).map_or(Ok(()), |choice| take(choice, "delta", answer))
}

/// Returns the choice with index 0; choices may be in any order.
fn first_choice(json: &Json) -> Option<&Json> {
    let mut choices = at(json, &["choices"])?.as_array()?.iter();
    choices.find(|choice| count(choice, &["index"]).unwrap_or_default() == 0)
}

fn is_error(json: &Json) -> bool {
    let is_object = text(json, &["object"]).is_some_and(|object| object == "error");
    // Some servers put the error's fields at the top level.
    let is_bare = json.get("choices").is_none()
        && ["message", "detail"]
            .into_iter()
            .any(|name| text(json, &[name]).is_some());
    is_object || is_bare || has_error(json)
}

fn has_error(json: &Json) -> bool {
    json.get("error").is_some_and(|error| !error.is_null())
}

/// Returns the failure of a choice that ended in an error, found in the
/// choice or in its finish reason.
fn broken(choice: &Json, message: Option<&Json>) -> Option<Failure> {
    let mut holders = [Some(choice), message].into_iter().flatten();
    if let Some(holder) = holders.find(|holder| has_error(holder)) {
        return Some(classify_within(holder));
    }
    broken_by(&text(choice, &["finish_reason"])?)
}

/// Reads model, fingerprint and token counts.
fn about(json: &Json, answer: &mut Answer) {
    if let Some(model) = text(json, &["model"]) {
        answer.model = Some(model);
    }
    if let Some(mark) = text(json, &["system_fingerprint"]) {
        answer.fingerprint = Some(mark);
    }
    let usage = Usage {
        // llama-server puts its own counts into the last chunk if usage was not requested.
        prompt: count(json, &["usage", "prompt_tokens"])
            .or_else(|| count(json, &["timings", "prompt_n"])),
        completion: count(json, &["usage", "completion_tokens"])
            .or_else(|| count(json, &["timings", "predicted_n"])),
    };
    answer.usage.prompt = usage.prompt.or(answer.usage.prompt);
    answer.usage.completion = usage.completion.or(answer.usage.completion);
}

/// Adds text, reasoning, calls and log probabilities of a choice; `name` is `message` or `delta`.
/// Some servers stream one chunk with the whole message.
///
/// # Errors
/// The choice ended in an error: the text before it is not an answer.
fn take(choice: &Json, name: &str, answer: &mut Answer) -> Result<(), Failure> {
    let message = choice.get(name).or_else(|| choice.get("message"));
    if let Some(message) = message {
        if let Some(words) = message.get("content") {
            answer.text.push_str(&content(words));
        }
        for field in ["reasoning_content", "reasoning"] {
            if let Some(words) = text(message, &[field]) {
                answer.reasoning.push_str(&words);
                break;
            }
        }
        if let Some(words) = text(message, &["refusal"]) {
            answer.refusal.get_or_insert_default().push_str(&words);
        }
        let calls = message.get("tool_calls").and_then(Json::as_array);
        let calls = calls.into_iter().flatten();
        let calls = calls.filter_map(|call| text(call, &["function", "name"]));
        answer.tools.extend(calls);
        answer
            .tools
            .extend(text(message, &["function_call", "name"]));
    } else if let Some(words) = text(choice, &["text"]) {
        // Servers with the older completions API.
        answer.text.push_str(&words);
    }
    if let Some(Json::Array(tokens)) = at(choice, &["logprobs", "content"])
        && let Json::Array(all) = answer.logprobs.get_or_insert_with(|| json!([]))
    {
        all.extend(tokens.iter().cloned());
    }
    if let Some(reason) = text(choice, &["finish_reason"]) {
        answer.finish_reason = Some(reason);
    }
    broken(choice, message).map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::client::{Picture, Sampling, Turn};

    fn request() -> Request {
        Request {
            model: "m".to_owned(),
            system: None,
            turns: vec![Turn::user(vec![
                Part::Picture(Arc::new(Picture::new(vec![1, 2, 3], "image/png", (1, 1)))),
                Part::Text("what?".to_owned()),
            ])],
            sampling: Sampling {
                max_tokens: Some(5),
                ..Sampling::default()
            },
            schema: None,
        }
    }

    fn body_of(request: &Request) -> Json {
        let body = body(
            request,
            &Placeholders::new(request),
            &RequestForm::new(TokenField::MaxTokens),
        );
        serde_json::to_value(body.unwrap()).unwrap()
    }

    #[test]
    fn a_field_of_the_users_takes_the_place_of_ours() {
        let mut request = request();
        let extra = &mut request.sampling.extra;
        extra.insert("stop".to_owned(), json!(["."]));
        extra.insert("max_tokens".to_owned(), json!(9));
        let body = body_of(&request);
        let names: Vec<&String> = body.as_object().unwrap().keys().collect();
        assert_eq!(names, ["model", "messages", "max_tokens", "stop"]);
        assert_eq!(body["max_tokens"], 9);
    }

    #[test]
    fn a_schema_is_sent_as_a_strict_one() {
        let mut request = request();
        request.schema = Some(crate::client::Schema {
            name: "answer",
            schema: json!({"type": "object"}),
        });
        let body = body_of(&request);
        let form = r#"{"type":"json_schema","json_schema":{"name":"answer","strict":true,"schema":{"type":"object"}}}"#;
        assert_eq!(body["response_format"].to_string(), form);
    }

    #[test]
    fn what_is_not_set_is_not_sent() {
        let request = request();
        let marks = Placeholders::new(&request);
        let body = body(&request, &marks, &RequestForm::new(TokenField::MaxTokens)).unwrap();
        let body = marks.spelled(&body).unwrap().bytes().unwrap();
        assert_eq!(
            String::from_utf8(body).unwrap(),
            r#"{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AQID"}},{"type":"text","text":"what?"}]}],"max_tokens":5}"#
        );
    }

    #[test]
    fn turns_are_messages_in_their_order() {
        let mut request = request();
        let more = Turn::user(vec![Part::Text("sure?".to_owned())]);
        request.turns.extend([Turn::assistant("A"), more]);
        let body = body_of(&request);
        let messages = body["messages"].as_array().unwrap();
        let roles: Vec<&str> = messages
            .iter()
            .map(|message| message["role"].as_str().unwrap())
            .collect();
        assert_eq!(roles, ["user", "assistant", "user"]);
        assert_eq!(messages[1]["content"][0]["text"], "A");
    }

    #[test]
    fn functions_that_the_model_calls_are_named() {
        let whole = json!({"choices": [{"finish_reason": "tool_calls", "message": {"content": null,
            "tool_calls": [{"function": {"name": "zoom", "arguments": "{}"}}]}}]});
        assert_eq!(read(&whole).unwrap().tools, ["zoom"]);
        let mut answer = Answer::default();
        for function in [
            json!({"name": "zoom", "arguments": ""}),
            json!({"arguments": "{"}),
        ] {
            let delta = json!({"tool_calls": [{"index": 0, "function": function}]});
            add(&json!({"choices": [{"delta": delta}]}), &mut answer).unwrap();
        }
        assert_eq!(answer.tools, ["zoom"]);
    }

    #[test]
    fn what_breaks_strict_readers_is_read() {
        let read = |text: &str| read(&serde_json::from_str(text).unwrap());
        for strange in [
            r#"{"choices":[{"finish_reason":"eos_token","message":{"content":"A"}}],"usage":{}}"#,
            r#"{"choices":[{"finish_reason":"","message":{"content":"A"}}],"service_tier":"on_demand"}"#,
            r#"{"choices":[{"message":{"content":[{"type":"text","text":"A"}],"tool_calls":null}}],"error":null}"#,
            r#"{"choices":[{"message":{"role":"assistant","content":"A","reasoning":"x"}}],"usage":null,"created":"now"}"#,
        ] {
            assert_eq!(read(strange).unwrap().text, "A", "{strange}");
        }
        let error = read(
            r#"{"choices":[{"finish_reason":"error","error":{"code":502,"message":"m"},"message":{"content":""}}]}"#,
        );
        assert_eq!(error.unwrap_err().class, Class::Busy);
        assert_eq!(read(r#"{"id":"x"}"#).unwrap_err().class, Class::Protocol);
        assert_eq!(read("[]").unwrap_err().class, Class::Protocol);
    }

    #[test]
    fn answers_are_read_from_the_first_choice_in_every_usual_shape() {
        let whole = |choices: &str| {
            let body = format!(r#"{{"choices":[{choices}]}}"#);
            read(&serde_json::from_str(&body).unwrap()).map(|answer| answer.text)
        };
        for (choices, expected) in [
            (r#"{"index":0,"text":"A","finish_reason":"stop"}"#, "A"),
            (r#"{"message":{"content":4}}"#, "4"),
            (
                r#"{"index":1,"message":{"content":"B"}},{"index":0,"message":{"content":"A"}}"#,
                "A",
            ),
        ] {
            assert_eq!(whole(choices).unwrap(), expected, "{choices}");
        }
        assert_eq!(whole(r#"{"index":0}"#).unwrap_err().class, Class::Protocol);
        let mut answer = Answer::default();
        let chunk = r#"{"choices":[{"index":0,"message":{"content":"A"}}]}"#;
        add(&serde_json::from_str(chunk).unwrap(), &mut answer).unwrap();
        assert_eq!(answer.text, "A");
    }

    #[test]
    fn an_answer_that_ends_in_an_error_is_none_in_every_spelling() {
        let whole = |choice: &str| {
            let body = format!(r#"{{"choices":[{choice}]}}"#);
            read(&serde_json::from_str(&body).unwrap())
        };
        for (choice, class) in [
            (
                r#"{"finish_reason":"error","error":{"code":502,"message":"m"},"NAME":{"content":"A"}}"#,
                Class::Busy,
            ),
            (
                r#"{"finish_reason":"stop","error":{"code":502,"message":"m"},"NAME":{"content":"A"}}"#,
                Class::Busy,
            ),
            (
                r#"{"finish_reason":null,"NAME":{"content":"A","error":"m"}}"#,
                Class::Server,
            ),
            (
                r#"{"finish_reason":"error","NAME":{"content":"A"}}"#,
                Class::Server,
            ),
            (
                r#"{"finish_reason":"ERROR","NAME":{"content":"A"}}"#,
                Class::Server,
            ),
            (
                r#"{"finish_reason":"network_error","NAME":{"content":"A"}}"#,
                Class::Busy,
            ),
            (
                r#"{"finish_reason":"insufficient_system_resource","NAME":{"content":"A"}}"#,
                Class::Busy,
            ),
            (
                r#"{"finish_reason":"abort","NAME":{"content":"A"}}"#,
                Class::Server,
            ),
            (
                r#"{"finish_reason":"FAILED","NAME":{"content":"A"}}"#,
                Class::Server,
            ),
        ] {
            let failure = whole(&choice.replace("NAME", "message")).unwrap_err();
            assert_eq!(failure.class, class, "{choice}");
            assert!(!failure.message.contains('{'), "{}", failure.message);
            let chunk = format!(r#"{{"choices":[{}]}}"#, choice.replace("NAME", "delta"));
            let mut answer = Answer::default();
            let failure = add(&serde_json::from_str(&chunk).unwrap(), &mut answer).unwrap_err();
            assert_eq!(
                (failure.class, answer.text.as_str()),
                (class, "A"),
                "{choice}"
            );
        }
        let filtered = whole(r#"{"finish_reason":"content_filter","message":{"content":"A"}}"#);
        assert_eq!(filtered.unwrap().ending(), crate::client::Ending::Refused);
        let bare = read(&json!({"code": 503, "message": "m"})).unwrap_err();
        assert_eq!((bare.class, bare.message.as_str()), (Class::Busy, "m"));
        for bare in [
            json!({"type": "error", "message": "m"}),
            json!({"detail": "m"}),
        ] {
            let mut answer = Answer {
                finish_reason: Some("stop".to_owned()),
                ..Answer::default()
            };
            let failure = add(&bare, &mut answer).unwrap_err();
            assert_eq!(
                (failure.class, failure.message.as_str()),
                (Class::Server, "m")
            );
        }
    }
}
