//! Reads a yes or no from a plain sentence: 'There is no cat', 'It does'.

use std::ops::Range;
use std::sync::LazyLock;

use super::page::Page;
use super::phrases::PhraseSet;
use super::read_failure::ReadFailure;
use super::step::Step;
use super::yes_no::{COURTESY, UNSURE, YesNoResult, is_certain, read};
use super::{asked, doubt};

static NOT: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "no|not|isn't|aren't|wasn't|weren't|don't|doesn't|didn't|cannot|can't|couldn't|nothing|none|nobody|neither|never|without|won't|hasn't|haven't|\
         nowhere|lacks|absent|missing|kein|keine|keinen|nicht|pas|aucun|aucune|ningún|ninguna|nessun|nessuna|nenhum|nenhuma|没有|不|нет|не|ない|ません|없습니다|fails to",
    )
});

/// Beginnings of sentences that are complete without further words.
static WHOLE: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "there is|there are|there's|there're|it does|it is|it has|it's|it can|they do|they are|i see|i can see|i do|we can see|you can see|one can see|\
         the image does|he is|she is|he does|she does|they have|es gibt|il y a|hay|c'è|ci sono",
    )
});

/// Beginnings of plain sentences that need further words to be complete.
static PLAIN: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "it seems there is|it seems|it appears there is|i know|i think there is|it can be|the image shows|the image contains|the picture shows|the picture contains|the photo shows|the image depicts|the image has|a|an|the|this is|that is",
    )
});

/// Words without content on their own.
static EMPTY: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "a|an|the|this|that|is|are|answer|response|question|final|correct|option|choice|image|picture|photo|shows|contains|depicts|has|my|to|so",
    )
});

/// Words that cannot end a sentence.
static OPEN: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "a|an|the|of|with|and|or|to|shows|contains|depicts|that there|answer is|image is",
    )
});

/// Returns true if the rest of a sentence contradicts its yes or no: 'No, there is a car', or 'Yes,
/// the road is longer', for a question about the bridge.
pub(super) fn is_denied(page: &Page, rest: Range<usize>, yes: bool, asked: &[String]) -> bool {
    let said = asked::content(page, rest.clone());
    let denies = rest.clone().any(|at| NOT.has(page, at));
    let turns = |at: usize| {
        matches!(
            page.lower(at),
            "but" | "only" | "instead" | "if" | "just" | "than"
        )
    };
    if said.is_empty() || asked.is_empty() || rest.clone().any(turns) {
        return false;
    }
    // Example: 'Yes, there is a bus', for a question about a car.
    let is_other = WHOLE.has(page, rest.start + 1)
        && matches!(page.lower(rest.start + 3), "a" | "an")
        && matches!(said.as_slice(), [other] if !asked.contains(other));
    // Example: 'Yes, a dog is on the bed', for a question about a cat.
    let is_other = is_other
        || matches!(page.lower(rest.start + 1), "a" | "an" | "the")
            && asked.first().is_some_and(|subject| !said.contains(subject))
            && said.first().is_some_and(|subject| !asked.contains(subject))
            && said.iter().any(|word| asked.contains(word));
    let covers = asked.iter().all(|word| said.contains(word));
    let swapped = is_swapped(&said, asked);
    if denies {
        return yes && covers;
    }
    // Examples: 'Yes, the door is closed' and 'No, the door is open', for the question whether it
    // is open.
    let is_own = said
        .iter()
        .all(|word| asked.contains(word) || opposes(word, asked));
    let has_opposite = said.iter().any(|word| opposes(word, asked));
    if yes {
        swapped || is_other || is_own && has_opposite
    } else {
        let repeats =
            is_own && !has_opposite && asked.last().is_some_and(|last| said.contains(last));
        (covers && said.first() == asked.first() || repeats) && !swapped
    }
}

/// Returns true if a word excludes a word of the question: 'closed' excludes 'open'.
fn opposes(word: &str, asked: &[String]) -> bool {
    asked.iter().any(|other| doubt::denies(word, other))
}

/// Returns true if a word can be a comparative: 'longer'.
fn compares(word: &str) -> bool {
    word.len() > 4 && word.ends_with("er")
}

/// Returns true if a comparison is stated the other way round: 'the road is longer', for a question
/// about the bridge.
fn is_swapped(said: &[String], asked: &[String]) -> bool {
    let subject = said.first().filter(|word| asked.contains(word));
    let degree = (asked.iter().skip(1)).find(|word| compares(word) && said.contains(word));
    degree.is_some_and(|degree| {
        subject.is_some_and(|subject| subject != degree && asked.first() != Some(subject))
    })
}

/// Returns true if a sentence contains all content words of the question; a pronoun can replace the
/// subject.
fn covers(page: &Page, pieces: &Range<usize>, asked: &[String]) -> bool {
    let said = asked::content(page, pieces.clone());
    let pronoun = matches!(
        page.lower(pieces.start),
        "he" | "she" | "it" | "they" | "it's"
    );
    let names = |word: &String| {
        said.iter().any(|said| {
            said == word
                || word.len() > 3 && said.ends_with(word.as_str())
                || doubt::denies(said, word)
        })
    };
    // The second part of a comparison can be omitted: 'The ball is bigger.'
    let needed = asked
        .iter()
        .position(|word| compares(word))
        .map_or(asked.len(), |at| at + 1);
    said.is_empty()
        || asked::is_about(page, pieces, asked)
            && (asked.iter().take(needed).skip(usize::from(pronoun)))
                .filter(|word| !matches!(word.as_str(), "statement" | "claim" | "sentence"))
                .all(names)
}

/// Reads the yes or no of a plain sentence: 'There is no cat', 'It does'.
pub(super) fn sentence(page: &Page, range: Range<usize>, asked: &[String]) -> YesNoResult {
    let start = page.word_in(range.clone());
    let mut start = start.ok_or(ReadFailure::Nothing)?;
    // Skips the first word of 'Indeed it is.'
    if WHOLE.has(page, start + 1) {
        start += COURTESY.length(page, start).min(1);
    }
    let end = page.sentence_end_before(start, range.end);
    // Reads the text after a repeated question: 'Is there a dog? Yes.'
    if page.is(end, '?') && (end..range.end).any(|at| page.is_alphanumeric(at)) {
        return read(page, end + 1..range.end, asked);
    }
    let pieces = start..end;
    // Example: 'The lamp is switched off', for the question whether it is on.
    let is_off = |at: usize| page.lower(at) == "off" && asked.iter().all(|word| word != "off");
    if !asked.is_empty() && pieces.clone().any(is_off)
        || pieces.clone().any(|at| UNSURE.has(page, at))
    {
        return Err(ReadFailure::Nothing);
    }
    let says = |wanted: bool| {
        pieces.clone().find(|at| {
            matches!(page.lower(*at), "yes" | "no")
                && (page.lower(*at) == "yes") == wanted
                && !page.is_word(at + 1)
        })
    };
    match (says(true), says(false)) {
        (Some(_), Some(_)) => return Err(ReadFailure::Two),
        // Example: 'The answer is not yes.'
        (Some(at), None) if at > start && NOT.has(page, at - 1) => {
            return Err(ReadFailure::Nothing);
        }
        (Some(at), None) => return Ok((true, at..at + 1, Step::YesNoInSentence)),
        _ => {}
    }
    if pieces.clone().any(|at| denies(page, at)) {
        // Example: 'The door isn't closed', for the question whether it is open.
        let said = asked::content(page, pieces.clone());
        let is_twice = says(false).is_none() && said.iter().any(|word| opposes(word, asked));
        return (!is_twice && is_denial(page, &pieces, asked))
            .then_some((false, pieces, Step::Negated))
            .ok_or(ReadFailure::Nothing);
    }
    if let Some(at) = pieces
        .clone()
        .find(|at| matches!(page.lower(*at), "false" | "incorrect" | "wrong" | "untrue"))
    {
        return Ok((false, at..at + 1, Step::YesNoInSentence));
    }
    // Example: 'The picture is too dark to answer this.'
    let mut too = pieces.clone().skip_while(|at| page.lower(*at) != "too");
    let is_plain =
        (WHOLE.has(page, start) || PLAIN.has(page, start)) && !too.any(|at| page.lower(at) == "to");
    if is_plain && is_whole(page, &pieces) && covers(page, &pieces, asked) {
        // Example: 'The cube is smaller than the ball', for the question whether it is bigger.
        let mut said = asked::content(page, pieces.clone());
        let mut is_opposite = false;
        for word in &mut said {
            if let Some(other) = asked.iter().find(|other| doubt::denies(word, other)) {
                is_opposite = !asked.contains(word);
                word.clone_from(other);
            }
        }
        let yes = is_opposite == is_swapped(&said, asked);
        return Ok((yes, pieces, Step::Affirmed));
    }
    Err(ReadFailure::Nothing)
}

/// Returns true if a word at a piece negates its clause.
fn denies(page: &Page, at: usize) -> bool {
    NOT.has(page, at) && !is_certain(page, at + 1) && page.lower(at + 1) != "only"
}

/// Returns true if a negated sentence answers the question with no. 'There is no cat, only a dog'
/// does not answer a question about a dog, and 'It is not red, but there is one' affirms as well.
fn is_denial(page: &Page, pieces: &Range<usize>, asked: &[String]) -> bool {
    let (denials, others): (Vec<_>, Vec<_>) = clauses(page, pieces)
        .into_iter()
        .partition(|clause| clause.clone().any(|at| denies(page, at)));
    let affirms = |clause: &Range<usize>| {
        let said = asked::content(page, clause.clone());
        WHOLE.has(page, clause.start) && said.is_empty()
            || !asked.is_empty() && asked.iter().all(|word| said.contains(word))
    };
    let twice = |clause: &Range<usize>| {
        let words = clause.clone().filter(|at| denies(page, *at));
        words.filter(|at| page.lower(*at) != "neither").count() > 1
    };
    let mut about = denials
        .iter()
        .filter(|clause| asked::is_about(page, clause, asked));
    !denials.iter().any(twice) && about.next().is_some() && !others.iter().any(affirms)
}

/// Returns the clauses of a sentence: the parts between commas, semicolons, colons, dashes, 'but'
/// and 'only'.
fn clauses(page: &Page, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let ends = |at: &usize| page.is_any(*at, ",;:—–") || matches!(page.lower(*at), "but" | "only");
    let mut start = sentence.start;
    let marks = sentence.clone().filter(ends).chain([sentence.end]);
    marks
        .map(|mark| std::mem::replace(&mut start, mark + 1)..mark)
        .collect()
}

/// Returns true if a sentence has content and is not cut off, unlike 'A', 'The answer is', 'The
/// image shows a'.
fn is_whole(page: &Page, pieces: &Range<usize>) -> bool {
    let words = || pieces.clone().filter(|at| page.is_alphanumeric(*at));
    let goes_on = words().next_back().is_none_or(|at| OPEN.has(page, at));
    let says = WHOLE.has(page, pieces.start) || words().any(|at| !EMPTY.has(page, at));
    says && !goes_on
}
