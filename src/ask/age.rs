//! Describes the age of an answer.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Returns the age of a time in milliseconds since 1970, for example `3 days old`.
pub fn age(at_ms: u64) -> String {
    let then = UNIX_EPOCH + Duration::from_millis(at_ms);
    let age = SystemTime::now().duration_since(then).unwrap_or_default();
    let seconds = age.as_secs();
    let some = |count: u64, unit: &str| match count {
        1 => format!("1 {unit} old"),
        count => format!("{count} {unit}s old"),
    };
    match seconds {
        0..60 => "less than a minute old".to_owned(),
        60..3_600 => some(seconds / 60, "minute"),
        3_600..86_400 => some(seconds / 3_600, "hour"),
        _ => some(seconds / 86_400, "day"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_unit_is_named() {
        let ago = |seconds: u64| {
            let then = SystemTime::now() - Duration::from_secs(seconds);
            let since = then.duration_since(UNIX_EPOCH).unwrap();
            age(u64::try_from(since.as_millis()).unwrap())
        };
        assert_eq!(ago(5), "less than a minute old");
        assert_eq!(ago(61), "1 minute old");
        assert_eq!(ago(7_300), "2 hours old");
        assert_eq!(ago(86_400 * 3 + 5), "3 days old");
    }
}
