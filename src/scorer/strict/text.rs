//! Free text: the response without what is wrapped around it.

use std::ops::Range;

use crate::{Answer, Reading};

/// Pairs of quotes that may enclose an answer.
const QUOTES: [(char, char); 7] = [
    ('"', '"'),
    ('\'', '\''),
    ('`', '`'),
    ('“', '”'),
    ('‘', '’'),
    ('«', '»'),
    ('「', '」'),
];

/// The text without surrounding white space, one pair of quotes and a final full stop; `None` when nothing is left.
pub(super) fn read(response: &str) -> Option<Reading> {
    let span = bare_span(response);
    let text = response.get(span.clone()).filter(|text| !text.is_empty())?;
    Some(Reading::at(Answer::Text(text.to_owned()), span))
}

/// That text, empty when nothing is left.
pub(super) fn bare(text: &str) -> &str {
    text.get(bare_span(text)).unwrap_or_default()
}

/// Its place. The full stop may stand inside or outside of the quotes, but only one is taken off.
fn bare_span(text: &str) -> Range<usize> {
    let trimmed = trim(text, 0..text.len());
    let stopped = without_stop(text, trimmed.clone());
    let unquoted = trim(text, unquote(text, stopped.clone()));
    if stopped == trimmed {
        without_stop(text, unquoted)
    } else {
        unquoted
    }
}

/// The range without white space at its ends.
fn trim(text: &str, range: Range<usize>) -> Range<usize> {
    let part = text.get(range.clone()).unwrap_or_default();
    let start = range.start + part.len() - part.trim_start().len();
    start..start + part.trim().len()
}

/// The range without a final full stop and white space before it.
fn without_stop(text: &str, range: Range<usize>) -> Range<usize> {
    match text
        .get(range.clone())
        .and_then(|part| part.strip_suffix('.'))
    {
        Some(part) => range.start..range.start + part.trim_end().len(),
        None => range,
    }
}

/// The range between a pair of quotes, when it is enclosed by one.
fn unquote(text: &str, range: Range<usize>) -> Range<usize> {
    let part = text.get(range.clone()).unwrap_or_default();
    let enclosing = QUOTES.iter().find(|(open, close)| {
        let inner = part.strip_prefix(*open);
        inner.is_some_and(|inner| inner.ends_with(*close))
    });
    match enclosing {
        Some((open, close)) => range.start + open.len_utf8()..range.end - close.len_utf8(),
        None => range,
    }
}

#[cfg(test)]
mod tests {
    use super::{bare, read};

    #[test]
    fn wrapping_comes_off_once() {
        for (text, bare_text) in [
            ("  STOP\n", "STOP"),
            ("\"STOP.\"", "STOP"),
            ("\"STOP\".", "STOP"),
            ("“ Main Street ” .", "Main Street"),
            ("''STOP''", "'STOP'"),
            ("etc...", "etc.."),
            ("\"", "\""),
            ("12.50", "12.50"),
            ("\" . \"", ""),
        ] {
            assert_eq!(bare(text), bare_text, "{text}");
        }
    }

    #[test]
    fn nothing_is_no_answer() {
        assert_eq!(read(" \"\" "), None);
        assert_eq!(read("."), None);
        assert_eq!(read(" «é». ").and_then(|reading| reading.span), Some(3..5));
    }
}
