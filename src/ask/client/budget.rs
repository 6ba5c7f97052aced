//! Rate budget from the server's headers: no request is sent while it is used up.

use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use base::limits::Limit;
use reqwest::header::HeaderMap;

/// Pairs of headers: remaining amount, and time of the reset.
const HEADERS: [(&str, &str); 4] = [
    (
        "x-ratelimit-remaining-requests",
        "x-ratelimit-reset-requests",
    ),
    ("x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"),
    ("x-ratelimit-remaining", "x-ratelimit-reset"),
    ("ratelimit-remaining", "ratelimit-reset"),
];
/// Larger numbers are Unix times: above the first in seconds, above the second in milliseconds.
const SINCE_1970: [f64; 2] = [1e9, 1e12];

/// The time until which no request may be sent.
#[derive(Debug, Default)]
pub struct Budget {
    until: Mutex<Option<SystemTime>>,
}

impl Budget {
    /// Reads the rate limit headers of a response.
    pub fn heed(&self, headers: &HeaderMap) {
        let Some(seconds) = empty_for(headers, SystemTime::now()) else {
            return;
        };
        if let (Ok(mut until), Ok(wait)) = (self.until.lock(), Duration::try_from_secs_f64(seconds))
        {
            let new = SystemTime::now() + wait;
            *until = Some(until.map_or(new, |old| old.max(new)));
        }
    }

    /// Returns the wait before the next request, if there is one.
    pub fn wait(&self) -> Option<Duration> {
        let until = (*self.until.lock().ok()?)?;
        until.duration_since(SystemTime::now()).ok()
    }

    /// Clears the wait, so that the next request may be sent.
    pub fn waited(&self) {
        if let Ok(mut until) = self.until.lock() {
            *until = None;
        }
    }
}

/// Returns the seconds until every used-up budget is refilled; `None` if no budget is used up.
fn empty_for(headers: &HeaderMap, now: SystemTime) -> Option<f64> {
    let header = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let empty = HEADERS.iter().filter_map(|(left, reset)| {
        let left: f64 = header(left)?.parse().ok()?;
        (left <= 0.0).then(|| seconds(header(reset)?, now))?
    });
    let longest = empty.fold(0.0, f64::max);
    // A longer wait is probably a misread header: a server that limits requests answers 429.
    let most = Duration::from_secs(Limit::RateReset.get()).as_secs_f64();
    (longest > 0.0 && longest <= most).then_some(longest)
}

/// Parses `20ms`, `1.5s`, `6m0s`, a number of seconds, or a Unix time into seconds from now.
fn seconds(text: &str, now: SystemTime) -> Option<f64> {
    if let Ok(number) = text.parse::<f64>() {
        let now = now.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        return Some(match number {
            _ if number > SINCE_1970[1] => number / 1e3 - now.as_secs_f64(),
            _ if number > SINCE_1970[0] => number - now.as_secs_f64(),
            _ => number,
        });
    }
    let mut rest = text;
    let mut sum = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, after) = rest.split_at(digits);
        let end = after
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        let unit = match unit {
            "ms" => 1e-3,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3_600.0,
            _ => return None,
        };
        sum += number.parse::<f64>().ok()? * unit;
        rest = after;
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pairs = pairs.iter().map(|(name, value)| {
            let name = reqwest::header::HeaderName::from_static(name);
            (name, reqwest::header::HeaderValue::from_static(value))
        });
        pairs.collect()
    }

    #[test]
    fn every_way_to_name_a_moment_is_read() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(2_000_000_000);
        for (text, expected) in [
            ("20ms", 0.02),
            ("1.5s", 1.5),
            ("6m0s", 360.0),
            ("1h2m3s", 3_723.0),
            ("7", 7.0),
            ("2000000004", 4.0),
            ("2000000004500", 4.5),
        ] {
            let read = seconds(text, now).unwrap();
            assert!((read - expected).abs() < 1e-6, "{text}: {read}");
        }
        for text in ["soon", "3 weeks", "s"] {
            assert_eq!(seconds(text, now), None, "{text}");
        }
    }

    #[test]
    fn only_an_empty_budget_waits() {
        let wait = |pairs: &[(&'static str, &'static str)]| {
            let budget = Budget::default();
            budget.heed(&headers(pairs));
            budget.wait().map(|wait| wait.as_secs_f64().ceil())
        };
        let [requests, reset, tokens, tokens_reset] = [
            "x-ratelimit-remaining-requests",
            "x-ratelimit-reset-requests",
            "x-ratelimit-remaining-tokens",
            "x-ratelimit-reset-tokens",
        ];
        assert_eq!(wait(&[(requests, "3"), (reset, "60s")]), None);
        assert_eq!(wait(&[(requests, "0"), (reset, "10s")]), Some(10.0));
        let both = [
            (requests, "0"),
            (reset, "10s"),
            (tokens, "0"),
            (tokens_reset, "1m"),
        ];
        assert_eq!(wait(&both), Some(60.0), "the longer one");
        assert_eq!(
            wait(&[(requests, "0"), (reset, "24h")]),
            None,
            "429 says that"
        );
        assert_eq!(wait(&[(requests, "0")]), None);
    }

    #[test]
    fn what_was_waited_for_is_over() {
        let budget = Budget::default();
        budget.heed(&headers(&[
            ("x-ratelimit-remaining", "0"),
            ("x-ratelimit-reset", "10"),
        ]));
        assert!(budget.wait().is_some());
        budget.waited();
        assert_eq!(budget.wait(), None);
    }
}
