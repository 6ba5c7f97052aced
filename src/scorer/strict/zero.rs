//! Reads 'none' and 'no' as zero, and a single unit like 'a metre' as one.

use std::ops::Range;
use std::sync::LazyLock;

use super::number_kind::NumberKind;
use super::number_text::Number;
use super::numbers::NumberResult;
use super::page::Page;
use super::phrases::PhraseSet;
use super::read_failure::ReadFailure;
use super::step::Step;
use super::units;

static NONE: LazyLock<PhraseSet> = LazyLock::new(|| {
    const PHRASES: &str = "none|no|n'y en a pas|n'y a pas|no hay|non ci sono|não há|geen|нет|없|いません|ありません|yok|tidak ada|không có|not any|not one|not a single|not a single one|not even a single one|not even one|not even a single|isn't a single|aren't a single|not one single|isn't one|is not one|not even one|there aren't any|there are not any|there isn't any|aren't any|are not any|isn't any|don't see any|do not see any|can't see any|cannot see any|keine|kein|aucun|aucune|ninguno|ninguna|没有|nessuno|nessuna|nenhum|nenhuma|nothing";
    const VERBS: [&str; 7] = ["see", "find", "contain", "show", "have", "count", "spot"];
    // Adds phrases like 'I do not see a single boat.'
    let nots = ["not", "don't", "doesn't", "can't", "cannot"].into_iter();
    let single = |not: &'static str| {
        VERBS.map(|verb| format!("|{not} {verb} a single|{not} {verb} a single one"))
    };
    let all: String = std::iter::once(PHRASES.to_owned())
        .chain(nots.flat_map(single))
        .collect();
    PhraseSet::list(&all)
});

/// Returns true if a number is part of a phrase that means none: 'not one', 'not a single'.
pub(super) fn is_none(page: &Page, number: &Number, floor: usize) -> bool {
    let start = number.pieces.start;
    // Example: 'None of the 4 chairs'.
    let is_of = |at: usize| {
        page.lower(at + 1) == "of" && matches!(page.lower(at), "none" | "neither" | "nothing")
    };
    (1..4).any(|back| {
        let at = start.checked_sub(back).filter(|at| *at >= floor);
        at.is_some_and(|at| NONE.length(page, at) > back || is_of(at))
    })
}

/// Reads 'none' and 'no' as 0, and a single unit like 'a metre' as 1.
pub(super) fn none(page: &Page, range: Range<usize>, asked: &NumberKind) -> NumberResult {
    let start = page.word_in(range.clone());
    let start = start.ok_or(ReadFailure::Nothing)?;
    let end = page.sentence_end_before(start, range.end);
    let found = (start..end).find(|at| NONE.has(page, *at)).filter(|at| {
        !matches!(
            page.lower(at + 1),
            "idea" | "way" | "doubt" | "problem" | "clear" | "more" | "less" | "fewer"
        )
    });
    if let Some(at) = found {
        let lone = page.lower(at) == "no" && !page.is_word(at + 1);
        let can = (start..at).any(|at| matches!(page.lower(at), "sorry" | "unable"));
        // A distance cannot be 0.
        if !lone && !can && asked.unit.is_none() {
            return Ok((0.0, at..at + NONE.length(page, at), Step::ZeroByWord));
        }
    }
    let mut metre =
        (start..end).filter(|at| asked.unit.is_some() && matches!(page.lower(*at), "a" | "an"));
    let metre = metre.find_map(|at| Some((at, units::at(page, at + 1)?)));
    if let (Some((at, (unit, length))), Some(asked)) = (metre, asked.unit) {
        return Ok((unit / asked, at..at + 1 + length, Step::OneUnit));
    }
    let one = (start..end).find(|at| {
        matches!(page.lower(*at), "a" | "an")
            && *at > 1
            && page.lower(at - 2) == "there"
            && page.lower(at - 1) == "is"
    });
    let many = |at: usize| {
        matches!(
            page.lower(at + 1),
            "lot"
                | "group"
                | "few"
                | "bunch"
                | "number"
                | "large"
                | "crowd"
                | "handful"
                | "great"
                | "variety"
                | "set"
                | "flock"
                | "row"
                | "pile"
                | "total"
        )
    };
    one.filter(|at| !many(*at))
        .map(|at| (1.0, at..at + 2, Step::OneObject))
        .ok_or(ReadFailure::Nothing)
}
