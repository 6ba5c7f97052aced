//! Finds the term at the cursor of an unfinished filter.

use std::ops::Range;

/// Context of the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context<'a> {
    /// The key before the cursor, if a value is being typed.
    pub key: Option<&'a str>,
    /// The typed part of key or value, up to the cursor and without quotes.
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

/// Returns the byte range of the term at `cursor`. Terms end at unquoted spaces and parentheses.
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
pub fn quoted(value: &str) -> String {
    let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"');
    if value.is_empty() || value.contains(ends) {
        format!("\"{}\"", value.replace('"', "\\\""))
    } else {
        value.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::filter::{Filter, parse};

    /// Returns the context at the `|` of a text.
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
