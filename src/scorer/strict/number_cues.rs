//! Finds the words around a number that determine its role: total, statement, alternative.

use std::ops::Range;
use std::sync::LazyLock;

use super::number_text::Number;
use super::page::{Kind, Page};
use super::phrases::{PhraseSet, Phrases};

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Cue {
    /// The number after it is given as the answer.
    Total,
    /// The number after it is stated in the sentence.
    Says,
}

static CUES: LazyLock<Phrases<Cue>> = LazyLock::new(|| {
    Phrases::of(&[
        (
            "=|total of|in total|altogether|so|therefore|thus|hence|makes|make|making|which is|gives|giving|equals|adds up to|add up to|adding up to|sums to|sum to|sum of|for a total|overall|totaling|totalling|totals|leaving|leaves|that is|that makes|most likely|best estimate|i'd say|i'd go with|go with|→|i estimate|my estimate",
            Cue::Total,
        ),
        (
            "there are|there is|there're|there's|there were|i see|i can see|i count|i counted|we see|can see|shows|contains|depicts|has|have|appear to be|appears to be|count|counted|visible|approximately|about|around|roughly|away|es sind|il y a|hay|有|共有|一共有",
            Cue::Says,
        ),
    ])
});

/// Words that mark the number before them as the total.
static IN_TOTAL: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "in total|in all|altogether|total|overall|in sum|combined|insgesamt|au total|en total|in the image in total",
    )
});

/// Words and marks between two alternative numbers.
static EITHER: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "or|maybe|perhaps|possibly|,|/|and|oder|ou|possibly even|probably|if not|could be|or maybe|or perhaps|或|或者|might be",
    )
});

/// Returns the cue before a number in its clause.
pub(super) fn cue(page: &Page, range: &Range<usize>, number: &Number) -> Option<Cue> {
    let start = number.pieces.start;
    let floor = start.saturating_sub(8).max(range.start);
    let mut found = None;
    for at in (floor..start).rev() {
        if let Some((length, cue)) = CUES.at(page, at)
            && at + length <= start
        {
            if cue == Cue::Total || found.is_none() {
                found = Some(cue);
            }
            if cue == Cue::Total {
                break;
            }
        }
        if page.ends_sentence(at) || page.kind(at) == Some(Kind::Number) || page.is_any(at, ";(") {
            break;
        }
        if page.is(at, ',')
            && !matches!(
                page.lower(at.saturating_sub(1)),
                "so" | "therefore" | "thus" | "hence"
            )
        {
            break;
        }
    }
    found
}

/// Returns the start of the text after a number and its noun.
fn behind(page: &Page, number: &Number) -> usize {
    let end = number.pieces.end;
    (end..end + 4)
        .find(|at| IN_TOTAL.has(page, *at) || page.ends_sentence(*at) || page.is_any(*at, ",;("))
        .unwrap_or(end)
}

/// Returns true if two numbers are alternatives: 'five or six', 'six, maybe seven'.
pub(super) fn either(page: &Page, first: &Number, second: &Number) -> bool {
    let between = first.pieces.end..second.pieces.start;
    let mut others = 0;
    let mut joined = false;
    let mut at = between.start;
    if between.len() > 8 {
        return false;
    }
    while at < between.end {
        if page.is_any(at, ".;(:!?") || page.kind(at) == Some(Kind::Line) {
            return false;
        }
        match EITHER.length(page, at) {
            0 => {
                others += 1;
                at += 1;
            }
            length => {
                joined |= !page.is(at, ',') || between.len() == 1;
                at += length;
            }
        }
    }
    joined && others <= 2
}

/// Returns true if a number is given as the total: '= 5', 'five in total'.
pub(super) fn is_total(page: &Page, range: &Range<usize>, number: &Number) -> bool {
    cue(page, range, number) == Some(Cue::Total) || IN_TOTAL.has(page, behind(page, number))
}

/// Returns true if a colon precedes a number.
pub(super) fn follows_colon(page: &Page, number: &Number) -> bool {
    number.pieces.start > 0 && page.is(number.pieces.start - 1, ':')
}

/// Returns true if no word precedes a number in a range.
pub(super) fn leads(page: &Page, range: &Range<usize>, number: &Number) -> bool {
    !(range.start..number.pieces.start).any(|at| page.is_alphanumeric(at))
}

/// Returns true if a number is followed by a place: 'four on the upper shelf'.
pub(super) fn is_placed(page: &Page, number: &Number) -> bool {
    matches!(
        page.lower(number.pieces.end),
        "in" | "on" | "at" | "near" | "behind" | "under"
    )
}

/// Returns true if 'and' joins two numbers within a sentence.
pub(super) fn are_joined(page: &Page, one: &Number, other: &Number) -> bool {
    let between = one.pieces.end..other.pieces.start;
    !between.clone().any(|at| page.ends_sentence(at))
        && between.into_iter().any(|at| page.lower(at) == "and")
}
