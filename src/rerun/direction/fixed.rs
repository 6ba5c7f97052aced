//! Parts of a text that stay whatever they say: words that are quoted, and words that say how coordinates are written.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::lexicon::{is_one, single};
use super::passage::Passage;

/// Names of coordinates, or a corner by its numbers.
static SYMBOLS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let name = r"\b[xy][_ ]?(?:\d|min|max|start|end|left|right|top|bottom|center)\b";
    Regex::new(&format!(
        r"(?i){name}|\(\s*(?:0|1|100|1000)\s*,\s*(?:0|1|100|1000)\s*\)|\(x\s*,\s*y\)"
    ))
    .ok()
});
/// Both corners of a box in one breath, or its sides in a row.
static CORNERS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let inside =
        r"(?:[ -]hand)?(?:\s+(?:corner|point|coordinate|pixel|vertex)s?)?(?:\s*\([^)]*\))?";
    let pair = format!(
        r"(?:top|upper)[ -]?left{inside}\s*(?:,|and|to|&)\s*(?:the\s+)?(?:bottom|lower)[ -]?right{inside}"
    );
    let row = r"left\s*,\s*top\s*,\s*right\s*,\s*(?:and\s+)?bottom|top\s*,\s*left\s*,\s*bottom\s*,\s*(?:and\s+)?right|left\s*,\s*top\s*,\s*width";
    Regex::new(&format!(r"(?i)(?P<pair>{pair})|(?P<row>{row})")).ok()
});
/// A corner right before its coordinates: `with top left corner (0, 0)`.
static LEADING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let corner = r"(?:top|upper|bottom|lower)[ -]?(?:left|right)|origin";
    Regex::new(&format!(r"(?i)(?:{corner})(?:[ -]hand)?(?:\s+(?:corner|point|pixel|vertex))?\s*(?:is|at|as|being|=|,|:)*\s*[(\[]?\s*$")).ok()
});
/// What says that coordinates are spoken of.
static COORDINATES: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)coordinate|bounding|\bbox|\bcorners\b|bbox|x1|xmin").ok());
/// Before a quoted answer.
const ANSWERING: &[&str] = &[
    "answer", "reply", "respond", "say", "output", "choose", "select", "either", "or", "with",
    "return", "print", "as", "and", "write",
];
/// Before quoted words that stand in the picture.
const READING: &[&str] = &[
    "says", "reads", "reading", "saying", "labeled", "labelled", "titled", "named", "called",
    "text", "sign", "word", "words", "phrase", "marked", "written", "letters", "caption",
];

/// The parts that stay.
#[must_use]
pub fn parts(passage: &Passage<'_>) -> Vec<Range<usize>> {
    let quoted = passage
        .quotes()
        .into_iter()
        .filter(|range| is_said_by_picture(passage, range));
    quoted
        .chain(axes(passage.text))
        .chain(corners(passage.text))
        .collect()
}

/// Quoted words are no direction, unless they are an answer that is asked for.
fn is_said_by_picture(passage: &Passage<'_>, quote: &Range<usize>) -> bool {
    let inside = (0..passage.len()).filter(|at| {
        let range = passage.range(*at);
        quote.start <= range.start && range.end <= quote.end
    });
    let inside: Vec<usize> = inside.collect();
    let filling = ["the", "to", "of", "on", "side", "or", "and", "at", "in"];
    let directions = inside.iter().all(|at| {
        let word = passage.word(*at);
        single(word).is_some() || is_one(word, &filling)
    });
    let before = inside.first().and_then(|first| first.checked_sub(1));
    let before = before.map_or("", |at| passage.word(at));
    let is_answer =
        directions && (before.is_empty() || is_one(before, ANSWERING) || single(before).is_some());
    !is_answer || is_one(before, READING)
}

/// Corners that say what coordinates count from: from the first name of a coordinate to the end of its sentence, words
/// before `corner` or before numbers, and the corner itself.
fn axes(text: &str) -> Vec<Range<usize>> {
    let Some(symbols) = SYMBOLS.as_ref() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut from = 0;
    for (at, sign) in text.char_indices().chain([(text.len(), '\n')]) {
        let next = text.get(at + 1..).and_then(|rest| rest.chars().next());
        let ends = matches!(sign, '\n' | ';' | '?' | '!')
            || (sign == '.' && next.is_none_or(char::is_whitespace));
        if !ends {
            continue;
        }
        let sentence = &text[from..at];
        if symbols.is_match(sentence) && speaks_of_corner(sentence) {
            // What stands before the first corner of the frame asks for something, and may say a direction.
            let start = frame_start(sentence, symbols);
            found.push(from + start..at);
        }
        from = (at + sign.len_utf8()).min(text.len());
    }
    found
}

fn speaks_of_corner(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    [
        "corner",
        "origin",
        "top left",
        "top-left",
        "upper left",
        "upper-left",
        "top right",
        "left edge",
        "left and right",
        "axis",
    ]
    .iter()
    .any(|words| lower.contains(words))
}

/// Where a sentence begins to say how coordinates are written: at the first name of one, or at the corner before it.
fn frame_start(sentence: &str, symbols: &Regex) -> usize {
    let first = symbols.find(sentence).map_or(0, |found| found.start());
    let corner = LEADING
        .as_ref()
        .and_then(|leading| leading.find(&sentence[..first]));
    corner.map_or(first, |found| found.start())
}

fn corners(text: &str) -> Vec<Range<usize>> {
    let (Some(corners), Some(coordinates)) = (CORNERS.as_ref(), COORDINATES.as_ref()) else {
        return Vec::new();
    };
    let speaks = coordinates.is_match(text);
    let found = corners.captures_iter(text).filter_map(|found| {
        let whole = found.get(0)?;
        let is_row = found.name("row").is_some();
        (speaks || is_row).then(|| whole.range())
    });
    found.collect()
}
