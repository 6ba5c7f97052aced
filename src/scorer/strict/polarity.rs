//! Determines whether a response affirms or rules out an option that it mentions.

use std::ops::Range;
use std::sync::LazyLock;

use super::page::{Kind, Page};
use super::phrases::PhraseSet;
use super::polarity_cues::{CueAfter, CueBefore, after, before};

/// Statement of a response about an option that it mentions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Polarity {
    /// The option is ruled out.
    No,
    /// The option is only considered: 'A could be', 'A?'.
    Open,
    /// The option was a first thought, 'at first I took it for A', or holds only under a condition.
    Past,
    /// The option is mentioned without a statement.
    Plain,
    /// The option is named as the answer: 'so B', 'B is right'.
    Named,
}

/// Words that begin a first thought.
static PAST: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "one might|one could|some might|some would|many would|most would|people might|at first|first i|i first|initially|initial|originally|i said|i had said|have said|i thought|i believed|i assumed|i took it|i answered|previously|earlier|\
         first answer|first guess|first estimate|first impression|first thought|first instinct|first glance|looked like|dachte|zuerst|anfangs|pensé|primero|\
         al principio|d'abord|au début|pensais|сначала|起初|最初",
    )
});

static PRESENT: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "but|however|then|now|actually|instead|aber|sondern|jetzt|pero|ahora|mais|maintenant|но|теперь|但|但是",
    )
});

/// Returns true if the piece belongs to a first thought or a concession.
pub(super) fn is_past(page: &Page, start: usize, floor: usize) -> bool {
    let mut within_clause = true;
    for at in (floor.max(start.saturating_sub(12))..start).rev() {
        if PAST
            .at(page, at)
            .is_some_and(|(length, ())| at + length <= start)
            || within_clause && matches!(page.lower(at), "although" | "though" | "despite")
        {
            return true;
        }
        within_clause &= !page.is(at, ',');
        if page.ends_sentence(at) || page.is(at, ';') || PRESENT.has(page, at) {
            return false;
        }
    }
    false
}

/// Maximum number of pieces to search for a condition after a mention.
const LONGEST: usize = 40;

/// Returns true if the answer before a piece is limited by a condition: 'B is the answer if only
/// the upper half counts', but not 'B, if I am not mistaken'.
fn is_case(page: &Page, end: usize) -> bool {
    let sentence = end..page.sentence_end_before(end, page.len().min(end + LONGEST));
    let mut conditions =
        sentence.filter(|at| matches!(page.lower(*at), "if" | "unless" | "provided" | "assuming"));
    conditions.next().is_some_and(|at| {
        let is_said = matches!(
            page.lower(at + 1),
            "i" | "i'm" | "my" | "not" | "any" | "so" | "you" | "we" | "at" | "pressed" | "forced"
        );
        !is_said
            && !matches!(
                page.lower(at.saturating_sub(1)),
                "as" | "even" | "what" | "only"
            )
    })
}

/// Determines the polarity of the mention at `pieces`. `previous` holds the previous mention and
/// its polarity.
pub(super) fn polarity(
    page: &Page,
    pieces: &Range<usize>,
    previous: Option<(&Range<usize>, Polarity)>,
) -> Polarity {
    let floor = previous.map_or(0, |(previous, _)| previous.end);
    let before = before(page, pieces.start, floor);
    if before == Some(CueBefore::Not) {
        return Polarity::No;
    }
    let after = after(page, pieces.end);
    if before == Some(CueBefore::Others) {
        return match after {
            Some(CueAfter::Right) => Polarity::No,
            Some(CueAfter::Wrong) => Polarity::Named,
            _ => Polarity::Open,
        };
    }
    let was = matches!(
        page.lower(pieces.end),
        "earlier" | "previously" | "initially"
    ) || page.lower(pieces.end) == "at" && page.lower(pieces.end + 1) == "first";
    let is_past = was || is_past(page, pieces.start, floor) || is_case(page, pieces.end);
    if is_past && after != Some(CueAfter::Wrong) {
        return Polarity::Past;
    }
    // A statement about the first item applies to the whole list: 'None of A, B or C is correct'.
    let ruled_out = |joined: &str| {
        previous.is_some_and(|(previous, polarity)| {
            let between = previous.end..pieces.start;
            polarity == Polarity::No
                && before.is_none()
                && listed(page, between.clone())
                && !(is_last(page, previous.start) && page.is(between.start, ','))
                && (joined.is_empty() || between.clone().any(|at| page.lower(at) == joined))
        })
    };
    // Example: 'Less forest than farmland'.
    if pieces.start > floor && page.lower(pieces.start - 1) == "less" {
        return Polarity::Open;
    }
    if ruled_out("or") {
        return Polarity::No;
    }
    let only = pieces.start > floor && page.lower(pieces.start - 1) == "only";
    match (after, before) {
        (Some(CueAfter::Wrong), _) => return Polarity::No,
        (_, None) if only => return Polarity::Named,
        (Some(CueAfter::Open), _) | (None, Some(CueBefore::Infinitive)) => return Polarity::Open,
        (_, Some(CueBefore::So)) | (Some(CueAfter::Right), _) => return Polarity::Named,
        _ => {}
    }
    if ruled_out("") {
        Polarity::No
    } else {
        Polarity::Plain
    }
}

/// Returns true if a piece is the last item of a list: 'nor cat', 'or a cat', 'unlike a cat'.
fn is_last(page: &Page, start: usize) -> bool {
    let floor = start.saturating_sub(3);
    (floor..start).any(|at| {
        matches!(
            page.lower(at),
            "or" | "nor" | "and" | "than" | "unlike" | "compared" | "instead"
        )
    })
}

/// Returns true if only list separators are between two mentions: ', a', 'or the', 'nor'.
pub(super) fn listed(page: &Page, between: Range<usize>) -> bool {
    between.len() <= 5
        && !between.is_empty()
        && between.clone().all(|at| {
            page.is_any(at, ",/()&\"'")
                || matches!(
                    page.lower(at),
                    "or" | "nor"
                        | "and"
                        | "a"
                        | "an"
                        | "the"
                        | "to"
                        | "on"
                        | "oder"
                        | "und"
                        | "ou"
                        | "et"
                        | "o"
                        | "y"
                        | "e"
                        | "option"
                        | "as"
                        | "well"
                        | "in"
                        | "of"
                        | "和"
                        | "或"
                        | "か"
                        | "any"
                )
        })
        && page.kind(between.start) != Some(Kind::Line)
}
