//! Handles tasks that are scored by code outside the log; at most the parsed answer is known.

use super::{Answer, Outcome, Reading};
use record::Record;

/// Leaves the sample out, because it cannot be scored without the rule. The answer is unreadable if
/// the response or the parsed answer is empty.
pub(super) fn outcome(record: &Record) -> Outcome {
    Outcome::left_out()
        .with_invalid(is_silent(record.response.as_deref()) || is_silent(record.parsed.as_deref()))
}

/// Returns true if the log contains the text but the text is empty.
pub(super) fn is_silent(text: Option<&str>) -> bool {
    text.is_some_and(str::is_empty)
}

/// Returns the log's parsed answer; its place is set if it occurs exactly once in the response.
pub(super) fn read(record: &Record) -> Option<Reading> {
    let parsed = record.parsed.as_deref().filter(|text| !text.is_empty())?;
    let mut places = record.response.as_deref()?.match_indices(parsed);
    let span = match (places.next(), places.next()) {
        (Some((start, text)), None) => Some(start..start + text.len()),
        _ => None,
    };
    Some(Reading::new(Answer::Text(parsed.to_owned()), span))
}

#[cfg(test)]
mod tests {
    use super::{outcome, read};
    use record::{Record, Rule};

    fn record(response: &str, parsed: Option<&str>) -> Record {
        Record {
            response: Some(response.to_owned()),
            parsed: parsed.map(str::to_owned),
            rule: Rule::Stored,
            ..Record::default()
        }
    }

    #[test]
    fn only_what_the_log_names_is_read() {
        let one = read(&record("I count 12 birds.", Some("12")));
        assert_eq!(one.and_then(|reading| reading.span), Some(8..10));
        let twice = read(&record("12, no: 12", Some("12")));
        assert_eq!(twice.map(|reading| reading.span), Some(None));
        assert_eq!(read(&record("12", None)), None);
    }

    #[test]
    fn an_answer_that_the_harness_could_not_read_is_invalid() {
        assert!(!outcome(&record("12", None)).invalid);
        assert!(outcome(&record("12", Some(""))).invalid);
        assert!(outcome(&record("", None)).invalid);
    }
}
