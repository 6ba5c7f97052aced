//! Finds the text after an introduction: 'The sign says', 'Text:', 'I can read'.

use std::ops::Range;
use std::sync::LazyLock;

use super::numbers::NO_NOUNS;
use super::page::{Kind, Page};
use super::phrases::PhraseSet;
use super::verdict::verdicts;
use super::wrapping::{QUOTES, closing, inner};

/// Nouns that can introduce a text.
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

/// Words about writing, in lower case, that rarely occur in the text of a sign.
pub(super) static ON_WRITING: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "letters|lettering|font|is written|written in|written there|appears|is shown|is displayed|is visible|can read|can see|make out|reads|says",
    )
});

/// Words that begin a sentence about written text.
pub(super) static OPENS: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "the|this|it|a|i|there|in|on|inside|here|here's|el|la|le|l'|o|il|das|der|die|auf|sur|en|图",
    )
});

/// Verbs that report written text.
pub(super) static REPORTS: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "says|reads|displays|spells|states|indicates|announces|diz|dice|dit|lit|lee|sagt|zeigt|steht|lautet|indique|indica|affiche|гласит",
    )
});

/// Returns the text after 'The sign says', 'Text:' or 'The answer is'.
pub(super) fn introduced(
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
    // Skips the verb in 'Correction: it says "STOP"'.
    let start = start
        + usize::from(matches!(page.lower(start), "says" | "reads") && page.is(start + 1, '"'));
    let from = amount(response, page.span(&(start..start + 1))?.start);
    let rest = response.get(from..whole.end.max(from))?;
    // Quotes or bold type after the phrase contain the text; the rest is a comment.
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

/// Returns the start of an amount whose number starts at a byte. A single dollar sign before it
/// belongs to the amount and is not LaTeX.
pub(super) fn amount(response: &str, from: usize) -> usize {
    let dollar = response.get(..from).is_some_and(|text| text.ends_with('$'))
        && response.matches('$').count() == 1;
    from - usize::from(dollar)
}

/// Returns the length of words before a name that do not belong to it: 'written by', 'called', or a
/// lower-case 'a' before a capital letter.
pub(super) fn opening(response: &str, span: &Range<usize>) -> usize {
    const OPENINGS: [&str; 13] = [
        "from ",
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

/// Phrases of uncertainty before a text.
static HEDGE: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "it's|that's|this is|that is|probably|maybe|perhaps|possibly|likely|most likely|i think|i think it's|i can see|i see|i can read|i read|i believe|i'd guess|i guess|i'd say|i would say|looks like|it looks like|it seems to be|seems to be|what i can read is",
    )
});

/// Polite openings: 'Sure!'.
static COURTESY: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "sure|sure thing|certainly|of course|okay|ok|yes|absolutely|no problem|here you go|here it is",
    )
});

/// Returns the piece after a phrase at the start of a page that introduces a text.
fn phrase(page: &Page) -> Option<usize> {
    let word = |from: usize| (from..page.len()).find(|at| page.is_word(*at));
    let mut start = word(0)?;
    // Examples: 'It's Bus 42', 'Probably Bus 42'.
    let is_name = |at: usize| page.begins_name(at) || page.is(at, '"');
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
    // Example: 'The display says Bus 42', for any noun.
    let reports = (start + 1..start + 6).find(|at| REPORTS.has(page, *at));
    if let Some(verb) = reports.filter(|verb| opens && noun.is_none_or(|noun| noun > *verb)) {
        return Some(verb + SAYS.length(page, verb).max(1)).filter(|next| *next < page.len());
    }
    let Some(noun) = noun else {
        // Example: 'El letrero dice «SALIDA»', for any noun.
        let says = (start + 1..start + 12).find(|at| SAYS.has(page, *at))?;
        let quote = says + SAYS.length(page, says);
        return (page.is_word(says) && page.is(quote, '"')).then_some(quote);
    };
    // Example: 'I see the word "STOP".'
    let named = noun + NOUN.length(page, noun);
    if page.is(named, '"') {
        return Some(named);
    }
    let says = (named..noun + 12)
        .take_while(|at| !page.ends_sentence(*at) && !page.is(*at, '"'))
        .filter(|at| SAYS.has(page, *at));
    // The colon of '12:30' belongs to a time.
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
    // A phrase with nothing after it is an ordinary text.
    (next < page.len() && (page.is_word(at) || page.is_any(at, ":="))).then_some(next)
}

/// Returns the start of the only quoted text, if it ends the page: 'Le texte est « STOP ».'
fn last_quote(page: &Page, from: usize) -> Option<usize> {
    let end = (0..page.len()).rfind(|at| !page.is(*at, '.'))?;
    let mut quotes = (0..page.len()).filter(|at| page.is(*at, '"'));
    let (open, close) = (quotes.next()?, quotes.next()?);
    (quotes.next().is_none() && close == end && open >= from).then_some(open)
}

/// Returns the only quoted text, if it comes first and is reported as written: '"STOP" is written
/// on it.'
pub(super) fn quoted(page: &Page) -> Option<Range<usize>> {
    let mut quotes = (0..page.len()).filter(|at| page.is(*at, '"'));
    let (open, close) = (quotes.next()?, quotes.next()?);
    let is_written = (close + 1..close + 4).any(|at| ON_WRITING.has(page, at));
    (open == 0 && close > 1 && quotes.next().is_none() && is_written)
        .then(|| page.span(&(1..close)))
        .flatten()
}
