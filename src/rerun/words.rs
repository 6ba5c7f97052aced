//! Words of direction, turned with the picture that they speak of.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use media::Turn;

/// Ways to say the same four directions: left, top, right, bottom, clockwise.
const RINGS: [[&str; 4]; 7] = [
    ["to the left of", "above", "to the right of", "below"],
    ["left of", "above", "right of", "below"],
    ["leftmost", "topmost", "rightmost", "bottommost"],
    ["leftwards", "upwards", "rightwards", "downwards"],
    ["leftward", "upward", "rightward", "downward"],
    ["left", "top", "right", "bottom"],
    ["left", "up", "right", "down"],
];
/// Words for a corner: the first and the second part, clockwise from the top left.
const CORNERS: [[(&str, &str); 4]; 3] = [
    [
        ("top", "left"),
        ("top", "right"),
        ("bottom", "right"),
        ("bottom", "left"),
    ],
    [
        ("upper", "left"),
        ("upper", "right"),
        ("lower", "right"),
        ("lower", "left"),
    ],
    [
        ("above", "left"),
        ("above", "right"),
        ("below", "right"),
        ("below", "left"),
    ],
];

/// A corner, a direction, or words in which `right` is none.
static DIRECTIONS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let rings = RINGS.as_flattened();
    let corners =
        r"(?P<first>top|upper|above|bottom|lower|below)(?P<between>[ -]?)(?P<second>left|right)";
    let none = r"right (?:answer|option|angle)s?|right-angled|all right|left (?:over|behind)";
    let words = format!(r"(?:{none}|{corners}|(?P<plain>{}))\b", rings.join("|"));
    let pattern = format!(r"(?i)\b(?:, right\?|{words})");
    Regex::new(&pattern).ok()
});

/// The text as it is to be said of a picture that was turned.
#[must_use]
pub fn turn_words(text: &str, turn: Turn) -> String {
    let quarters = usize::from(turn.degrees() / 90);
    let Some(directions) = DIRECTIONS.as_ref().filter(|_| quarters > 0) else {
        return text.to_owned();
    };
    let turned = directions.replace_all(text, |found: &Captures<'_>| {
        let whole = found.get(0).map_or("", |whole| whole.as_str());
        let part = |name: &str| found.name(name).map(|part| part.as_str());
        let new = match (part("first"), part("second"), part("plain")) {
            (Some(first), Some(second), _) => {
                let between = part("between").unwrap_or_default();
                corner(first, second, quarters)
                    .map(|(first, second)| format!("{first}{between}{second}"))
            }
            (_, _, Some(plain)) => side(plain, quarters).map(str::to_owned),
            _ => None,
        };
        new.map_or_else(|| whole.to_owned(), |new| like(whole, &new))
    });
    turned.into_owned()
}

fn corner(first: &str, second: &str, quarters: usize) -> Option<(&'static str, &'static str)> {
    let (first, second) = (first.to_lowercase(), second.to_lowercase());
    CORNERS.iter().find_map(|ring| {
        let at = ring
            .iter()
            .position(|known| *known == (first.as_str(), second.as_str()))?;
        ring.get((at + quarters) % 4).copied()
    })
}

fn side(word: &str, quarters: usize) -> Option<&'static str> {
    let word = word.to_lowercase();
    RINGS.iter().find_map(|ring| {
        let at = ring.iter().position(|known| *known == word)?;
        ring.get((at + quarters) % 4).copied()
    })
}

/// The word with a capital where the old one had it.
fn like(old: &str, new: &str) -> String {
    let mut letters = new.chars();
    match letters.next() {
        Some(first) if old.starts_with(char::is_uppercase) => {
            first.to_uppercase().chain(letters).collect()
        }
        _ => new.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn turned(text: &str, quarters: usize) -> String {
        turn_words(text, Turn::EACH[quarters])
    }

    #[test]
    fn directions_turn_clockwise_with_the_picture() {
        for (text, once, twice) in [
            ("left", "top", "right"),
            ("Top", "Right", "Bottom"),
            (
                "upper left corner",
                "upper right corner",
                "lower right corner",
            ),
            ("bottom-right", "bottom-left", "top-left"),
            (
                "Is it to the left of the car?",
                "Is it above the car?",
                "Is it to the right of the car?",
            ),
            ("moving up", "moving right", "moving down"),
            ("the leftmost dog", "the topmost dog", "the rightmost dog"),
        ] {
            assert_eq!(turned(text, 1), once, "{text}");
            assert_eq!(turned(text, 2), twice, "{text}");
            assert_eq!(turned(text, 0), text);
        }
    }

    #[test]
    fn what_is_no_direction_stays() {
        for text in [
            "the right answer",
            "a right-angled triangle",
            "leftover",
            "That is it, right?",
            "upset",
        ] {
            assert_eq!(turned(text, 1), text);
        }
    }

    proptest! {
        #[test]
        fn four_quarters_are_none(at in 0..4_usize, corner in 0..3_usize, between in "[ -]?") {
            let (first, second) = CORNERS[corner][at];
            let text = format!("in the {first}{between}{second} part");
            let back = (0..4).fold(text.clone(), |text, _| turned(&text, 1));
            prop_assert_eq!(back, text);
        }
    }
}
