//! Splits a filter into words, quoted texts, comparisons and parentheses.

use std::ops::Range;

use super::FilterError;

/// A token of a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A bare word: a key, a value, `and`, `or`, `not`.
    Word(String),
    /// A quoted text, without its quotes.
    Quoted(String),
    /// `:`, `=`, `!=`, `<`, `<=`, `>`, `>=` or `~`.
    Compare(&'static str),
    /// Opening parenthesis `(`.
    Open,
    /// Closing parenthesis `)`.
    Close,
}

/// Comparison signs. Longer signs come first.
const COMPARISONS: [&str; 8] = ["<=", ">=", "!=", ":", "=", "<", ">", "~"];

/// Returns the tokens of a filter with their byte ranges.
///
/// # Errors
/// A quote is not closed.
pub fn tokens(text: &str) -> Result<Vec<(Token, Range<usize>)>, FilterError> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or_default();
        let after_compare =
            matches!(found.last(), Some((Token::Compare(_), before)) if is_end(before, at));
        let (token, length) = if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        } else if c == '"' {
            quoted(text, at)?
        } else if c == '(' {
            (Token::Open, 1)
        } else if c == ')' {
            (Token::Close, 1)
        } else if let Some(comparison) = COMPARISONS
            .into_iter()
            .find(|known| rest.starts_with(known) && !after_compare)
        {
            (Token::Compare(comparison), comparison.len())
        } else {
            word(rest, after_compare)
        };
        found.push((token, at..at + length));
        at += length;
    }
    Ok(found)
}

fn is_end(range: &Range<usize>, at: usize) -> bool {
    range.end == at
}

/// Reads a word. A value can contain comparison signs (`sample:a:b`); a key cannot.
fn word(rest: &str, is_value: bool) -> (Token, usize) {
    let ends = |c: char| {
        c.is_whitespace() || matches!(c, '(' | ')' | '"') || (!is_value && ":=<>~!".contains(c))
    };
    let length = rest
        .find(ends)
        .unwrap_or(rest.len())
        .max(rest.chars().next().map_or(1, char::len_utf8));
    (
        Token::Word(rest.get(..length).unwrap_or_default().to_owned()),
        length,
    )
}

fn quoted(text: &str, at: usize) -> Result<(Token, usize), FilterError> {
    let mut inner = String::new();
    let mut chars = text.get(at + 1..).unwrap_or_default().char_indices();
    while let Some((offset, c)) = chars.next() {
        match c {
            '"' => return Ok((Token::Quoted(inner), offset + 2)),
            // A backslash escapes a quote or a backslash. Before other characters it is kept, for
            // regular expressions.
            '\\' => match chars.next() {
                Some((_, next @ ('"' | '\\'))) if next == '"' => inner.push(next),
                Some((_, next)) => inner.extend(['\\', next]),
                None => inner.push('\\'),
            },
            other => inner.push(other),
        }
    }
    Err(FilterError::new(
        text,
        at..text.len(),
        "the quote is not closed",
    ))
}
