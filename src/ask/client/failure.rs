//! Failures, with the server's error message if there is one.

use std::fmt;
use std::time::Duration;

use serde_json::Value as Json;

use super::class::Class;
use super::json::{at, text};

/// Maximum characters of an excerpt of a page that is not JSON.
const EXCERPT: usize = 300;
/// Maximum characters of a message, which may repeat the whole request.
const LONGEST: usize = 1000;
/// Maximum entries read from a `detail` list.
const DETAILS: usize = 4;

/// A failed attempt, with its class and message.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The class, which decides about retries.
    pub class: Class,
    /// The HTTP status, if there was a response.
    pub status: Option<u16>,
    /// What happened, in one line, in the server's words if there are any.
    pub message: String,
    /// The wait that the server requests.
    pub retry_after: Option<Duration>,
    /// Whether the server recommends a retry (`x-should-retry`).
    pub should_retry: Option<bool>,
    /// Names of the request fields that the server refuses, likeliest first.
    pub refused: Vec<&'static str>,
    /// Text received before the failure; never scored.
    pub partial: String,
}

impl Failure {
    /// Returns a failure without status, wait or partial text.
    pub fn new(class: Class, message: impl Into<String>) -> Self {
        Self {
            class,
            status: None,
            message: message.into(),
            retry_after: None,
            should_retry: None,
            refused: Vec::new(),
            partial: String::new(),
        }
    }

    /// Returns true if the model may have run, so the attempt may be billed.
    pub const fn may_be_billed(&self) -> bool {
        matches!(self.class, Class::Transport | Class::Time | Class::Protocol)
            || matches!(self.status, Some(200))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status {
            Some(status) => write!(f, "{}: HTTP {status}: {}", self.class, self.message),
            None => write!(f, "{}: {}", self.class, self.message),
        }
    }
}

/// The fields of an error body, whatever its JSON shape; empty where missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorBody {
    /// The error message, at most 1000 characters.
    pub message: String,
    /// The error type or status.
    pub kind: String,
    /// The error code as text.
    pub code: String,
    /// The rejected field (`param`).
    pub param: String,
    /// Paths of the rejected fields in a `detail` list.
    pub fields: Vec<String>,
}

impl ErrorBody {
    /// Reads JSON of any known shape; otherwise takes the text without tags as the message.
    pub fn of_text(body: &str) -> Self {
        serde_json::from_str(body).map_or_else(
            |_| Self {
                message: excerpt(body),
                ..Self::default()
            },
            |json| Self::of_json(&json),
        )
    }

    /// Reads JSON of any known shape.
    pub fn of_json(json: &Json) -> Self {
        let json = json.get(0).unwrap_or(json);
        let first = |paths: &[&[&str]]| {
            let found = paths.iter().find_map(|path| plain(at(json, path)?));
            found.unwrap_or_default()
        };
        let details = Details::of_json(json);
        let message = first(&[
            &["error", "message"],
            &["error"],
            &["message"],
            &["detail"],
            &["detail", "message"],
            &["detail", "error"],
        ]);
        let message = Some(message).filter(|message| !message.is_empty());
        let message = message.or(details.message);
        let message = message.unwrap_or_else(|| excerpt(&json.to_string()));
        let outer = Self {
            message: message.chars().take(LONGEST).collect(),
            kind: first(&[
                &["error", "type"],
                &["error", "status"],
                &["error_type"],
                &["type"],
            ]),
            code: first(&[&["error", "code"], &["code"]]),
            param: first(&[&["error", "param"], &["param"]]),
            fields: details.fields,
        };
        // A router's message is less specific than its provider's, so both are shown.
        match text(json, &["error", "metadata", "raw"]) {
            Some(raw) => outer.around(Self::of_text(&raw)),
            None => outer,
        }
    }

    /// Merges an error with the error that it wraps.
    fn around(self, inner: Self) -> Self {
        let or = |own: String, inner: String| if own.is_empty() { inner } else { own };
        let message = format!("{}: {}", self.message, inner.message);
        Self {
            message: message.chars().take(LONGEST).collect(),
            kind: or(self.kind, inner.kind),
            code: or(self.code, inner.code),
            param: or(self.param, inner.param),
            fields: [self.fields, inner.fields].concat(),
        }
    }

    /// Returns true if code, type or message contains one of these lower-case phrases.
    pub fn says(&self, words: &[&str]) -> bool {
        let all = format!("{} {} {}", self.code, self.kind, self.message).to_lowercase();
        words.iter().any(|word| all.contains(word))
    }
}

/// A list of error details in `FastAPI`'s format.
#[derive(Debug, Default)]
struct Details {
    message: Option<String>,
    fields: Vec<String>,
}

impl Details {
    /// Reads the `detail` list, which may be nested in the message. Each text
    /// is prefixed with its field.
    fn of_json(json: &Json) -> Self {
        let paths: [&[&str]; 4] = [
            &["detail"],
            &["message", "detail"],
            &["error", "message", "detail"],
            &["error", "detail"],
        ];
        let list = paths.iter().find_map(|path| at(json, path)?.as_array());
        let (mut words, mut fields) = (Vec::new(), Vec::new());
        for detail in list.into_iter().flatten().take(DETAILS) {
            let place = place(detail);
            let msg = text(detail, &["msg"]);
            words.extend(match (place.as_str(), msg) {
                (_, None) => None,
                ("", Some(msg)) => Some(msg),
                (place, Some(msg)) => Some(format!("{place}: {msg}")),
            });
            fields.push(place);
        }
        Self {
            message: Some(words.join("; ")).filter(|words| !words.is_empty()),
            fields,
        }
    }
}

/// Returns the path of the rejected field below the body, for example `messages.0.content`.
fn place(detail: &Json) -> String {
    let loc = detail.get("loc").and_then(Json::as_array);
    let keys = loc.into_iter().flatten().filter_map(plain);
    let keys: Vec<String> = keys.skip_while(|key| key == "body").collect();
    keys.join(".")
}

/// A string or number as text.
fn plain(json: &Json) -> Option<String> {
    match json {
        Json::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
        Json::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Returns the beginning of a page without its tags.
pub fn excerpt(page: &str) -> String {
    let mut text = String::new();
    let mut is_tag = false;
    for c in page.chars() {
        match c {
            '<' => is_tag = true,
            '>' if is_tag => {
                is_tag = false;
                text.push(' ');
            }
            c if !is_tag => text.push(c),
            _ => {}
        }
    }
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(EXCERPT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_shape_of_an_error_is_read() {
        let read = |body: &str| {
            let body = ErrorBody::of_text(body);
            (body.message, body.kind, body.code)
        };
        let own = |parts: [&str; 3]| {
            let [message, kind, code] = parts.map(str::to_owned);
            (message, kind, code)
        };
        for (body, expected) in [
            (
                r#"{"error":{"message":"m","type":"t","code":400}}"#,
                ["m", "t", "400"],
            ),
            (r#"{"error":"Unauthorized"}"#, ["Unauthorized", "", ""]),
            (
                r#"{"object":"error","message":"m","type":"t","code":503}"#,
                ["m", "t", "503"],
            ),
            (r#"{"detail":"Not Found"}"#, ["Not Found", "", ""]),
            (r#"{"detail":[{"msg":"bad field"}]}"#, ["bad field", "", ""]),
            (
                r#"{"detail":[{"loc":["body","messages",0,"content"],"msg":"bad"},{"loc":["body","n"],"msg":"odd"}]}"#,
                ["messages.0.content: bad; n: odd", "", ""],
            ),
            (
                r#"{"object":"error","message":{"detail":[{"loc":["body","seed"],"msg":"bad"}]},"type":"t"}"#,
                ["seed: bad", "t", ""],
            ),
            (r#"{"detail":{"error":"m"}}"#, ["m", "", ""]),
            (
                r#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"m\"}}"}}}"#,
                ["Provider returned error: m", "", "400"],
            ),
            (
                r#"[{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"}}]"#,
                ["m", "RESOURCE_EXHAUSTED", "429"],
            ),
            (
                "<html>\r\n<h1>502 Bad Gateway</h1></html>",
                ["502 Bad Gateway", "", ""],
            ),
            ("Internal Server Error", ["Internal Server Error", "", ""]),
            ("", ["", "", ""]),
            (r#"{"x":1}"#, [r#"{"x":1}"#, "", ""]),
            ("7", ["7", "", ""]),
        ] {
            assert_eq!(read(body), own(expected), "{body}");
        }
    }
}
