//! Boxes and points that stand in a text as numbers.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::{Doubt, Edit};

/// Four numbers in brackets, two pairs in a tag of boxes, or a pair.
static PLACES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let n = r"(-?\d+(?:\.\d+)?%?)";
    let s = r"\s*[,;\s]\s*";
    let tags = r"(?:<\|?(?:box|box_start|bbox)\|?>)";
    let open = r"[\[({]\s*";
    let close = r"\s*[\])}]";
    Regex::new(&format!(
        r"(?P<tag>{tags}\s*[\[(]*\s*){n}{s}{n}\s*[\])]*{s0}[\[(]*\s*{n}{s}{n}|(?P<nested>\[\s*\[\s*){n}\s*,\s*{n}\s*\]\s*,\s*\[\s*{n}\s*,\s*{n}\s*\]\s*\]|{open}{n}\s*,\s*{n}\s*,\s*{n}\s*,\s*{n}{close}|(?P<point><point>\s*|{open}){n}\s*,\s*{n}(?:\s*</point>|{close})",
        s0 = r"\s*[,;\s]*\s*",
    ))
    .ok()
});
/// What stands before a pair of numbers that is a point.
static POINTING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let nouns = r"point|points|pixel|pixels|coordinates?|position|location|located|centre|center|centred|centered|corner|keypoint|click|clicked|marker|dot";
    Regex::new(&format!(r"(?i)(?:\b(?:{nouns})s?\b(?:\s+(?:is|are|at|of|in|on|around|near|the))*|\bat|\bfrom|\bto|\band|,|\[)\s*:?\s*$")).ok()
});
/// What stands before a pair of numbers that is a range.
static RANGING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)(?:range|between|interval|scale|normali[sz]ed|within|values? in|scaled|in)\s*(?:of|to|in|the|from|range)*\s*$").ok()
});
/// Forms that are known and not moved.
static OTHER_FORMS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?i)<loc_?\d+>|<patch_index_\d+>|<point\s+x|\b(?:x1|xmin|x_min|x0|left)"?\s*[:=]\s*-?\d|"x"\s*:\s*-?\d"#).ok()
});
/// The scale of numbers in tags of boxes, as Qwen-VL and `InternVL` write them.
const THOUSAND: f64 = 1000.0;

/// The picture in which numbers of a text count, before and after a move.
pub struct Frame<'a> {
    /// Width and height in pixels before.
    pub size: (u32, u32),
    /// Width and height in pixels after.
    pub new_size: (u32, u32),
    /// Where a box in fractions of the sides comes to lie.
    pub place: &'a dyn Fn([f64; 4]) -> [f64; 4],
    /// Boxes that are known to be in pixels, by which numbers in tags are told from thousandths.
    pub known: &'a [[f64; 4]],
    /// The question asks for points, so that a pair of numbers alone is one.
    pub points: bool,
    /// More decimals are kept than the text has: a target has to be met.
    pub exact: bool,
}

/// What the numbers of a place count in.
#[derive(Clone, Copy, PartialEq)]
enum Unit {
    Fraction,
    Pixel,
    Thousandth,
}

/// A place that stands in a text.
struct Place {
    /// Where each number stands.
    numbers: Vec<Range<usize>>,
    values: Vec<f64>,
    is_tagged: bool,
}

/// What becomes of the numbers of the boxes and points in a text.
///
/// # Errors
/// Numbers may be a place and may not, or the unit cannot be told.
pub fn places(text: &str, frame: &Frame<'_>) -> Result<Vec<Edit>, Doubt> {
    let mut edits = Vec::new();
    let mut tagged = None;
    for place in found(text, frame.points)? {
        let unit = unit(&place, frame)?;
        if place.is_tagged && *tagged.get_or_insert(unit) != unit {
            return Err(Doubt("boxes in two scales"));
        }
        let moved = moved(&place.values, unit, frame);
        if has_area(&place.values) && !has_area(&moved) {
            return Err(Doubt("a box outside of the part that is shown"));
        }
        let mut pairs = place.values.iter().zip(&moved);
        if pairs.all(|(old, new)| (old - new).abs() < 1e-9) {
            continue;
        }
        let most = place
            .numbers
            .iter()
            .map(|range| decimals(&text[range.clone()]))
            .max();
        let most = match unit {
            _ if !frame.exact => most.unwrap_or_default(),
            Unit::Fraction => most.unwrap_or_default().max(4),
            _ => most.unwrap_or_default().max(2),
        };
        let fewest = place
            .numbers
            .iter()
            .map(|range| decimals(&text[range.clone()]))
            .min();
        let fewest = fewest.unwrap_or_default();
        for (range, value) in place.numbers.iter().zip(moved) {
            let old = &text[range.clone()];
            let number = format!("{value:.most$}");
            let least = if frame.exact { fewest } else { most };
            let percent = if old.ends_with('%') { "%" } else { "" };
            edits.push((range.clone(), shortened(number, least) + percent));
        }
    }
    Ok(edits)
}

/// Returns true for a box with an area; false for a point.
fn has_area(values: &[f64]) -> bool {
    let [x0, y0, x1, y1] = *values else {
        return false;
    };
    (x1 - x0).abs() > 0.0 && (y1 - y0).abs() > 0.0
}

/// The box that a whole text is, in the text's own numbers: an answer or a target.
#[must_use]
pub fn box_of(text: &str) -> Option<[f64; 4]> {
    let places = found(text, true).ok()?;
    let [place] = places.as_slice() else {
        return None;
    };
    let rest: String = without(text, place);
    let is_all = !rest.chars().any(char::is_alphanumeric);
    place.values.as_slice().try_into().ok().filter(|_| is_all)
}

/// The boxes that stand in a text, in the text's own numbers; points have no area.
#[must_use]
pub fn boxes_of(text: &str) -> Vec<[f64; 4]> {
    let places = found(text, true).unwrap_or_default();
    let corners = |place: Place| match *place.values.as_slice() {
        [x0, y0, x1, y1] => Some([x0, y0, x1, y1]),
        [x, y] => Some([x, y, x, y]),
        _ => None,
    };
    places.into_iter().filter_map(corners).collect()
}

fn without(text: &str, place: &Place) -> String {
    let (Some(first), Some(last)) = (place.numbers.first(), place.numbers.last()) else {
        return text.to_owned();
    };
    let outside = format!("{} {}", &text[..first.start], &text[last.end..]);
    ["box_2d", "bbox_2d", "bbox", "box", "start", "end"]
        .iter()
        .fold(outside, |text, tag| text.replace(tag, ""))
}

fn found(text: &str, points: bool) -> Result<Vec<Place>, Doubt> {
    let Some(pattern) = PLACES.as_ref() else {
        return Ok(Vec::new());
    };
    if OTHER_FORMS
        .as_ref()
        .is_some_and(|forms| forms.is_match(text))
    {
        return Err(Doubt("a place in a form that is not moved"));
    }
    let mut places = Vec::new();
    for found in pattern.captures_iter(text) {
        let place = place(&found);
        if are_years(&place) {
            continue;
        }
        let start = found.get(0).map_or(0, |whole| whole.start());
        if place.values.len() == 2
            && found
                .name("point")
                .is_some_and(|open| !open.as_str().starts_with('<'))
        {
            match is_point(text, start, &place.values, places.last(), points) {
                Some(true) => {}
                Some(false) => continue,
                None => return Err(Doubt("two numbers that may be a point")),
            }
        }
        places.push(place);
    }
    Ok(places)
}

/// Returns true for four years in a row.
fn are_years(place: &Place) -> bool {
    let is_year = |year: &f64| (1800.0..=2100.0).contains(year) && year.fract() == 0.0;
    let values = &place.values;
    values.len() == 4 && values.iter().all(is_year) && values.is_sorted()
}

fn place(found: &Captures<'_>) -> Place {
    let openings = ["tag", "nested", "point"].into_iter();
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
    Place {
        values: numbers
            .iter()
            .map(|(_, text)| text.trim_end_matches('%').parse().unwrap_or_default())
            .collect(),
        is_tagged: found.name("tag").is_some(),
        numbers: numbers.into_iter().map(|(range, _)| range).collect(),
    }
}

/// Whether a pair of numbers is a point; `None`: that cannot be told.
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
    // `top left corner (0, 0)` and `from 0 to 1 (0, 1)` say what coordinates count in.
    if is_corner {
        return Some(false);
    }
    let matches = |pattern: &LazyLock<Option<Regex>>| {
        pattern
            .as_ref()
            .is_some_and(|pattern| pattern.is_match(before))
    };
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

fn unit(place: &Place, frame: &Frame<'_>) -> Result<Unit, Doubt> {
    let values = &place.values;
    let most = values.iter().copied().fold(0.0, f64::max);
    let side = f64::from(frame.size.0.max(frame.size.1));
    let is_known = frame.known.iter().any(|known| {
        values.len() == 4
            && known
                .iter()
                .zip(values)
                .all(|(known, value)| (known - value).abs() <= 1.0)
            && most > 1.0
    });
    match () {
        () if values.iter().any(|value| *value < 0.0) => {
            Err(Doubt("a place outside of the picture"))
        }
        () if most <= 1.0 => Ok(Unit::Fraction),
        () if is_known => Ok(Unit::Pixel),
        () if place.is_tagged && most <= THOUSAND => Ok(Unit::Thousandth),
        () if most <= side + 1.0 => Ok(Unit::Pixel),
        () => Err(Doubt("a place beyond the picture")),
    }
}

fn moved(values: &[f64], unit: Unit, frame: &Frame<'_>) -> Vec<f64> {
    let scale = |size: (u32, u32)| match unit {
        Unit::Fraction => (1.0, 1.0),
        Unit::Pixel => (f64::from(size.0.max(1)), f64::from(size.1.max(1))),
        Unit::Thousandth => (THOUSAND, THOUSAND),
    };
    let (before, after) = (scale(frame.size), scale(frame.new_size));
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

/// A number without noughts behind the decimals that its text had.
fn shortened(mut number: String, least: usize) -> String {
    while number.ends_with('0') && decimals(&number) > least {
        number.pop();
    }
    if number.ends_with('.') {
        number.pop();
    }
    number
}
