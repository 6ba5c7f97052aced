//! Parses the origin of an answer in a line written by a rerun or an exam.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value as Json, json};

use super::raw::{RawLine, text};
use record::{CUT, FinishReason, Origin, UNTIL_CLEAR, Usage};

/// Part of every URL. Built-in encoders have no URL, because no request is sent to them.
const SENT_TO: &str = "://";
/// Outcome of an answer that the token limit cut.
const CUT_OUTCOME: &str = "cut";

/// The member `rerun` of a line.
#[derive(Default, Deserialize)]
#[serde(default)]
struct RerunMember<'a> {
    /// URL of the model's server; not a URL for a built-in encoder.
    #[serde(borrow)]
    endpoint: Cow<'a, str>,
    /// Reason why the model stopped.
    #[serde(borrow)]
    finish_reason: Option<Cow<'a, str>>,
    /// Number of attempts. If the endpoint is a URL, each attempt is a request.
    attempts: u32,
    /// Number of requests; only copied lines contain it.
    requests: Option<u32>,
    /// Numbers of prompt tokens and completion tokens.
    tokens: [Option<u32>; 2],
    /// Run in which a reused answer was requested and paid for.
    reused_from: Option<IgnoredAny>,
    /// Prices per million prompt tokens and completion tokens.
    price: Option<[f64; 2]>,
    /// True if the request equals the request in the original log.
    as_logged: bool,
    /// True if the picture is the original log's own. It may be rotated for the record's condition.
    picture_as_logged: bool,
    /// Hash of the picture's name in the original log, as hexadecimal digits.
    #[serde(borrow)]
    log_picture: Option<Cow<'a, str>>,
    /// True if the run was set to stop as soon as its comparison is clear.
    until_clear: bool,
    /// What came of the request, in one word.
    #[serde(borrow)]
    outcome: Cow<'a, str>,
}

fn member<'a>(raw: &RawLine<'a>) -> Option<RerunMember<'a>> {
    serde_json::from_str(raw.rerun?).ok()
}

/// Returns why the model stopped, from a field of the line or from its member `rerun`.
pub(super) fn finish_reason(raw: &RawLine<'_>) -> Option<FinishReason> {
    let of_rerun = || member(raw)?.finish_reason;
    let word = raw.finish_reason.and_then(text).or_else(of_rerun)?;
    FinishReason::parse(&word)
}

/// Returns the origin of the answer in a line; `None` if the line does not contain it.
pub(super) fn origin(raw: &RawLine<'_>) -> Option<Origin> {
    let told = member(raw)?;
    let origin = Origin {
        as_logged: told.as_logged,
        picture_as_logged: told.picture_as_logged,
        log_picture: (told.log_picture.as_ref())
            .and_then(|digits| u64::from_str_radix(digits, 16).ok()),
        flags: if told.until_clear { UNTIL_CLEAR } else { 0 }
            | if told.outcome == CUT_OUTCOME { CUT } else { 0 },
        usage: usage(&told),
    };
    (origin != Origin::default()).then_some(origin)
}

/// Returns the usage of an answer; `None` if it is unknown, or if an earlier answer was reused.
fn usage(told: &RerunMember<'_>) -> Option<Usage> {
    let sent = Some(told.attempts).filter(|_| told.endpoint.contains(SENT_TO));
    let requests = told.requests.or(sent)?;
    if told.reused_from.is_some() {
        return None;
    }
    let is_price = |price: &[f64; 2]| price.iter().all(|one| one.is_finite() && *one >= 0.0);
    Some(Usage {
        requests,
        tokens: match told.tokens {
            [None, None] => None,
            tokens => Some(tokens.map(Option::unwrap_or_default)),
        },
        price: told.price.filter(is_price),
    })
}

/// Converts an origin to the member `rerun` of a copied line.
pub(super) fn write(origin: &Origin) -> Json {
    let mut told = Map::new();
    for (name, is_so) in [
        ("as_logged", origin.as_logged),
        ("picture_as_logged", origin.picture_as_logged),
        ("until_clear", origin.flags & UNTIL_CLEAR != 0),
    ] {
        if is_so {
            told.insert(name.to_owned(), json!(true));
        }
    }
    if origin.flags & CUT != 0 {
        told.insert("outcome".to_owned(), json!(CUT_OUTCOME));
    }
    if let Some(picture) = origin.log_picture {
        told.insert("log_picture".to_owned(), json!(format!("{picture:016x}")));
    }
    if let Some(usage) = &origin.usage {
        told.insert("requests".to_owned(), json!(usage.requests));
        if let Some(tokens) = usage.tokens {
            told.insert("tokens".to_owned(), json!(tokens));
        }
        if let Some(price) = usage.price {
            told.insert("price".to_owned(), json!(price));
        }
    }
    Json::Object(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(member: &str) -> Option<Usage> {
        let line = format!("{{\"sample_id\":\"1\",\"rerun\":{member}}}");
        origin(&RawLine::new(line.as_bytes()).unwrap())?.usage
    }

    #[test]
    fn a_line_tells_why_the_model_stopped() {
        for (fields, expected) in [
            (
                r#""finish_reason":"max_tokens""#,
                Some(FinishReason::Length),
            ),
            (
                r#""rerun":{"finish_reason":"stop"}"#,
                Some(FinishReason::Stop),
            ),
            (r#""finish_reason":"odd","rerun":{}"#, None),
            (
                r#""finish_reason":null,"rerun":{"finish_reason":null}"#,
                None,
            ),
        ] {
            let line = format!("{{\"sample_id\":\"1\",{fields}}}");
            let raw = RawLine::new(line.as_bytes()).unwrap();
            assert_eq!(finish_reason(&raw), expected, "{fields}");
        }
    }

    #[test]
    fn a_line_tells_requests_tokens_and_price() {
        let told = of(
            r#"{"endpoint":"http://h/v1","attempts":2,"tokens":[90,null],"reused_from":null,"price":[0.15,0.6],"key":"k"}"#,
        );
        let expected = Usage {
            requests: 2,
            tokens: Some([90, 0]),
            price: Some([0.15, 0.6]),
        };
        assert_eq!(told, Some(expected));
        let silent =
            of(r#"{"endpoint":"http:\/\/h","attempts":1,"tokens":[null,null],"price":[-1,0]}"#);
        let expected = Usage {
            requests: 1,
            ..Usage::default()
        };
        assert_eq!(silent, Some(expected));
    }

    #[test]
    fn what_was_not_sent_or_is_no_origin_took_nothing() {
        for member in [
            r#"{"endpoint":"http://h","attempts":1,"tokens":[9,1],"reused_from":"earlier"}"#,
            r#"{"endpoint":"builtin:hog","attempts":1,"tokens":[null,null]}"#,
            r#"{"endpoint":"http://h","tokens":"many"}"#,
            "7",
            "null",
        ] {
            assert_eq!(of(member), None, "{member}");
        }
        let plain = RawLine::new(br#"{"sample_id":"1"}"#).unwrap();
        assert_eq!(origin(&plain), None);
    }

    #[test]
    fn a_copy_tells_what_its_line_told() {
        let usage = Some(Usage {
            requests: 3,
            tokens: Some([90, 4]),
            price: Some([0.15, 0.6]),
        });
        let of_usage = |usage, as_logged| Origin {
            usage,
            as_logged,
            picture_as_logged: !as_logged,
            log_picture: as_logged.then_some(0x00ab_cdef),
            flags: if usage.is_none() { UNTIL_CLEAR } else { CUT },
        };
        for one in [
            of_usage(usage, true),
            of_usage(Some(Usage::default()), false),
            of_usage(None, true),
        ] {
            let line = format!("{{\"rerun\":{}}}", write(&one));
            assert_eq!(origin(&RawLine::new(line.as_bytes()).unwrap()), Some(one));
        }
    }
}
