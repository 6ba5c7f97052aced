//! Classifies failures by status and error text.

use reqwest::Url;
use reqwest::header::{HeaderMap, LOCATION};
use serde_json::Value as Json;

use super::address::{completed, without_secrets};
use super::class::Class;
use super::failure::{ErrorBody, Failure};
use super::refused::refused_fields;
use super::retry_after::{RequestedWait, retry_after};

/// Phrases for a prompt beyond the context length.
const TOO_LONG: [&str; 6] = [
    "exceed_context_size",
    "context_length_exceeded",
    "maximum context length",
    "available context size",
    "prompt is too long",
    "context window",
];
/// Phrases for an account without credit.
const MONEY: [&str; 4] = [
    "insufficient_quota",
    "billing_hard_limit",
    "insufficient credits",
    "credit balance",
];
/// Phrases for a content filter.
const FILTER: [&str; 4] = [
    "content_filter",
    "content_policy",
    "moderation",
    "responsibleaipolicy",
];
/// Phrases for a model that the server does not know, in addition to status 404.
const NO_MODEL: [&str; 9] = [
    "model_not_found",
    "model not found",
    "not a valid model",
    "unknown model",
    "no such model",
    "invalid_model",
    "invalid model",
    "model not exist",
    "model does not exist",
];
/// Phrases for a request that is too large, in addition to status 413.
const TOO_LARGE: [&str; 4] = [
    "image too large",
    "image exceeds",
    "request_too_large",
    "payload too large",
];
/// Phrases for a wrong or missing key, whatever the status.
const KEY: [&str; 17] = [
    "api key not valid",
    "api_key_invalid",
    "invalid_api_key",
    "invalid api key",
    "incorrect api key",
    "api key not found",
    "api key expired",
    "valid api key",
    "no api key",
    "missing api key",
    "api key is missing",
    "api key is required",
    "invalid x-api-key",
    "authentication_error",
    "authenticationerror",
    "invalid authentication",
    "unauthenticated",
];
/// Phrases for a model or server that does not accept pictures.
const VISION: [&str; 14] = [
    "image input is not supported",
    "that support image input",
    "not support image input",
    "not support images",
    "image inputs are not supported",
    "images are not supported",
    "not support vision",
    "vision is not supported",
    "vision add-on is not loaded",
    "not a multimodal model",
    "at most 0 image",
    "image_url is only supported by certain models",
    "unknown variant `image_url`",
    "content part type: \"image_url\"",
];

/// Returns the failure of a response with an error status.
pub fn classify(status: u16, headers: &HeaderMap, body: &str) -> Failure {
    let error = ErrorBody::of_text(body);
    let json = serde_json::from_str::<Json>(body).ok();
    let class = class_of(status, &error);
    let message = match status {
        300..400 => {
            let place = redirected_to(headers).unwrap_or_else(|| "the final address".to_owned());
            format!("the server redirects, but redirects are not followed; use {place}")
        }
        _ if error.message.is_empty() => "no message".to_owned(),
        _ => error.message.clone(),
    };
    let failure = Failure {
        status: Some(status),
        should_retry: should_retry(headers),
        refused: refused_in(class, &error),
        ..Failure::new(class, message)
    };
    waiting(failure, retry_after(headers, json.as_ref()))
}

/// Returns the base address to which a response redirects, without what belongs to one request.
fn redirected_to(headers: &HeaderMap) -> Option<String> {
    let mut place = Url::parse(headers.get(LOCATION)?.to_str().ok()?).ok()?;
    place.set_query(None);
    place.set_fragment(None);
    completed(&without_secrets(place.as_str()))
}

/// Returns the failure of an error inside a successful response. Its code is read as a status.
pub fn classify_within(json: &Json) -> Failure {
    let error = ErrorBody::of_json(json);
    let code = error
        .code
        .parse()
        .ok()
        .filter(|code| (400..600).contains(code));
    let by_word = || match () {
        () if error.says(&["rate_limit", "resource_exhausted"]) => 429,
        () if error.says(&["overloaded", "unavailable"]) => 503,
        () => 500,
    };
    let status = code.unwrap_or_else(by_word);
    let class = class_of(status, &error);
    let failure = Failure {
        status: Some(200),
        refused: refused_in(class, &error),
        ..Failure::new(class, error.message.clone())
    };
    waiting(failure, retry_after(&HeaderMap::new(), Some(json)))
}

/// Returns the request fields that an error of this class refuses.
fn refused_in(class: Class, error: &ErrorBody) -> Vec<&'static str> {
    match class {
        Class::Request => refused_fields(error),
        _ => Vec::new(),
    }
}

/// Adds the requested wait to a failure. The message mentions it if the wait was shortened.
fn waiting(failure: Failure, asked: Option<RequestedWait>) -> Failure {
    let Some(RequestedWait { wait, capped }) = asked else {
        return failure;
    };
    let said = capped.map_or_else(String::new, |said| format!(" ({said})"));
    Failure {
        retry_after: Some(wait),
        message: failure.message + &said,
        ..failure
    }
}

fn class_of(status: u16, error: &ErrorBody) -> Class {
    match status {
        400 | 403 if error.says(&FILTER) => Class::Refused,
        402 => Class::Money,
        400.. if error.says(&MONEY) => Class::Money,
        // Not for 429: a rate limit message may suggest another key.
        400..429 | 430.. if error.says(&KEY) => Class::Config,
        400.. if error.says(&VISION) => Class::Vision,
        300..400 | 401 | 403 => Class::Config,
        429 => Class::Rate,
        408 | 409 | 425 | 502 | 503 | 504 | 529 => Class::Busy,
        400 | 413 | 422 if error.says(&TOO_LONG) => Class::TooLong,
        413 => Class::TooLarge,
        400 | 422 if error.says(&TOO_LARGE) => Class::TooLarge,
        404 | 405 | 410 => Class::Model,
        400 | 422 | 500.. if error.says(&NO_MODEL) => Class::Model,
        424 | 500.. => Class::Server,
        _ => Class::Request,
    }
}

fn should_retry(headers: &HeaderMap) -> Option<bool> {
    match headers.get("x-should-retry")?.to_str().ok()? {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_names_the_base_address() {
        let mut headers = HeaderMap::new();
        let place = "https://u:p@h.org/v1/chat/completions?key=s";
        headers.insert(LOCATION, place.parse().unwrap());
        let message = classify(308, &headers, "").message;
        assert!(message.ends_with("; use https://h.org/v1"), "{message}");
        headers.insert(LOCATION, "/login".parse().unwrap());
        let message = classify(302, &headers, "").message;
        assert!(message.ends_with("; use the final address"), "{message}");
    }

    #[test]
    fn what_vendors_say_in_their_own_ways_is_told_apart() {
        let class = |status, body: &str| classify(status, &HeaderMap::new(), body).class;
        for (status, body, expected) in [
            (
                400,
                r#"{"error":{"message":"m","code":"context_length_exceeded"}}"#,
                Class::TooLong,
            ),
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9"}}"#,
                Class::TooLong,
            ),
            (
                400,
                r#"{"error":{"message":"m","code":"content_policy_violation"}}"#,
                Class::Refused,
            ),
            (
                403,
                r#"{"error":{"message":"flagged","metadata":{}, "type":"moderation"}}"#,
                Class::Refused,
            ),
            (403, r#"{"error":"Forbidden"}"#, Class::Config),
            (
                429,
                r#"{"error":{"message":"m","code":"insufficient_quota"}}"#,
                Class::Money,
            ),
            (429, r#"{"error":"slow down"}"#, Class::Rate),
            (402, "", Class::Money),
            (413, "<html>nginx</html>", Class::TooLarge),
            (
                529,
                r#"{"type":"error","error":{"type":"overloaded_error","message":"m"}}"#,
                Class::Busy,
            ),
            (424, "", Class::Server),
            (500, "Internal Server Error", Class::Server),
            (422, r#"{"detail":"x"}"#, Class::Request),
            (404, r#"{"detail":"Not Found"}"#, Class::Model),
            (
                400,
                r#"{"error":{"message":"gpt-5o is not a valid model ID","code":400}}"#,
                Class::Model,
            ),
            (
                400,
                r#"{"error":{"message":"Model Not Exist"}}"#,
                Class::Model,
            ),
            (301, "", Class::Config),
            (405, "", Class::Model),
            (410, r#"{"detail":"retired"}"#, Class::Model),
            (
                503,
                r#"{"error":{"message":"m","code":"insufficient_quota"}}"#,
                Class::Money,
            ),
            (
                502,
                r#"{"error":{"message":"Incorrect API key provided"}}"#,
                Class::Config,
            ),
            (
                500,
                r#"{"error":{"message":"no such model: m"}}"#,
                Class::Model,
            ),
            (
                400,
                r#"[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]"#,
                Class::Config,
            ),
            (
                500,
                r#"{"error":{"message":"litellm.AuthenticationError: Incorrect API key provided","code":"500"}}"#,
                Class::Config,
            ),
            (
                500,
                r#"{"error":{"code":500,"message":"image input is not supported - hint: you may need to provide the mmproj","type":"server_error"}}"#,
                Class::Vision,
            ),
            (
                500,
                r#"{"error":{"code":500,"message":"Failed to parse messages: Unsupported content part type: \"image_url\""}}"#,
                Class::Vision,
            ),
            (
                404,
                r#"{"error":{"message":"No endpoints found that support image input","code":404}}"#,
                Class::Vision,
            ),
            (
                400,
                r#"{"error":"Model does not support images. Please use a model that does."}"#,
                Class::Vision,
            ),
            (
                422,
                "Failed to deserialize the JSON body into the target type: messages[0]: unknown variant `image_url`, expected `text`",
                Class::Vision,
            ),
            (
                400,
                r#"{"object":"error","message":"At most 0 image(s) may be provided in one request.","code":400}"#,
                Class::Vision,
            ),
            (
                400,
                r#"{"error":{"message":"unsupported image format: image/tiff"}}"#,
                Class::Request,
            ),
        ] {
            assert_eq!(class(status, body), expected, "{status} {body}");
        }
    }

    #[test]
    fn only_a_bad_request_refuses_fields() {
        let body = r#"{"error":{"message":"m","code":"unsupported_parameter","param":"seed"}}"#;
        let refused = |status| classify(status, &HeaderMap::new(), body).refused;
        assert_eq!(refused(400), ["seed"]);
        assert_eq!(refused(503), Vec::<&str>::new());
        let within =
            r#"{"error":{"message":"m","code":"400","param":"seed","type":"unsupported"}}"#;
        let within = classify_within(&serde_json::from_str(within).unwrap());
        assert_eq!(within.refused, ["seed"]);
    }

    #[test]
    fn an_error_within_a_stream_counts_by_its_code_or_its_word() {
        let class = |text: &str| classify_within(&serde_json::from_str(text).unwrap()).class;
        assert_eq!(
            class(r#"{"error":{"message":"m","code":429}}"#),
            Class::Rate
        );
        assert_eq!(
            class(r#"{"error":{"message":"m","code":"502"}}"#),
            Class::Busy
        );
        assert_eq!(
            class(r#"{"type":"error","error":{"type":"overloaded_error","message":"m"}}"#),
            Class::Busy
        );
        assert_eq!(class(r#"{"error":"CUDA out of memory"}"#), Class::Server);
        assert_eq!(
            class(
                r#"{"error":{"message":"ValueError: Vision add-on is not loaded, but images were provided"}}"#
            ),
            Class::Vision
        );
    }
}
