//! What the requests for the answer of a rerun or of an exam took, as its line tells it.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::raw::RawLine;
use record::Usage;

/// What is between the scheme of an address and its host: the encoders of the program have none, and nothing is sent
/// to them.
const SENT_TO: &str = "://";

/// What the origin of an answer says of its requests.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Origin<'a> {
    /// Where the model is.
    #[serde(borrow)]
    endpoint: Cow<'a, str>,
    /// Requests that were sent.
    attempts: u32,
    /// Tokens read and written.
    tokens: [Option<u32>; 2],
    /// The run that has paid for the answer.
    reused_from: Option<IgnoredAny>,
    /// What a million tokens of each kind cost.
    price: Option<[f64; 2]>,
}

/// What the requests for a line's answer took; `None` where nothing was sent, or nobody tells it.
pub(super) fn usage(raw: &RawLine<'_>) -> Option<Usage> {
    let origin: Origin<'_> = serde_json::from_str(raw.rerun?).ok()?;
    if origin.reused_from.is_some() || !origin.endpoint.contains(SENT_TO) {
        return None;
    }
    let is_price = |price: &[f64; 2]| price.iter().all(|one| one.is_finite() && *one >= 0.0);
    Some(Usage {
        requests: origin.attempts,
        tokens: match origin.tokens {
            [None, None] => None,
            tokens => Some(tokens.map(Option::unwrap_or_default)),
        },
        price: origin.price.filter(is_price),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(origin: &str) -> Option<Usage> {
        let line = format!("{{\"sample_id\":\"1\",\"rerun\":{origin}}}");
        usage(&RawLine::new(line.as_bytes()).unwrap())
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
        for origin in [
            r#"{"endpoint":"http://h","attempts":1,"tokens":[9,1],"reused_from":"earlier"}"#,
            r#"{"endpoint":"builtin:hog","attempts":1,"tokens":[null,null]}"#,
            r#"{"endpoint":"http://h","tokens":"many"}"#,
            "7",
            "null",
        ] {
            assert_eq!(of(origin), None, "{origin}");
        }
        let plain = RawLine::new(br#"{"sample_id":"1"}"#).unwrap();
        assert_eq!(usage(&plain), None);
    }
}
