//! Reads a yes or no: from a leading word, a stated answer, or a plain sentence.

use std::ops::Range;
use std::sync::LazyLock;

use super::asked;
use super::numbers::NO_NOUNS;
use super::page::{Kind, Page};
use super::phrases::{PhraseSet, Phrases};
use super::read_failure::ReadFailure;
use super::step::Step;
use super::verdict::{corrects, verdicts};
use super::yes_no_sentence::{is_denied, sentence};
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

/// Words that mean yes on their own, but are only polite before a yes or no.
pub(super) static COURTESY: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "sure|sure thing|of course|right|certainly|absolutely|definitely|indeed|exactly|by all means|correct|okay|ok|all right",
    )
});

pub(super) static UNSURE: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "yes or no|no answer|no comment|no clue|no information|no image|no picture|no response|no data|no way to|not allow|not permit|allow an answer|inconclusive|not conclusive|it's possible|it is possible|need to see|don't know|do not know|not sure|unsure|can't tell|cannot tell|can not tell|hard to say|hard to tell|cannot determine|can't determine|cannot say|can't say|\
         cannot be determined|can't be determined|not possible to|impossible to|difficult to|unclear|depends|maybe|perhaps|possibly|not certain|uncertain|unknown|cannot answer|\
         can't answer|not clear|might|may be|could be|unable|not able|no idea|n/a|not enough|cannot confirm|can't confirm|cannot see the image|cannot be sure|can't be sure|can't be certain|cannot be certain|not be sure|not given|not specified|not provided",
    )
});

/// Returns the meaning of each option, if one option is yes and one is no; `None` for other
/// options.
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

/// Returns the meaning of a text that consists only of a yes or no.
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

/// Reads the yes or no of a whole page.
pub(super) fn read_page(page: &Page, question: &str) -> YesNoResult {
    let question = Page::of(question);
    let asked = asked::content(&question, 0..question.len());
    agreed(page, stated(page, &asked))
}

/// Reads a stated answer, or else the whole page, or else its sentences if they agree.
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

/// Confirms a reading, unless a separate yes or no contradicts it. If the contradiction is a
/// correction, the last yes or no counts.
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
            && (!page.is_word(at + 1) || matches!(page.lower(at + 1), "for" | "if" | "when"))
            && !page.is_any(at + 1, "?/")
            && !(*at > 0 && page.is(at - 1, '/'))
    };
    let affirms = |at: usize| matches!(page.lower(at), "yes" | "yeah");
    // The response can contain another question, after which nothing is read.
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

/// The yes or no, the pieces that state it, and the rule.
pub(super) type YesNoResult = Result<(bool, Range<usize>, Step), ReadFailure>;

/// Reads the yes or no in a part of a page; `asked` are the content words of the question.
pub(super) fn read(page: &Page, range: Range<usize>, asked: &[String]) -> YesNoResult {
    let (mut at, mut range) = (range.start, range);
    for _ in 0..40 {
        if at >= range.end {
            break;
        }
        // Skips polite openings: 'No doubt, yes', 'No problem! Yes', 'Sure: no'.
        if let Some(end) = courtesy(page, at, range.end) {
            at = end;
            range.start = at;
            continue;
        }
        let lone = !page.is_alphanumeric(at + 1);
        if let ("y" | "n", true) = (page.lower(at), lone && !page.is(at + 1, '/')) {
            return Ok((page.lower(at) == "y", at..at + 1, Step::LeadingYesNo));
        }
        if let Some((length, yes)) = LEADING.at(page, at) {
            let next = at + length;
            // 'No dog' and 'sure that' begin a sentence, which is read below; 'yes it is' does not.
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
            // 'Yes? No?' is not an answer.
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

/// Returns true if a word after 'no' makes it a polite phrase or a certainty: 'no doubt', 'no
/// problem'.
pub(super) fn is_certain(page: &Page, at: usize) -> bool {
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

/// Returns the end of a polite opening before an answer: 'no problem!', or 'sure' before a yes or
/// no.
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
