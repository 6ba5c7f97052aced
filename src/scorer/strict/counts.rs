//! Selects the number that answers a counting question: a part, a total, or none.

use std::ops::Range;
use std::sync::LazyLock;

use super::number_cues::{are_joined, follows_colon, is_placed, is_total};
use super::number_kind::NumberKind;
use super::number_text::{Number, equal};
use super::number_words;
use super::numbers::places;
use super::page::{Kind, Page};
use super::phrases::PhraseSet;
use super::read_failure::ReadFailure;
use super::synonyms::plain;
use super::{asked, doubt};

/// Phrases for further objects that were not counted.
static REST: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list("the rest|the others|the remaining|and others|several others|many others")
});

/// Returns the number in the clause that is about the question: 'Five people are in the picture,
/// and two of them wear helmets.'
pub(super) fn part_of_whole<'a>(
    page: &Page,
    numbers: &'a [Number],
    asked: &NumberKind,
) -> Option<&'a Number> {
    if asked.counted.is_empty() {
        return None;
    }
    let words = asked::without_counted(&asked.asked, &asked.counted);
    let part = numbers.get(doubt::best_clause(page, &places(numbers), &words)?)?;
    (page.lower(part.pieces.end) == "of").then_some(part)
}

/// Returns the number that is given as the total, unless it counts more than the question asks for:
/// '3 red cars and 2 blue cars, 5 cars in total', for a question about red cars.
pub(super) fn total<'a>(
    page: &Page,
    range: &Range<usize>,
    numbers: &'a [Number],
    counted: &[String],
) -> Option<&'a Number> {
    let total = numbers
        .iter()
        .rfind(|number| is_total(page, range, number))
        .or_else(|| referred(page, numbers))
        .or_else(|| listed_sum(page, numbers))
        .or_else(|| after_colon(page, numbers))?;
    let fits = |number: &Number| {
        let things = things(page, number);
        counted.iter().all(|word| things.contains(word))
    };
    let noun = counted.last().filter(|_| counted.len() > 1);
    let is_wider = noun.is_some_and(|noun| things(page, total).contains(noun)) && !fits(total);
    (!(is_wider && numbers.iter().any(fits))).then_some(total)
}

/// Returns true if equal numbers are parts of an unstated total: '2 in front and 2 behind', 'two
/// pairs', '2 here and the rest there'.
pub(super) fn are_parts(page: &Page, range: &Range<usize>, numbers: &[Number]) -> bool {
    let are_apart = |one: &Number, other: &Number| {
        let between = one.pieces.end..other.pieces.start;
        let comma = numbers.len() > 2 && between.clone().any(|at| page.is(at, ','));
        between.len() > 1
            && !between.clone().any(|at| page.ends_sentence(at))
            && (comma || are_joined(page, one, other))
    };
    let mut pairs = numbers.iter().zip(numbers.iter().skip(1));
    let colons = numbers.iter().filter(|number| follows_colon(page, number));
    range.clone().any(|at| REST.has(page, at))
        || (numbers.iter()).any(|number| page.lower(number.pieces.end) == "pairs")
        || pairs.any(|(one, other)| are_apart(one, other))
        || colons.count() > 1
}

/// Returns true if the response denies the objects that the question counts, and counts only other
/// objects: 'No bottles, only 4 jars'.
pub(super) fn are_missing(
    page: &Page,
    range: &Range<usize>,
    numbers: &[Number],
    counted: &[String],
) -> bool {
    let lacks = |noun: &String, at: usize| {
        matches!(page.lower(at), "no" | "any") && *noun == plain(page.lower(at + 1))
    };
    counted.last().is_some_and(|noun| {
        !(numbers.iter()).any(|number| things(page, number).contains(noun))
            && range.clone().any(|at| lacks(noun, at))
    })
}

/// Returns the last number if it is the only number that follows a colon: 'A car, and a third one:
/// 3.'
fn after_colon<'a>(page: &Page, numbers: &'a [Number]) -> Option<&'a Number> {
    let mut colons = numbers.iter().filter(|number| follows_colon(page, number));
    let found = colons.next().filter(|_| colons.next().is_none())?;
    let is_last = (numbers.last()).is_some_and(|last| last.pieces == found.pieces);
    (is_last && page.ends_sentence(found.pieces.end)).then_some(found)
}

/// Returns the first number if it precedes a colon and is the sum of the numbers after it: '5:
/// three men, two women'.
fn listed_sum<'a>(page: &Page, numbers: &'a [Number]) -> Option<&'a Number> {
    let [first, next, _, ..] = numbers else {
        return None;
    };
    let colon = (first.pieces.end..next.pieces.start).any(|at| page.is(at, ':'));
    let sum: f64 = numbers.iter().skip(1).map(|number| number.value).sum();
    (colon && equal(sum, first.value)).then_some(first)
}

/// Returns the only number of a last sentence that refers to everything before it: 'This results in
/// 40 windows', 'All of this agrees with a distance of 15 m'.
fn referred<'a>(page: &Page, numbers: &'a [Number]) -> Option<&'a Number> {
    let last = numbers.last()?;
    let start = doubt::sentence_start(page, last.pieces.start);
    let others = numbers.iter().filter(|number| number.pieces.start >= start);
    let first = (start..last.pieces.start).find(|at| page.is_word(*at))?;
    let this = if page.lower(first) == "all" && page.lower(first + 1) == "of" {
        first + 2
    } else {
        first
    };
    let refers = matches!(page.lower(this), "this" | "that" | "these" | "which")
        && page.lower(this + 1).ends_with('s');
    (start > 0 && refers && others.count() == 1).then_some(last)
}

/// Returns the words after a number, in plain form; for JSON also the key before it.
fn things(page: &Page, number: &Number) -> Vec<String> {
    let end = number.pieces.end;
    let next = |at: &usize| {
        !page.is_alphanumeric(*at)
            || page.kind(*at) == Some(Kind::Number)
            || number_words::at(page, *at).is_some()
    };
    let to = (end..end + 5).find(next).unwrap_or(end + 5);
    // The key of a JSON value names the counted objects: `"bottles": 9`.
    let name = (0..number.pieces.start)
        .rfind(|at| !page.is_any(*at, ":\""))
        .filter(|at| (at + 1..number.pieces.start).any(|at| page.is(at, ':')));
    (end..to)
        .chain(name)
        .map(|at| plain(page.lower(at)))
        .collect()
}

/// Returns true if a number is the whole that another number is a part of: 5 in '2 of the 5
/// people'.
fn is_whole(page: &Page, number: &Number, numbers: &[Number]) -> bool {
    let start = number.pieces.start;
    let of = (1..3).any(|back| start >= back && page.lower(start - back) == "of");
    let before = |other: &Number| other.pieces.end < start && start - other.pieces.end <= 3;
    let leads = start < 3 && numbers.len() > 1;
    of && (leads || numbers.iter().any(before))
}

/// Returns the number next to the noun that the question counts: 4 in '4 cars and 2 trucks'. If
/// there are several such numbers, one of them must be the sum of the others.
pub(super) fn of_counted<'a>(
    page: &Page,
    numbers: &'a [Number],
    counted: &[String],
) -> Result<Option<&'a Number>, ReadFailure> {
    let Some((noun, kind)) = counted.split_last() else {
        return Ok(None);
    };
    let pairs = || numbers.iter().zip(numbers.iter().skip(1));
    let with = |words: &[String]| -> Vec<&'a Number> {
        let has = |number: &&Number| {
            let things = things(page, number);
            !is_whole(page, number, numbers) && words.iter().all(|word| things.contains(word))
        };
        numbers.iter().filter(has).collect()
    };
    // Accepts 'three red circles', 'three are red' and 'three circles'.
    let mut found = with(counted);
    if found.is_empty() && !kind.is_empty() {
        found = with(kind);
    }
    if found.is_empty() {
        found = with(std::slice::from_ref(noun));
    }
    let sum: f64 = numbers.iter().map(|number| number.value).sum();
    let total = |number: &&Number| equal(2.0 * number.value, sum);
    let Some((first, others)) = found.split_first() else {
        // The first number can be the total: '5: three men and two women'.
        if let Some(all) = numbers.iter().find(total).filter(|_| numbers.len() > 2) {
            return Ok(Some(all));
        }
        // 'Five men and three women' does not count the people.
        let parts = pairs().any(|(one, other)| {
            page.kind(one.pieces.end) == Some(Kind::Word)
                && (one.pieces.end..other.pieces.start).any(|at| page.lower(at) == "and")
                && page.kind(other.pieces.end) == Some(Kind::Word)
        });
        return if parts {
            Err(ReadFailure::Two)
        } else {
            Ok(None)
        };
    };
    // The noun can be omitted: '3 people on the shore and 4 in the boat'.
    let elided = pairs().any(|(one, other)| are_joined(page, one, other) && is_placed(page, other));
    // A later sentence can repeat the noun: 'There are 6 chairs. Two chairs are empty.'
    let end = page.sentence_end_before(first.pieces.end, page.len());
    let differ = others
        .iter()
        .any(|other| other.pieces.start < end && !equal(other.value, first.value));
    match found.iter().copied().find(total) {
        Some(total) if numbers.len() > 2 => Ok(Some(total)),
        // Separate counts without a total: 'Row 1: 10 cars', 'Row 2: 8 cars'.
        _ if found.len() > 1 && found.iter().all(|number| follows_colon(page, number)) => {
            Err(ReadFailure::Two)
        }
        _ if differ || elided => Err(ReadFailure::Two),
        _ => Ok(Some(*first)),
    }
}

/// Returns true if the last number is the whole of an unknown part: 'all but one of the six', 'most
/// of the 8 chairs'.
pub(super) fn is_part_unknown(page: &Page, numbers: &[Number]) -> bool {
    let [.., whole] = numbers else { return false };
    let start = whole.pieces.start;
    let of = (1..4).find(|back| start >= *back && page.lower(start - back) == "of");
    let others = numbers.len() > 1 && numbers.iter().all(|number| number.value.fract() == 0.0);
    of.is_some_and(|back| {
        let floor = doubt::sentence_start(page, start).max((start - back).saturating_sub(4));
        let is_part = |at: usize| {
            matches!(
                page.lower(at),
                "but" | "except" | "most" | "some" | "few" | "half" | "part" | "third" | "quarter"
            )
        };
        !others && (floor..start - back).any(is_part)
    })
}

/// Returns true if a sentence lists the first number next to other numbers that are not parts of
/// it: '3 red, 2 blue', but not '7 birds, 2 of which are flying'.
pub(super) fn are_listed(page: &Page, numbers: &[Number]) -> bool {
    let [first, next, ..] = numbers else {
        return false;
    };
    let between = first.pieces.end..next.pieces.start;
    let is_apart = between
        .clone()
        .any(|at| page.ends_sentence(at) || page.is(at, ':'));
    let is_list = between
        .into_iter()
        .any(|at| page.is_any(at, ",;") || page.lower(at) == "and");
    let others: f64 = numbers.iter().skip(1).map(|number| number.value).sum();
    let belongs = |at: usize| matches!(page.lower(at), "of" | "other" | "remaining" | "中");
    let ends = [next.pieces.end, next.pieces.start.saturating_sub(1)];
    is_list && !is_apart && !equal(others, first.value) && !ends.into_iter().any(belongs)
}

/// Returns true if a number is an operand of a calculation without a result: '4 shelves with 6
/// books each', '5 minus 1'.
pub(super) fn are_calculated(
    page: &Page,
    range: &Range<usize>,
    numbers: &[Number],
    counted: &[String],
) -> bool {
    if numbers.iter().any(|number| is_total(page, range, number)) {
        return false;
    }
    let counts =
        |number: &Number| (counted.last()).is_none_or(|noun| things(page, number).contains(noun));
    let is_factor = |number: &Number| {
        let (start, end) = (number.pieces.start, number.pieces.end);
        let after = (end..end + 4).take_while(|at| !page.ends_sentence(*at));
        let is_each = |at: usize| matches!(page.lower(at), "each" | "apiece" | "every");
        counts(number) && after.into_iter().any(is_each) && start > range.start
    };
    let mut pairs = numbers.iter().zip(numbers.iter().skip(1));
    let is_operand = |one: &Number, other: &Number| {
        let between = one.pieces.end..other.pieces.start;
        between.len() <= 3
            && between.into_iter().any(|at| {
                page.is_any(at, "×*·") || matches!(page.lower(at), "minus" | "times" | "plus")
            })
    };
    // '4 shelves with 6 books each: 24' contains the result.
    let last = numbers.last().map_or(0, |last| last.pieces.start);
    let is_last = |number: &Number| number.pieces.start == last;
    numbers.last().is_some_and(is_factor)
        || pairs.any(|(one, other)| is_last(other) && is_operand(one, other))
}
