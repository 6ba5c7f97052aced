//! Wraps text to the width of a terminal.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Wraps text between words, and splits words that are too long. Returns the byte range of each
/// line.
pub fn wrap(text: &str, columns: u16) -> impl Iterator<Item = Range<usize>> {
    let mut next = (columns > 0 && !text.is_empty()).then_some(0);
    std::iter::from_fn(move || {
        let start = next?;
        let (end, after) = line_end(&text[start..], columns);
        next = after.map(|after| start + after);
        Some(start..start + end)
    })
}

/// Returns the end of the first line and the start of the next one, if any.
fn line_end(text: &str, columns: u16) -> (usize, Option<usize>) {
    let (mut used, mut space) = (0u16, None);
    for (at, grapheme) in text.grapheme_indices(true) {
        if matches!(grapheme, "\n" | "\r\n") {
            return (at, Some(at + grapheme.len()));
        }
        let wide = u16::try_from(grapheme.width()).unwrap_or(u16::MAX);
        if used > 0 && used.saturating_add(wide) > columns {
            return match (grapheme, space) {
                // A space at the edge is dropped: the line break replaces it.
                (" ", _) => (at, Some(at + 1).filter(|next| *next < text.len())),
                (_, Some(space)) => (space, Some(space + 1)),
                (_, None) => (at, Some(at)),
            };
        }
        if grapheme == " " {
            space = Some(at);
        }
        used = used.saturating_add(wide);
    }
    (text.len(), None)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn wrapped(text: &str, columns: u16) -> Vec<&str> {
        wrap(text, columns).map(|line| &text[line]).collect()
    }

    #[test]
    fn words_wrap_and_long_words_are_cut() {
        assert_eq!(wrapped("the answer is B", 10), ["the answer", "is B"]);
        assert_eq!(wrapped("the answer is B", 9), ["the", "answer is", "B"]);
        assert_eq!(wrapped("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrapped("one\n\ntwo\n", 9), ["one", "", "two", ""]);
        assert_eq!(wrapped("日本語です", 5), ["日本", "語で", "す"]);
        assert_eq!(wrapped("日本", 1), ["日", "本"]);
        assert_eq!(wrapped("", 9), [""; 0]);
        assert_eq!(wrapped("abc", 0), [""; 0]);
    }

    proptest! {
        #[test]
        fn no_text_is_lost_but_breaks(text in "[a-c 日\u{301}\n]{0,60}", columns in 1u16..9) {
            let kept = |text: &str| text.chars().filter(|c| !matches!(c, ' ' | '\n')).collect::<String>();
            prop_assert_eq!(kept(&wrapped(&text, columns).concat()), kept(&text));
            for line in wrapped(&text, columns) {
                prop_assert!(line.width() <= usize::from(columns.max(2)), "{line:?}");
            }
        }
    }
}
