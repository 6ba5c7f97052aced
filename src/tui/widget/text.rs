//! Measures text in columns, and cuts it.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Maximum width reported for a text, in cells. It is wider than any screen, and small enough to be
/// summed.
const WIDEST: u16 = 2048;

/// Returns the width of a text in columns, at most 2048.
pub fn width(text: &str) -> u16 {
    u16::try_from(text.width()).unwrap_or(WIDEST).min(WIDEST)
}

/// Cuts a text to `room` columns, with a final `…` if it was longer.
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

/// Cuts a text to its last `room` columns, with a leading `…` if it was longer.
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

/// Cuts a text in its middle and puts a `…` there, because names often start or end alike.
pub fn fit_middle(text: &str, room: u16) -> Cow<'_, str> {
    let end = room.saturating_sub(1) / 2;
    if width(text) <= room || end == 0 {
        return fit(text, room);
    }
    let (start, end) = (fit(text, room - end), fit_end(text, end + 1));
    Cow::Owned(start.into_owned() + end.strip_prefix('…').unwrap_or_default())
}

/// Returns the width of the widest text.
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
        assert_eq!(fit_middle("SigLIP-2", 8), "SigLIP-2");
        assert_eq!(fit_middle("SigLIP-2", 6), "Sig…-2");
        assert_eq!(fit_middle("SigLIP-2", 5), "Si…-2");
        assert_eq!(fit_middle("SigLIP-2", 2), "S…");
        assert_eq!(fit_middle("日本語", 5), "日…語");
        assert_eq!(fit_middle("abc", 0), "");
        assert_eq!(fit_end("abc", 0), "");
    }
}
