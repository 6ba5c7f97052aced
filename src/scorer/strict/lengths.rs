//! Selects the distance among lengths that can also be sizes of objects or conversions.

use std::ops::Range;
use std::sync::LazyLock;

use super::doubt;
use super::number_cues::{self, Cue, cue};
use super::number_kind::{NumberKind, Quantity};
use super::number_text::{Number, equal};
use super::numbers::{drop_asides, places};
use super::page::Page;
use super::phrases::PhraseSet;
use super::read_failure::ReadFailure;
use super::step::Step;

/// Words that mark the length before them as the distance.
static AWAY: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list("away|from|distant|off|deep|far|entfernt|behind the camera|in front")
});

static WIDE: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "wide|tall|high|long|thick|in width|in height|in length|in diameter|broad|breit|hoch|lang",
    )
});

/// Returns true if a length is the size of an object: '2 m wide', 'a height of 2 m'.
fn is_size(page: &Page, number: &Number) -> bool {
    let start = number.pieces.start;
    let named = (start.saturating_sub(4)..start).any(|at| {
        page.lower(at + 1) == "of"
            && matches!(
                page.lower(at),
                "height" | "width" | "length" | "diameter" | "size"
            )
    });
    named || WIDE.has(page, number.pieces.end)
}

/// Returns true if a length is relative to another length: '2 m further than the sofa'.
pub(super) fn is_difference(page: &Page, number: &Number) -> bool {
    let end = number.pieces.end;
    let is_more = matches!(page.lower(end), "further" | "farther" | "closer" | "nearer");
    is_more && (end + 1..end + 4).any(|at| page.lower(at) == "than")
}

/// Largest relative difference between a length and its conversion to another unit.
const CONVERSION: f64 = 0.05;

/// Removes numbers that are not lengths, if there is a length; then removes sizes of objects, and
/// conversions like '3 m, which is about 10 feet'.
pub(super) fn keep(page: &Page, numbers: &mut Vec<Number>, asked: &NumberKind) {
    if !numbers.iter().any(|number| number.unit.is_some()) {
        return;
    }
    numbers.retain(|number| number.unit.is_some());
    if matches!(asked.quantity, Quantity::Distance | Quantity::FromCamera) {
        numbers.retain(|number| !is_size(page, number));
    } else {
        drop_asides(numbers, |number| is_size(page, number));
    }
    let metres = |number: &Number| number.value * number.unit.unwrap_or(1.0);
    let is_converted = |one: &Number, other: &Number| {
        let (first, second) = (metres(one), metres(other));
        one.unit != other.unit && (first - second).abs() <= CONVERSION * first.abs()
    };
    let mut kept: Vec<Number> = Vec::with_capacity(numbers.len());
    for number in numbers.drain(..) {
        if !kept.iter().any(|other| is_converted(other, &number)) {
            kept.push(number);
        }
    }
    *numbers = kept;
}

/// Returns true if two lengths are alternatives, possibly with one unit for both: '12 or 14
/// metres', '2 m, maybe 3'.
pub(super) fn are_alternatives(page: &Page, numbers: &[Number]) -> bool {
    let mut pairs = numbers.iter().zip(numbers.iter().skip(1));
    pairs.any(|(one, other)| {
        let is_or = |at: usize| match page.lower(at) {
            "or" => !matches!(page.lower(at + 1), "take" | "minus"),
            "maybe" | "perhaps" | "possibly" => one.unit.is_some(),
            _ => false,
        };
        one.unit.is_none() != other.unit.is_none()
            && !equal(one.value, other.value)
            && (one.pieces.end..other.pieces.start).any(is_or)
            && number_cues::either(page, one, other)
    })
}

/// Returns the number that follows a range as the best estimate, in the unit of the range: '10 to
/// 15 metres, most likely 12'.
pub(super) fn after_range(page: &Page, range: &Range<usize>, numbers: &[Number]) -> Option<Number> {
    let [first, last] = numbers else { return None };
    let is_named = first.made == Some(Step::RangeMiddle)
        && last.unit.is_none()
        && cue(page, range, last) == Some(Cue::Total);
    is_named.then(|| Number {
        unit: first.unit,
        ..last.clone()
    })
}

/// Returns the length that is given as a distance; if there are several, the length in the clause
/// about the question.
pub(super) fn distance<'a>(
    page: &Page,
    numbers: &'a [Number],
    asked: &NumberKind,
) -> Result<Option<&'a Number>, ReadFailure> {
    let away = |number: &&Number| number.unit.is_some() && AWAY.has(page, number.pieces.end);
    let Some(found) = numbers.iter().find(away) else {
        return Ok(None);
    };
    let same = |other: &Number| equal(other.value, found.value);
    // Two distances can share the word 'away': 'The house is 20 metres away and the bicycle 7
    // metres.'
    let last = numbers.last().map_or(0, |last| last.pieces.start);
    let joined = (found.pieces.end..last).any(|at| page.lower(at) == "and");
    if !joined && numbers.iter().filter(away).all(same) {
        return Ok(Some(found));
    }
    let best = doubt::best_clause(page, &places(numbers), &asked.asked);
    let best = best.and_then(|best| numbers.get(best));
    best.map(Some).ok_or(ReadFailure::Two)
}
