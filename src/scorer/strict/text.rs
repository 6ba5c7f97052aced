//! Reads free text: the response without quotes, introductions and comments.

use std::ops::Range;
use std::sync::LazyLock;

use super::introduction::{ON_WRITING, OPENS, REPORTS, amount, introduced, opening, quoted};
use super::page::{Kind, Page};
use super::phrases::PhraseSet;
use super::place::AnswerPlace;
use super::read_failure::ReadFailure;
use super::step::Step;
use super::wrapping::{inner, plain};

/// JSON keys that can contain a text.
pub(super) const KEYS: &[&str] = &[
    "final_answer",
    "answer",
    "text",
    "ocr",
    "transcription",
    "content",
    "word",
    "prediction",
    "response",
    "output",
    "result",
    "value",
    "label",
];

/// Reads the text at an answer's place; returns the text, its span and the rule.
pub(super) fn read(
    response: &str,
    place: &AnswerPlace,
    page: &Page,
    asked: &Page,
) -> Result<(String, Range<usize>, Step), ReadFailure> {
    if has_two_quotes(page) || are_alternatives(page, asked) {
        return Err(ReadFailure::Two);
    }
    let all = untagged(place);
    let text = without_comment(response, all.clone(), asked);
    let has_comment = text.end < all.end;
    if let Some(span) = quoted(page) {
        let span = inner(response, span);
        let text = response.get(span.clone()).unwrap_or_default();
        return Ok((plain(text), span, Step::IntroducedText));
    }
    let whole = inner(response, text);
    let echo = || echoed(response, page, asked);
    let (span, rule) = introduced(response, page, &place.range, &whole)
        .or_else(echo)
        .map_or((whole, Step::WholeResponse), |span| {
            (span, Step::IntroducedText)
        });
    let is_plain = || !asks_writing(asked) && !is_name(page);
    if rule == Step::WholeResponse && !has_comment && (is_sentence(page, asked) || is_plain()) {
        return Err(ReadFailure::Nothing);
    }
    let mut span = repeated(response, span);
    if rule != Step::WholeResponse {
        span.start += opening(response, &span);
    }
    let text = response
        .get(span.clone())
        .filter(|text| !text.is_empty())
        .ok_or(ReadFailure::Empty)?;
    Ok((plain(text), span, rule))
}

/// Returns true if a response offers two texts, or two years if the question asks for one year: 'It
/// might be Bus 42 or Bus 43'.
fn are_alternatives(page: &Page, asked: &Page) -> bool {
    let has = |word: &str| (0..page.len()).any(|at| page.lower(at) == word);
    let is_doubted = |at: usize| {
        matches!(
            page.lower(at),
            "might" | "may" | "could" | "either" | "maybe" | "perhaps"
        )
    };
    let is_hedged = (OPENS.has(page, 0) || is_doubted(0))
        && (0..page.len().min(10)).any(is_doubted)
        && has("or");
    let has_years = (0..asked.len()).any(|at| asked.lower(at) == "year")
        && (0..page.len()).filter(|at| is_year(page, *at)).count() > 1;
    let names_two =
        |at: usize| page.lower(at) == "or" && page.begins_name(at - 1) && page.begins_name(at + 1);
    let is_two = has("not") && has("but") || page.len() < 10 && (1..page.len()).any(names_two);
    is_hedged || has_years || is_two && !asks_writing(asked)
}

/// Lower-case words of sentences, which do not occur in a name or an amount.
static OF_SENTENCES: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "is|are|was|were|has|have|named|called|says|reads|shows|seems|appears|its|their|because|since|which|according|based|looks|cannot|can't|don't|doesn't|isn't",
    )
});

/// Returns true if a response can be only a name or an amount.
fn is_name(page: &Page) -> bool {
    !(0..page.len()).any(|at| OF_SENTENCES.has(page, at) && page.text(at) == page.lower(at))
}

/// Returns true if a piece can be a year.
fn is_year(page: &Page, at: usize) -> bool {
    page.kind(at) == Some(Kind::Number) && page.text(at).len() == 4
}

/// Words of questions about writing, to which any sentence can be the answer.
const WRITTEN: [&str; 8] = [
    "say", "says", "read", "reads", "written", "text", "message", "slogan",
];

/// Returns true if a question is unknown or asks for written text.
fn asks_writing(asked: &Page) -> bool {
    asked.len() == 0 || (0..asked.len()).any(|at| WRITTEN.contains(&asked.lower(at)))
}

/// Returns true if a page is a sentence about the picture: it reports what is written, or the
/// question does not ask for writing.
fn is_sentence(page: &Page, asked: &Page) -> bool {
    let word = (0..page.len()).find(|at| page.is_word(*at)).unwrap_or(0);
    let is_plain = |at: usize| page.text(at) == page.lower(at);
    let written = (0..page.len()).filter(|at| ON_WRITING.has(page, *at) && is_plain(*at));
    if written.count() > 0 && page.len() > 3 && !is_plain(word) {
        return true;
    }
    let opens = matches!(
        page.lower(0),
        "the" | "i" | "there" | "this" | "it" | "it's" | "that" | "that's" | "these"
    );
    let words = (0..page.len())
        .filter(|at| page.is_alphanumeric(*at))
        .count();
    let verb = (0..page.len().min(8)).any(|at| {
        matches!(
            page.lower(at),
            "is" | "are"
                | "it's"
                | "that's"
                | "was"
                | "shows"
                | "lists"
                | "has"
                | "see"
                | "contains"
                | "looks"
                | "seems"
                | "cannot"
                | "can't"
                | "don't"
        )
    });
    if OPENS.has(page, 0) && (1..page.len().min(8)).any(|at| REPORTS.has(page, at)) {
        return true;
    }
    let denies = page.lower(0) == "not" || (1..page.len()).any(|at| page.lower(at) == "not");
    (opens && verb && words > 2 || denies) && !asks_writing(asked)
}

/// Returns the range of the place without tags at its ends.
fn untagged(place: &AnswerPlace) -> Range<usize> {
    let mut range = place.range.clone();
    for tag in place.tags.iter().filter(|tag| !tag.is_text) {
        if tag.span.start == range.start {
            range.start = tag.span.end;
        }
    }
    for tag in place.tags.iter().rev().filter(|tag| !tag.is_text) {
        if tag.span.end == range.end && tag.span.start >= range.start {
            range.end = tag.span.start;
        }
    }
    range
}

/// Returns the answer in a sentence that repeats the question: 'The total amount is 12' for 'What
/// is the total amount?', and '34 is the number on the jersey'.
fn echoed(response: &str, page: &Page, question: &Page) -> Option<Range<usize>> {
    let asked: Vec<&str> = (0..question.len()).map(|at| question.lower(at)).collect();
    // Returns the only year: 'Founded in 1987.'
    if asked.contains(&"year") {
        let mut years = (0..page.len()).filter(|at| is_year(page, *at));
        if let (Some(year), None) = (years.next(), years.next()) {
            return page.span(&(year..year + 1));
        }
    }
    if let Some(span) = called(page).filter(|_| !asks_writing(question)) {
        return Some(inner(response, span));
    }
    let is_said = |at: &usize| asked.contains(&page.lower(*at)) || ECHO.has(page, *at);
    let colon = (1..page.len().min(8)).find(|at| page.is(*at, ':'));
    if let Some(colon) = colon
        && (0..colon).all(|at| is_said(&at))
        && (0..colon).any(|at| !ECHO.has(page, at))
    {
        let end = page.sentence_end_before(colon + 1, page.len());
        let span = page.span(&(colon + 1..end))?;
        return Some(inner(response, amount(response, span.start)..span.end));
    }
    // Written text can repeat words of the question.
    if asked.iter().any(|word| WRITTEN.contains(word)) {
        return None;
    }
    let is_echo = |range: Range<usize>| {
        let words: Vec<usize> = range.filter(|at| page.is_alphanumeric(*at)).collect();
        let is_named = |at: &usize| asked.contains(&page.lower(*at)) && !ECHO.has(page, *at);
        words.iter().all(is_said) && words.iter().any(is_named)
    };
    let copula = |at: &usize| {
        matches!(
            page.lower(*at),
            "is" | "are" | "was" | "were" | "be" | "是" | "es" | "ist"
        )
    };
    let at = (0..page.len().min(20)).find(copula)?;
    let end = page.sentence_end_before(at, page.len());
    // Example: 'The author is Jane Austen.'
    let is_named = page.lower(0) == "the" && at == 2 && page.begins_name(at + 1);
    let said = if is_echo(0..at) || is_named {
        // Example: '12 dollars, including tax'.
        if (at + 1..end).any(|at| copula(&at)) {
            return None;
        }
        let comma = (at + 1..end).find(|at| {
            page.is(*at, ',') && page.is_word(at + 1) && page.text(at + 1) == page.lower(at + 1)
        });
        at + 1..comma.unwrap_or(end)
    } else if is_echo(at + 1..end) {
        0..at
    } else {
        return None;
    };
    let span = page.span(&said)?;
    Some(inner(response, amount(response, span.start)..span.end))
}

/// Returns the name in a sentence like 'The cafe is called Blue Moon.'
fn called(page: &Page) -> Option<Range<usize>> {
    let is_named = |at: &usize| {
        matches!(page.lower(at - 1), "is" | "it's" | "was")
            && matches!(page.lower(*at), "called" | "named" | "titled")
            && (page.begins_name(at + 1) || page.is(at + 1, '"'))
    };
    let start = (1..page.len().min(20)).find(is_named)? + 1;
    page.span(&(start..page.sentence_end_before(start, page.len())))
}

/// Words of a repeated question that do not have to occur in the question.
static ECHO: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "its|the|a|an|this|that|of|in|on|shown|image|picture|here|what|is|are|was|appears|seems|likely|probably|to",
    )
});

/// Returns true if two quoted texts are offered as alternatives: '"HOTEL" or "MOTEL"'.
fn has_two_quotes(page: &Page) -> bool {
    let or = |at: usize| matches!(page.lower(at), "or" | "oder" | "或" | "maybe" | "perhaps");
    (1..page.len()).any(|at| or(at) && page.is(at - 1, '"') && page.is(at + 1, '"'))
}

/// Returns the first line if all lines are the same, because some models repeat themselves.
fn repeated(response: &str, span: Range<usize>) -> Range<usize> {
    let text = response.get(span.clone()).unwrap_or_default();
    let first = text.lines().next().unwrap_or_default().trim_end();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let all = lines.all(|line| line == first);
    span.start..if all {
        span.start + first.len()
    } else {
        span.end
    }
}

/// Phrases that hedge the text before them.
const HEDGES: [&str; 8] = [
    ", i think",
    ", i believe",
    ", i guess",
    ", probably",
    ", maybe",
    ", perhaps",
    ", presumably",
    ", it seems",
];

/// Returns the range without comments on the text: a last paragraph, a sentence such as 'The text
/// is white.' if the question does not ask for writing, and a hedge like ', I think'.
fn without_comment(response: &str, span: Range<usize>, asked: &Page) -> Range<usize> {
    let text = response.get(span.clone()).unwrap_or_default();
    let lower = text.trim_end_matches(['.', ' ']).to_ascii_lowercase();
    // Cuts off a clause about the source: 'Blue Moon, according to the sign'.
    let aside = [", according to ", ", as ", ", based on ", ", judging by "];
    let found = aside.iter().filter_map(|aside| lower.find(aside)).min();
    if let Some(at) = found.filter(|_| !asks_writing(asked)) {
        return span.start..span.start + at;
    }
    if let Some(hedge) = HEDGES.iter().find(|hedge| lower.ends_with(*hedge)) {
        return span.start..span.start + lower.len() - hedge.len();
    }
    let sentence = || text.find(". ").filter(|_| !asks_writing(asked));
    let Some(at) = text.rfind("\n\n").or_else(sentence) else {
        return span;
    };
    let comment = Page::of(&text[at..]);
    let first = (0..comment.len()).find(|at| comment.is_word(*at));
    let is_comment = first.is_some_and(|first| {
        matches!(comment.lower(first), "the" | "this" | "it" | "i" | "note")
            && (first..first + 8).any(|at| matches!(comment.lower(at), "is" | "was" | "are" | ":"))
    });
    span.start..span.start + if is_comment { at } else { text.len() }
}
