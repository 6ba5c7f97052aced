//! Finds what a question is about, to compare it with sentences of a response.

use std::ops::Range;
use std::sync::LazyLock;

use super::page::Page;
use super::phrases::PhraseSet;
use super::synonyms::plain;

/// Words without content.
static EMPTY: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "a|an|the|this|that|these|those|is|are|was|were|be|been|am|do|does|did|has|have|had|can|could|will|would|should|there|here|it|its|he|she|they|them|\
         i|we|you|me|one|ones|any|some|in|on|at|of|to|from|by|with|for|as|and|or|but|not|no|nor|none|so|if|yes|please|answer|question|image|picture|photo|\
         scene|photograph|see|seen|seem|seems|appear|appears|show|shows|shown|visible|present|contain|contains|feature|features|depict|depicts|include|\
         includes|display|displays|true|false|correct|right|case|what|which|who|how|many|where|when|why|it's|isn't|doesn't|don't|there's|aren't|i'm|\
         only|also|just|all|i'd|say|think|that's|based|according|clearly|actually|cannot|can't|total|number|count|different|altogether|provided|given",
    )
});

/// Function words that occur only in English.
static ENGLISH: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list("the|is|are|there|it|does|do|not|this|that|i|isn't|doesn't|don't|aren't|of|and")
});

/// Words between 'how many' and the counted noun.
static SKIP: LazyLock<PhraseSet> =
    LazyLock::new(|| PhraseSet::list("of|the|these|all|different|total|visible|distinct"));

/// Returns the content words in a part of a page, in plain form.
pub(super) fn content(page: &Page, range: Range<usize>) -> Vec<String> {
    range
        .filter(|at| page.is_alphanumeric(*at) && !EMPTY.has(page, *at))
        .map(|at| plain(page.lower(at).trim_end_matches("'s")))
        .collect()
}

/// Returns the words of a question without the words for the counted objects.
pub(super) fn without_counted(asked: &[String], counted: &[String]) -> Vec<String> {
    let is_other = |word: &&String| !counted.contains(word);
    asked.iter().filter(is_other).cloned().collect()
}

/// Returns false if a part of a page has content words, but none of the question's. Texts in other
/// languages than English, or without content words, count as being about the question.
pub(super) fn is_about(page: &Page, range: &Range<usize>, asked: &[String]) -> bool {
    let named = content(page, range.clone());
    named.is_empty()
        || asked.is_empty()
        || !range.clone().any(|at| ENGLISH.has(page, at))
        || named.iter().any(|word| asked.contains(word))
}

/// Returns the words for what a question counts, in plain form; the last word is the noun.
pub(super) fn counted(page: &Page) -> Vec<String> {
    let starts = |at: usize| {
        matches!(
            (page.lower(at), page.lower(at + 1)),
            ("how", "many") | ("number" | "count", "of")
        )
    };
    let Some(mut at) = (0..page.len()).find(|at| starts(*at)).map(|at| at + 2) else {
        return Vec::new();
    };
    while SKIP.has(page, at) {
        at += 1;
    }
    let end = (at..page.len()).find(|at| !page.is_word(*at) || EMPTY.has(page, *at));
    content(page, at..end.unwrap_or(page.len()))
}
