//! Reads free text: the response without its wrapping.

use std::ops::Range;
use std::sync::LazyLock;

use super::numbers::NO_NOUNS;
use super::page::{Kind, Page};
use super::phrases::PhraseSet;
use super::place::AnswerPlace;
use super::read_failure::ReadFailure;
use super::step::Step;
use super::verdict::verdicts;
use super::wrapping::{QUOTES, closing, inner, plain};

/// JSON keys that may contain a text.
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

/// Nouns that introduce a text.
static NOUN: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "text|word|words|brand|brand name|name|logo|date|price|headline|message|slogan|sign|label|writing|letter|letters|number|inscription|caption|title|it|plate|license plate|box|image|picture|banner|board|poster|phrase|transcription|ocr|string|content|文字|文本|texto|texte|testo|schild",
    )
});

static SAYS: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "reads|says|is|=|diz|lê|lit|lee|zeigt|steht|indique|indica|affiche|гласит|написано|写着|と書|說|shows|states|displays|contains|spells|reading|saying|read|:|are|says:|是|为|为:|dice|dit|sagt|lautet|reads as|contains the text|says the word|contains the word|shows the text|shows the word|displays the text|spells out|spells the word|reads the word",
    )
});

/// Words about writing, in small letters, that the text of a sign hardly has.
static ON_WRITING: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "letters|lettering|font|is written|written in|written there|appears|is shown|is displayed|is visible|can read|can see|make out|reads|says",
    )
});

/// Words that begin a sentence about what is written.
static OPENS: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "the|this|it|a|i|there|in|on|inside|here|here's|el|la|le|l'|o|il|das|der|die|auf|sur|en|图",
    )
});

/// Verbs that report what is written.
static REPORTS: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "says|reads|displays|spells|states|indicates|announces|diz|dice|dit|lit|lee|sagt|zeigt|steht|lautet|indique|indica|affiche|гласит",
    )
});

/// Reads the text of a place; returns its span and the rule.
pub(super) fn read(
    response: &str,
    place: &AnswerPlace,
    asked: &Page,
) -> Result<(String, Range<usize>, Step), ReadFailure> {
    let page = Page::new(response, place.range.clone(), &place.tags);
    let first = (0..page.len()).find(|at| page.is_word(*at)).unwrap_or(0);
    let but = page.lower(first) == "not" && (0..page.len()).any(|at| page.lower(at) == "but");
    let is_two = (but || page.lower(first) == "either") && !asks_writing(asked);
    let is_year = |at: &usize| page.kind(*at) == Some(Kind::Number) && page.text(*at).len() == 4;
    let is_name = |at: usize| {
        page.text(at)
            .starts_with(|c: char| c.is_uppercase() || c.is_numeric())
    };
    let is_doubted = |at: usize| {
        matches!(
            page.lower(at),
            "might" | "may" | "could" | "either" | "maybe" | "perhaps"
        )
    };
    let is_two = is_two
        || (OPENS.has(&page, 0) || is_doubted(0))
            && (0..page.len().min(10)).any(is_doubted)
            && (0..page.len()).any(|at| page.lower(at) == "or")
        || page.len() < 10
            && !asks_writing(asked)
            && (1..page.len())
                .any(|at| page.lower(at) == "or" && is_name(at - 1) && is_name(at + 1));
    let years = (0..asked.len()).any(|at| asked.lower(at) == "year")
        && (0..page.len()).filter(is_year).count() > 1;
    if has_two_quotes(&page) || is_two || years {
        return Err(ReadFailure::Two);
    }
    let all = untagged(place);
    let text = without_comment(response, all.clone());
    let has_comment = text.end < all.end;
    if let Some(span) = quoted(&page) {
        let span = inner(response, span);
        let text = response.get(span.clone()).unwrap_or_default();
        return Ok((plain(text), span, Step::IntroducedText));
    }
    let whole = inner(response, text);
    let echo = || echoed(response, &page, asked);
    let (span, rule) = introduced(response, &page, &place.range, &whole)
        .or_else(echo)
        .map_or((whole, Step::WholeResponse), |span| {
            (span, Step::IntroducedText)
        });
    if rule == Step::WholeResponse && !has_comment && is_sentence(&page, asked) {
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

/// Words of questions about writing, whose answer may be any sentence.
const WRITTEN: [&str; 8] = [
    "say", "says", "read", "reads", "written", "text", "message", "slogan",
];

/// Returns true if a question is unknown, or asks for writing.
fn asks_writing(asked: &Page) -> bool {
    asked.len() == 0 || (0..asked.len()).any(|at| WRITTEN.contains(&asked.lower(at)))
}

/// Returns true for a sentence about the picture: one that reports what is written, or any if the
/// question does not ask for writing.
fn is_sentence(page: &Page, asked: &Page) -> bool {
    let word = (0..page.len()).find(|at| page.is_word(*at)).unwrap_or(0);
    let is_plain = |at: usize| page.text(at) == page.lower(at);
    let written = (0..page.len()).filter(|at| ON_WRITING.has(page, *at) && is_plain(*at));
    if written.count() > 0 && page.len() > 3 && !is_plain(word) {
        return true;
    }
    let opens = matches!(page.lower(0), "the" | "i" | "there" | "this" | "it");
    let words = (0..page.len())
        .filter(|at| page.is_alphanumeric(*at))
        .count();
    let verb = (1..page.len().min(8)).any(|at| {
        matches!(
            page.lower(at),
            "is" | "are" | "was" | "shows" | "lists" | "has" | "see" | "contains"
        )
    });
    if OPENS.has(page, 0) && (1..page.len().min(8)).any(|at| REPORTS.has(page, at)) {
        return true;
    }
    let least = if page.lower(0) == "there" { 4 } else { 6 };
    opens && verb && words > least && !asks_writing(asked)
}

/// Returns the place without tags at its ends.
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

/// Returns the text after 'The sign says', 'Text:', 'The answer is'.
fn introduced(
    response: &str,
    page: &Page,
    range: &Range<usize>,
    whole: &Range<usize>,
) -> Option<Range<usize>> {
    let said = verdicts(page, &NO_NOUNS)
        .into_iter()
        .find(|verdict| verdict.start < page.len());
    let start = match said {
        Some(verdict) => verdict.start,
        None => phrase(page)?,
    };
    // 'Correction: it says "STOP"'
    let start = start
        + usize::from(matches!(page.lower(start), "says" | "reads") && page.is(start + 1, '"'));
    let from = amount(response, page.span(&(start..start + 1))?.start);
    let rest = response.get(from..whole.end.max(from))?;
    // Quotes or bold letters after the phrase contain the text; the rest is a comment.
    let behind = response.get(range.start..from).unwrap_or_default();
    let mark = QUOTES
        .iter()
        .find(|(open, _)| rest.starts_with(open) || behind.ends_with(open));
    if let Some((open, close)) = mark {
        let open_end = from
            + if rest.starts_with(open) {
                open.len()
            } else {
                0
            };
        let text = response.get(open_end..range.end)?;
        if let Some(length) = closing(text, close) {
            let whole = open_end..open_end + length;
            return Some(inner(response, whole));
        }
    }
    Some(inner(response, from..whole.end.max(from)))
}

/// Returns the start of an amount whose number starts at a byte: its dollar sign, which is no
/// mark of LaTeX if there is only one.
fn amount(response: &str, from: usize) -> usize {
    let dollar = response.get(..from).is_some_and(|text| text.ends_with('$'))
        && response.matches('$').count() == 1;
    from - usize::from(dollar)
}

/// Returns the answer in a sentence that repeats the question: 'The total amount is 12' for 'What
/// is the total amount?', and '34 is the number on the jersey'.
fn echoed(response: &str, page: &Page, asked: &Page) -> Option<Range<usize>> {
    let asked: Vec<&str> = (0..asked.len()).map(|at| asked.lower(at)).collect();
    // What is written may repeat words of the question.
    // 'Founded in 1987.'
    if asked.contains(&"year") {
        let year = |at: &usize| page.kind(*at) == Some(Kind::Number) && page.text(*at).len() == 4;
        let mut years = (0..page.len()).filter(year);
        if let (Some(year), None) = (years.next(), years.next()) {
            return page.span(&(year..year + 1));
        }
    }
    if page.lower(0) == "it's" && matches!(page.lower(1), "called" | "named") {
        let span = page.span(&(2..page.len()))?;
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
    if asked.iter().any(|word| WRITTEN.contains(word)) {
        return None;
    }
    let is_echo = |range: Range<usize>| {
        let words: Vec<usize> = range.filter(|at| page.is_alphanumeric(*at)).collect();
        let known = |at: &usize| asked.contains(&page.lower(*at)) || ECHO.has(page, *at);
        let named = |at: &usize| asked.contains(&page.lower(*at)) && !ECHO.has(page, *at);
        words.iter().all(known) && words.iter().any(named)
    };
    let copula = |at: &usize| {
        matches!(
            page.lower(*at),
            "is" | "are" | "was" | "were" | "是" | "es" | "ist"
        )
    };
    let at = (0..page.len().min(20)).find(copula)?;
    let end = page.sentence_end_before(at, page.len());
    // 'The author is Jane Austen.'
    let names = |at: usize| {
        page.text(at)
            .starts_with(|c: char| c.is_uppercase() || c.is_numeric())
    };
    let is_named = page.lower(0) == "the" && at == 2 && names(at + 1);
    let said = if is_echo(0..at) || is_named {
        // '12 dollars, including tax'
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

/// Words of an echo that need not be in the question.
static ECHO: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list("the|a|an|this|that|of|in|on|shown|image|picture|here|what|is|are|was")
});

/// Returns the length of words before a name that do not belong to it: 'written by', 'called', and
/// a small 'a' before a capital letter.
fn opening(response: &str, span: &Range<usize>) -> usize {
    const OPENINGS: [&str; 12] = [
        "called ",
        "named ",
        "titled ",
        "entitled ",
        "written by ",
        "made by ",
        "painted by ",
        "published by ",
        "directed by ",
        "designed by ",
        "a ",
        "an ",
    ];
    let text = response.get(span.clone()).unwrap_or_default();
    let names = |rest: &str| rest.starts_with(|c: char| c.is_uppercase() || c.is_numeric());
    let is_opening = |open: &&str| text.strip_prefix(*open).is_some_and(names);
    OPENINGS.into_iter().find(is_opening).map_or(0, str::len)
}

/// Returns true if two quoted texts are alternatives: '"HOTEL" or "MOTEL"'.
fn has_two_quotes(page: &Page) -> bool {
    let or = |at: usize| matches!(page.lower(at), "or" | "oder" | "或" | "maybe" | "perhaps");
    (1..page.len()).any(|at| or(at) && page.is(at - 1, '"') && page.is(at + 1, '"'))
}

/// Returns the first line if all lines are the same: a model that repeats itself.
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

/// Words before a text that is not yet written out.
static HEDGE: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "it's|that's|probably|maybe|perhaps|possibly|likely|most likely|i think|i think it's|i can see|i see|i can read|i read|i believe|what i can read is",
    )
});

/// Courtesies before a phrase: 'Sure!'.
static COURTESY: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "sure|sure thing|certainly|of course|okay|ok|yes|absolutely|no problem|here you go|here it is",
    )
});

/// Returns the piece after a phrase that introduces a text, at the start of a page.
fn phrase(page: &Page) -> Option<usize> {
    let word = |from: usize| (from..page.len()).find(|at| page.is_word(*at));
    let mut start = word(0)?;
    // 'It's Bus 42', 'Probably Bus 42'
    let is_name = |at: usize| {
        page.text(at)
            .starts_with(|c: char| c.is_uppercase() || c.is_numeric())
            || page.is(at, '"')
    };
    let mut hedge = start + HEDGE.length(page, start);
    while hedge > start && page.is_any(hedge, ":,") {
        hedge += 1;
    }
    if hedge > start && is_name(hedge) && page.text(start).get(1..) == page.lower(start).get(1..) {
        return Some(hedge);
    }
    let courtesy = start + COURTESY.length(page, start);
    if courtesy > start && page.is_any(courtesy, ",.!:") {
        start = word(courtesy)?;
        if let Some(quote) = (courtesy..start).find(|at| page.is(*at, '"')) {
            return Some(quote);
        }
    }
    let opens = NOUN.has(page, start) || OPENS.has(page, start);
    let noun = (start..start + 8)
        .find(|at| NOUN.has(page, *at))
        .filter(|_| opens);
    // 'The display says Bus 42', for any noun.
    let reports = (start + 1..start + 6).find(|at| REPORTS.has(page, *at));
    if let Some(verb) = reports.filter(|verb| opens && noun.is_none_or(|noun| noun > *verb)) {
        return Some(verb + SAYS.length(page, verb).max(1)).filter(|next| *next < page.len());
    }
    let Some(noun) = noun else {
        // 'El letrero dice «SALIDA»', for any noun.
        let says = (start + 1..start + 12).find(|at| SAYS.has(page, *at))?;
        let quote = says + SAYS.length(page, says);
        return (page.is_word(says) && page.is(quote, '"')).then_some(quote);
    };
    // 'I see the word "STOP".'
    let named = noun + NOUN.length(page, noun);
    if page.is(named, '"') {
        return Some(named);
    }
    let says = (named..noun + 12)
        .take_while(|at| !page.ends_sentence(*at) && !page.is(*at, '"'))
        .filter(|at| SAYS.has(page, *at));
    // '12:30'
    let is_time = |at: usize| page.is(at, ':') && page.kind(at - 1) == Some(Kind::Number);
    let Some(at) = says.filter(|at| !is_time(*at)).last() else {
        return last_quote(page, named);
    };
    let mut next = at + SAYS.length(page, at);
    if page.is(at, ':') && noun > start + 6 {
        return None;
    }
    while page.is_any(next, ":,") {
        next += 1;
    }
    // The phrase alone is an ordinary text.
    (next < page.len() && (page.is_word(at) || page.is_any(at, ":="))).then_some(next)
}

/// Returns the start of the only quoted text, if it ends the page: 'Le texte est « STOP ».'
fn last_quote(page: &Page, from: usize) -> Option<usize> {
    let end = (0..page.len()).rfind(|at| !page.is(*at, '.'))?;
    let mut quotes = (0..page.len()).filter(|at| page.is(*at, '"'));
    let (open, close) = (quotes.next()?, quotes.next()?);
    (quotes.next().is_none() && close == end && open >= from).then_some(open)
}

/// Returns the range without a last paragraph that comments on the text: 'The text is white.'
fn without_comment(response: &str, span: Range<usize>) -> Range<usize> {
    let text = response.get(span.clone()).unwrap_or_default();
    let Some(at) = text.rfind("\n\n") else {
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

/// Returns the only quoted text, if it leads and is said to be written: '"STOP" is written on it.'
fn quoted(page: &Page) -> Option<Range<usize>> {
    let mut quotes = (0..page.len()).filter(|at| page.is(*at, '"'));
    let (open, close) = (quotes.next()?, quotes.next()?);
    let is_written = (close + 1..close + 4).any(|at| ON_WRITING.has(page, at));
    (open == 0 && close > 1 && quotes.next().is_none() && is_written)
        .then(|| page.span(&(1..close)))
        .flatten()
}
