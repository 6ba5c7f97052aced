//! Text in columns: how wide it is, and how to cut it.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// The widest that a text is said to be: wider than any screen, and small enough to add up.
const WIDEST: u16 = 2048;

/// Columns that a text takes.
#[must_use]
pub fn width(text: &str) -> u16 {
    u16::try_from(text.width()).unwrap_or(WIDEST).min(WIDEST)
}

/// The text, cut to `room` columns; a `…` stands for what is lost.
#[must_use]
pub fn fit(text: &str, room: u16) -> Cow<'_, str> {
    if width(text) <= room {
        return Cow::Borrowed(text);
    }
    let mut left = room.saturating_sub(1);
    let mut kept = String::new();
    for grapheme in text.graphemes(true) {
        let Some(rest) = left.checked_sub(width(grapheme)) else {
            break;
        };
        left = rest;
        kept.push_str(grapheme);
    }
    if room > 0 {
        kept.push('…');
    }
    Cow::Owned(kept)
}

/// The end of a text in `room` columns; a `…` stands for what is lost before it.
#[must_use]
pub fn fit_end(text: &str, room: u16) -> Cow<'_, str> {
    if width(text) <= room {
        return Cow::Borrowed(text);
    }
    let mut left = room.saturating_sub(1);
    let mut start = text.len();
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        let Some(rest) = left.checked_sub(width(grapheme)) else {
            break;
        };
        (left, start) = (rest, at);
    }
    let end = text.get(start..).unwrap_or_default();
    match room {
        0 => Cow::Borrowed(""),
        _ => Cow::Owned(format!("…{end}")),
    }
}

/// The widest of some texts.
pub fn widest<'a>(texts: impl IntoIterator<Item = &'a str>) -> u16 {
    texts.into_iter().map(width).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_by_columns() {
        assert_eq!(fit("SigLIP-2", 8), "SigLIP-2");
        assert_eq!(fit("SigLIP-2", 5), "SigL…");
        assert_eq!(fit("日本語", 4), "日…");
        assert_eq!(fit("日本語", 1), "…");
        assert_eq!(fit("abc", 0), "");
        assert_eq!(fit_end("depth-0033", 10), "depth-0033");
        assert_eq!(fit_end("depth-0033", 5), "…0033");
        assert_eq!(fit_end("日本語", 4), "…語");
        assert_eq!(fit_end("abc", 0), "");
    }
}
