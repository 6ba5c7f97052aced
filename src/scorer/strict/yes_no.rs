//! Reads a yes or no: a leading word, a stated answer, or a plain sentence.

use std::ops::Range;
use std::sync::LazyLock;

use super::asked;
use super::doubt;
use super::numbers::NO_NOUNS;
use super::page::{Kind, Page};
use super::phrases::{PhraseSet, Phrases};
use super::read_failure::ReadFailure;
use super::step::Step;
use super::verdict::{corrects, verdicts};
use record::Choice;

static LEADING: LazyLock<Phrases<bool>> = LazyLock::new(|| {
    Phrases::of(&[
        (
            "without a doubt|without doubt|without question|beyond doubt|undoubtedly|yes|yeah|yep|yup|true|correct|absolutely|certainly|definitely|of course|indeed|affirmative|sure|right|exactly|probably yes|i think so|\
             i believe so|it's true|that's true|that is true|that's correct|that is correct|that's right|that is right|positive|aye|by all means|\
             ja|oui|si|sí|sì|sim|是|是的|对|有|对的|真|はい|네|예|да|tak|evet|نعم|हाँ|ya|có|jo|joo|igen|ano|ναι|כן|wahr|vrai|verdadero|verdadeiro|vero|верно|richtig|ใช่",
            true,
        ),
        (
            "no|nope|nah|false|incorrect|wrong|negative|absolutely not|certainly not|definitely not|of course not|not at all|not really|i don't think so|\
             i do not think so|probably not|most likely not|likely not|not likely|never|that's false|that is false|that's incorrect|that is incorrect|that's not right|that's not true|that is not true|not true|not correct|\
             not visible|none|sure not|surely not|unlikely|nein|non|não|nao|不是|不|否|没有|不对|假|错|いいえ|違います|아니요|아니오|아니|нет|nie|nee|hayır|لا|नहीं|tidak|không|nej|nei|ei|nem|ne|όχι|לא|falsch|faux|falso|falsa|неверно|ไม่|ไม่ใช่",
            false,
        ),
    ])
});

static SKIP: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "well|so|the|answer|is|it|it's|i|would|say|think|i'd|therefore|thus|hence|most|likely|probably|assistant|my|ok|okay|then|to|guess|that|here|hmm|actually|final|believe",
    )
});

/// Words that mean yes on their own, but not before a yes or no.
static COURTESY: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "sure|sure thing|of course|right|certainly|absolutely|definitely|indeed|exactly|by all means|correct|okay|ok|all right",
    )
});

static UNSURE: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "yes or no|not allow|not permit|allow an answer|inconclusive|not conclusive|it's possible|it is possible|need to see|don't know|do not know|not sure|unsure|can't tell|cannot tell|can not tell|hard to say|hard to tell|cannot determine|can't determine|cannot say|can't say|\
         cannot be determined|can't be determined|not possible to|impossible to|difficult to|unclear|depends|maybe|perhaps|possibly|not certain|uncertain|unknown|cannot answer|\
         can't answer|not clear|might|may be|could be|unable|not able|no idea|n/a|not enough|cannot confirm|can't confirm|cannot see the image|cannot be sure|can't be sure|can't be certain|cannot be certain|not be sure|not given|not specified|not provided",
    )
});

static NOT: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "no|not|isn't|aren't|wasn't|weren't|don't|doesn't|didn't|cannot|can't|couldn't|nothing|none|nobody|neither|never|without|won't|hasn't|haven't|\
         nowhere|lacks|absent|missing|kein|keine|keinen|nicht|pas|aucun|aucune|ningún|ninguna|nessun|nessuna|nenhum|nenhuma|没有|不|нет|не|ない|ません|없습니다|fails to",
    )
});

static PLAIN: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "it seems there is|it seems|it appears there is|i know|i think there is|there is|there are|there's|there're|it does|it is|it has|it's|it can|it can be|they do|they are|i see|i can see|i do|the image shows|the image contains|the image does|the picture shows|\
         the picture contains|the photo shows|the image depicts|the image has|we can see|you can see|one can see|he is|she is|he does|she does|a |an |the |this is|that is|they have|es gibt|il y a|hay|c'è|ci sono",
    )
});

/// Beginnings of complete sentences.
static WHOLE: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "there is|there are|there's|there're|it does|it is|it has|it's|it can|they do|they are|i see|i can see|i do|we can see|you can see|one can see|\
         the image does|he is|she is|he does|she does|they have|es gibt|il y a|hay|c'è|ci sono",
    )
});

/// Words without meaning on their own.
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

/// Returns the meaning of each option, if one is yes and one is no; `None` for other questions.
pub(super) fn meanings(options: &[Choice]) -> Option<Vec<Option<bool>>> {
    if !(2..=3).contains(&options.len()) {
        return None;
    }
    let meanings: Vec<Option<bool>> = options.iter().map(|option| of_text(&option.text)).collect();
    let count = |wanted: bool| {
        meanings
            .iter()
            .filter(|meaning| **meaning == Some(wanted))
            .count()
    };
    (count(true) == 1 && count(false) == 1).then_some(meanings)
}

/// Returns the meaning of a text that is only a yes or a no.
pub(super) fn of_text(text: &str) -> Option<bool> {
    let page = Page::of(text);
    let first = page.word_in(0..page.len())?;
    let (length, yes) = LEADING.at(&page, first)?;
    let plain = matches!(
        page.lower(first),
        "yes"
            | "no"
            | "true"
            | "false"
            | "correct"
            | "incorrect"
            | "是"
            | "否"
            | "ja"
            | "nein"
            | "oui"
            | "non"
            | "sí"
            | "si"
            | "sim"
            | "não"
            | "да"
            | "нет"
            | "有"
            | "没"
            | "对"
            | "错"
    );
    let ends = !page.is_alphanumeric(first + length);
    let alone = (first + length..page.len()).all(|at| !page.is_alphanumeric(at));
    (alone || plain && ends && page.is(first + length, ',')).then_some(yes)
}

/// Reads a whole page.
pub(super) fn read_page(page: &Page, question: &str) -> YesNoResult {
    let question = Page::of(question);
    let asked = asked::content(&question, 0..question.len());
    agreed(page, stated(page, &asked))
}

/// Reads a stated answer, else the whole page, else its sentences if they agree.
fn stated(page: &Page, asked: &[String]) -> YesNoResult {
    for verdict in verdicts(page, &NO_NOUNS) {
        match read(page, verdict, asked) {
            Ok((yes, pieces, _)) => return Ok((yes, pieces, Step::StatedYesNo)),
            Err(ReadFailure::Two) => return Err(ReadFailure::Two),
            Err(_) => {}
        }
    }
    let whole = read(page, 0..page.len(), asked);
    if whole.is_ok()
        || whole == Err(ReadFailure::Two)
        || (0..page.len()).any(|at| UNSURE.has(page, at))
    {
        return whole;
    }
    let mut found: Option<(bool, Range<usize>, Step)> = None;
    let mut start = 0;
    while start < page.len() {
        let end = page.sentence_end_before(start, page.len());
        if !page.is(end, '?')
            && let Ok(next) = sentence(page, start..end, asked)
        {
            if found.as_ref().is_some_and(|found| found.0 != next.0) {
                return Err(ReadFailure::Two);
            }
            found = Some(next);
        }
        start = end + 1;
    }
    found.ok_or(ReadFailure::Nothing)
}

/// Confirms a reading unless a yes or no that stands alone contradicts it; the last one counts if
/// it is a correction.
fn agreed(page: &Page, read: YesNoResult) -> YesNoResult {
    let (yes, pieces, rule) = read?;
    let lone = |at: &usize| {
        let before = at.checked_sub(1).map_or("", |before| page.lower(before));
        let apart = *at == 0
            || !page.is_word(at - 1)
            || matches!(
                before,
                "actually" | "otherwise" | "so" | "is" | "say" | "then" | "wait"
            );
        matches!(page.lower(*at), "yes" | "no" | "yeah" | "nope")
            && apart
            && !page.is_word(at + 1)
            && !page.is_any(at + 1, "?/")
            && !(*at > 0 && page.is(at - 1, '/'))
    };
    let affirms = |at: usize| matches!(page.lower(at), "yes" | "yeah");
    // Another question may follow.
    let end = (pieces.end..page.len()).find(|at| page.is(*at, '?'));
    let words: Vec<usize> = (0..end.unwrap_or(page.len())).filter(lone).collect();
    let Some(last) = words.last().copied() else {
        return Ok((yes, pieces, rule));
    };
    match words.iter().rfind(|at| affirms(**at) != affirms(last)) {
        Some(other) if corrects(page, other + 1..last) => {
            Ok((affirms(last), last..last + 1, Step::YesNoCorrection))
        }
        Some(_) if rule != Step::StatedYesNo || affirms(last) != yes => Err(ReadFailure::Two),
        _ => Ok((yes, pieces, rule)),
    }
}

/// Yes or no, the pieces that state it, and the rule.
type YesNoResult = Result<(bool, Range<usize>, Step), ReadFailure>;

/// Returns true if the rest of a sentence after a yes or no denies it: 'No, there is a car', 'Yes,
/// the road is longer' where the bridge is asked about.
fn is_denied(page: &Page, rest: Range<usize>, yes: bool, asked: &[String]) -> bool {
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
    // 'Yes, there is a bus', where a car is asked about.
    let is_other = WHOLE.has(page, rest.start + 1)
        && matches!(page.lower(rest.start + 3), "a" | "an")
        && matches!(said.as_slice(), [other] if !asked.contains(other));
    // 'Yes, a dog is on the bed', where a cat is asked about.
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
    if yes {
        swapped || is_other
    } else {
        covers && !swapped && said.first() == asked.first()
    }
}

/// Returns true if a comparison is stated the other way round: 'the road is longer' where the
/// bridge is asked about.
fn is_swapped(said: &[String], asked: &[String]) -> bool {
    let compares = |word: &&String| word.len() > 4 && word.ends_with("er") && said.contains(word);
    let subject = said.first().filter(|word| asked.contains(word));
    let degree = asked.iter().skip(1).find(compares);
    degree.is_some_and(|degree| {
        subject.is_some_and(|subject| subject != degree && asked.first() != Some(subject))
    })
}

/// Returns true if a sentence names all that the question asks about; a pronoun stands for the
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
    // What is compared with may be left out: 'The ball is bigger.'
    let compares = |word: &String| word.len() > 4 && word.ends_with("er");
    let needed = asked
        .iter()
        .position(compares)
        .map_or(asked.len(), |at| at + 1);
    said.is_empty()
        || asked::is_about(page, pieces, asked)
            && (asked.iter().take(needed).skip(usize::from(pronoun)))
                .filter(|word| !matches!(word.as_str(), "statement" | "claim" | "sentence"))
                .all(names)
}

/// Reads a part of a page; `asked` are the words of the question that name something.
pub(super) fn read(page: &Page, range: Range<usize>, asked: &[String]) -> YesNoResult {
    let (mut at, mut range) = (range.start, range);
    for _ in 0..40 {
        if at >= range.end {
            break;
        }
        // 'No doubt, yes', 'No problem! Yes', 'Sure: no'.
        if let Some(end) = courtesy(page, at, range.end) {
            at = end;
            range.start = at;
            continue;
        }
        let lone = !page.is_alphanumeric(at + 1);
        if let ("y" | "n", true) = (page.lower(at), lone) {
            return Ok((page.lower(at) == "y", at..at + 1, Step::LeadingYesNo));
        }
        if let Some((length, yes)) = LEADING.at(page, at) {
            let next = at + length;
            // 'No dog', 'sure that' begin a sentence, which is read below; 'yes it is' does not.
            let goes_on = page.is_word(next)
                && matches!(
                    page.lower(at),
                    "sure"
                        | "right"
                        | "correct"
                        | "true"
                        | "never"
                        | "none"
                        | "certainly"
                        | "definitely"
                        | "wrong"
                        | "false"
                        | "si"
                        | "indeed"
                        | "probably"
                )
                || page.lower(next) == "that"
                || page.lower(at) == "no" && page.kind(next) == Some(Kind::Word);
            // 'Yes? No?' is no answer.
            if page.is(next, '?') && (next..range.end).any(|at| page.is_alphanumeric(at)) {
                at = next + 1;
                range.start = at;
                continue;
            }
            if !goes_on {
                return led(page, at..next, yes, asked);
            }
        }
        match SKIP.length(page, at) {
            0 if page.is_word(at) || page.kind(at) == Some(Kind::Number) => break,
            length => at += length.max(1),
        }
    }
    sentence(page, range, asked)
}

/// Accepts a leading yes or no, unless the opposite is joined to it.
fn led(page: &Page, pieces: Range<usize>, yes: bool, asked: &[String]) -> YesNoResult {
    let mut at = pieces.end;
    while page.is_any(at, ",/\"'") || matches!(page.lower(at), "or" | "and") {
        at += 1;
    }
    // 'Yes or no? Yes' repeats the question.
    let end = LEADING.at(page, at).map_or(at, |(length, _)| at + length);
    if at > pieces.end && page.is(end, '?') && page.is_alphanumeric(end + 1) {
        return read(page, end + 1..page.len(), asked);
    }
    let joined =
        (pieces.end..at).any(|at| page.is(at, '/') || matches!(page.lower(at), "or" | "and"));
    let other = LEADING.at(page, at).is_some_and(|(_, other)| other != yes);
    if joined && other || UNSURE.has(page, pieces.start) {
        return Err(ReadFailure::Two);
    }
    let rest = pieces.end..page.sentence_end_before(pieces.end, page.len());
    if is_denied(page, rest, yes, asked) {
        return Err(ReadFailure::Two);
    }
    Ok((yes, pieces, Step::LeadingYesNo))
}

/// Reads a plain sentence: 'There is no cat', 'It does'.
fn sentence(page: &Page, range: Range<usize>, asked: &[String]) -> YesNoResult {
    let start = page.word_in(range.clone());
    let mut start = start.ok_or(ReadFailure::Nothing)?;
    // 'Indeed it is.'
    if WHOLE.has(page, start + 1) {
        start += COURTESY.length(page, start).min(1);
    }
    let end = page.sentence_end_before(start, range.end);
    // 'Is there a dog? Yes.'
    if page.is(end, '?') && (end..range.end).any(|at| page.is_alphanumeric(at)) {
        return read(page, end + 1..range.end, asked);
    }
    let pieces = start..end;
    if pieces.clone().any(|at| UNSURE.has(page, at)) {
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
        (Some(at), None) => return Ok((true, at..at + 1, Step::YesNoInSentence)),
        _ => {}
    }
    let denies =
        |at: usize| NOT.has(page, at) && !is_certain(page, at + 1) && page.lower(at + 1) != "only";
    if pieces.clone().any(denies) {
        // 'There is no cat, only a dog' does not tell if there is a dog; 'It is not red, but there
        // is one' says both.
        let (denials, others): (Vec<_>, Vec<_>) = clauses(page, &pieces)
            .into_iter()
            .partition(|clause| clause.clone().any(denies));
        let affirms = |clause: &Range<usize>| {
            let said = asked::content(page, clause.clone());
            WHOLE.has(page, clause.start) && said.is_empty()
                || !asked.is_empty() && asked.iter().all(|word| said.contains(word))
        };
        let twice = |clause: &Range<usize>| {
            let words = clause.clone().filter(|at| denies(*at));
            words.filter(|at| page.lower(*at) != "neither").count() > 1
        };
        if denials.iter().any(twice) {
            return Err(ReadFailure::Nothing);
        }
        let is_about = denials
            .iter()
            .any(|clause| asked::is_about(page, clause, asked));
        return (is_about && !others.iter().any(affirms))
            .then_some((false, pieces, Step::Negated))
            .ok_or(ReadFailure::Nothing);
    }
    if let Some(at) = pieces
        .clone()
        .find(|at| matches!(page.lower(*at), "false" | "incorrect" | "wrong" | "untrue"))
    {
        return Ok((false, at..at + 1, Step::YesNoInSentence));
    }
    if PLAIN.has(page, start) && is_whole(page, &pieces) && covers(page, &pieces, asked) {
        // 'The cube is smaller than the ball', where the ball is said to be bigger.
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

/// Returns the clauses of a sentence: the parts between commas, semicolons and 'but'.
fn clauses(page: &Page, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let ends = |at: &usize| page.is_any(*at, ",;:—–") || matches!(page.lower(*at), "but" | "only");
    let mut start = sentence.start;
    let marks = sentence.clone().filter(ends).chain([sentence.end]);
    marks
        .map(|mark| std::mem::replace(&mut start, mark + 1)..mark)
        .collect()
}

/// Returns true for words that form a courtesy or a certainty with 'no': 'no doubt', 'no
/// problem'.
fn is_certain(page: &Page, at: usize) -> bool {
    matches!(
        page.lower(at),
        "doubt"
            | "question"
            | "questions"
            | "problem"
            | "problems"
            | "worries"
            | "wonder"
            | "objection"
    )
}

/// Returns the end of a courtesy before an answer: 'no problem!', or 'sure' before a yes or no.
fn courtesy(page: &Page, at: usize, limit: usize) -> Option<usize> {
    let marks = |at: usize| {
        (at..limit)
            .find(|at| !page.is_any(*at, ",.:;!-–—"))
            .unwrap_or(limit)
    };
    if page.lower(at) == "no" && is_certain(page, at + 1) {
        return Some(marks(at + 2));
    }
    let length = COURTESY.length(page, at);
    let mut next = marks(at + length);
    if length == 0 || next == at + length {
        return None;
    }
    while SKIP.has(page, next) {
        next = marks(next + SKIP.length(page, next));
    }
    let plain = matches!(
        page.lower(next),
        "yes" | "no" | "yeah" | "nope" | "yep" | "true" | "false"
    );
    (plain && !page.is_word(next + 1)).then_some(next)
}

/// Returns true if a sentence has content and is not cut off, unlike 'A', 'The answer is', 'The
/// image shows a'.
fn is_whole(page: &Page, pieces: &Range<usize>) -> bool {
    let words = || pieces.clone().filter(|at| page.is_alphanumeric(*at));
    let goes_on = words().next_back().is_none_or(|at| OPEN.has(page, at));
    let says = WHOLE.has(page, pieces.start) || words().any(|at| !EMPTY.has(page, at));
    says && !goes_on
}

#[cfg(test)]
mod tests {
    use super::read_page;
    use crate::strict::page::Page;

    fn read(response: &str) -> Option<bool> {
        read_page(&Page::of(response), "")
            .ok()
            .map(|(yes, _, _)| yes)
    }

    #[test]
    fn what_says_nothing_is_neither_yes_nor_no() {
        for response in [
            "A",
            "a.",
            "The",
            "The answer",
            "The answer is",
            "The correct answer is:",
            "The answer is A",
            "The image",
            "The image shows",
            "The image shows a",
            "This is",
            "This is the",
            "There is a",
        ] {
            assert_eq!(read(response), None, "{response}");
        }
    }

    #[test]
    fn what_is_beyond_doubt_is_no_no() {
        for (response, says) in [
            ("No doubt, yes", Some(true)),
            ("No question: yes.", Some(true)),
            ("No doubt, no", Some(false)),
            ("No doubt there is a dog.", Some(true)),
            ("No question.", None),
            ("No, I doubt it", Some(false)),
            ("No, question 2 is wrong", Some(false)),
        ] {
            assert_eq!(read(response), says, "{response}");
        }
    }

    #[test]
    fn plain_sentences_say_yes_or_no() {
        for response in [
            "There is.",
            "It does",
            "It is",
            "A dog is in the image",
            "A dog",
            "The image shows a dog.",
            "The answer is yes",
            "This is a dog",
        ] {
            assert_eq!(read(response), Some(true), "{response}");
        }
        for response in ["There is no dog", "The image shows none", "It does not"] {
            assert_eq!(read(response), Some(false), "{response}");
        }
    }
}
