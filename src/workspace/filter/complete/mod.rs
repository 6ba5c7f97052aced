//! Completes filters. Suggests keys or values, with the number of predictions that have each.

mod lens_contents;
mod values;

use std::cmp::Reverse;
use std::ops::Range;

use lens_contents::LensContents;
use record::Table;

use crate::Lens;
use crate::filter::nearest::nearest;

/// Maximum number of candidates.
const MOST: usize = 100;
/// Maximum number of suggestions for a misspelt word.
const GUESSES: usize = 3;

/// Suggestions at a position in a filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Byte range of the text that a candidate replaces.
    pub at: Range<usize>,
    /// Suggestions. Those that start with the typed text come first, then by frequency.
    pub candidates: Vec<Candidate>,
    /// True if no suggestion contains the typed text. They are then words with a similar spelling.
    pub guessed: bool,
    /// Description of other valid input, for example the range of a number.
    pub hint: String,
}

/// A suggestion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Text to insert, quoted if needed.
    pub insert: String,
    /// Name for display.
    pub name: String,
    /// Short description.
    pub what: String,
    /// Number of predictions in the lens that match; `None` if counting is too slow.
    pub count: Option<u64>,
}

/// Suggests completions at byte `cursor` of a filter. Counts cover the predictions that pass the
/// lens and the rest of `text`. `text` replaces the filter of the lens.
pub fn complete(text: &str, cursor: usize, table: &Table, lens: &Lens) -> Completion {
    let context = Context::of(text, cursor);
    let held = LensContents::new(table, &lens_without(text, &context, lens), lens);
    let (found, hint) = match context.key {
        None => values::keys(&held, context.typed),
        Some(key) => values::values(&held, key),
    };
    let typed = context.typed.to_lowercase();
    let mut candidates = fitting(&found, &typed, context.key.is_some());
    let mut guessed = false;
    if candidates.is_empty() && context.key.is_some() {
        candidates = guesses(&found, &typed);
        guessed = !candidates.is_empty();
    }
    if context.key.is_some() {
        for candidate in &mut candidates {
            candidate.insert = quoted(&candidate.insert);
        }
    }
    Completion {
        at: context.at,
        candidates,
        guessed,
        hint,
    }
}

/// Returns the suggestions that contain the typed text. Values are sorted by count; keys keep their
/// order.
fn fitting(found: &[Candidate], typed: &str, by_count: bool) -> Vec<Candidate> {
    let name = |candidate: &Candidate| candidate.name.to_lowercase();
    let holds = found
        .iter()
        .filter(|candidate| name(candidate).contains(typed));
    let mut fitting: Vec<Candidate> = holds.cloned().collect();
    fitting.sort_by_key(|candidate| {
        let count = candidate.count.filter(|_| by_count);
        (!name(candidate).starts_with(typed), Reverse(count))
    });
    fitting.truncate(MOST);
    fitting
}

/// Returns suggestions that are spelled like the typed text, without numbers.
fn guesses(found: &[Candidate], typed: &str) -> Vec<Candidate> {
    let is_word = |name: &&str| name.parse::<f64>().is_err();
    let names = found
        .iter()
        .map(|candidate| candidate.name.as_str())
        .filter(is_word);
    let near = nearest(names, typed, GUESSES).into_iter();
    let of_name = |name| {
        found
            .iter()
            .find(|candidate| candidate.name == name)
            .cloned()
    };
    near.filter_map(of_name).collect()
}

/// Returns the lens with the rest of the text as its filter. If the rest is invalid, it is ignored
/// later.
fn lens_without(text: &str, context: &Context<'_>, lens: &Lens) -> Lens {
    let before = text.get(..context.term.start).unwrap_or_default();
    let after = text.get(context.term.end..).unwrap_or_default();
    Lens {
        filter: format!("{before} {after}"),
        ..lens.clone()
    }
}

/// What is being typed at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context<'a> {
    /// The key before the cursor; `None` unless a value is being typed.
    pub key: Option<&'a str>,
    /// The part of the key or value before the cursor, without quotes.
    pub typed: &'a str,
    /// Byte range that a completion replaces.
    pub at: Range<usize>,
    /// Byte range of the whole term.
    pub term: Range<usize>,
}

impl<'a> Context<'a> {
    /// Finds the context at byte `cursor`.
    pub fn of(text: &'a str, cursor: usize) -> Self {
        let cursor = text.floor_char_boundary(cursor);
        let term = term_at(text, cursor);
        let whole = text.get(term.clone()).unwrap_or_default();
        let sign = whole.find([':', '=', '<', '>', '~', '!', '"']);
        let value = sign
            .filter(|at| !whole[*at..].starts_with('"'))
            .map(|at| {
                whole.len()
                    - whole[at..]
                        .trim_start_matches([':', '=', '<', '>', '~', '!'])
                        .len()
            })
            .map(|at| term.start + at)
            .filter(|at| *at <= cursor);
        match (sign, value) {
            (Some(sign), Some(value)) => Self {
                key: whole.get(..sign),
                typed: text
                    .get(value..cursor)
                    .unwrap_or_default()
                    .trim_matches('"'),
                at: value..term.end,
                term,
            },
            _ => Self {
                key: None,
                typed: text.get(term.start..cursor).unwrap_or_default(),
                at: term.start..sign.map_or(term.end, |sign| term.start + sign).max(cursor),
                term,
            },
        }
    }
}

/// Returns the byte range of the term at `cursor`. Unquoted spaces and parentheses end a term.
fn term_at(text: &str, cursor: usize) -> Range<usize> {
    let (mut start, mut inside, mut escaped) = (0, false, false);
    for (at, c) in text.char_indices() {
        let ends = !inside && (c.is_whitespace() || matches!(c, '(' | ')'));
        if ends && at >= cursor {
            return start..at;
        }
        if ends {
            start = at + c.len_utf8();
        }
        inside ^= c == '"' && !escaped;
        escaped = inside && c == '\\' && !escaped;
    }
    start..text.len()
}

/// Quotes a value if it contains a space, a parenthesis or a quote.
fn quoted(value: &str) -> String {
    let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"');
    if value.is_empty() || value.contains(ends) {
        format!("\"{}\"", value.replace('"', "\\\""))
    } else {
        value.to_owned()
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod context_tests {
    use proptest::prelude::*;

    use super::*;
    use crate::filter::{Filter, parse};

    /// Returns the context of a text in which `|` marks the cursor.
    fn context(marked: &str) -> (Option<String>, String, String) {
        let cursor = marked.find('|').unwrap();
        let text = marked.replace('|', "");
        let context = Context::of(&text, cursor);
        (
            context.key.map(str::to_owned),
            context.typed.to_owned(),
            text[context.at].to_owned(),
        )
    }

    fn at(key: Option<&str>, typed: &str, replaced: &str) -> (Option<String>, String, String) {
        (
            key.map(str::to_owned),
            typed.to_owned(),
            replaced.to_owned(),
        )
    }

    #[test]
    fn keys_stand_after_spaces_and_parentheses() {
        assert_eq!(context("|"), at(None, "", ""));
        assert_eq!(context("abi|"), at(None, "abi", "abi"));
        assert_eq!(context("model:x |"), at(None, "", ""));
        assert_eq!(context("(mo|"), at(None, "mo", "mo"));
        assert_eq!(context("not (mo|) x"), at(None, "mo", "mo"));
        assert_eq!(context("ab|ility:ocr"), at(None, "ab", "ability"));
    }

    #[test]
    fn values_stand_after_signs() {
        assert_eq!(context("ability:|"), at(Some("ability"), "", ""));
        assert_eq!(
            context("x ability:co|unt y"),
            at(Some("ability"), "co", "count")
        );
        assert_eq!(context("a!=b|"), at(Some("a"), "b", "b"));
        assert_eq!(context("score<=0.|"), at(Some("score"), "0.", "0."));
        assert_eq!(context("model:\"a b|"), at(Some("model"), "a b", "\"a b"));
        assert_eq!(
            context("model:\"a b|\" c"),
            at(Some("model"), "a b", "\"a b\"")
        );
        assert_eq!(
            context("sample:td/a:b|"),
            at(Some("sample"), "td/a:b", "td/a:b")
        );
        assert_eq!(
            context("\"bare words|"),
            at(None, "\"bare words", "\"bare words")
        );
    }

    proptest! {
        #[test]
        fn a_quoted_value_reads_back(value in "[^\\\\]{0,12}") {
            let text = format!("model={}", quoted(&value));
            let Ok(Some(Filter::Leaf(leaf))) = parse(&text) else { panic!("a leaf: {text}") };
            prop_assert_eq!(leaf.value, value);
        }

        #[test]
        fn any_text_has_a_context(text in "\\PC{0,20}", cursor in 0usize..40) {
            let context = Context::of(&text, cursor);
            prop_assert!(text.get(context.at).is_some() && text.get(context.term).is_some());
        }
    }
}
