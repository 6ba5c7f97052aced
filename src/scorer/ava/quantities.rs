//! Reads and compares counts and distances in metres as AVA-Bench does.

use std::sync::LazyLock;

use regex::Regex;

use super::normalise;
use crate::{Answer, Outcome, Reading, python};
use base::format::pattern;

/// Matches a whole number; the decimal point of `3.5` splits it into two.
static INTEGER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d+"));

/// Applies `counting/vqa_accuracy.py`: |p - g| / g of two whole numbers, and whether the
/// normalised texts are equal.
///
/// `7 cars` is not a whole number, so it has no error and is wrong.
pub(super) fn count(response: &str, target: Option<&str>) -> (Outcome, Option<Reading>) {
    let (normal, target) = (normalise::vqa(response), target.map(normalise::vqa));
    let read = python::int(&normal);
    let expected = target.as_deref().and_then(python::int);
    let outcome = match (read, expected) {
        (_, None) => Outcome::left_out(),
        (Some(read), Some(count)) => relative_error(read, count, target.as_ref() == Some(&normal)),
        (None, _) => Outcome::unreadable(None, Some(0.0)),
    };
    let reading = read.and_then(|count| {
        let text = python::strip(response);
        let start = response.find(text)?;
        Some(Reading::at(
            Answer::Number(count),
            start..start + text.len(),
        ))
    });
    (outcome, reading)
}

/// Applies `abs_depth/eval.py`: |p - g| / g of two distances in metres, and whether they are equal
/// after rounding (half to even, as in Python). A distance is the mean of the last two whole
/// numbers, or the only whole number. A response without a number is left out of all means.
pub(super) fn depth(response: &str, target: Option<&str>) -> (Outcome, Option<Reading>) {
    let normal = normalise::vqa(response);
    let read = middle(&normal);
    let expected = target.and_then(|target| middle(&normalise::vqa(target)));
    let outcome = match (read, expected) {
        (_, None) => Outcome::left_out(),
        (Some(read), Some(distance)) => {
            let right = same(read.round_ties_even(), distance.round_ties_even());
            relative_error(read, distance, right)
        }
        (None, _) => Outcome::unreadable(None, None),
    };
    let reading = read.map(|distance| {
        let numbers: Vec<_> = INTEGER.find_iter(&normal).collect();
        let numbers: Vec<&str> = numbers.iter().map(regex::Match::as_str).collect();
        let last_two = &numbers[numbers.len().saturating_sub(2)..];
        Reading::new(Answer::Number(distance), place_of(last_two, response))
    });
    (outcome, reading)
}

/// Returns the place of the numbers in the response, from the first to the last; `None` if
/// normalisation changed them.
fn place_of(numbers: &[&str], response: &str) -> Option<std::ops::Range<usize>> {
    let last = numbers.last()?;
    let end = response.rfind(last)? + last.len();
    let start = numbers
        .iter()
        .rev()
        .try_fold(end, |end, number| response.get(..end)?.rfind(number))?;
    Some(start..end)
}

/// Applies `extract_middle` to a normalised text: the mean of its last two whole numbers, or its
/// only whole number.
fn middle(normal: &str) -> Option<f64> {
    let mut numbers = INTEGER
        .find_iter(normal)
        .map(|number| python::int(number.as_str()));
    let mut last_two = (None, numbers.next()?);
    for number in numbers {
        last_two = (Some(last_two.1), number);
    }
    match last_two {
        (Some(first), second) => Some(f64::midpoint(first?, second?)),
        (None, only) => only,
    }
}

/// Computes the outcome |p - g| / g, left out for g = 0; the second score is `right`.
fn relative_error(predicted: f64, target: f64, right: bool) -> Outcome {
    Outcome::relative_error(predicted, target).with_second(f64::from(u8::from(right)))
}

/// Returns true if two whole numbers are equal.
#[expect(
    clippy::float_cmp,
    reason = "both are whole numbers, as Python's integers are"
)]
fn same(a: f64, b: f64) -> bool {
    a == b
}

#[cfg(test)]
mod tests {
    use super::{count, depth, middle};
    use crate::Outcome;

    fn score_count(response: &str, target: &str) -> Outcome {
        count(response, Some(target)).0
    }

    fn score_depth(response: &str, target: &str) -> Outcome {
        depth(response, Some(target)).0
    }

    #[test]
    fn counts_are_equal_texts() {
        let right = score_count("Seven.", "7");
        assert_eq!(
            (right.score, right.second, right.invalid),
            (Some(0.0), Some(1.0), false)
        );
        let off = score_count("1,005", "5");
        assert_eq!((off.score, off.second), (Some(200.0), Some(0.0)));
        for unreadable in ["7 cars", "5.0", "5-7", "", "many"] {
            let outcome = score_count(unreadable, "7");
            assert_eq!(
                (outcome.score, outcome.second, outcome.invalid),
                (None, Some(0.0), true)
            );
        }
    }

    #[test]
    fn targets_without_a_ratio_are_left_out() {
        let zero = score_count("none", "0");
        assert_eq!(
            (zero.score, zero.second, zero.invalid),
            (None, Some(1.0), false)
        );
        let lost = score_count("5", "five or so");
        assert_eq!((lost.score, lost.second, lost.invalid), (None, None, false));
        assert_eq!(score_depth("5", "far"), lost);
    }

    #[test]
    fn depth_takes_the_last_two_integers() {
        assert_eq!(middle("3.5 to 4.5"), Some(4.5));
        assert_eq!(middle("3.5"), Some(4.0));
        assert_eq!(middle("23 25"), Some(24.0));
        assert_eq!(middle("not sure"), None);
        assert!(score_depth("not sure", "9m").invalid);
    }

    #[test]
    fn depth_rounds_half_to_even() {
        assert_eq!(score_depth("2-3", "2m").second, Some(1.0));
        assert_eq!(score_depth("3-4", "3m").second, Some(0.0));
        assert_eq!(score_depth("3-4", "3m").score, Some(0.5 / 3.0));
    }

    #[test]
    fn readings_know_their_place() {
        let depth = |text: &str| {
            depth(text, None)
                .1
                .and_then(|reading| reading.span)
                .map(|span| text[span].to_owned())
        };
        assert_eq!(depth("about 23-25 m").as_deref(), Some("23-25"));
        assert_eq!(depth("about 9 meters").as_deref(), Some("9"));
        assert_eq!(depth("ten"), None);
        assert_eq!(
            count(" four ", None).1.and_then(|reading| reading.span),
            Some(1..5)
        );
    }
}
