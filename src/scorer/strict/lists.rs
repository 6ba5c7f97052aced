//! Boxes and colours: the last list of four or three numbers in a text.
//!
//! A list stands in brackets or parentheses, or bare with commas; what is longer or shorter is another list.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::pattern::pattern;
use crate::{Answer, Reading, boxes, python};

/// A decimal number.
const NUMBER: &str = r"[-+−]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?";

/// One number of a list.
static ITEM: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("(?i){NUMBER}")));

/// Numbers with spaces between them in brackets, or with commas anywhere.
static LIST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i)[\[(]\s*({NUMBER}(?:\s+{NUMBER})+)\s*[\])]|({NUMBER}(?:\s*,\s*{NUMBER})*)"
    ))
});

/// `#rrggbb`.
static HEX: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})\b"));

/// The last list of four numbers, corners in order; `None` when it spans no area.
pub(super) fn read_box(text: &str) -> Option<Reading> {
    let (corners, span) = lists(text).last()?;
    let corners = boxes::ordered(corners);
    let area = boxes::area(corners);
    (area > 0.0 && area.is_finite()).then(|| Reading::at(Answer::Box(corners), span))
}

/// The last list of three numbers in 0 to 255, or the last `#rrggbb`, whichever comes later.
pub(super) fn read_color(text: &str) -> Option<Reading> {
    let listed = lists::<3>(text)
        .filter(|(rgb, _)| rgb.iter().all(|channel| (0.0..=255.0).contains(channel)));
    let (rgb, span) = listed
        .chain(hex_colors(text))
        .max_by_key(|(_, span)| span.start)?;
    Some(Reading::at(Answer::Color(rgb), span))
}

/// Every list of exactly `N` numbers and its place, in the order of the text.
fn lists<const N: usize>(text: &str) -> impl Iterator<Item = ([f64; N], Range<usize>)> {
    LIST.captures_iter(text).filter_map(|found| {
        let list = found.get(1).or_else(|| found.get(2))?;
        let before = text.get(..list.start()).unwrap_or_default();
        if before.ends_with(char::is_alphanumeric) {
            // `x1, 2, 3, 4`: the first number is part of a name.
            return None;
        }
        let numbers: Option<Vec<f64>> = ITEM
            .find_iter(list.as_str())
            .map(|item| number(item.as_str()))
            .collect();
        Some((numbers?.try_into().ok()?, list.range()))
    })
}

/// One number of a list.
fn number(item: &str) -> Option<f64> {
    python::float(&item.replace('−', "-"))
}

/// Every `#rrggbb` and its place.
fn hex_colors(text: &str) -> impl Iterator<Item = ([f64; 3], Range<usize>)> {
    HEX.captures_iter(text).filter_map(|found| {
        let (whole, channels) = found.extract::<3>();
        let start = found.get(0)?.start();
        let [red, green, blue] =
            channels.map(|channel| u8::from_str_radix(channel, 16).ok().map(f64::from));
        Some(([red?, green?, blue?], start..start + whole.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::{read_box, read_color};

    fn box_in(text: &str) -> Option<String> {
        read_box(text).map(|reading| reading.answer.to_string())
    }

    fn color_in(text: &str) -> Option<String> {
        read_color(text).map(|reading| reading.answer.to_string())
    }

    #[test]
    fn the_last_list_of_four_is_the_box() {
        for (text, expected) in [
            ("[0.1, 0.2, 0.3, 0.4]", "[0.1, 0.2, 0.3, 0.4]"),
            ("[.3, .4, .1, .2]", "[0.1, 0.2, 0.3, 0.4]"),
            ("(1 2 3 4)", "[1, 2, 3, 4]"),
            ("12,3 , 40,5", "[12, 3, 40, 5]"),
            (
                "[1, 2, 3, 4] or [5, 6, 7, 8], score [1, 2, 3]",
                "[5, 6, 7, 8]",
            ),
            ("{\"bbox_2d\": [-5, 1e1, 20, 30]}", "[-5, 10, 20, 30]"),
            ("[0. 0. 1. 1.]", "[0, 0, 1, 1]"),
        ] {
            assert_eq!(box_in(text).as_deref(), Some(expected), "{text}");
        }
        for unreadable in [
            "",
            "1 2 3 4",
            "[1, 2, 3]",
            "[1, 2, 3, 4, 5]",
            "(1, 2), (3, 4)",
            "x1, 2, 3, 4",
            "[1, 2, 1, 4]",
            "[1, 2, 3, 4], no: [0, 0, 0, 0]",
            "[1, 2, 3, 1e999]",
        ] {
            assert_eq!(box_in(unreadable), None, "{unreadable}");
        }
    }

    #[test]
    fn colours_are_lists_in_range_or_hex() {
        for (text, expected) in [
            ("rgb(119,60,92)", "[119, 60, 92]"),
            ("[1, 2, 3] then #FF0080.", "[255, 0, 128]"),
            ("#ff0080 or (1 2 3)", "[1, 2, 3]"),
            ("[1, 2, 3], not [300, -20, 183]", "[1, 2, 3]"),
        ] {
            assert_eq!(color_in(text).as_deref(), Some(expected), "{text}");
        }
        for unreadable in ["red", "248 254 46", "82-185-9", "#ff00800", "[1, 2]"] {
            assert_eq!(color_in(unreadable), None, "{unreadable}");
        }
    }
}
