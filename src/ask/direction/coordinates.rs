//! Boxes and points written as numbers in a text.

use std::ops::Range;
use std::sync::LazyLock;

use base::format::pattern;
use regex::{Captures, Regex};

use super::scale::{Signs, StatedScale, Unit, unit};
use super::written::{ExpectedAnswer, Reading, is_bare_box};
use super::{Edit, TransformRefusal};
use media::Orientation;
use scorer::{WrittenBox, boxes};

/// Four numbers with or without brackets, two pairs in a box tag, or one pair.
static PLACES: LazyLock<Regex> = LazyLock::new(|| {
    let n = r"(-?(?:\d+(?:\.\d+)?|\.\d+)%?)";
    let s = r"\s*[,;\s]\s*";
    let tags = r"(?:<\|?(?:box|box_start|bbox)\|?>)";
    let open = r"[\[({]\s*";
    let close = r"\s*[\])}]";
    pattern(&format!(
        r"(?P<tag>{tags}\s*[\[(]*\s*){n}{s}{n}\s*[\])]*{s0}[\[(]*\s*{n}{s}{n}|(?P<nested>\[\s*\[\s*){n}\s*,\s*{n}\s*\]\s*,\s*\[\s*{n}\s*,\s*{n}\s*\]\s*\]|{open}{n}\s*,\s*{n}\s*,\s*{n}\s*,\s*{n}{close}|(?P<bare>(?:{open})?){n}{s}{n}{s}{n}{s}{n}(?:{close})?|(?P<point><point>\s*|{open}){n}\s*,\s*{n}(?:\s*</point>|{close})",
        s0 = r"\s*[,;\s]*\s*",
    ))
});
/// Text before a pair of numbers that makes it a point.
static POINTING: LazyLock<Regex> = LazyLock::new(|| {
    let nouns = r"point|points|pixel|pixels|coordinates?|position|location|located|centre|center|centred|centered|corner|keypoint|click|clicked|marker|dot";
    pattern(&format!(
        r"(?i)(?:\b(?:{nouns})s?\b(?:\s+(?:is|are|at|of|in|on|around|near|the))*|\bat|\bfrom|\bto|\band|,|\[)\s*:?\s*$"
    ))
});
/// Text before a pair of numbers that makes it a range.
static RANGING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:range|between|interval|scale|normali[sz]ed|within|values? in|scaled|in)\s*(?:of|to|in|the|from|range)*\s*$",
    )
});
/// Known formats that cannot be rewritten.
static OTHER_FORMS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?i)<loc_?\d+>|<patch_index_\d+>|<point\s+x|\b(?:x1|xmin|x_min|x0|left)"?\s*[:=]\s*-?\d|"x"\s*:\s*-?\d"#,
    )
});
/// Picture that the numbers of a text refer to, before and after the transformation.
pub struct Frame<'a> {
    /// Width and height in pixels before.
    pub size: (u32, u32),
    /// Width and height in pixels after.
    pub new_size: (u32, u32),
    /// Maps a box before to the box after, both in fractions of width and height.
    pub place: &'a dyn Fn([f64; 4]) -> [f64; 4],
    /// Boxes known to be in pixels; the same numbers in a box tag are then not read as thousandths.
    pub known: &'a [[f64; 4]],
    /// Scale that the question gives for its coordinates.
    pub stated: StatedScale,
    /// True if the question asks for points, so a single pair of numbers counts as a point.
    pub points: bool,
    /// Kind of answer that the question expects.
    pub expected: ExpectedAnswer,
    /// True for a target: write more decimals than the original text has.
    pub exact: bool,
}

impl Frame<'_> {
    /// Returns true if the picture is cropped or scaled in addition to `by`.
    pub(super) fn is_resized(&self, by: Orientation) -> bool {
        const MIDDLE: [f64; 4] = [0.4, 0.4, 0.6, 0.6];
        let moved = (self.place)(MIDDLE);
        let is_cut = moved.iter().zip(MIDDLE).any(|(a, b)| (a - b).abs() > 1e-6);
        is_cut || self.new_size != by.size(self.size)
    }
}

/// Box or point found in a text.
struct Place {
    /// Byte range of each number.
    numbers: Vec<Range<usize>>,
    values: Vec<f64>,
    signs: Signs,
}

/// Box or point in a text, before and after the transformation.
pub struct MovedPlace {
    /// Byte range from the first to the last number.
    pub span: Range<usize>,
    /// Numbers in the original text.
    pub before: Vec<f64>,
    /// Numbers in the rewritten text.
    pub after: Vec<f64>,
}

/// Returns the edits for all boxes and points in a text, and the places found.
///
/// # Errors
/// If numbers are possibly, but not certainly, a place, or if their unit is ambiguous.
pub fn places(
    text: &str,
    frame: &Frame<'_>,
    reading: Reading,
) -> Result<(Vec<Edit>, Vec<MovedPlace>), TransformRefusal> {
    let mut edits = Vec::new();
    let mut placed = Vec::new();
    let mut tagged = None;
    // The corners of a box can be written as two points.
    let points = frame.points || reading == (Reading::Answer(ExpectedAnswer::Box));
    for place in found(text, points, reading)? {
        let signs = Signs {
            is_known: is_known(&place.values, frame),
            ..place.signs
        };
        let unit = unit(&place.values, signs, frame.stated, frame.size)?;
        if signs.is_tagged && *tagged.get_or_insert(unit) != unit {
            return Err(TransformRefusal("boxes in two scales"));
        }
        let moved = moved(&place.values, unit, frame);
        if has_area(&place.values) && !has_area(&moved) {
            return Err(TransformRefusal("a box outside the visible part"));
        }
        let span = place.numbers.first().map_or(0, |first| first.start)
            ..place.numbers.last().map_or(0, |last| last.end);
        let mut pairs = place.values.iter().zip(&moved);
        if pairs.all(|(old, new)| (old - new).abs() < 1e-9) {
            placed.push(MovedPlace {
                span,
                after: place.values.clone(),
                before: place.values,
            });
            continue;
        }
        let numbers = written(text, &place, &moved, unit, frame.exact);
        let bare = |number: &String| number.trim_end_matches('%').parse().unwrap_or(f64::NAN);
        placed.push(MovedPlace {
            span,
            after: numbers.iter().map(bare).collect(),
            before: place.values,
        });
        edits.extend(place.numbers.into_iter().zip(numbers));
    }
    Ok((edits, placed))
}

/// Formats the numbers of a transformed place like the original ones.
fn written(text: &str, place: &Place, moved: &[f64], unit: Unit, exact: bool) -> Vec<String> {
    let counts = place
        .numbers
        .iter()
        .map(|range| decimals(&text[range.clone()]));
    let most = counts.clone().max().unwrap_or_default();
    let most = match unit {
        _ if !exact => most,
        Unit::To(1.0) => most.max(4),
        _ => most.max(2),
    };
    let fewest = counts.min().unwrap_or_default();
    let least = if exact { fewest } else { most };
    let pairs = place.numbers.iter().zip(moved);
    pairs
        .map(|(range, value)| {
            let percent = if text[range.clone()].ends_with('%') {
                "%"
            } else {
                ""
            };
            shortened(format!("{value:.most$}"), least) + percent
        })
        .collect()
}

/// Returns true for a box with a nonzero area, false for a point.
fn has_area(values: &[f64]) -> bool {
    let [x0, y0, x1, y1] = *values else {
        return false;
    };
    (x1 - x0).abs() > 0.0 && (y1 - y0).abs() > 0.0
}

/// Returns the boxes and points in a text, as the numbers are written; points have no area.
///
/// `per_side` is 100 for percentages and 1000 for numbers in box tags, otherwise `None`.
pub fn boxes_of(text: &str) -> Vec<WrittenBox> {
    let places = found(text, true, Reading::Answer(ExpectedAnswer::Box)).unwrap_or_default();
    let of = |place: Place| {
        let corners = match *place.values.as_slice() {
            [x0, y0, x1, y1] => [x0, y0, x1, y1],
            [x, y] => [x, y, x, y],
            _ => return None,
        };
        let per_side = match place.signs.percent {
            Some(true) => Some(100.0),
            _ if place.signs.is_tagged && corners.iter().any(|corner| *corner > 1.0) => {
                Some(1000.0)
            }
            _ => None,
        };
        Some(WrittenBox {
            corners: boxes::ordered(corners),
            span: place.numbers.first()?.start..place.numbers.last()?.end,
            per_side,
        })
    };
    places.into_iter().filter_map(of).collect()
}

fn found(text: &str, points: bool, reading: Reading) -> Result<Vec<Place>, TransformRefusal> {
    if OTHER_FORMS.is_match(text) {
        return Err(TransformRefusal("coordinates in an unsupported format"));
    }
    let mut places = Vec::new();
    for found in PLACES.captures_iter(text) {
        let place = place(&found);
        if are_years(&place) {
            continue;
        }
        let whole = found.get(0).map_or(0..0, |whole| whole.range());
        let start = whole.start;
        if found.name("bare").is_some() && !is_bare_box(text, whole, reading)? {
            continue;
        }
        if place.values.len() == 2
            && found
                .name("point")
                .is_some_and(|open| !open.as_str().starts_with('<'))
        {
            match is_point(text, start, &place.values, places.last(), points) {
                Some(true) => {}
                Some(false) => continue,
                None => return Err(TransformRefusal("two numbers that may be a point")),
            }
        }
        places.push(place);
    }
    Ok(places)
}

/// Returns true for four years in ascending order.
fn are_years(place: &Place) -> bool {
    let is_year = |year: &f64| (1800.0..=2100.0).contains(year) && year.fract() == 0.0;
    let values = &place.values;
    values.len() == 4 && values.iter().all(is_year) && values.is_sorted()
}

fn place(found: &Captures<'_>) -> Place {
    let openings = ["tag", "nested", "bare", "point"].into_iter();
    let openings: Vec<Range<usize>> = openings
        .filter_map(|name| Some(found.name(name)?.range()))
        .collect();
    let numbers = found
        .iter()
        .skip(1)
        .flatten()
        .map(|group| (group.range(), group.as_str()));
    let numbers: Vec<(Range<usize>, &str)> = numbers
        .filter(|(range, _)| !openings.contains(range))
        .collect();
    let percents = numbers.iter().filter(|(_, text)| text.ends_with('%'));
    let percent = match percents.count() {
        0 => None,
        count => Some(count == numbers.len()),
    };
    Place {
        values: numbers
            .iter()
            .map(|(_, text)| text.trim_end_matches('%').parse().unwrap_or_default())
            .collect(),
        signs: Signs {
            percent,
            is_tagged: found.name("tag").is_some(),
            is_known: false,
        },
        numbers: numbers.into_iter().map(|(range, _)| range).collect(),
    }
}

/// Returns whether a pair of numbers is a point; `None` if this is ambiguous.
fn is_point(
    text: &str,
    start: usize,
    values: &[f64],
    last: Option<&Place>,
    points: bool,
) -> Option<bool> {
    let before = &text[..start];
    let is_corner = values
        .iter()
        .all(|value| [0.0, 1.0, 100.0, 1000.0].contains(value));
    // `top left corner (0, 0)` and `from 0 to 1 (0, 1)` describe the coordinate system.
    if is_corner {
        return Some(false);
    }
    let matches = |pattern: &Regex| pattern.is_match(before);
    let continues = last.is_some_and(|last| {
        last.numbers.last().is_some_and(|range| {
            text[range.end..start]
                .chars()
                .all(|sign| !sign.is_alphanumeric())
        })
    });
    match () {
        () if matches(&RANGING) => Some(false),
        () if matches(&POINTING) || continues => Some(true),
        () if points => Some(true),
        () => None,
    }
}

/// Returns true if the numbers match a box that is known to be in pixels.
fn is_known(values: &[f64], frame: &Frame<'_>) -> bool {
    let is_same = |known: &[f64; 4]| {
        let mut pairs = known.iter().zip(values);
        pairs.all(|(known, value)| (known - value).abs() <= 1.0)
    };
    values.len() == 4 && values.iter().any(|value| *value > 1.0) && frame.known.iter().any(is_same)
}

fn moved(values: &[f64], unit: Unit, frame: &Frame<'_>) -> Vec<f64> {
    let (before, after) = (unit.sides(frame.size), unit.sides(frame.new_size));
    match *values {
        [x0, y0, x1, y1] => {
            let [x0, y0, x1, y1] =
                (frame.place)([x0 / before.0, y0 / before.1, x1 / before.0, y1 / before.1]);
            vec![x0 * after.0, y0 * after.1, x1 * after.0, y1 * after.1]
        }
        [x, y] => {
            let (x, y) = (x / before.0, y / before.1);
            let [x, y, ..] = (frame.place)([x, y, x, y]);
            vec![x * after.0, y * after.1]
        }
        _ => values.to_vec(),
    }
}

fn decimals(number: &str) -> usize {
    number
        .trim_end_matches('%')
        .split_once('.')
        .map_or(0, |(_, decimals)| decimals.len())
}

/// Removes trailing zeros, but keeps at least `least` decimals.
fn shortened(mut number: String, least: usize) -> String {
    while number.ends_with('0') && decimals(&number) > least {
        number.pop();
    }
    if number.ends_with('.') {
        number.pop();
    }
    number
}
