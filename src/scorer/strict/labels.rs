//! Finds the labels of options in a response.

use std::ops::Range;
use std::sync::LazyLock;

use hashbrown::HashMap;

use super::glyphs::lookalike;
use super::page::{Kind, Page};
use super::phrases::PhraseSet;
use record::Choice;

/// Words that can follow a label that is also a word, for example 'A'.
static FOLLOWS: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "is|are|aren't|was|isn't|because|since|as|for|would|wouldn't|could|might|seems|looks|fits|matches|and|or|but|not|if|correct|right|wrong|best|can|\
         doesn't|does|appears|shows|says|means|should|must|cannot|can't|weil|ist|est|es|é|è|und|oder|et|ou|y|o|e|falls|nor|instead|rather",
    )
});

/// Words that can follow 'I' as a label.
static FOLLOWS_I: LazyLock<PhraseSet> =
    LazyLock::new(|| PhraseSet::list("is|was|isn't|because|since|and|or|seems|fits|matches"));

/// Nouns that introduce a label.
static NOUN: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "option|choice|letter|answer|opción|opção|opzione|antwort|auswahl|選択肢|选项|選項|вариант|réponse|respuesta|resposta|risposta|ответ",
    )
});

/// Labels of a question's options.
pub(super) struct Labels {
    by_name: HashMap<String, usize>,
    /// Length of the longest label in characters.
    longest: usize,
}

impl Labels {
    pub fn of(options: &[Choice]) -> Self {
        let by_name = options
            .iter()
            .enumerate()
            .rev()
            .map(|(at, option)| (option.letter.clone(), at));
        let lengths = options.iter().map(|option| option.letter.chars().count());
        Self {
            by_name: by_name.collect(),
            longest: lengths.max().unwrap_or_default(),
        }
    }

    /// Returns the option whose label is at a piece, in upper or lower case, regardless of the
    /// context.
    pub fn named(&self, page: &Page, at: usize) -> Option<usize> {
        let text = short(page, at)?;
        // Changing the case never shortens a text, so a longer text cannot be a label.
        if text.chars().count() > self.longest {
            return None;
        }
        self.as_written(text).or_else(|| {
            let upper = latin(text).to_uppercase();
            let found = self.by_name.get(&upper);
            let found = found.or_else(|| self.by_name.get(&upper.to_lowercase()));
            found.copied()
        })
    }

    fn as_written(&self, text: &str) -> Option<usize> {
        self.by_name.get(text).copied()
    }

    /// Returns the option whose label stands alone at the first piece that is read.
    pub fn leading(&self, page: &Page, at: usize) -> Option<usize> {
        self.alone(page, at, true)
    }

    /// Returns the option whose label stands alone at a later piece.
    pub fn at(&self, page: &Page, at: usize) -> Option<usize> {
        self.alone(page, at, false)
    }

    /// Returns the option whose label stands alone at a piece, if the piece is unlikely to be a
    /// plain word. `lead` is true for the first piece.
    fn alone(&self, page: &Page, at: usize, lead: bool) -> Option<usize> {
        let option = self.named(page, at)?;
        if !page.alone(&(at..at + 1)) || within_compound(page, at) {
            return None;
        }
        let name = page.text(at);
        let exact = self
            .as_written(name)
            .or_else(|| self.as_written(&latin(name)));
        let exact = exact == Some(option);
        let before = |mark| at > 0 && page.is_any(at - 1, mark);
        let after = |mark| page.is_any(at + 1, mark);
        let enclosed = before("([{\"'<") && after(")]}\"'>");
        let noun = at > 0 && NOUN.has(page, at - 1);
        if page.kind(at) == Some(Kind::Number) {
            let ends = page.ends_sentence(at + 1) || after("),:]-–—");
            return (lead && ends || noun || enclosed && before("([")).then_some(option);
        }
        let one = name.chars().count() == 1;
        if !exact {
            let ends = page.kind(at + 1).is_none()
                || lead && (after(").:]-–—,") || page.kind(at + 1) == Some(Kind::Line));
            let lone = lead && ends;
            return (one
                && (enclosed && before("([{\"'<") || lone || noun && !page.is_word(at + 1)))
            .then_some(option);
        }
        if enclosed || noun {
            return Some(option);
        }
        if !one && !lead && name.chars().all(char::is_alphabetic) && page.is_word(at + 1) {
            return None;
        }
        (!is_word(page, at)).then_some(option)
    }
}

/// Returns true if a capital letter is probably a word: 'I am', 'A dog'.
pub(super) fn is_word(page: &Page, at: usize) -> bool {
    let name = page.text(at);
    let follows = if name == "I" { &FOLLOWS_I } else { &FOLLOWS };
    is_word_too(name) && page.kind(at + 1) == Some(Kind::Word) && !follows.has(page, at + 1)
}

/// Returns the text of a piece if it is short enough for a label.
fn short(page: &Page, at: usize) -> Option<&str> {
    let is_named = matches!(page.kind(at), Some(Kind::Word | Kind::Number));
    Some(page.text(at)).filter(|text| is_named && text.len() <= 8)
}

/// Replaces the letters of a text by the Latin letters that look the same.
fn latin(text: &str) -> String {
    text.chars().map(lookalike).collect()
}

/// Returns true for capital letters that are also words in one of the usual languages.
fn is_word_too(name: &str) -> bool {
    matches!(name, "A" | "I" | "O" | "E" | "Y")
}

/// Returns true if a label is part of something else: 'N/A', 'T-shirt', 'B-52', 'vitamin C', 'C++'.
fn within_compound(page: &Page, at: usize) -> bool {
    let letter = |at: usize| page.text(at).chars().count() == 1;
    let joined = |mark: usize, beyond: usize| {
        (page.is(mark, '-') && page.is_alphanumeric(beyond))
            || (page.is(mark, '–') && letter(beyond))
            || (page.is(mark, '/') && page.text(beyond) == "N")
            || (page.is(mark, '&') && letter(beyond) && page.text(beyond) == "Q")
    };
    let after = page.glued(at + 1) && page.glued(at + 2) && joined(at + 1, at + 2);
    let before = at > 1 && page.glued(at) && page.glued(at - 1) && joined(at - 1, at - 2);
    let plus = page.glued(at + 1)
        && (page.is(at + 1, '+') || page.is(at + 1, '#') && !page.is(at + 2, '#'));
    let vitamin = at > 0
        && matches!(
            page.lower(at - 1),
            "vitamin"
                | "hepatitis"
                | "plan"
                | "image"
                | "figure"
                | "picture"
                | "panel"
                | "labelled"
                | "labeled"
                | "marked"
        );
    let degrees = at > 0 && page.glued(at) && page.is(at - 1, '°');
    // The first half of 'N/A', which matters if N is an option.
    let none = page.text(at) == "N" && page.is(at + 1, '/') && page.text(at + 2) == "A";
    before || after || plus || vitamin || degrees || none
}

/// Returns the pieces of a label including its brackets and quotes.
pub(super) fn dressed(page: &Page, at: usize) -> Range<usize> {
    let open = at > 0 && page.is_any(at - 1, "([{<\"'");
    let close = page.is_any(at + 1, ")]}\"'") || open && page.is(at + 1, '>');
    at - usize::from(open && close)..at + 1 + usize::from(close)
}
