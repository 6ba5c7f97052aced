//! Reads the wait that a server requests, from headers or body.

use std::time::{Duration, SystemTime};

use base::limits::Limit;
use reqwest::header::HeaderMap;
use serde_json::Value as Json;

use super::json::at;

/// A wait that a server requests.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestedWait {
    /// The wait, at most [`Limit::RetryAfter`].
    pub wait: Duration,
    /// A note for the message if the server requested more.
    pub capped: Option<String>,
}

impl RequestedWait {
    fn new(seconds: f64) -> Self {
        let most = Duration::from_secs(Limit::RetryAfter.get());
        let asked = Duration::try_from_secs_f64(seconds.max(0.0)).ok();
        match asked.filter(|asked| *asked <= most) {
            Some(wait) => Self { wait, capped: None },
            None => Self {
                wait: most,
                capped: Some(format!(
                    "the server asks for a wait of {seconds:.0} s, {}",
                    Limit::RetryAfter.message()
                )),
            },
        }
    }
}

/// Returns the wait from `retry-after-ms`, `retry-after` (seconds or a date), or the body
/// (`metadata.retry_after_seconds`, Gemini's `retryDelay`).
pub fn retry_after(headers: &HeaderMap, body: Option<&Json>) -> Option<RequestedWait> {
    let header = |name: &str| headers.get(name)?.to_str().ok();
    let milliseconds = || Some(header("retry-after-ms")?.parse::<f64>().ok()? / 1_000.0);
    let told = || {
        let text = header("retry-after")?.trim();
        text.parse::<f64>().ok().or_else(|| until(text))
    };
    let seconds = milliseconds().or_else(told).or_else(|| of_body(body?))?;
    Some(RequestedWait::new(seconds))
}

/// Returns the seconds until a date; 0 if it is past.
fn until(date: &str) -> Option<f64> {
    let date = httpdate::parse_http_date(date).ok()?;
    let left = date.duration_since(SystemTime::now());
    Some(left.unwrap_or_default().as_secs_f64())
}

fn of_body(json: &Json) -> Option<f64> {
    let json = json.get(0).unwrap_or(json);
    let seconds = at(json, &["error", "metadata", "retry_after_seconds"]).and_then(Json::as_f64);
    seconds.or_else(|| {
        let details = at(json, &["error", "details"])?.as_array()?;
        let delay = details
            .iter()
            .find_map(|detail| detail.get("retryDelay")?.as_str())?;
        delay.strip_suffix('s')?.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(name: &'static str, value: &str) -> Option<f64> {
        let mut headers = HeaderMap::new();
        headers.insert(name, value.parse().unwrap());
        retry_after(&headers, None).map(|asked| asked.wait.as_secs_f64())
    }

    #[test]
    fn seconds_milliseconds_and_dates_are_read() {
        assert_eq!(seconds("retry-after", "2"), Some(2.0));
        assert_eq!(seconds("retry-after", "0.5"), Some(0.5));
        assert_eq!(seconds("retry-after-ms", "700"), Some(0.7));
        assert_eq!(seconds("retry-after", "-3"), Some(0.0));
        assert_eq!(seconds("retry-after", "soon"), None);
        assert_eq!(
            seconds("retry-after", "Sat, 21 Nov 2020 00:37:06 GMT"),
            Some(0.0)
        );
        let soon = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(30));
        let wait = seconds("retry-after", &soon).unwrap();
        assert!((28.0..=30.0).contains(&wait), "{wait}");
    }

    #[test]
    fn a_wait_of_years_is_cut_and_said() {
        let year = httpdate::fmt_http_date(SystemTime::now() + Duration::from_hours(9_000));
        for (name, value) in [
            ("retry-after", "31536000"),
            ("retry-after", "1e300"),
            ("retry-after", "inf"),
            ("retry-after-ms", "1e12"),
            ("retry-after", year.as_str()),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            let asked = retry_after(&headers, None).unwrap();
            assert_eq!(asked.wait.as_secs(), Limit::RetryAfter.get(), "{value}");
            let said = asked.capped.unwrap();
            assert!(said.contains("limits.retry_after"), "{said}");
        }
        for value in ["3600", "-1", "nan"] {
            let mut headers = HeaderMap::new();
            headers.insert("retry-after", value.parse().unwrap());
            assert_eq!(retry_after(&headers, None).unwrap().capped, None, "{value}");
        }
    }

    #[test]
    fn bodies_tell_too() {
        let of = |text: &str| {
            let json: Json = serde_json::from_str(text).unwrap();
            retry_after(&HeaderMap::new(), Some(&json)).map(|asked| asked.wait.as_secs_f64())
        };
        assert_eq!(
            of(r#"{"error":{"metadata":{"retry_after_seconds":17}}}"#),
            Some(17.0)
        );
        assert_eq!(
            of(r#"[{"error":{"details":[{"@type":"x"},{"retryDelay":"3.5s"}]}}]"#),
            Some(3.5)
        );
        assert_eq!(of(r#"{"error":"x"}"#), None);
    }
}
