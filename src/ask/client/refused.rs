//! Finds the request fields that a server refuses, from its error message.
//!
//! Only fields that do not change the question may be left out. Fields that define what is
//! compared, for example the reasoning effort, are never left out.

use std::ops::Range;

use super::failure::ErrorBody;

/// The fields that may be left out or renamed.
pub const FIELDS: [&str; 9] = [
    "temperature",
    "top_p",
    "seed",
    "n",
    "stream",
    "stream_options",
    "max_tokens",
    "max_completion_tokens",
    "response_format",
];

/// Phrases that report a refused field, as opposed to a value out of range.
const REFUSAL: [&str; 20] = [
    "unsupported",
    "not supported",
    "not support",
    "unknown",
    "unrecognized",
    "unrecognised",
    "unexpected",
    "extra_forbidden",
    "not permitted",
    "not allowed",
    "deprecated",
    "cannot find field",
    "cannot both be specified",
    "no such",
    "not available",
    "not implemented",
    "only the default",
    "may only be",
    "strictly positive",
    "must be greater than",
];

/// Phrases for an unsupported response format.
const SCHEMA: [&str; 4] = [
    "response_format",
    "json_schema",
    "json schema",
    "structured output",
];

/// Maximum distance in bytes between a field's name and the refusal.
const NEAR: usize = 80;

/// Words before an unquoted field name.
const INTRODUCTIONS: [&str; 6] = [
    "parameter",
    "argument",
    "supplied",
    "field",
    "param",
    "name",
];

/// Returns the fields that an error refuses, likeliest first.
pub fn refused_fields(error: &ErrorBody) -> Vec<&'static str> {
    let mut found = Vec::new();
    let places = std::iter::once(&error.param).chain(&error.fields);
    let places: Vec<&str> = places
        .filter(|path| !path.is_empty())
        .filter_map(|path| path.split(['.', '[']).next())
        .collect();
    if places.is_empty() {
        found.extend(named_in(&error.message));
    } else if error.says(&REFUSAL) {
        found.extend(places.into_iter().filter_map(field));
    }
    if error.param.contains("response_format") || error.says(&SCHEMA) {
        found.extend(field("response_format"));
    }
    // Of two fields that exclude each other, drop the one that is set less often.
    if error.says(&["cannot both be specified"]) {
        found.sort_by_key(|name| *name != "top_p");
    }
    let mut seen = Vec::new();
    found.retain(|name| {
        let is_new = !seen.contains(name);
        seen.push(*name);
        is_new
    });
    found
}

/// Returns the known field with this name.
fn field(name: &str) -> Option<&'static str> {
    FIELDS.into_iter().find(|known| *known == name)
}

/// Returns the fields named near a refusal, in order of appearance. Text farther away may repeat
/// the whole request. `stream` and `n` are also ordinary words: they count only in quotes or after
/// a word like `parameter`.
fn named_in(message: &str) -> Vec<&'static str> {
    let mut found = Vec::new();
    let (mut last, mut rest) = ("", message);
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    while let Some(start) = rest.find(is_part) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c| !is_part(c)).unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        let is_quoted =
            before.ends_with(['\'', '"', '`']) && after.starts_with(['\'', '"', '`', '.']);
        let is_introduced = INTRODUCTIONS
            .iter()
            .any(|known| last.eq_ignore_ascii_case(known));
        let is_plain = !matches!(word, "stream" | "n");
        if is_plain || is_quoted || is_introduced {
            let at = message.len() - from.len();
            found.extend(field(word).filter(|_| is_refusal(message, at..at + end)));
        }
        (last, rest) = (word, after);
    }
    found
}

/// Returns true if a phrase of refusal is near this part of the message.
fn is_refusal(message: &str, part: Range<usize>) -> bool {
    let start = message.floor_char_boundary(part.start.saturating_sub(NEAR));
    let end = message.ceil_char_boundary((part.end + NEAR).min(message.len()));
    let near = message.get(start..end).unwrap_or_default().to_lowercase();
    REFUSAL.iter().any(|phrase| near.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(body: &str) -> Vec<&'static str> {
        refused_fields(&ErrorBody::of_text(body))
    }

    #[test]
    fn a_field_is_found_wherever_the_server_names_it() {
        for (body, expected) in [
            // OpenAI, with and without `param`.
            (
                r#"{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.","param":"temperature","code":"unsupported_value"}}"#,
                "temperature",
            ),
            (
                r#"{"error":{"message":"m","code":"unsupported_parameter","param":"max_tokens"}}"#,
                "max_tokens",
            ),
            (
                r#"{"error":{"message":"litellm.BadRequestError: OpenAIException - Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","param":null,"code":"400"}}"#,
                "max_tokens",
            ),
            (
                r#"{"error":{"message":"Unrecognized request argument supplied: stream_options"}}"#,
                "stream_options",
            ),
            (r#"{"error":{"message":"Unknown parameter: 'n'."}}"#, "n"),
            (
                r#"{"error":{"message":"Unsupported value: 'stream' does not support true with this model.","param":"stream"}}"#,
                "stream",
            ),
            // FastAPI, Mistral, and vLLM with Python's notation.
            (
                r#"{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted","input":{"include_usage":true}}]}"#,
                "stream_options",
            ),
            (
                r#"{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted"}]},"type":"invalid_request_error"}"#,
                "seed",
            ),
            (
                r#"{"object":"error","message":"[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted', 'input': {'temperature': 0}}]","code":400}"#,
                "stream_options",
            ),
            // Gemini, Groq, TGI, Anthropic.
            (
                r#"[{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"seed\": Cannot find field.","status":"INVALID_ARGUMENT"}}]"#,
                "seed",
            ),
            (
                r#"{"error":{"message":"property 'seed' is unsupported"}}"#,
                "seed",
            ),
            (
                r#"{"error":"Input validation error: `temperature` must be strictly positive","error_type":"validation"}"#,
                "temperature",
            ),
            (
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"`temperature` is deprecated for this model."}}"#,
                "temperature",
            ),
            (
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"`temperature` and `top_p` cannot both be specified for this model."}}"#,
                "top_p",
            ),
            // OpenRouter wraps the provider's message.
            (
                r#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"Unsupported parameter\",\"param\":\"seed\"}}","provider_name":"P"}}}"#,
                "seed",
            ),
            // The response format.
            (
                r#"{"error":{"message":"Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model","param":null}}"#,
                "response_format",
            ),
            (
                r#"{"error":{"message":"m","param":"response_format"}}"#,
                "response_format",
            ),
            (
                r#"{"error":{"message":"failed to parse JSON schema"}}"#,
                "response_format",
            ),
        ] {
            assert_eq!(refused(body).first(), Some(&expected), "{body}");
        }
    }

    #[test]
    fn a_value_out_of_range_is_no_refused_field() {
        for body in [
            r#"{"error":{"message":"too small","param":"max_tokens"}}"#,
            r#"{"error":{"message":"max_tokens is too large: 100000. This model supports at most 4096 completion tokens","param":"max_tokens"}}"#,
            r#"{"error":{"message":"no such picture"}}"#,
            r#"{"error":{"message":"the stream of n bytes is not supported"}}"#,
            r#"{"error":{"message":"reasoning_effort is not supported","param":"reasoning_effort"}}"#,
            r#"{"detail":[{"type":"missing","loc":["body","messages",0,"content"],"msg":"Input should be a valid string"}]}"#,
            r#"{"error":{"message":"Unexpected role: 'temperature' follows","param":"messages[0].role"}}"#,
            r#"{"error":{"message":"Unexpected role 'tool' after role 'user', which is the last message of the conversation that was sent with this request; input: {'temperature': 0}"}}"#,
            "",
        ] {
            assert_eq!(refused(body), Vec::<&str>::new(), "{body}");
        }
    }
}
