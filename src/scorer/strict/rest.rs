//! Checks that the words around an answer are known to affirm it. The reader cannot list all ways
//! in which a sentence may deny, limit or doubt what it names; so an answer counts only if the word
//! that governs it is in a list of plain ones, and if no word of doubt is in its sentence.

use std::ops::Range;
use std::sync::LazyLock;

use super::doubt::sentence_start;
use super::numbers::NumberKind;
use super::page::{Kind, Page};
use super::phrases::PhraseSet;
use super::synonyms::{ends_in_s, plain};

/// Words of denial, exception, condition and likeness, in any place of a sentence.
static DOUBT: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "unless|until|opposite|refuse|wish|used to be|by mistake|contradict|contradicts|contradicted|conflicts|disagrees|disproves|refutes|refuted|\
         lacks|lacking|absence|unlikely|improbable|doubtful|questionable|hardly|scarcely|confused|confuse|misleading|\
         pretends|depends|depending|unknown|undetermined|indeterminate|inconclusive|ambiguous|unclear|illegible|impossible|insufficient|unable|toss-up|\
         guesswork|dismiss|dismissed|dismissing|disregard|ignore|ignored|ignoring|discount|discounted|hypothetically|supposedly|allegedly|sarcastic|\
         would have been|would've been|could have been|should have been|might have been",
    )
});

/// Words of bounds and of other parts, beside a number.
static BOUND: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "reads|says|misses|lacks|lack|another|twice|double|half the|times as|within|farther than|further than|closer than|nearer than|minimum|maximum|minimally|exceed|exceeds|exceeding|exceeded|beyond|upwards of|north of|short of|fewer than|less than|no more than|no less than|no fewer than|\
         at least|at most|or more|or less than|and counting|or higher|or fewer|and up|except|additional|everyone but|all but|\
         plus some|plus several|plus a few|plus others|countless|innumerable|cannot be said|can't be said|cannot say|can't say|cannot tell|can't tell|cannot determine|cannot be determined",
    )
});

/// Words directly before a number that states what is asked.
static GOVERNS_NUMBER: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "is|are|was|were|be|some|out|us|display|present|capture|it's|there's|there're|that's|that|which|about|approximately|approx|approx.|around|roughly|circa|ca|nearly|almost|exactly|precisely|just|only|merely|over|under|at|of|to|from|between|like|say|estimate|estimated|guess|count|counted|counting|see|find|found|spot|get|got|have|has|had|contains|contain|containing|shows|show|showing|depicts|depict|features|includes|with|holds|hold|makes|make|making|equals|gives|as|so|thus|hence|therefore|then|but|and|or|actually|all|both|the|these|those|a|an|up|likely|probably|perhaps|maybe|possibly|most|answer|total|number|distance|depth|stands|sits|lies|located|in|by|also|still|have|i'd|than|call|go|visible|possibly|detect|identify|observe|recognize|notice|locate|totals|for",
    )
});

/// Words directly after a length that is a distance.
static FOLLOWS_LENGTH: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "away|from|or|to|is|of|based|distant|off|as|and|but|give|plus|in|behind|between|separates|separate|out|since|because|given|at|with|which|according|judging|if|for|i|it|deep|far|total|left|measured|when|the|would|seems|looks|sounds|by|on|not|so|approximately|roughly|maybe|perhaps|possibly|though|although|assuming|down|back|ahead",
    )
});

/// Words directly before a label that is meant.
static GOVERNS_LABEL: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "is|about|it's|so|be|leaves|but|choose|choosing|chose|say|pick|picking|picked|to|with|option|statement|choice|letter|answer|answers|only|except|than|meant|hence|thus|therefore|consequently|believe|leaning|towards|toward|also|likely|in|for|under|take|taking|select|selected|selecting|by|thing|as|or|and|then|on|go|into|that|guess|remains|image|picture|point|that's|both|actually|probably|rather|instead|conclude|prefer|favor|favour|suggest|suggests|means|mean|gives|give|get|vote|was|number|box|of|the|call|mark|my|at|indicates|indicate|implies|imply|i'd|not|no|yields|matching|matches|fits|describes|shows|supports|support|confirms|confirm|makes|left|going|would|figure|panel|object|case|candidate|one|chosen|assistant|final|correct|best|right",
    )
});

/// Function words that only English has; the lists above are English.
static ENGLISH: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "the|is|are|there|it|it's|does|this|that|i|isn't|doesn't|don't|of|and|to|from|than|at",
    )
});

/// Words that begin another clause.
static NEXT: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(",|;|:|(|–|—|because|since|as|but|although|though|while|which|so|given")
});

/// Returns true if the clause of an answer has a word of doubt that the question lacks, or if its
/// sentence is a question.
pub(super) fn is_doubtful(page: &Page, answer: &Range<usize>, asked: &[String]) -> bool {
    let sentence = sentence(page, answer);
    let mut rest = sentence.clone().filter(|at| !answer.contains(at));
    has(page, answer, &DOUBT, asked)
        || page.is(sentence.end, '?') && rest.any(|at| page.is_word(at))
}

/// Returns true if a text is only what would or could be, and nobody says so: 'it could pass for a
/// cat', but not 'I would say a cat'.
pub(super) fn is_unreal(page: &Page, answer: &Range<usize>) -> bool {
    let sentence = sentence(page, answer);
    let ends = !page.is_word(answer.end);
    let clause = (sentence.start..answer.start)
        .rev()
        .take_while(|at| !NEXT.has(page, *at));
    clause.into_iter().any(|at| {
        let is_said = at > 0 && matches!(page.lower(at - 1), "i" | "we" | "answer" | "choice");
        let is_past = page.lower(at + 1) == "have";
        // 'That could only be a cat.'
        let is_all = ends && (at + 1..at + 3).any(|at| page.lower(at) == "be");
        matches!(page.lower(at), "would" | "could" | "might") && (is_past || !is_said && !is_all)
    })
}

/// Returns true if it is not known that the sentence of a number states its value: 'it exceeds 5',
/// 'another 5', '5 m above the floor'.
pub(super) fn is_number_open(page: &Page, number: &Range<usize>, asked: &NumberKind) -> bool {
    let sentence = sentence(page, number);
    let before = number
        .start
        .checked_sub(1)
        .filter(|at| *at >= sentence.start);
    let is_governed = before.is_none_or(|at| {
        asked.asked.contains(&plain(page.lower(at))) || !is_unknown(page, at, &GOVERNS_NUMBER)
    });
    let goes_on = asked.unit.is_some() && is_unknown(page, number.end, &FOLLOWS_LENGTH);
    let is_bound =
        |at: usize| BOUND.has(page, at) && !asked.asked.iter().any(|word| word == page.lower(at));
    has(page, number, &BOUND, &asked.asked)
        || (sentence.start..number.start).any(is_bound)
        || is_english(page, sentence) && (!is_governed || goes_on)
}

/// Returns true if it is not known that a sentence affirms the label at its end: 'everything speaks
/// against A'. A label that is the subject of a verb is affirmed by that verb.
pub(super) fn is_label_open(page: &Page, label: &Range<usize>) -> bool {
    let sentence = sentence(page, label);
    let before = label
        .start
        .checked_sub(1)
        .filter(|at| *at >= sentence.start);
    is_english(page, sentence)
        && !page.is_word(label.end)
        && before.is_some_and(|at| is_unknown(page, at, &GOVERNS_LABEL))
}

/// Returns the sentence of some pieces.
fn sentence(page: &Page, pieces: &Range<usize>) -> Range<usize> {
    let last = pieces.end.max(pieces.start + 1) - 1;
    let end = page.sentence_end_before(pieces.end.max(last), page.len());
    sentence_start(page, pieces.start)..end
}

/// Returns true if a word of a list, but not of the question, is in the clause of an answer.
fn has(page: &Page, answer: &Range<usize>, words: &PhraseSet, asked: &[String]) -> bool {
    let sentence = sentence(page, answer);
    let before = sentence.start..answer.start;
    let after = answer.end..sentence.end.max(answer.end);
    let start = (before.rev()).take_while(|at| !NEXT.has(page, *at)).last();
    let end = after.clone().find(|at| NEXT.has(page, *at));
    let clause =
        (start.unwrap_or(answer.start)..answer.start).chain(answer.end..end.unwrap_or(after.end));
    clause.into_iter().any(|at| {
        // 'Nothing contradicts it.'
        let is_denied = (at.saturating_sub(2)..at).any(|at| {
            matches!(
                page.lower(at),
                "not" | "isn't" | "nothing" | "no" | "never" | "doesn't"
            )
        });
        words.has(page, at) && !is_denied && !asked.iter().any(|asked| asked == page.lower(at))
    })
}

/// Returns true if a piece is a Latin word that a list lacks, and no verb like 'depicts' or
/// 'positioned': verbs are too many for a list, and those that deny are words of doubt.
fn is_unknown(page: &Page, at: usize, known: &PhraseSet) -> bool {
    let word = page.lower(at);
    let is_verb = ends_in_s(word) || word.ends_with("ed") || word.ends_with("ing");
    page.kind(at) == Some(Kind::Word) && word.is_ascii() && !is_verb && !known.has(page, at)
}

fn is_english(page: &Page, mut sentence: Range<usize>) -> bool {
    sentence.any(|at| ENGLISH.has(page, at))
}

/// Words of comments on a text, which a text itself hardly has in small letters.
static COMMENT: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "cannot|can't|unreadable|illegible|legible|readable|blurry|blurred|unclear|maybe|perhaps|probably|possibly|appears|seems|looks like|sorry|unfortunately|obscured|partially|partly|not sure|unsure|i guess|i think|i believe|i see|i can|i cannot|i can't|i could|i would|i'd|i'm not|i am not|i read|image|picture|photo|cut off|cropped|covered by|hidden|unidentifiable|indiscernible|first letter|last letter|last digit|digits|characters|letters|either",
    )
});

/// Returns true if a part of a page comments on a text in place of giving it.
pub(super) fn is_comment(page: &Page, part: Range<usize>) -> bool {
    let first = page.word_in(part.clone());
    let is_small = |at: usize| page.text(at) == page.lower(at);
    let says = |at: usize| {
        COMMENT.has(page, at)
            && (is_small(at) || first == Some(at))
            && is_small(at + COMMENT.length(page, at) - 1)
    };
    part.into_iter().any(says)
}
