//! Checks whether the rest of a response contradicts the answer that was read: numbers that are
//! only bounds, conditional answers, and clauses about something other than the question.

use std::ops::Range;
use std::sync::LazyLock;

use super::asked;
use super::page::{Kind, Page};
use super::phrases::PhraseSet;
use super::synonyms::{COLORS, plain};

/// Words before a number that make it a bound instead of a value.
static BOUND: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "several|a few|many|more than|at least|over|above|less than|fewer than|under|below|at most|up to|greater than|minimum of|maximum of|upwards of|mehr als|mindestens|weniger als|\
         höchstens|plus de|moins de|au moins|más de|menos de|al menos|至少|超过|超過|不到|少于|多于",
    )
});

/// Words after a number that make it a bound.
static BOUND_AFTER: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "or more|or fewer|or less|at least|at most|at a minimum|and counting|oder mehr|o más|ou plus",
    )
});

/// Words that separate two statements in a sentence.
static PARTS: LazyLock<PhraseSet> =
    LazyLock::new(|| PhraseSet::list("and|but|while|whereas|;|und|aber|et|mais|y|pero"));

/// Words of a conclusion, which does not have to repeat words of the question.
static CONCLUDES: LazyLock<PhraseSet> =
    LazyLock::new(|| PhraseSet::list("it's|it is|so|therefore|thus|hence|answer|actually"));

/// Verbs; a clause without a verb makes no statement.
static VERB: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "is|are|was|were|has|have|see|there's|stands|sits|lies|shows|ends|reaches|marks|won|:",
    )
});

/// Returns true if the number that starts at a piece is only a bound: 'more than 5', '> 20 m'.
pub(super) fn is_bound(page: &Page, start: usize) -> bool {
    let sign = start > 0
        && page.is_any(start - 1, "<>≤≥")
        && !(start > 1 && page.is_any(start - 2, "-=<>"));
    let says = |back: usize| {
        let at = start.checked_sub(back);
        at.is_some_and(|at| BOUND.length(page, at) == back)
    };
    // 'Slightly more than 2 m' counts as 2 m.
    let near = |back: usize| {
        let at = start.checked_sub(back + 1);
        at.is_some_and(|at| matches!(page.lower(at), "slightly" | "just" | "little" | "bit"))
    };
    // In 'Fewer than the 5 in the other picture', 5 is a value.
    let is_named = start > 0
        && page.lower(start - 1) == "the"
        && (2..5).any(|back| {
            let at = start.checked_sub(back);
            at.is_some_and(|at| BOUND.length(page, at) + 1 == back)
        });
    sign || is_named || (1..4).any(|back| says(back) && !near(back))
}

/// Returns true if the number before a piece is only a bound: '5 or more', '5+'.
pub(super) fn is_bound_after(page: &Page, end: usize) -> bool {
    let plus = page.is(end, '+') && page.kind(end + 1) != Some(Kind::Number);
    plus || BOUND_AFTER.has(page, end)
}

/// Returns true if the pieces are in a sentence with a condition, and another case follows: 'if it
/// is a toy, A; if not, B', 'A if it is a toy, otherwise B'.
pub(super) fn is_conditional(page: &Page, pieces: &Range<usize>) -> bool {
    let start = sentence_start(page, pieces.start);
    // The condition before 'but' is dropped: 'If it were round it would be B, but it is pointed, so
    // A.'
    let but = (start..pieces.start).rfind(|at| page.lower(*at) == "but");
    let start = but.unwrap_or(start);
    let end = page.sentence_end_before(pieces.end, page.len());
    let is_if = |at: usize| matches!(page.lower(at), "if" | "wenn" | "falls" | "如果");
    let else_follows = || {
        (pieces.end..page.len()).any(|at| matches!(page.lower(at), "otherwise" | "else" | "sonst"))
    };
    // A condition contrary to fact: 'If it were a bus, it would have windows.'
    let is_other = |at: usize| !matches!(page.lower(at), "i" | "you" | "we" | "one" | "forced");
    let is_unreal = matches!(page.lower(start), "were" | "had") || (start..end).any(is_if);
    let is_unreal = is_unreal
        && (start..end).any(|at| page.lower(at) == "would")
        && (start..end).any(|at| {
            matches!(page.lower(at), "were" | "been")
                && is_other(at + 1)
                && (at == start || is_other(at - 1))
        });
    let conditions = || (start..page.len()).filter(|at| is_if(*at)).count();
    // An exception: 'C, unless it is rotated, then D'.
    let is_exception = (start..pieces.start).any(|at| page.lower(at) == "unless");
    is_unreal || is_exception || (start..end).any(is_if) && (conditions() > 1 || else_follows())
}

/// Returns true if the words directly before a piece rule out the answer that starts there: 'not
/// [1, 2, 3, 4]'.
pub(super) fn is_denied(page: &Page, start: usize) -> bool {
    (start.saturating_sub(5)..start)
        .rev()
        .filter(|at| page.is_word(*at))
        .take(2)
        .any(|at| matches!(page.lower(at), "not" | "than" | "never"))
}

/// Words that cannot end a sentence.
static OPEN: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "a|an|the|of|with|and|or|is|are|was|were|has|have|had|holds|contains|shows|at|from|by|for|but|that|which|because|while|plus|another",
    )
});

/// Returns true if a response breaks off within a sentence after an answer: 'The first row holds 4
/// screws, the second row holds'.
pub(super) fn is_cut(page: &Page, end: usize) -> bool {
    let last = page.len().saturating_sub(1);
    last > end
        && page.is_word(last)
        && OPEN.has(page, last)
        && page.text(last) == page.lower(last)
        && !matches!(page.lower(last - 1), "it" | "there" | "they")
}

/// Phrases that retract an answer.
static RETRACTS: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "wait|hold on|hang on|scratch that|on second thought|on second thoughts|i misread|i take that back|i take it back|let me reconsider|let me recheck|my mistake|i was wrong",
    )
});

/// Returns true if the text after an answer retracts it: 'B. Wait, I misread the picture.'
pub(super) fn is_retracted(page: &Page, end: usize) -> bool {
    let begins = |at: usize| {
        !page.is_word(at - 1) || matches!(page.lower(at - 1), "oh" | "but" | "no" | "hmm" | "and")
    };
    (end.max(1)..page.len())
        .any(|at| RETRACTS.has(page, at) && begins(at) && page.lower(at + 1) != "for")
}

/// Maximum number of pieces to search on each side for the end of a sentence. Without it, a long
/// response without sentences would take quadratic time.
const REACH: usize = 200;

/// Returns the start of the sentence that contains a piece.
pub(super) fn sentence_start(page: &Page, at: usize) -> usize {
    let least = at.saturating_sub(REACH);
    (least..at)
        .rfind(|at| page.ends_sentence(*at))
        .map_or(least, |end| end + 1)
}

/// Returns the end of the sentence that contains a piece.
pub(super) fn sentence_end(page: &Page, at: usize) -> usize {
    page.sentence_end_before(at, page.len().min(at.saturating_add(REACH)))
}

/// Returns the index of the candidate whose clause contains the most words of the question. `None`
/// if two candidates share a clause, if several candidates are equally good, or if another clause
/// is a conclusion.
pub(super) fn best_clause(
    page: &Page,
    candidates: &[Range<usize>],
    asked: &[String],
) -> Option<usize> {
    let mut starts = vec![sentence_start(page, candidates.first()?.start)];
    let mut ends = Vec::new();
    for pair in candidates.windows(2) {
        let [one, other] = pair else { continue };
        let between = one.end..other.start;
        let splits = |at: &usize| {
            page.ends_sentence(*at)
                || PARTS.has(page, *at)
                || page.is(*at, ',') && (page.lower(at + 1) == "the" || page.is_any(at - 1, "])"))
        };
        let first = between.clone().find(splits)?;
        let last = between.clone().rfind(splits)?;
        ends.push(first);
        starts.push(last + 1);
    }
    let last = candidates.last()?;
    ends.push(page.sentence_end_before(last.end, page.len()));
    let clauses = || starts.iter().zip(&ends).map(|(start, end)| *start..*end);
    let score = |clause: Range<usize>| {
        let words: Vec<String> = clause.map(|at| plain(page.lower(at))).collect();
        asked.iter().filter(|word| words.contains(word)).count()
    };
    let states = |mut clause: Range<usize>| {
        clause.any(|at| VERB.has(page, at) || asked.contains(&plain(page.lower(at))))
    };
    let scores: Vec<usize> = clauses().map(score).collect();
    let best = scores.iter().copied().max().filter(|best| *best > 0)?;
    // One shared word is too few, unless another clause contains its opposite.
    let has_opposite = || {
        let sides = ["left", "right", "top", "bottom", "above", "below"];
        asked.iter().any(|word| sides.contains(&word.as_str()))
            && (0..page.len())
                .filter(|at| sides.contains(&page.lower(*at)))
                .count()
                > 1
    };
    // A short clause is about something else: 'Lima has a dot. Quito has a star.'
    let is_short = |(place, clause): (usize, Range<usize>)| {
        let own = candidates.get(place);
        let rest = clause.filter(|at| !own.is_some_and(|own| own.contains(at)));
        let named: Vec<String> = rest
            .flat_map(|at| asked::content(page, at..at + 1))
            .collect();
        scores.get(place).is_some_and(|score| *score > 0)
            || (1..4).contains(&named.len())
                && !named
                    .iter()
                    .any(|word| matches!(word.as_str(), "another" | "other" | "second"))
    };
    let is_plain = best > 1 || has_opposite() || clauses().enumerate().all(is_short);
    // A list of named boxes does not need verbs.
    let are_lists = candidates.iter().all(|list| list.len() > 4);
    if !is_plain || !are_lists && !clauses().all(states) {
        return None;
    }
    let mut found = (scores.iter().enumerate()).filter(|(_, score)| **score == best);
    let (at, _) = found.next()?;
    let is_clear = found.next().is_none()
        && !clauses()
            .enumerate()
            .any(|(other, mut clause)| other != at && clause.any(|at| CONCLUDES.has(page, at)));
    is_clear.then_some(at)
}

/// General nouns, which can refer to anything in a question.
static GENERAL: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "refined|adjusted|revised|corrected|updated|correction|distance|estimate|estimation|depth|guess|range|total|final|approximate|note|object|item|box|bounding|region|target|coordinate|area|location|position|subject|thing|bbox|person|man|woman|vehicle|animal|pixel|corner|top|x|y|result|size|detected|located",
    )
});

/// Returns true if the words before a piece in its sentence name another object than the question:
/// 'The plate is at', or 'blue kite' for a question about a red kite.
pub(super) fn is_about_other(page: &Page, at: usize, asked: &[String]) -> bool {
    let clause = sentence_start(page, at)..at;
    let named = asked::content(page, clause.clone());
    let is_color = |word: &&String| COLORS.contains(&word.as_str());
    let rival = asked.iter().any(|word| is_color(&word))
        && named
            .iter()
            .filter(is_color)
            .any(|word| !asked.contains(word));
    let subject = clause
        .clone()
        .find(|at| page.is_word(*at) && page.lower(*at) != "the");
    let names_other = subject.is_some_and(|at| {
        let verb = page.is(at + 1, ':') || matches!(page.lower(at + 1), "is" | "at");
        verb && page.kind(at) == Some(Kind::Word)
            && page.text(at).is_ascii()
            && page.lower(at).len() > 2
            && !asked::content(page, at..at + 1).is_empty()
            && !GENERAL.has(page, at)
            && !named.iter().any(|word| asked.contains(word))
    });
    !asked.is_empty() && (rival || names_other)
}

/// Pairs of words with opposite meanings. Forms that end in 'er' and 'est' are included.
const OPPOSITES: [[&[&str]; 2]; 22] = [
    [&["boy"], &["girl"]],
    [&["man"], &["woman"]],
    [&["first"], &["last", "second", "third"]],
    [&["before"], &["after"]],
    [&["left"], &["right"]],
    [&["top", "upper"], &["bottom", "lower"]],
    [&["front"], &["back", "rear"]],
    [&["inside", "indoor"], &["outside", "outdoor"]],
    [&["shaded", "colored"], &["unshaded", "white", "blank"]],
    [&["open"], &["closed"]],
    [&["most"], &["least", "fewest"]],
    [&["fast", "quick"], &["slow"]],
    [&["big", "bigg", "large", "larg"], &["small", "little"]],
    [&["tall", "high", "long"], &["short", "low"]],
    [&["wide", "wid", "broad"], &["narrow"]],
    [&["near", "close", "clos"], &["far", "farth", "furth"]],
    [&["old"], &["young", "new"]],
    [&["heavy", "heavi"], &["light"]],
    [&["bright"], &["dark"]],
    [&["thick"], &["thin", "thinn"]],
    [&["hot", "hott", "warm"], &["cold", "cool"]],
    [&["strong"], &["weak"]],
];

/// Returns the pair of opposites that a word belongs to, and its side.
fn side(word: &str) -> Option<(usize, usize)> {
    let word = word.trim_end_matches("'s");
    let stem = word.strip_suffix("est").or_else(|| word.strip_suffix("er"));
    let has = |side: &[&str]| side.contains(&word) || stem.is_some_and(|stem| side.contains(&stem));
    OPPOSITES.iter().enumerate().find_map(|(pair, sides)| {
        let side = sides.iter().position(|side| has(side))?;
        Some((pair, side))
    })
}

/// Number of first pairs in [`OPPOSITES`] whose sides do not exclude each other: there can be a
/// girl and a boy.
const INDEPENDENT: usize = 4;

/// Returns true if two words exclude each other: 'smaller' and 'bigger'.
pub(super) fn denies(one: &str, other: &str) -> bool {
    let sides = side(one).zip(side(other));
    sides.is_some_and(|(one, other)| one.0 == other.0 && one.1 != other.1 && one.0 >= INDEPENDENT)
}

/// Returns true if the sentence of an answer is about the opposite of the question's subject: the
/// girl's jacket instead of the boy's, the slowest instead of the fastest.
pub(super) fn is_opposite(page: &Page, answer: &Range<usize>, asked: &[String]) -> bool {
    let asked: Vec<_> = asked.iter().filter_map(|word| side(word)).collect();
    if asked.is_empty() {
        return false;
    }
    let sentence =
        sentence_start(page, answer.start)..page.sentence_end_before(answer.end, page.len());
    let named: Vec<_> = sentence
        .filter(|at| !answer.contains(at))
        .filter_map(|at| side(page.lower(at)))
        .collect();
    named.iter().any(|(pair, side)| {
        let own = &(*pair, 1 - side);
        asked.contains(own) && !asked.contains(&(*pair, *side)) && !named.contains(own)
    })
}

/// Returns true if the sentence of an answer answers the question for another subject: 'The chairs
/// are made of plastic', for a question about the table.
pub(super) fn has_other_subject(page: &Page, answer: &Range<usize>, asked: &[String]) -> bool {
    let start = sentence_start(page, answer.start);
    let end = page.sentence_end_before(answer.end, page.len());
    let subject = (start..end).find(|at| page.is_word(*at) && page.lower(*at) != "the");
    let names_part = || {
        let named = asked::content(page, start..end);
        named.iter().any(|word| asked.contains(word))
            && !asked.iter().all(|word| named.contains(word))
    };
    subject.is_some_and(|at| {
        let is_new = asked::content(page, at..at + 1)
            .first()
            .is_some_and(|word| !asked.contains(word));
        page.lower(start) == "the"
            && is_new
            && !answer.contains(&at)
            && !GENERAL.has(page, at)
            && matches!(
                page.lower(at + 1),
                "is" | "are" | "was" | "were" | "has" | "have"
            )
            && names_part()
    })
}
