//! Reads the number in a response: the number stated as answer or total, or else the leading
//! number; for a range, its middle.

use std::ops::Range;
use std::sync::LazyLock;

use super::number_cues::{Cue, cue, either, follows_colon, is_placed, leads};

pub(super) use super::number_kind::{NumberKind, Quantity};
pub(super) use super::number_text::equal;
use super::number_text::{self, Number};
use super::page::{Kind, Page};
use super::phrases::PhraseSet;
use super::polarity::is_past;
use super::read_failure::ReadFailure;
use super::step::Step;
use super::verdict::verdicts;
use super::zero::{is_none, none};
use super::{counts, doubt, lengths};

/// Nouns for callers without nouns of their own.
pub(super) static NO_NOUNS: LazyLock<PhraseSet> = LazyLock::new(|| PhraseSet::list("answer"));

/// Nouns that can introduce a number.
static NOUNS: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "count|total|total count|total number|number|sum|distance|depth|estimate|estimated distance|best estimate|in total|quantity|amount|距离|数量|总数|gesamt|anzahl|nombre|número|entfernung|final count|result|value|most likely",
    )
});

/// Words before a number that make it a name instead of an answer: 'box 2'.
static LABELLED: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "box|image|picture|figure|fig|fig.|photo|step|option|row|column|object|region|point|id|page|camera|level|line|question|#|no.|frame|panel|shelf|table|room|group|item|part|section|area|view|scene|bbox|mark|marker|label|图|第",
    )
});

/// Words for the picture itself, which is not counted: 'from a single image'.
static PICTURE: LazyLock<PhraseSet> =
    LazyLock::new(|| PhraseSet::list("image|picture|photo|photograph|frame|view|snapshot"));

pub(super) type NumberResult = Result<(f64, Range<usize>, Step), ReadFailure>;

/// Returns the number that a page states.
pub(super) fn read(page: &Page, asked: &NumberKind) -> NumberResult {
    for verdict in verdicts(page, &NOUNS) {
        // In 'The count:' followed by '1. A red car', the number begins a list.
        let end = verdict.end;
        if verdict.len() == 1 && page.is(end, '.') && page.is_word(end + 1) {
            continue;
        }
        match part(page, verdict, asked) {
            Ok((value, pieces, _)) => return Ok((value, pieces, Step::StatedNumber)),
            Err(ReadFailure::Two) => return Err(ReadFailure::Two),
            Err(_) => {}
        }
    }
    part(page, 0..page.len(), asked)
}

/// Returns the number that a part of a page states, without the rule.
pub(super) fn read_part(
    page: &Page,
    range: Range<usize>,
    asked: &NumberKind,
) -> Result<(f64, Range<usize>), ReadFailure> {
    part(page, range, asked).map(|(value, pieces, _)| (value, pieces))
}

/// Returns the number if the whole text is a single number.
pub(super) fn whole(page: &Page) -> Option<Number> {
    let mut numbers = number_text::all(page, 0..page.len()).into_iter();
    let number = numbers.next().filter(|_| numbers.next().is_none())?;
    let rest = |at: usize| number.pieces.contains(&at) || !page.is_alphanumeric(at);
    (0..page.len()).all(rest).then_some(number)
}

/// Returns true if a text is only a number without a unit: `3`, `1,200`, `three`, but not `007`.
pub(super) fn is_plain(text: &str) -> bool {
    let padded = text.trim().starts_with('0')
        && !matches!(text.trim().as_bytes(), [b'0'] | [b'0', b'.', ..]);
    let number = whole(&Page::of(text));
    !padded
        && number
            .is_some_and(|number| number.unit.is_none() && !number.percent && number.made.is_none())
}

fn part(page: &Page, range: Range<usize>, asked: &NumberKind) -> NumberResult {
    let numbers = candidates(page, &range, asked)?;
    if let Some((number, rule)) = chosen(page, &range, &numbers, asked)? {
        if doubt::is_opposite(page, &number.pieces, &asked.asked) {
            return Err(ReadFailure::Two);
        }
        let mut value = number.value;
        // A fraction of an unknown count: 'Half of the 8 chairs'.
        if asked.quantity == Quantity::Count && number.made.is_none() && value.fract() != 0.0 {
            return Err(ReadFailure::Two);
        }
        if let (Some(unit), Some(asked)) = (number.unit, asked.unit) {
            value *= unit / asked;
        }
        if number.percent && asked.quantity == Quantity::Share {
            value /= 100.0;
        }
        return Ok((value, number.pieces.clone(), number.made.unwrap_or(rule)));
    }
    none(page, range, asked)
}

/// Removes numbers that are not about the question, unless none would remain.
pub(super) fn drop_asides(numbers: &mut Vec<Number>, is_aside: impl Fn(&Number) -> bool) {
    if !numbers.iter().all(&is_aside) {
        numbers.retain(|number| !is_aside(number));
    }
}

/// Returns the numbers in a part of a page that can be the answer.
fn candidates(
    page: &Page,
    range: &Range<usize>,
    asked: &NumberKind,
) -> Result<Vec<Number>, ReadFailure> {
    let before = |number: &Number| {
        let at = number.pieces.start.checked_sub(1);
        at.filter(|at| *at >= range.start)
    };
    let mut numbers: Vec<Number> = number_text::all(page, range.clone());
    // In '# 30', the mark begins a heading.
    let is_heading = |at: usize| page.is(at, '#') && !page.glued(at + 1);
    let labels = |at: usize| LABELLED.has(page, at) && !is_heading(at);
    numbers.retain(|number| !before(number).is_some_and(labels));
    // 'Not one' means none, but 'not 4' only means another number.
    numbers.retain(|number| !is_none(page, number, range.start));
    let all = numbers.len();
    numbers.retain(|number| !asked.excludes(page, number));
    let is_none_said = |at| matches!(page.lower(at), "no" | "none" | "not");
    if numbers.is_empty() && all > 0 && !range.clone().any(is_none_said) {
        return Err(ReadFailure::Nothing);
    }
    if asked.unit.is_some() && lengths::are_alternatives(page, &numbers) {
        return Err(ReadFailure::Two);
    }
    if let Some(named) = lengths::after_range(page, range, &numbers) {
        numbers = vec![named];
    }
    let all = numbers.len();
    numbers.retain(|number| !is_negated(page, number, range.start));
    if numbers.len() < all && numbers.is_empty() {
        return Err(ReadFailure::Nothing);
    }
    drop_asides(&mut numbers, |number| {
        is_date(page, number) || asked.quantity == Quantity::Count && number.unit.is_some()
    });
    // 'From a single image' is not a count.
    numbers.retain(|number| {
        let one = matches!(page.lower(number.pieces.end - 1), "one" | "single");
        !(one && PICTURE.has(page, number.pieces.end))
    });
    let past = |number: &Number| is_past(page, number.pieces.start, range.start);
    if numbers.last().is_some_and(|last| !past(last)) {
        numbers.retain(|number| !past(number));
    }
    drop_asides(&mut numbers, |number| {
        number.bracketed || number.percent && asked.quantity != Quantity::Share
    });
    if asked.unit.is_some() {
        let all = numbers.len();
        lengths::keep(page, &mut numbers, asked);
        if numbers.len() < all && numbers.is_empty() {
            return Err(ReadFailure::Nothing);
        }
    }
    if asked.unit.is_none() && counts::is_part_unknown(page, &numbers) {
        return Err(ReadFailure::Two);
    }
    if counts::are_missing(page, range, &numbers, &asked.counted) {
        numbers.clear();
    }
    Ok(numbers)
}

/// Returns true if a number is denied: 'it is not 5', 'I doubt there are 5'.
fn is_negated(page: &Page, number: &Number, floor: usize) -> bool {
    let start = number.pieces.start;
    (start.saturating_sub(5).max(floor)..start)
        .rev()
        .take_while(|at| {
            !(page.ends_sentence(*at) || page.is_any(*at, ",;:") || page.lower(*at) == "but")
        })
        .any(|at| {
            matches!(
                page.lower(at),
                "not" | "doubt" | "don't" | "doesn't" | "isn't" | "aren't" | "didn't"
            ) && !(page.lower(at + 1) == "only" || at > 0 && page.lower(at - 1) == "no")
        })
}

/// Returns true if a number is the year of a date: 'in 2014', 'from June 2014'.
fn is_date(page: &Page, number: &Number) -> bool {
    let start = number.pieces.start;
    let is_year = number.unit.is_none()
        && page.text(start).len() == 4
        && number.pieces.len() == 1
        && (1900.0..=2100.0).contains(&number.value);
    is_year
        && (start.saturating_sub(2)..start)
            .any(|at| matches!(page.lower(at), "in" | "from" | "of" | "since" | "until"))
}

/// Selects the number that is the answer in a part of a page.
fn chosen<'a>(
    page: &Page,
    range: &Range<usize>,
    numbers: &'a [Number],
    asked: &NumberKind,
) -> Result<Option<(&'a Number, Step)>, ReadFailure> {
    let counted = asked.counted.as_slice();
    let Some(first) = numbers.first() else {
        return Ok(None);
    };
    let same = |number: &Number| equal(number.value, first.value) && number.unit == first.unit;
    if numbers.iter().all(same) {
        return if !counted.is_empty() && counts::are_parts(page, range, numbers) {
            Err(ReadFailure::Two)
        } else {
            Ok(Some((first, Step::OnlyNumber)))
        };
    }
    let is_open = if asked.unit.is_none() {
        counts::are_calculated(page, range, numbers, counted)
    } else {
        numbers
            .iter()
            .any(|number| lengths::is_difference(page, number))
    };
    if is_open {
        return Err(ReadFailure::Two);
    }
    if let Some(last) = last_counted(page, range, numbers) {
        return Ok(Some((last, Step::LastCounted)));
    }
    if let Some(part) = counts::part_of_whole(page, numbers, asked) {
        return Ok(Some((part, Step::CountedThings)));
    }
    if let Some(total) = counts::total(page, range, numbers, counted) {
        return Ok(Some((total, Step::Total)));
    }
    // No total is given: '4 birds on the left, 3 more on the right'.
    let is_more = |number: &Number| {
        page.lower(number.pieces.end) == "more" && page.lower(number.pieces.end + 1) != "than"
    };
    if asked.unit.is_none() && numbers.iter().any(is_more) {
        return Err(ReadFailure::Two);
    }
    if let Some(found) = on_its_own(page, range, numbers) {
        return Ok(Some((found, Step::LeadingNumber)));
    }
    if let Some(found) = counts::of_counted(page, numbers, counted)? {
        return Ok(Some((found, Step::CountedThings)));
    }
    if let Some(away) = lengths::distance(page, numbers, asked)? {
        return Ok(Some((away, Step::Distance)));
    }
    let said = leading(page, range, numbers, asked)?;
    Ok(said.map(|said| (said, Step::LeadingNumber)))
}

/// Returns the last number of a count: 'first I count 1, then 5'.
fn last_counted<'a>(
    page: &Page,
    range: &Range<usize>,
    numbers: &'a [Number],
) -> Option<&'a Number> {
    numbers.last().filter(|last| {
        last.pieces.start > range.start
            && page.lower(last.pieces.start - 1) == "then"
            && page.ends_sentence(last.pieces.end)
    })
}

/// Returns the pieces of each number.
pub(super) fn places(numbers: &[Number]) -> Vec<Range<usize>> {
    numbers.iter().map(|number| number.pieces.clone()).collect()
}

/// Returns the first stated number, unless other numbers are alternatives, parts of an unstated
/// total, or in a later statement.
fn leading<'a>(
    page: &Page,
    range: &Range<usize>,
    numbers: &'a [Number],
    asked: &NumberKind,
) -> Result<Option<&'a Number>, ReadFailure> {
    let counted = asked.counted.as_slice();
    let Some(first) = numbers.first() else {
        return Ok(None);
    };
    let leads = leads(page, range, first);
    let is_other = |one: &Number, at: usize| {
        let next = numbers.get(at);
        next.is_some_and(|next| next.value != 0.0 && either(page, one, next))
    };
    let says = numbers
        .iter()
        .position(|number| cue(page, range, number) == Some(Cue::Says))
        .unwrap_or(0);
    let said = &numbers[says];
    // No total is given: '2 rows of 3'.
    let end = said.pieces.end;
    let are_groups = matches!(
        page.lower(end),
        "rows" | "columns" | "groups" | "stacks" | "sets"
    ) && page.lower(end + 1) == "of"
        && says + 1 < numbers.len();
    let count =
        |is_part: &dyn Fn(&Number) -> bool| numbers.iter().filter(|number| is_part(number)).count();
    // Example: 'Top row: 3, middle row: 2, bottom row: 3'.
    let are_listed =
        !leads && follows_colon(page, said) && count(&|number| follows_colon(page, number)) > 1;
    // Example: 'Four on the upper shelf, five on the lower'.
    let are_placed = !counted.is_empty() && count(&|number| is_placed(page, number)) > 1;
    // The numbers are in rows of a table.
    let are_rows = count(&|number| page.is(number.pieces.end, '|')) > 1;
    // Example: 'Between the chair (2 m) and the wall (6 m)'.
    let is_unsaid = asked.unit.is_some() && !leads && cue(page, range, said).is_none();
    let is_doubtful = leads && is_other(first, 1)
        || is_unsaid
        || is_other(said, says + 1)
        || are_groups
        || are_listed
        || are_placed
        || are_rows
        || asked.unit.is_none() && counts::are_listed(page, numbers)
        || is_superseded(page, said, numbers);
    if is_doubtful {
        return Err(ReadFailure::Two);
    }
    Ok(Some(said))
}

/// Returns true if a later sentence gives another number that is not part of the first number: a
/// larger count, or any different length.
fn is_superseded(page: &Page, said: &Number, numbers: &[Number]) -> bool {
    let end = page.sentence_end_before(said.pieces.end, page.len());
    let mut later = numbers.iter().filter(|number| number.pieces.start > end);
    later.any(|number| {
        number.value > said.value || number.unit.is_some() && !equal(number.value, said.value)
    })
}

/// Returns the first number if it is a whole line or sentence; '1.' is excluded, because it can
/// begin a list.
fn on_its_own<'a>(page: &Page, range: &Range<usize>, numbers: &'a [Number]) -> Option<&'a Number> {
    let first = numbers.first().filter(|first| leads(page, range, first))?;
    let end = first.pieces.end;
    let ends = page.kind(end) == Some(Kind::Line)
        || page.is(end, '.') && page.ends_sentence(end) && !equal(first.value, 1.0);
    ends.then_some(first)
}
