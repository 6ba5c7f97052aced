//! Removes the wrapping of a text: white space, quotes, Markdown and LaTeX marks, and a final full
//! stop.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

/// Pairs of marks that can enclose an answer, longer marks first.
pub(super) const QUOTES: [(&str, &str); 13] = [
    ("```", "```"),
    ("**", "**"),
    ("__", "__"),
    ("\"", "\""),
    ("'", "'"),
    ("`", "`"),
    ("“", "”"),
    ("„", "“"),
    ("‘", "’"),
    ("«", "»"),
    ("「", "」"),
    ("*", "*"),
    ("$", "$"),
];

/// Normalises the Unicode of a text, and removes LaTeX commands that only set type.
pub(super) fn plain(text: &str) -> String {
    let text = match text
        .strip_prefix("\\text{")
        .or_else(|| text.strip_prefix("\\textbf{"))
        .or_else(|| text.strip_prefix("\\mathrm{"))
    {
        Some(inner) => inner.strip_suffix('}').unwrap_or(text),
        None => text,
    };
    text.nfc().collect()
}

/// Returns the position of a closing mark; apostrophes within a word are skipped.
pub(super) fn closing(text: &str, close: &str) -> Option<usize> {
    let within = |at: usize| {
        let after = text
            .get(at + close.len()..)
            .and_then(|rest| rest.chars().next());
        matches!(close, "'" | "’") && after.is_some_and(char::is_alphanumeric)
    };
    text.match_indices(close)
        .map(|(at, _)| at)
        .find(|at| !within(*at))
}

/// Returns the text without surrounding white space, marks and quotes, and without a final full
/// stop; empty if nothing remains.
pub(super) fn bare(text: &str) -> &str {
    text.get(inner(text, 0..text.len())).unwrap_or_default()
}

/// Cleans a target for comparison with answers.
pub(super) fn expected(text: &str) -> Cow<'_, str> {
    let bare = bare(text);
    Cow::Owned(plain(if bare.is_empty() { text } else { bare }))
}

/// Returns the range of [`bare`]. The full stop can be inside or outside the quotes, but only
/// one full stop is removed.
pub(super) fn inner(text: &str, range: Range<usize>) -> Range<usize> {
    let mut range = trim(text, range);
    let mut stopped = false;
    let mut quoted = false;
    loop {
        let before = range.clone();
        if !stopped {
            range = without_stop(text, range.clone());
            stopped = range != before;
        }
        let open = trim(text, unquote(text, range.clone(), quoted));
        quoted |= open != range
            && text
                .get(range.clone())
                .is_some_and(|part| !part.starts_with(['*', '_', '`', '$']));
        range = open;
        if range == before {
            return range;
        }
    }
}

/// Returns the range without white space at its ends.
fn trim(text: &str, range: Range<usize>) -> Range<usize> {
    let part = text.get(range.clone()).unwrap_or_default();
    let start = range.start + part.len() - part.trim_start().len();
    start..start + part.trim().len()
}

/// Returns the range without a final full stop, and without white space before it.
fn without_stop(text: &str, range: Range<usize>) -> Range<usize> {
    match text
        .get(range.clone())
        .and_then(|part| part.strip_suffix(['.', '。']))
    {
        // Abbreviations lose their full stop too, but both sides of a comparison are cleaned in the
        // same way.
        Some(part) => range.start..range.start + part.trim_end().len(),
        None => range,
    }
}

/// Returns the range inside a pair of enclosing marks; quotes are removed only once.
fn unquote(text: &str, range: Range<usize>, quoted: bool) -> Range<usize> {
    let part = text.get(range.clone()).unwrap_or_default();
    for (open, close) in QUOTES {
        let sets_type = open.starts_with(['*', '_', '`', '$']);
        if quoted && !sets_type {
            continue;
        }
        let Some(middle) = part
            .strip_prefix(open)
            .and_then(|inner| inner.strip_suffix(close))
        else {
            continue;
        };
        let start = range.start + open.len();
        // The first line of a code block can name its language.
        let skipped = if open == "```" {
            middle
                .find('\n')
                .filter(|at| {
                    middle
                        .get(..*at)
                        .is_some_and(|line| line.chars().all(char::is_alphanumeric))
                })
                .unwrap_or(0)
        } else {
            0
        };
        return start + skipped..start + middle.len();
    }
    range
}

#[cfg(test)]
mod tests {
    use super::bare;

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
            ("**STOP**", "STOP"),
            ("```\nSTOP\n```", "STOP"),
        ] {
            assert_eq!(bare(text), bare_text, "{text}");
        }
    }
}
