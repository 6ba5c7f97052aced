//! How AVA-Bench reads and compares counts and distances in metres.

use std::sync::LazyLock;

use regex::Regex;

use super::normalise;
use crate::pattern::pattern;
use crate::{Answer, Outcome, Reading, python};

/// A whole number; the point of `3.5` divides it in two.
static INTEGER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d+"));

/// `counting/vqa_accuracy.py`: |p - g| / g of two whole numbers, and whether the normalised texts are equal.
///
/// `7 cars` is no whole number: out of the mean error, and wrong.
pub(super) fn score_count(response: &str, target: &str) -> Outcome {
    let (response, target) = (normalise::vqa(response), normalise::vqa(target));
    let Some(count) = python::int(&target) else {
        return Outcome::left_out();
    };
    match python::int(&response) {
        Some(predicted) => relative_error(predicted, count, response == target),
        None => Outcome::unreadable(None, Some(0.0)),
    }
}

/// `abs_depth/eval.py`: |p - g| / g of the two distances in metres, and whether they agree when rounded (half to
/// even, as Python does). Without a number the sample is in no mean.
pub(super) fn score_depth(response: &str, target: &str) -> Outcome {
    let Some(distance) = middle(&normalise::vqa(target)) else {
        return Outcome::left_out();
    };
    match middle(&normalise::vqa(response)) {
        Some(predicted) => {
            let right = same(predicted.round_ties_even(), distance.round_ties_even());
            relative_error(predicted, distance, right)
        }
        None => Outcome::unreadable(None, None),
    }
}

/// The count that the whole response is.
pub(super) fn read_count(response: &str) -> Option<Reading> {
    let count = python::int(&normalise::vqa(response))?;
    let text = python::strip(response);
    let start = response.find(text)?;
    Some(Reading::at(
        Answer::Number(count),
        start..start + text.len(),
    ))
}

/// The distance in metres: the mean of the last two whole numbers, or the only one.
pub(super) fn read_depth(response: &str) -> Option<Reading> {
    let normal = normalise::vqa(response);
    let distance = middle(&normal)?;
    let numbers: Vec<_> = INTEGER
        .find_iter(&normal)
        .map(|number| number.as_str())
        .collect();
    let last_two = numbers.get(numbers.len().saturating_sub(2)..)?;
    Some(Reading {
        answer: Answer::Number(distance),
        span: place_of(last_two, response),
    })
}

/// Where the numbers stand in the response, from the first to the last; `None` when normalising made them.
fn place_of(numbers: &[&str], response: &str) -> Option<std::ops::Range<usize>> {
    let last = numbers.last()?;
    let end = response.rfind(last)? + last.len();
    let start = numbers
        .iter()
        .rev()
        .try_fold(end, |end, number| response.get(..end)?.rfind(number))?;
    Some(start..end)
}

/// `extract_middle` of a normalised text.
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

/// |p - g| / g, left out for g = 0, with right or wrong beside it.
fn relative_error(predicted: f64, target: f64, right: bool) -> Outcome {
    Outcome::scored((predicted - target).abs() / target).with_second(f64::from(u8::from(right)))
}

/// Equality of two whole numbers.
#[expect(
    clippy::float_cmp,
    reason = "both are whole numbers, as Python's integers are"
)]
fn same(a: f64, b: f64) -> bool {
    a == b
}

#[cfg(test)]
mod tests {
    use super::{middle, read_count, read_depth, score_count, score_depth};

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
            read_depth(text)
                .and_then(|reading| reading.span)
                .map(|span| text[span].to_owned())
        };
        assert_eq!(depth("about 23-25 m").as_deref(), Some("23-25"));
        assert_eq!(depth("about 9 meters").as_deref(), Some("9"));
        assert_eq!(depth("ten"), None);
        assert_eq!(
            read_count(" four ").and_then(|reading| reading.span),
            Some(1..5)
        );
    }
}
