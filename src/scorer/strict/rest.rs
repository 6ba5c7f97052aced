//! Checks that the words around an answer affirm it. The reader cannot list all ways in which a
//! sentence can deny, limit or doubt an answer. A number therefore counts only if the words
//! directly before and after it are known to state a value. An answer in words counts only if its
//! clause contains no word of doubt.

use std::ops::Range;
use std::sync::LazyLock;

use super::doubt::sentence_start;
use super::numbers::NumberKind;
use super::page::{Kind, Page};
use super::phrases::PhraseSet;
use super::synonyms::{ends_in_s, plain};

/// Words of denial, condition or ignorance, anywhere in a clause.
static DOUBT: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "unless|until|opposite|refuse|wish|used to be|by mistake|contradict|contradicts|contradicted|conflicts|disagrees|disproves|refutes|refuted|\
         lacks|lacking|absence|unlikely|improbable|doubtful|questionable|hardly|scarcely|confused|confuse|misleading|\
         pretends|depends|depending|unknown|undetermined|indeterminate|inconclusive|ambiguous|unclear|illegible|impossible|insufficient|unable|toss-up|\
         guesswork|hypothetically|supposedly|allegedly|\
         would have been|would've been|could have been|should have been|might have been",
    )
});

/// Words next to a number that mark a bound or a part.
static BOUND: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "and some|and several|and more|and a few|and many|and others|reads|says|misses|lacks\
         |another|twice|double|half the|times as|within|farther than|further than|closer than\
         |nearer than|maximum|minimally|exceed|exceeds|beyond|north of|short of|no more than\
         |no less than|no fewer than|or less than|or higher|except|additional|minimum|everyone but\
         |all but|plus some|plus several|plus a few|cannot be said|can't be said|cannot say\
         |can't say|cannot tell|can't tell|cannot determine|cannot be determined",
    )
});

/// Words directly before a number that can state it, in addition to verbs ending in 's' and
/// adverbs.
static GOVERNS_NUMBER: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "is|are|was|were|be|some|out|us|display|present|capture|it's|there's|there're|that's\
         |that|which|about|approx|approx.|around|circa|ca|almost|just|over|under|at|of|to|from\
         |between|like|say|estimate|guess|count|see|find|found|spot|get|got|have|has|had\
         |contain|show|depict|with|hold|make|as|so|hence|therefore|then|but|and|or|all|both|the\
         |these|those|a|an|up|maybe|most|answer|total|number|distance|depth|in|by|also|still\
         |i'd|than|detect|identify|observe|recognize|notice|locate|for",
    )
});

/// Words directly after a length that is a distance, in addition to verbs ending in 's' and
/// adverbs.
static FOLLOWS_LENGTH: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "away|from|or|to|is|of|distant|off|as|and|but|give|in|behind|between|separate|out|since\
         |because|given|at|with|which|if|for|i|it|deep|far|total|left|when|the|would|by|on|not\
         |so|maybe|though|although|down|back|ahead",
    )
});

/// Function words that occur only in English; the lists above are English.
static ENGLISH: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "the|is|are|there|it|it's|does|this|that|i|isn't|doesn't|don't|of|and|to|from|than|at",
    )
});

/// Words and marks that begin another clause.
static NEXT: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(",|;|:|(|–|—|because|since|as|but|although|though|while|which|so|given")
});

/// Returns true if the clause of an answer contains a word of doubt that the question lacks, or if
/// its sentence is a question.
pub(super) fn is_doubtful(page: &Page, answer: &Range<usize>, asked: &[String]) -> bool {
    let sentence = sentence(page, answer);
    let mut rest = sentence.clone().filter(|at| !answer.contains(at));
    has(page, answer, &DOUBT, asked)
        || page.is(sentence.end, '?') && rest.any(|at| page.is_word(at))
}

/// Returns true if an answer is only hypothetical: 'it could pass for a cat', but not 'I would say
/// a cat'.
pub(super) fn is_unreal(page: &Page, answer: &Range<usize>) -> bool {
    let sentence = sentence(page, answer);
    let ends = !page.is_word(answer.end);
    let clause = (sentence.start..answer.start)
        .rev()
        .take_while(|at| !NEXT.has(page, *at));
    clause.into_iter().any(|at| {
        let is_said = at > 0 && matches!(page.lower(at - 1), "i" | "we" | "answer" | "choice");
        let is_past = page.lower(at + 1) == "have";
        // Example that is not hypothetical: 'That could only be a cat.'
        let is_all = ends && (at + 1..at + 3).any(|at| page.lower(at) == "be");
        matches!(page.lower(at), "would" | "could" | "might") && (is_past || !is_said && !is_all)
    })
}

/// Returns true unless the words around a number are known to state it as the value: 'it exceeds
/// 5', 'another 5', '5 m above the floor'.
pub(super) fn is_number_open(page: &Page, number: &Range<usize>, asked: &NumberKind) -> bool {
    let sentence = sentence(page, number);
    let before = number
        .start
        .checked_sub(1)
        .filter(|at| *at >= sentence.start);
    let is_governed = before.is_none_or(|at| {
        // Example: 'I can distinguish 5'.
        let is_seen = at > 0 && matches!(page.lower(at - 1), "can" | "could" | "i" | "we" | "to");
        is_seen
            || asked.asked.contains(&plain(page.lower(at)))
            || !is_unknown(page, at, &GOVERNS_NUMBER)
    });
    let goes_on = asked.unit.is_some() && is_unknown(page, number.end, &FOLLOWS_LENGTH);
    let is_bound =
        |at: usize| BOUND.has(page, at) && !asked.asked.iter().any(|word| word == page.lower(at));
    has(page, number, &BOUND, &asked.asked)
        || (sentence.start..number.start).any(is_bound)
        || is_english(page, sentence) && (!is_governed || goes_on)
}

/// Returns the sentence that contains some pieces.
fn sentence(page: &Page, pieces: &Range<usize>) -> Range<usize> {
    let last = pieces.end.max(pieces.start + 1) - 1;
    let end = page.sentence_end_before(pieces.end.max(last), page.len());
    sentence_start(page, pieces.start)..end
}

/// Returns true if the clause of an answer contains a word of a list that the question lacks.
fn has(page: &Page, answer: &Range<usize>, words: &PhraseSet, asked: &[String]) -> bool {
    let sentence = sentence(page, answer);
    let before = sentence.start..answer.start;
    let after = answer.end..sentence.end.max(answer.end);
    let start = (before.rev()).take_while(|at| !NEXT.has(page, *at)).last();
    let end = after.clone().find(|at| NEXT.has(page, *at));
    let clause =
        (start.unwrap_or(answer.start)..answer.start).chain(answer.end..end.unwrap_or(after.end));
    clause.into_iter().any(|at| {
        // A double negation: 'Nothing contradicts it.'
        let is_denied = (at.saturating_sub(2)..at).any(|at| {
            matches!(
                page.lower(at),
                "not" | "isn't" | "nothing" | "no" | "never" | "doesn't"
            )
        });
        words.has(page, at) && !is_denied && !asked.iter().any(|asked| asked == page.lower(at))
    })
}

/// Returns true if a piece is a Latin word that is neither in a list nor a verb or adverb like
/// 'depicts', 'positioned' or 'clearly'. Verbs and adverbs are too many to list; verbs that deny
/// are words of doubt.
fn is_unknown(page: &Page, at: usize, known: &PhraseSet) -> bool {
    let word = page.lower(at);
    let is_verb =
        ends_in_s(word) || word.ends_with("ed") || word.ends_with("ing") || word.ends_with("ly");
    page.kind(at) == Some(Kind::Word) && word.is_ascii() && !is_verb && !known.has(page, at)
}

fn is_english(page: &Page, mut sentence: Range<usize>) -> bool {
    sentence.any(|at| ENGLISH.has(page, at))
}

/// Words of comments on a text, which rarely occur in the text itself in lower case.
static COMMENT: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "cannot|can't|unreadable|illegible|legible|readable|blurry|blurred|unclear|maybe|perhaps|probably|possibly|appears|seems|looks like|sorry|unfortunately|obscured|partially|partly|not sure|unsure|i guess|i think|i believe|i see|i can|i cannot|i can't|i could|i would|i'd|i'm not|i am not|i read|image|picture|photo|cut off|cropped|covered by|hidden|unidentifiable|indiscernible|first letter|last letter|last digit|digits|characters|letters|either",
    )
});

/// Returns true if a part of a page comments on a text instead of giving it.
pub(super) fn is_comment(page: &Page, part: Range<usize>) -> bool {
    let first = page.word_in(part.clone());
    let words = part.clone().filter(|at| page.is_alphanumeric(*at)).count();
    let is_small = |at: usize| page.text(at) == page.lower(at);
    let says = |at: usize| {
        COMMENT.has(page, at)
            && (is_small(at) || first == Some(at))
            && is_small(at + COMMENT.length(page, at) - 1)
    };
    words > 1 && part.into_iter().any(says)
}
