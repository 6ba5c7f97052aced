//! Detects refusals: the model will not or cannot answer.

use std::sync::LazyLock;

use super::page::Page;
use super::phrases::PhraseSet;

static CANNOT: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "cannot|can't|can not|unable to|not able to|won't|will not|couldn't|could not|don't have the ability to|do not have the ability to|am not capable of|not capable of",
    )
});

static HELP: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "help|assist|comply|provide|fulfill|fulfil|complete that|complete this|do that|engage|support that",
    )
});

static LOOK: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "see|view|viewing|look|open|access|analyze|analyse|process|interpret|receive|display|examine|load",
    )
});

static PICTURE: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "image|images|picture|pictures|photo|photos|photograph|visual|visuals|file|files|attachment",
    )
});

static MACHINE: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "as an ai|as a language model|as an ai language model|as a text-based|as a large language model|as a text-only",
    )
});

static NO_TEXT: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "no text|no readable text|no visible text|no legible text|no discernible text|text is not legible|text is not readable|text is illegible|\
         没有文字|看不清|无法识别|无法辨认|no se puede leer|ilegible|nicht lesbar|unleserlich|kein text",
    )
});

/// Phrases that state that something cannot be read or seen.
static ILLEGIBLE: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "not legible|illegible|not readable|unreadable|too blurry|too blurred|too small to|blurry|unclear|not clear|not visible|cannot be read|can't be read|\
         could not be read|isn't visible|isn't legible|isn't readable|isn't shown|not shown|not mentioned|does not mention|doesn't mention|does not show|doesn't show|is cut off|is hidden|is covered|is obscured|is blocked|is cropped|is missing|are hidden|are covered|cannot be seen|can't be seen|cannot be identified|cannot be made out|but no|cannot be determined|can't be determined|not discernible|not clearly|hard to read|difficult to read|impossible to read|impossible to make",
    )
});

/// Nouns for writing that can be unreadable.
static WRITING: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "text|word|words|writing|sign|letters|it|brand|headline|title|name|plate|number|label|rest|date|price|year|author|logo|caption|cover",
    )
});

/// Verbs of reading after 'I cannot'.
static READS: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "read|make out|see|tell|identify|determine|find|discern|recognize|recognise|decipher",
    )
});

/// Returns true if a page states that there is no text to read.
pub(super) fn lacks_text(page: &Page) -> bool {
    let end = page.sentence_end_before(0, page.len());
    let is_quoted = || (0..page.len()).any(|at| page.is(at, '"'));
    let says = |at: usize| {
        let verb = at + CANNOT.length(page, at);
        let reads = matches!(page.lower(verb), "read" | "make");
        let subject = |at: usize| WRITING.has(page, at) && at < 12;
        let cannot = matches!(
            page.lower(at.saturating_sub(1)),
            "i" | "we" | "i'm" | "we're" | "am" | "are"
        ) && verb > at
            && READS.has(page, verb)
            && !is_quoted();
        // 'It is blurry' states that the text is unreadable; 'in front of a blurry background' does
        // not.
        let states = !matches!(
            page.lower(at),
            "blurry" | "unclear" | "illegible" | "unreadable"
        ) || at > 0
            && matches!(
                page.lower(at - 1),
                "is" | "are" | "was" | "were" | "appears"
            );
        NO_TEXT.has(page, at)
            || cannot
            || ILLEGIBLE.has(page, at) && states && !is_quoted() && (0..at).any(subject)
            || verb > at && reads && (verb..end).any(|at| page.lower(at) == "text")
    };
    page.is_word(end.saturating_sub(1)) && end > 2 && (0..end).any(says)
}

/// Returns true if the page begins with a refusal.
pub(super) fn is_refusal(page: &Page) -> bool {
    let end = page.len().min(30);
    (0..end).any(|at| {
        MACHINE.has(page, at)
            || matches!(page.lower(at), "i" | "i'm" | "we" | "sorry")
                && (at + 1..at + 5).any(|cannot| {
                    let length = CANNOT.length(page, cannot);
                    let verb = cannot + length;
                    length > 0
                        && (verb..verb + 3).any(|verb| {
                            HELP.has(page, verb)
                                || LOOK.has(page, verb)
                                    && (verb + 1..verb + 5).any(|object| PICTURE.has(page, object))
                        })
                })
    })
}
