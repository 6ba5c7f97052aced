//! Joins numbers that belong together: ranges, tolerances, lengths in two units, and sums.

use std::ops::Range;

use super::number_text::{Number, equal};
use super::page::Page;
use super::step::Step;

/// Reduces `1, 2, 3, 4` to its last number, because such a list counts objects one by one.
pub(super) fn counted_up(numbers: &[Number]) -> Vec<Number> {
    let mut kept: Vec<Number> = Vec::with_capacity(numbers.len());
    let mut at = 0;
    while let Some(first) = numbers.get(at) {
        let plain = |number: &Number, value: f64| {
            (number.value - value).abs() < 1e-9 && number.unit.is_none() && number.made.is_none()
        };
        let run = (1_u32..)
            .zip(numbers.iter().skip(at))
            .take_while(|(value, number)| plain(number, f64::from(*value)))
            .count();
        if run >= 3
            && let Some(last) = numbers.get(at + run - 1)
        {
            kept.push(Number {
                pieces: first.pieces.start..last.pieces.end,
                made: Some(Step::EndOfCount),
                ..last.clone()
            });
            at += run;
        } else {
            kept.push(first.clone());
            at += 1;
        }
    }
    kept
}

/// Adds a number, or joins it to the previous number.
pub(super) fn join(page: &Page, found: &mut Vec<Number>, number: Number) {
    let last = found
        .last()
        .filter(|last| last.bracketed == number.bracketed);
    match last.and_then(|last| joined(page, last, &number)) {
        Some(joined) => {
            found.pop();
            found.push(joined);
        }
        None => found.push(number),
    }
}

/// Returns the number that two consecutive numbers form; `None` if they do not belong together.
fn joined(page: &Page, last: &Number, number: &Number) -> Option<Number> {
    let between = last.pieces.end..number.pieces.start;
    let is_one = between.len() == 1;
    let (value, made) = if is_one && page.is(between.start, '±') {
        (last.value, last.made)
    } else if is_range(page, last, number) {
        (middle(last, number), Some(Step::RangeMiddle))
    } else if let Some(more) = smaller_unit(page, last, number) {
        (last.value + more, Some(Step::TwoUnits))
    } else if is_one && page.is(between.start, '+') && !number.percent {
        (last.value + number.value, Some(Step::Sum))
    } else {
        return None;
    };
    let is_range = made == Some(Step::RangeMiddle);
    Some(Number {
        value,
        made,
        unit: number.unit.filter(|_| is_range).or(last.unit),
        percent: last.percent || is_range && number.percent,
        pieces: last.pieces.start..number.pieces.end,
        ..last.clone()
    })
}

/// Returns true if two numbers are the ends of a range: '3 to 5', 'between 3 and 5'.
fn is_range(page: &Page, last: &Number, number: &Number) -> bool {
    let between: Range<usize> = last.pieces.end..number.pieces.start;
    let word = page.lower(between.start);
    let before = last.pieces.start.checked_sub(1);
    let is_from = before.is_some_and(|at| {
        matches!(
            page.lower(at),
            "between" | "zwischen" | "entre" | "tra" | "между"
        )
    });
    let is_joint = page.is_any(between.start, "-–—~")
        || matches!(
            word,
            "to" | "bis" | "à" | "至" | "到" | "до" | "until" | "till"
        )
        || is_from && matches!(word, "and" | "und" | "et" | "y" | "e" | "и");
    let start = number.pieces.start;
    let is_signed = between.is_empty() && page.is(start, '-') && page.glued(start);
    (between.len() == 1 && is_joint || is_signed) && (number.percent || !last.percent)
}

/// Returns the middle of a range, in the unit of its upper end.
fn middle(last: &Number, number: &Number) -> f64 {
    let own = number.unit.or(last.unit).unwrap_or(1.0);
    let lower = last.unit.map_or(last.value, |unit| last.value * unit / own);
    f64::midpoint(lower, number.value.abs())
}

/// Returns the length that a second number adds to the first length, in the unit of the first
/// length: '5 feet 3 inches', '1 m 20'.
fn smaller_unit(page: &Page, last: &Number, number: &Number) -> Option<f64> {
    let between = last.pieces.end..number.pieces.start;
    let large = last.unit?;
    let Some(small) = number.unit else {
        let start = number.pieces.start;
        let are_centimetres = equal(large, 1.0)
            && between.is_empty()
            && number.pieces.len() == 1
            && (page.is_word(start) || page.text(start).len() == 2)
            && (10.0..100.0).contains(&number.value);
        return are_centimetres.then_some(number.value / 100.0);
    };
    let is_joined = between.is_empty()
        || between.len() == 1 && matches!(page.lower(between.start), "and" | ",");
    (small < large && is_joined && number.value >= 0.0).then_some(number.value * small / large)
}
