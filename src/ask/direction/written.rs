//! Rejects texts with boxes that the scorer reads but the rewriting does not support.

use std::ops::Range;
use std::sync::LazyLock;

use base::format::pattern;
use regex::Regex;

use super::TransformRefusal;
use super::coordinates::MovedPlace;
use scorer::boxes::ordered;

/// Kind of text that numbers appear in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Question, or part of one.
    Question,
    /// Option or target, with the kind of answer that the question expects.
    Answer(ExpectedAnswer),
}

/// Kind of answer that a question expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedAnswer {
    /// The coordinates of a box.
    Box,
    /// A place, possibly as a box.
    Place,
    /// Anything else.
    Other,
}

/// Word for a box directly before its numbers: `in the box 20, 30, 60, 90`.
static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:box|bbox|region|rectangle|roi|coordinates|coords|xyxy)\b\W{0,3}(?:(?:is|are|at|of|with|as|the|coordinates?|corners?|located|defined|given|by|which)\b\W{1,3})*$",
    )
});
/// Word for a box in the same sentence before the numbers.
static NEAR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:box|boxes|bbox|bboxes|bounding|regions?|rectangles?|roi|coordinates?|coords?|corners?|xyxy)\b[^.?!\n]{0,40}$",
    )
});
/// Box or coordinates mentioned in a question. The group `within` matches if the question is about
/// something inside the box.
static ASKED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?P<within>\b(?:in|inside|within|by|of|from|at|into)\s+(?:(?:the|a|this|that|each|red|blue|green|yellow|white|black|orange|purple|highlighted|marked|drawn)\s+)*)?(?:\b(?:bounding[ -]?box(?:es)?|b-?box(?:es)?|coordinates?|coords?|xyxy|xmin|x_min)\b|[\[(<{]\s*<?x_?[01]?\b\s*>?\s*,|\b(?:give|provide|output|return|predict|report|draw|state|write)\s+(?:me\s+)?(?:the|a|its|one|his|her)\s+box\b)",
    )
});

/// Words for a place that can be answered with a box.
static PLACE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:where|locat\w*|locali[sz]\w*|find|detect\w*|position\w*|ground\w*|regions?|area|box|boxes|rectangle|corners?|mark|outline)\b",
    )
});

/// Returns the kind of answer that a question expects.
pub fn expected_answer(question: &str) -> ExpectedAnswer {
    let mut found = ASKED.captures_iter(question);
    match () {
        () if found.any(|found| found.name("within").is_none()) => ExpectedAnswer::Box,
        () if PLACE.is_match(question) => ExpectedAnswer::Place,
        () => ExpectedAnswer::Other,
    }
}

/// Returns true if four numbers, bare or in brackets without commas, are a box. Fails if unclear.
pub(super) fn is_bare_box(
    text: &str,
    range: Range<usize>,
    reading: Reading,
) -> Result<bool, TransformRefusal> {
    let (before, after) = (&text[..range.start], &text[range.end..]);
    let continues = |sign: Option<char>| sign.is_some_and(|it| it.is_alphanumeric() || it == '_');
    let is_number = |sign: Option<char>| sign.is_some_and(|it| it.is_ascii_digit());
    // Numbers in a longer list, a version or a word are not a box.
    let joins = [',', ';', ' ', '.', '-', '/', '\t'];
    if continues(before.chars().next_back())
        || continues(after.chars().next())
        || is_number(before.trim_end_matches(joins).chars().next_back())
            && !before.ends_with(['\n', ']', ')', ':'])
        || is_number(after.trim_start_matches(joins).chars().next())
    {
        return Ok(false);
    }
    match reading {
        Reading::Question => Ok(BEFORE.is_match(end_of(before))),
        Reading::Answer(ExpectedAnswer::Box) => Ok(true),
        Reading::Answer(expected) => {
            let is_all = !before
                .chars()
                .chain(after.chars())
                .any(char::is_alphanumeric);
            if is_all || expected == ExpectedAnswer::Place {
                Err(TransformRefusal("four numbers that may be a box"))
            } else {
                Ok(false)
            }
        }
    }
}

/// Checks that the scorer reads the transformed box in the rewritten text wherever it read a box
/// before.
pub(super) fn agree(
    text: &str,
    new: &str,
    placed: &[MovedPlace],
    reading: Reading,
) -> Result<(), TransformRefusal> {
    const WHY: TransformRefusal = TransformRefusal("a box in an unsupported format");
    let Reading::Answer(expected) = reading else {
        return covers(text, placed);
    };
    let Some(before) = scorer::box_of(text) else {
        return Ok(());
    };
    let moved = moved_boxes(placed)
        .into_iter()
        .find(|(old, _)| is_same(*old, before.corners));
    match moved {
        Some((_, moved)) => {
            let after = scorer::box_of(new).map(|found| found.corners);
            let is_there = after.is_some_and(|after| is_same(after, moved));
            if is_there { Ok(()) } else { Err(WHY) }
        }
        None if expected != ExpectedAnswer::Other || !placed.is_empty() || names_box(text) => {
            Err(WHY)
        }
        None => Ok(()),
    }
}

/// Returns the end of a text, up to 200 bytes, in which words before numbers are searched.
fn end_of(text: &str) -> &str {
    const MOST: usize = 200;
    let start = text.ceil_char_boundary(text.len().saturating_sub(MOST));
    text.get(start..).unwrap_or(text)
}

/// Returns true if a text calls its numbers a box.
fn names_box(text: &str) -> bool {
    expected_answer(text) == ExpectedAnswer::Box || NEAR.is_match(text)
}

/// Checks that all numbers that a question calls a box are rewritten.
fn covers(question: &str, placed: &[MovedPlace]) -> Result<(), TransformRefusal> {
    let is_moved = |span: &Range<usize>| {
        let mut all = placed.iter();
        all.any(|it| it.span.start < span.end && span.start < it.span.end)
    };
    let is_called = |span: &Range<usize>| {
        let before = question.get(..span.start).unwrap_or_default();
        NEAR.is_match(end_of(before))
    };
    // `top left (0, 0), bottom right (1000, 1000)` describes the coordinate system.
    let is_frame = |corners: [f64; 4]| {
        let ends = [0.0, 1.0, 100.0, 999.0, 1000.0, 1024.0];
        corners.iter().all(|corner| ends.contains(corner))
    };
    let found = scorer::boxes_in(question);
    if found
        .iter()
        .any(|it| !is_frame(it.corners) && !is_moved(&it.span) && is_called(&it.span))
    {
        return Err(TransformRefusal("a box in an unsupported format"));
    }
    Ok(())
}

/// Returns the boxes before and after the transformation, from four numbers or two adjacent points.
fn moved_boxes(placed: &[MovedPlace]) -> Vec<([f64; 4], [f64; 4])> {
    let corners = |values: &[f64]| values.try_into().ok().map(ordered);
    let mut found: Vec<_> = placed
        .iter()
        .filter_map(|it| Some((corners(&it.before)?, corners(&it.after)?)))
        .collect();
    for pair in placed.windows(2) {
        let [one, other] = pair else { continue };
        let before = [one.before.clone(), other.before.clone()].concat();
        let after = [one.after.clone(), other.after.clone()].concat();
        found.extend(corners(&before).zip(corners(&after)));
    }
    found
}

fn is_same(one: [f64; 4], other: [f64; 4]) -> bool {
    one.iter()
        .zip(other)
        .all(|(one, other)| (one - other).abs() < 1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_that_asks_for_a_box_is_told() {
        for (question, asks) in [
            ("Give the bounding box of the cat.", ExpectedAnswer::Box),
            ("Locate the dog, as [x1, y1, x2, y2].", ExpectedAnswer::Box),
            ("Give the box of the cat.", ExpectedAnswer::Box),
            ("What are the coordinates of the car?", ExpectedAnswer::Box),
            (
                "What is the text in the red bounding box?",
                ExpectedAnswer::Place,
            ),
            ("Which numbers are in the box?", ExpectedAnswer::Place),
            ("Where is the cat?", ExpectedAnswer::Place),
            ("What color is the cat?", ExpectedAnswer::Other),
        ] {
            assert_eq!(expected_answer(question), asks, "{question}");
        }
    }

    #[test]
    fn a_question_full_of_boxes_takes_little_time() {
        let text = "é box of 1, 2, 3, 4 and\n".repeat(20_000);
        let begun = std::time::Instant::now();
        assert!(covers(&text, &[]).is_err());
        let plain = "é cat of 1, 2, 3, 4 and\n".repeat(20_000);
        assert_eq!(covers(&plain, &[]), Ok(()));
        assert!(begun.elapsed().as_secs() < 10);
    }

    #[test]
    fn bare_numbers_are_a_box_where_something_says_so() {
        let is = |text: &str, numbers: &str, reading| {
            let start = text.find(numbers).unwrap();
            is_bare_box(text, start..start + numbers.len(), reading)
        };
        let question = Reading::Question;
        let four = "20, 30, 60, 90";
        assert_eq!(is("in the box 20, 30, 60, 90?", four, question), Ok(true));
        assert_eq!(is("Which of 20, 30, 60, 90?", four, question), Ok(false));
        assert_eq!(is("the box 20, 30, 60, 90, 95", four, question), Ok(false));
        let asked = Reading::Answer(ExpectedAnswer::Box);
        assert_eq!(is(four, four, asked), Ok(true));
        let other = Reading::Answer(ExpectedAnswer::Other);
        assert!(is(four, four, other).is_err());
        assert_eq!(is("cars: 20, 30, 60, 90", four, other), Ok(false));
        let place = Reading::Answer(ExpectedAnswer::Place);
        assert!(is("at 20, 30, 60, 90", four, place).is_err());
    }
}
