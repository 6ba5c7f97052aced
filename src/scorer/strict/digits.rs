//! Reads numbers in digits: with separators, fractions and powers of ten.

use super::page::{Kind, Page};
use crate::python;

/// Reads a divisor such as `/2` after a numerator; returns its value and length.
pub(super) fn divisor(page: &Page, at: usize) -> Option<(f64, usize)> {
    if !page.is(at, '/') || page.kind(at + 1) != Some(Kind::Number) {
        return None;
    }
    let (value, length) = digits(page, at + 1)?;
    (value > 0.0 && !page.is(at + 1 + length, '/')).then_some((value, length + 1))
}

/// Reads a number in digits with separators and powers of ten; returns its value and length.
pub(super) fn digits(page: &Page, start: usize) -> Option<(f64, usize)> {
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
        // An apostrophe can mean feet and inches instead of a separator: `5'10"`.
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

/// Removes thousands separators and unifies the decimal point. Also returns the number of groups
/// that belong to the number.
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
    // This can be a list without spaces: `1,2,3,4`.
    match groups.first() {
        Some(('.', decimals)) => (format!("{first}.{decimals}"), 1),
        _ => (first.to_owned(), 0),
    }
}

/// Reads a power of ten after a number: `1e3`, `1.5 × 10^3`.
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
