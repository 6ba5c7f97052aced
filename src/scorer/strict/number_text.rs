//! Finds all numbers in a text (digits with separators, fractions, powers, words), and joins
//! ranges, sums and units.

use std::ops::Range;

use super::digits::{digits, divisor};
use super::number_join::{counted_up, join};
use super::page::{Kind, Page};
use super::step::Step;
use super::{number_words, units};
use crate::python;

/// Number in a text, with its place on the page.
#[derive(Clone, Debug)]
pub(super) struct Number {
    pub value: f64,
    pub pieces: Range<usize>,
    /// Unit of length in metres; `None` for a number that is not a length.
    pub unit: Option<f64>,
    pub percent: bool,
    /// True if the number is in brackets after other text.
    pub bracketed: bool,
    /// How the number was combined from others; `None` for a single number.
    pub made: Option<Step>,
}

/// Returns all numbers in a part of a page.
pub(super) fn all(page: &Page, range: Range<usize>) -> Vec<Number> {
    let mut found: Vec<Number> = Vec::new();
    let mut depth = 0_usize;
    let mut words = false;
    let mut at = range.start;
    while at < range.end {
        if page.is_any(at, "([") {
            depth += usize::from(words);
        } else if page.is_any(at, ")]") {
            depth = depth.saturating_sub(1);
        }
        // '10:30' is a time.
        let is_time = page.kind(at) == Some(Kind::Number)
            && page.is(at + 1, ':')
            && (page.glued(at + 1) && page.glued(at + 2))
            && page.kind(at + 2) == Some(Kind::Number);
        if is_time {
            words = true;
            at += 3;
        } else if let Some(mut number) = one(page, at, range.end) {
            number.bracketed = depth > 0;
            at = number.pieces.end;
            words = true;
            join(page, &mut found, number);
        } else {
            words |= page.is_alphanumeric(at);
            at += skipped(page, at);
        }
    }
    found.retain(|number| number.pieces.end <= range.end);
    counted_up(&found)
}

/// Returns the number of pieces to skip: digits that are not a number are skipped with their
/// decimals.
fn skipped(page: &Page, at: usize) -> usize {
    match page.kind(at) {
        Some(Kind::Number) => digits(page, at).map_or(1, |(_, length)| length.max(1)),
        _ => 1,
    }
}

impl Number {
    /// Creates a number that is not combined from others.
    fn new(value: f64, pieces: Range<usize>, unit: Option<f64>) -> Self {
        Self {
            value,
            pieces,
            unit,
            percent: false,
            bracketed: false,
            made: None,
        }
    }
}

/// Reads one number with its sign and unit.
fn one(page: &Page, start: usize, end: usize) -> Option<Number> {
    if let Some(found) = one_and_share(page, start) {
        return Some(found);
    }
    let (mut value, mut next) = signed(page, start, end)?;
    if is_part_of_word(page, next) {
        return None;
    }
    // Examples: 'half a mile', 'a quarter of a metre'.
    if matches!(
        page.lower(next - 1),
        "half" | "quarter" | "quarters" | "third" | "thirds"
    ) {
        let of = next + usize::from(page.lower(next) == "of");
        let unit = of + usize::from(matches!(page.lower(of), "a" | "an"));
        if unit > next && units::at(page, unit).is_some() {
            next = unit;
        }
    }
    let percent = page.is(next, '%')
        || matches!(
            page.lower(next),
            "percent" | "percents" | "prozent" | "porcento"
        );
    next += usize::from(percent);
    if let Some(centimetres) = glued_centimetres(page, next) {
        return Some(Number {
            made: Some(Step::TwoUnits),
            ..Number::new(value + centimetres / 100.0, start..next + 2, Some(1.0))
        });
    }
    let mut unit = named_unit(page, start);
    if let Some((factor, length)) = units::at(page, next) {
        unit = Some(factor);
        next += length;
        if let Some((more, length)) = and_share(page, next) {
            value += more;
            next += length;
        }
    }
    Some(Number {
        percent,
        ..Number::new(value, start..next, unit)
    })
}

/// Reads a number with its sign; also returns its end.
fn signed(page: &Page, start: usize, end: usize) -> Option<(f64, usize)> {
    let is_signed = page.is_any(start, "-+")
        && page.glued(start + 1)
        && !(page.glued(start) && page.is_alphanumeric(start.wrapping_sub(1)))
        && (page.kind(start + 1) == Some(Kind::Number) || page.is(start + 1, '.'));
    let follows = start > 0 && page.kind(start - 1) == Some(Kind::Number);
    let minus = !follows && matches!(page.lower(start), "minus" | "negative");
    let first = start + usize::from(is_signed || minus);
    if first >= end || !is_signed && !begins(page, first) {
        return None;
    }
    let (value, length) = unsigned(page, first)?;
    let is_negative = is_signed && page.is(start, '-') || minus;
    Some((if is_negative { -value } else { value }, first + length))
}

/// Reads a length like 'a metre and a half'.
fn one_and_share(page: &Page, start: usize) -> Option<Number> {
    let (unit, length) =
        units::at(page, start + 1).filter(|_| matches!(page.lower(start), "a" | "an"))?;
    let end = start + 1 + length;
    let (more, behind) = and_share(page, end)?;
    Some(Number::new(1.0 + more, start..end + behind, Some(unit)))
}

/// Returns true if digits that end before a piece belong to a word: '3rd', '4k'.
fn is_part_of_word(page: &Page, end: usize) -> bool {
    page.kind(end) == Some(Kind::Word)
        && page.glued(end)
        && page.kind(end - 1) == Some(Kind::Number)
        && units::at(page, end).is_none()
        && matches!(
            page.lower(end),
            "st" | "nd" | "rd" | "th" | "d" | "x" | "k" | "p"
        )
}

/// Reads the centimetres in '1m20'.
fn glued_centimetres(page: &Page, metre: usize) -> Option<f64> {
    let digits = metre + 1;
    let is_two = page.lower(metre) == "m"
        && page.glued(metre)
        && page.glued(digits)
        && page.kind(digits) == Some(Kind::Number)
        && page.text(digits).len() == 2;
    python::float(page.text(digits)).filter(|_| is_two)
}

/// Returns the unit in the name of a value: `"distance_cm": 85`.
fn named_unit(page: &Page, start: usize) -> Option<f64> {
    let name = (0..start).rfind(|at| !page.is_any(*at, "\"':="))?;
    let named = name + 1 < start && page.glued(name) && page.is_word(name - 1);
    let (unit, length) = units::at(page, name).filter(|_| named)?;
    (length == 1).then_some(unit)
}

/// Returns true if a number can begin at a piece, and is not part of a name like `x1`, `B-52` or
/// 'the one'.
fn begins(page: &Page, at: usize) -> bool {
    let before = at.checked_sub(1);
    let glued_to_word =
        page.glued(at) && before.is_some_and(|before| page.kind(before) == Some(Kind::Word));
    if page.kind(at) == Some(Kind::Number) || page.is(at, '.') {
        let hyphened = at > 1
            && page.glued(at)
            && page.is(at - 1, '-')
            && page.glued(at - 1)
            && page.kind(at - 2) == Some(Kind::Word);
        let name = hyphened
            && units::at(page, at - 2).is_none()
            && number_words::at(page, at - 2).is_none();
        return !glued_to_word && !name;
    }
    if page.lower(at) == "one" {
        let pronoun = before.is_some_and(|before| {
            matches!(
                page.lower(before),
                "the"
                    | "this"
                    | "that"
                    | "each"
                    | "every"
                    | "no"
                    | "any"
                    | "which"
                    | "another"
                    | "other"
                    | "first"
                    | "last"
                    | "left"
                    | "right"
                    | "red"
                    | "blue"
                    | "second"
                    | "third"
                    | "fourth"
            )
        });
        let of = page.lower(at + 1) == "of"
            && matches!(page.lower(at + 2), "the" | "them" | "these" | "those");
        return !pronoun
            && !of
            && !matches!(
                page.lower(at + 1),
                "another"
                    | "can"
                    | "side"
                    | "may"
                    | "might"
                    | "is"
                    | "was"
                    | "could"
                    | "that"
                    | "which"
                    | "who"
                    | "would"
                    | "will"
                    | "has"
            );
    }
    !glued_to_word && !matches!(page.lower(at), "third" | "fourth")
}

/// Reads digits or words, with fractions and multipliers; returns the value and the number of
/// pieces.
fn unsigned(page: &Page, start: usize) -> Option<(f64, usize)> {
    if let Some(found) = number_words::at(page, start) {
        return Some(found);
    }
    let (mut value, mut length) = digits(page, start)?;
    let next = |length: usize| start + length;
    if let Some((denominator, behind)) = divisor(page, next(length)) {
        return Some((value / denominator, length + behind));
    }
    if let Some((numerator, behind)) =
        digits(page, next(length)).filter(|_| !page.is(next(length), '.') && value.fract() == 0.0)
        && let Some((denominator, more)) = divisor(page, next(length) + behind)
    {
        return Some((value + numerator / denominator, length + behind + more));
    }
    if let Some((share, behind)) = and_share(page, next(length)) {
        return Some((value + share, length + behind));
    }
    let factor = match page.lower(next(length)) {
        "thousand" | "千" => 1e3,
        "hundred" | "百" => 1e2,
        "million" => 1e6,
        "dozen" => 12.0,
        "万" | "萬" => 1e4,
        _ => 1.0,
    };
    if factor > 1.0 {
        value *= factor;
        length += 1;
    }
    Some((value, length))
}

/// Reads 'and a half'; returns the share and the number of pieces.
fn and_share(page: &Page, at: usize) -> Option<(f64, usize)> {
    if page.lower(at) != "and" {
        return None;
    }
    let word = at + 1 + usize::from(page.lower(at + 1) == "a");
    let share = match page.lower(word) {
        "half" => 0.5,
        "quarter" => 0.25,
        _ => return None,
    };
    Some((share, word + 1 - at))
}

/// Returns true if two numbers are equal up to a relative difference of 1e-9.
pub(super) fn equal(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}
