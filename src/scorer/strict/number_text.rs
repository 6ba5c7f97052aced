//! Finds all numbers of a text: digits with separators, fractions, powers and words; combines
//! ranges, sums and units.

use std::ops::Range;

use super::number_join::{counted_up, join};
use super::page::{Kind, Page};
use super::step::Step;
use super::{number_words, units};
use crate::python;

/// Number in a text.
#[derive(Clone, Debug)]
pub(super) struct Number {
    pub value: f64,
    pub pieces: Range<usize>,
    /// Unit of length in metres, if it has one.
    pub unit: Option<f64>,
    pub percent: bool,
    /// True if it is in brackets after something else.
    pub bracketed: bool,
    /// How it was combined, in words; `None` for a single number.
    pub made: Option<Step>,
}

/// Returns all numbers between two pieces.
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

/// Returns how many pieces to skip: digits that are not a number are skipped with their decimals.
fn skipped(page: &Page, at: usize) -> usize {
    match page.kind(at) {
        Some(Kind::Number) => digits(page, at).map_or(1, |(_, length)| length.max(1)),
        _ => 1,
    }
}

/// Reads one number with sign and unit.
fn one(page: &Page, start: usize, end: usize) -> Option<Number> {
    let signed = page.is_any(start, "-+")
        && page.glued(start + 1)
        && !(page.glued(start) && page.is_alphanumeric(start.wrapping_sub(1)))
        && (page.kind(start + 1) == Some(Kind::Number) || page.is(start + 1, '.'));
    // 'A metre and a half'.
    if matches!(page.lower(start), "a" | "an")
        && let Some((unit, length)) = units::at(page, start + 1)
        && let Some((more, behind)) = and_share(page, start + 1 + length)
    {
        return Some(Number {
            value: 1.0 + more,
            pieces: start..start + 1 + length + behind,
            unit: Some(unit),
            percent: false,
            bracketed: false,
            made: None,
        });
    }
    let follows = start > 0 && page.kind(start - 1) == Some(Kind::Number);
    let minus = !follows && matches!(page.lower(start), "minus" | "negative");
    let first = start + usize::from(signed || minus);
    if first >= end || !signed && !begins(page, first) {
        return None;
    }
    let (mut value, length) = unsigned(page, first)?;
    if signed && page.is(start, '-') || minus {
        value = -value;
    }
    let mut next = first + length;
    if page.kind(next) == Some(Kind::Word)
        && page.glued(next)
        && page.kind(next - 1) == Some(Kind::Number)
        && units::at(page, next).is_none()
        && matches!(
            page.lower(next),
            "st" | "nd" | "rd" | "th" | "d" | "x" | "k" | "p"
        )
    {
        return None;
    }
    // 'Half a mile', 'a quarter of a metre'.
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
        value,
        pieces: start..next,
        unit,
        percent,
        bracketed: false,
        made: None,
    })
}

/// Returns the unit in the name of a number: `"distance_cm": 85`.
fn named_unit(page: &Page, start: usize) -> Option<f64> {
    let name = (0..start).rfind(|at| !page.is_any(*at, "\"':="))?;
    let named = name + 1 < start && page.glued(name) && page.is_word(name - 1);
    let (unit, length) = units::at(page, name).filter(|_| named)?;
    (length == 1).then_some(unit)
}

/// Returns true if a number may begin at a piece, and is not part of a name like `x1`, `B-52` or
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
    if matches!(
        page.lower(at),
        "single" | "third" | "thirds" | "fourth" | "quarter" | "half"
    ) && matches!(page.lower(at), "third" | "fourth")
    {
        return false;
    }
    !glued_to_word
}

/// Reads digits or words, with fractions and multipliers.
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

/// Reads 'and a half'; also returns its number of pieces.
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

/// Reads `/2` after a numerator.
fn divisor(page: &Page, at: usize) -> Option<(f64, usize)> {
    if !page.is(at, '/') || page.kind(at + 1) != Some(Kind::Number) {
        return None;
    }
    let (value, length) = digits(page, at + 1)?;
    (value > 0.0 && !page.is(at + 1 + length, '/')).then_some((value, length + 1))
}

/// Reads digits with separators and powers of ten.
fn digits(page: &Page, start: usize) -> Option<(f64, usize)> {
    let number = |at: usize| page.kind(at) == Some(Kind::Number);
    if page.is(start, '.') {
        let bare = number(start + 1) && page.glued(start + 1);
        let value = python::float(&format!("0.{}", page.text(start + 1))).filter(|_| bare)?;
        return Some((value, 2));
    }
    if !number(start) {
        return None;
    }
    let mut groups: Vec<(char, &str)> = Vec::new();
    let mut at = start + 1;
    while groups.len() < 12 {
        let glued = page.glued(at) && page.glued(at + 1) && number(at + 1);
        // Feet and inches, not a separator: `5'10"`.
        if page.is(at, '\'') && page.text(at + 1).len() != 3 {
            break;
        }
        match page.kind(at) {
            Some(Kind::Mark(mark @ ('.' | ',' | '\''))) if glued => {
                groups.push((mark, page.text(at + 1)));
                at += 2;
            }
            Some(Kind::Number)
                if page.text(at).len() == 3
                    && !page.glued(at)
                    && groups.iter().all(|(mark, _)| *mark == ' ')
                    && page.text(start).len() <= 3
                    && !(page.glued(at + 1) && page.is_any(at + 1, ",.") && number(at + 2))
                    && page.text(start) != "0" =>
            {
                groups.push((' ', page.text(at)));
                at += 1;
            }
            _ => break,
        }
    }
    let (written, used) = grouped(page.text(start), &groups);
    let length = if used == groups.len() {
        at - start
    } else {
        1 + 2 * used
    };
    let value = python::float(&written)?;
    Some(power(page, start, value, length))
}

/// Removes thousands separators and unifies the decimal point; also returns how many groups
/// belong to the number.
fn grouped(first: &str, groups: &[(char, &str)]) -> (String, usize) {
    let three = |groups: &[(char, &str)]| {
        groups.iter().all(|(_, group)| group.len() == 3)
            && first.len() <= 3
            && !first.starts_with('0')
    };
    let joined =
        |groups: &[(char, &str)]| groups.iter().map(|(_, group)| *group).collect::<String>();
    let Some(((last, decimals), before)) = groups.split_last() else {
        return (first.to_owned(), 0);
    };
    let marks = |mark: char| groups.iter().filter(|(other, _)| *other == mark).count();
    if matches!(last, ' ' | '\'') && three(groups) {
        return (format!("{first}{}", joined(groups)), groups.len());
    }
    let alike = marks(*last) == groups.len();
    if alike && three(groups) && (*last == ',' || groups.len() > 1) {
        return (format!("{first}{}", joined(groups)), groups.len());
    }
    if alike && groups.len() == 1 || !alike && marks(*last) == 1 && three(before) {
        return (
            format!("{first}{}.{decimals}", joined(before)),
            groups.len(),
        );
    }
    // A list without spaces: `1,2,3,4`.
    match groups.first() {
        Some(('.', decimals)) => (format!("{first}.{decimals}"), 1),
        _ => (first.to_owned(), 0),
    }
}

/// Reads `1e3`, `1.5 × 10^3`.
fn power(page: &Page, start: usize, value: f64, length: usize) -> (f64, usize) {
    let at = start + length;
    let exponent = |at: usize| {
        let sign = usize::from(page.is_any(at, "+-{"));
        let braced = usize::from(page.is(at, '{') && page.is(at + 1, '-'));
        let digits =
            python::float(page.text(at + sign + braced)).filter(|exponent| *exponent < 30.0)?;
        let negative = page.is(at, '-') || braced == 1;
        let close = usize::from(page.is(at, '{') && page.is(at + sign + braced + 1, '}'));
        Some((
            if negative { -digits } else { digits },
            sign + braced + 1 + close,
        ))
    };
    let scaled = |exponent: f64| value * 10_f64.powf(exponent);
    if page.lower(at) == "e"
        && page.glued(at)
        && page.glued(at + 1)
        && let Some((exponent, more)) = exponent(at + 1)
    {
        return (scaled(exponent), length + 1 + more);
    }
    let times = page.is_any(at, "×·") || page.lower(at) == "x";
    if times
        && page.text(at + 1) == "10"
        && page.is(at + 2, '^')
        && let Some((exponent, more)) = exponent(at + 3)
    {
        return (scaled(exponent), length + 3 + more);
    }
    if page.is(at, '^')
        && page.text(start) == "10"
        && length == 1
        && let Some((exponent, more)) = exponent(at + 1)
    {
        return (10_f64.powf(exponent), length + 1 + more);
    }
    (value, length)
}
