//! Changes a text while recording the origin of each byte.
//!
//! Rules drop or lower-case characters before they search, but the span of an answer refers to the
//! response itself.

use std::ops::Range;

/// Text derived from another text, character by character.
pub(super) struct TracedText {
    /// Changed text.
    pub text: String,
    /// For each byte of `text`, start and end of the source character that it comes from.
    origins: Vec<(usize, usize)>,
}

impl TracedText {
    /// Creates the lower-case text of `source`, character by character.
    pub fn lowercase(source: &str) -> Self {
        Self::of(source, char::to_lowercase)
    }

    /// Creates the text of `source` without its `dropped` characters.
    pub fn without(source: &str, dropped: char) -> Self {
        Self::of(source, |character| {
            Some(character).filter(|kept| *kept != dropped)
        })
    }

    /// Creates a text by replacing each character of `source`.
    fn of<C: IntoIterator<Item = char>>(source: &str, replace: impl Fn(char) -> C) -> Self {
        let mut traced = Self {
            text: String::with_capacity(source.len()),
            origins: Vec::with_capacity(source.len()),
        };
        for (start, character) in source.char_indices() {
            traced.text.extend(replace(character));
            traced
                .origins
                .resize(traced.text.len(), (start, start + character.len_utf8()));
        }
        traced
    }

    /// Returns the range of the source that a range of `text` comes from; `None` for an empty
    /// range.
    pub fn origin(&self, range: Range<usize>) -> Option<Range<usize>> {
        let covered = self.origins.get(range)?;
        let (start, _) = *covered.first()?;
        let (_, end) = *covered.last()?;
        Some(start..end)
    }
}

#[cfg(test)]
mod tests {
    use super::TracedText;

    #[test]
    fn spans_lead_back_to_the_source() {
        let source = "İst\nanbul";
        let lower = TracedText::lowercase(source);
        let at = lower.text.find("st").unwrap_or_default();
        assert_eq!(
            lower.origin(at..at + 2).map(|span| &source[span]),
            Some("st")
        );

        let joined = TracedText::without(source, '\n');
        assert_eq!(joined.text, "İstanbul");
        assert_eq!(joined.origin(0..joined.text.len()), Some(0..source.len()));
        assert_eq!(joined.origin(3..3), None);
    }
}
