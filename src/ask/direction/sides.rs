//! Texts that consist of a direction only: the option `top left`, the answer `on the left`.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use base::format::pattern;
use regex::Regex;

use super::words::{IN_WORDS, WRITTEN};
use super::{RewrittenText, TransformRefusal};
use media::Orientation;

/// A side of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    /// Left edge.
    Left,
    /// Top edge.
    Top,
    /// Right edge.
    Right,
    /// Bottom edge.
    Bottom,
}

impl Side {
    /// All sides, in the order of the words in [`ROWS`].
    const ALL: [Self; 4] = [Self::Left, Self::Top, Self::Right, Self::Bottom];

    /// Returns the side at which this side lies after a transformation.
    pub(super) fn after(self, by: Orientation) -> Self {
        let edge = match self {
            Self::Left => [0.0, 0.5, 0.0, 0.5],
            Self::Top => [0.5, 0.0, 0.5, 0.0],
            Self::Right => [1.0, 0.5, 1.0, 0.5],
            Self::Bottom => [0.5, 1.0, 0.5, 1.0],
        };
        match by.corners(edge) {
            [x, ..] if x < 0.25 => Self::Left,
            [x, ..] if x > 0.75 => Self::Right,
            [_, y, ..] if y < 0.25 => Self::Top,
            _ => Self::Bottom,
        }
    }

    const fn is_across(self) -> bool {
        matches!(self, Self::Left | Self::Right)
    }

    const fn word(self, row: usize) -> &'static str {
        let [left, top, right, bottom] = ROWS[row];
        match self {
            Self::Left => left,
            Self::Top => top,
            Self::Right => right,
            Self::Bottom => bottom,
        }
    }
}

/// Words for left, top, right and bottom. A rewritten text uses words from the same row.
const ROWS: [[&str; 4]; 8] = [
    ["left", "top", "right", "bottom"],
    ["left", "upper", "right", "lower"],
    ["left", "above", "right", "below"],
    ["left", "up", "right", "down"],
    ["leftmost", "topmost", "rightmost", "bottommost"],
    ["leftmost", "uppermost", "rightmost", "lowermost"],
    ["leftward", "upward", "rightward", "downward"],
    ["leftwards", "upwards", "rightwards", "downwards"],
];

/// First row whose words for up and down are movements rather than places.
const WAYS: usize = 3;

/// Finds the row and the side of a word in [`ROWS`].
fn row_of(word: &str) -> Option<(usize, Side)> {
    (0..ROWS.len()).find_map(|row| {
        let is_word = |side: &Side| word.eq_ignore_ascii_case(side.word(row));
        Some((row, Side::ALL.into_iter().find(is_word)?))
    })
}

/// Returns true if a word names a side that changes, or a corner in one word, such as `topleft`.
pub(super) fn names_side(word: &str, by: Orientation) -> bool {
    if let Some((_, side)) = row_of(word) {
        return side.after(by) != side;
    }
    let word = word.to_lowercase();
    let down = word.strip_suffix("left").or(word.strip_suffix("right"));
    down.and_then(row_of)
        .is_some_and(|(row, side)| row < WAYS && !side.is_across())
}

/// A phrase with one or two words for sides.
static WHOLE: LazyLock<Regex> = LazyLock::new(|| {
    let mut words = ROWS.concat();
    words.sort_unstable_by_key(|word| std::cmp::Reverse(word.len()));
    let word = words.join("|");
    let part = "side|corner|half|part|edge|area|region|quadrant|section|portion|third|one";
    let picture = "image|picture|photo|frame|screen|scene|figure";
    let middle = "cent(?:er|re)|middle|mid";
    pattern(&format!(
        r"(?i)^\W*(?:(?:to|from|towards?) |(?P<at>(?:on|at|in) ))?(?:the )?(?P<mid>(?:{middle})[ -])?(?P<first>{word})(?:[ _/-]?(?P<second>{word})(?:[ -]hand)?)?(?P<part>[ -](?:{middle}))?(?P<noun> (?:{part}))?(?: of(?P<of> the (?:{picture}))?)?\W*$"
    ))
});

/// Returns true if the whole text is a direction.
pub(super) fn is_direction(text: &str) -> bool {
    Direction::parse(text).is_some()
}

/// Text that is a direction as a whole.
struct Direction<'a> {
    text: &'a str,
    /// Byte range, row in [`ROWS`] and side of each word.
    words: Vec<(Range<usize>, usize, Side)>,
    /// True if the text names a place in the picture, not a relation or a movement.
    is_place: bool,
}

impl<'a> Direction<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let found = WHOLE.captures(text)?;
        let word = |name| {
            let word = found.name(name)?;
            let (row, side) = row_of(word.as_str())?;
            Some((word.range(), row, side))
        };
        let words: Vec<_> = ["first", "second"].into_iter().filter_map(word).collect();
        if let [(one, _, first), (other, _, second)] = words.as_slice()
            && (first.is_across() == second.is_across()
                || text[one.start..other.end].eq_ignore_ascii_case("upright"))
        {
            return None;
        }
        let place = ["at", "mid", "part", "noun", "of"];
        Some(Self {
            text,
            words,
            is_place: place.into_iter().any(|name| found.name(name).is_some()),
        })
    }

    /// Returns the sides after a transformation, sorted.
    fn sides(&self, by: Orientation) -> Vec<Side> {
        let mut sides: Vec<Side> = self.words.iter().map(|(.., side)| side.after(by)).collect();
        sides.sort_unstable();
        sides
    }

    /// Returns true if the text is quoted, because it can then be text in the picture.
    fn is_quoted(&self) -> bool {
        self.text.trim_start().starts_with(['"', '“', '‘', '\''])
    }

    /// Rewrites the direction in its own words.
    ///
    /// Fails if the words are ambiguous: `right` can mean correct, `left` can become `top`, `above`
    /// or `up`, and `right above` can mean just above.
    fn turned(&self, by: Orientation) -> Result<String, TransformRefusal> {
        let new = self.sides(by);
        if new == self.sides(Orientation::UPRIGHT) {
            return Ok(self.text.to_owned());
        }
        if self.is_quoted() {
            return Err(WRITTEN);
        }
        let (row, is_clear) = match self.words.as_slice() {
            [(_, row, _)] => (*row, *row > WAYS || self.is_place),
            [(_, first, side), (_, second, _)] => {
                let row = *first.max(second);
                (row, ROWS[row][1] != "above" || !side.is_across())
            }
            _ => (0, false),
        };
        if !is_clear {
            return Err(IN_WORDS);
        }
        let mut text = self.text.to_owned();
        for (range, _, old) in self.words.iter().rev() {
            let fits = |side: &&Side| new.len() == 1 || side.is_across() == old.is_across();
            let side = new.iter().find(fits).unwrap_or(old);
            let word = like(&self.text[range.clone()], side.word(row));
            text.replace_range(range.clone(), &word);
        }
        Ok(text)
    }
}

/// Rewrites a text that is a direction as a whole; returns `None` for other texts.
///
/// # Errors
/// If the words of the text cannot express the new direction.
pub(super) fn turned(
    text: &str,
    by: Orientation,
) -> Result<Option<RewrittenText>, TransformRefusal> {
    let direction = Direction::parse(text);
    let new = direction
        .map(|direction| direction.turned(by))
        .transpose()?;
    Ok(new.map(|new| RewrittenText::changed(text, new)))
}

/// Rewrites the options that are directions as a whole; the others are `None`.
///
/// If the directions map onto each other, the options swap their texts; otherwise, each is
/// rewritten in its own words.
///
/// # Errors
/// If two options name the same direction, or if the words of an option cannot express the new
/// direction.
pub(super) fn turned_options(
    texts: &[&str],
    by: Orientation,
) -> Result<Vec<Option<RewrittenText>>, TransformRefusal> {
    static BESIDE: LazyLock<Regex> = LazyLock::new(|| {
        let words = "under|underneath|beneath|over|atop|overhead|on top of|front|back|rear|behind";
        pattern(&format!(r"(?i)\b(?:{words})\b"))
    });
    let all: Vec<Option<Direction<'_>>> = texts.iter().map(|text| Direction::parse(text)).collect();
    let known = || all.iter().flatten();
    let before = |one: &Direction<'_>| one.sides(Orientation::UPRIGHT);
    if known().all(|one| one.sides(by) == before(one)) {
        return Ok(vec![None; texts.len()]);
    }
    if known().any(Direction::is_quoted) {
        return Err(WRITTEN);
    }
    let distinct: BTreeSet<Vec<Side>> = known().map(before).collect();
    let is_beside = |text: &&str| BESIDE.is_match(text);
    // `The right one` next to `the wrong one` is not a direction.
    let is_alone = known().count() == 1 && known().all(|one| one.words.len() == 1);
    if is_alone || distinct.len() < known().count() || texts.iter().any(is_beside) {
        return Err(IN_WORDS);
    }
    let is_closed = known().all(|one| distinct.contains(&one.sides(by)));
    let turned = |one: &Direction<'_>| {
        let new = one.sides(by);
        let other = known().find(|other| is_closed && before(other) == new);
        let new = other.map_or_else(|| one.turned(by), |other| Ok(other.text.to_owned()))?;
        Ok(RewrittenText::changed(one.text, new))
    };
    let each = all.iter();
    each.map(|one| one.as_ref().map(turned).transpose())
        .collect()
}

/// Capitalizes `new` like `old`.
pub(super) fn like(old: &str, new: &str) -> String {
    let letters = || old.chars().filter(|letter| letter.is_alphabetic());
    if letters().count() > 1 && letters().all(char::is_uppercase) {
        return new.to_uppercase();
    }
    let mut signs = new.chars();
    match signs.next() {
        Some(first) if old.starts_with(char::is_uppercase) => {
            first.to_uppercase().chain(signs).collect()
        }
        _ => new.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use media::Turn;

    fn at(degrees: u16, text: &str) -> Result<Option<String>, TransformRefusal> {
        let turn = Turn::EACH[usize::from(degrees / 90)];
        let said = turned(text, Orientation::turned(turn))?;
        Ok(said.map(|said| said.text))
    }

    #[test]
    fn a_text_turns_in_its_own_words() {
        for (degrees, text, expected) in [
            (90, "top left", "top right"),
            (90, "Upper-Left corner", "Upper-Right corner"),
            (180, "TOP LEFT", "BOTTOM RIGHT"),
            (270, "bottomright", "topright"),
            (
                90,
                "on the left side of the image",
                "on the top side of the image",
            ),
            (90, "the upper half", "the right half"),
            (270, "leftmost", "bottommost"),
            (180, "At the bottom.", "At the top."),
            (90, "center left", "center top"),
            (180, "the right one", "the left one"),
            (180, "lower right-hand corner", "upper left-hand corner"),
        ] {
            assert_eq!(at(degrees, text), Ok(Some(expected.to_owned())), "{text}");
        }
    }

    #[test]
    fn a_text_with_two_meanings_raises_a_doubt_and_others_are_no_directions() {
        for text in [
            "left",
            "right",
            "top",
            "to the left of",
            "right above",
            "left below",
            "up",
        ] {
            assert_eq!(at(180, text), Err(IN_WORDS), "{text}");
        }
        for text in [
            "",
            "upright",
            "top bottom",
            "left the scene",
            "The cup is on the left.",
            "in the middle",
            "a top",
        ] {
            assert_eq!(at(90, text), Ok(None), "{text}");
        }
    }

    #[test]
    fn options_that_become_each_other_take_each_others_texts() {
        let half = Orientation::turned(Turn::EACH[2]);
        let quarter = Orientation::turned(Turn::EACH[1]);
        let mirror = Orientation::MIRRORED;
        let new = |texts: &[&str], by| {
            let all = turned_options(texts, by)?.into_iter();
            let text =
                |said: Option<RewrittenText>| said.map_or_else(|| "-".to_owned(), |said| said.text);
            Ok(all.map(text).collect::<Vec<_>>().join(", "))
        };
        let four = [
            "to the left of",
            "to the right of",
            "above",
            "below",
            "inside",
        ];
        let turned = "above, below, to the right of, to the left of, -";
        assert_eq!(new(&four, quarter).as_deref(), Ok(turned));
        let two = ["left", "right", "no answer"];
        assert_eq!(new(&two, half).as_deref(), Ok("right, left, -"));
        assert_eq!(new(&two, quarter), Err(IN_WORDS));
        assert_eq!(new(&["top", "bottom"], mirror).as_deref(), Ok("-, -"));
        assert_eq!(new(&["top", "dress"], half), Err(IN_WORDS));
        assert_eq!(new(&["left", "to the left", "right"], half), Err(IN_WORDS));
        assert_eq!(
            new(&["the right one", "the wrong one"], half),
            Err(IN_WORDS)
        );
        assert_eq!(
            new(&["left hand", "right hand"], half).as_deref(),
            Ok("-, -")
        );
        assert_eq!(new(&["left", "right", "front"], half), Err(IN_WORDS));
    }
}
