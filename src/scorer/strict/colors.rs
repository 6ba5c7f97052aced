//! Reads the colour in a response: three numbers, a hex code or a CSS function. Names like `blue`
//! are not read.

use std::ops::Range;
use std::sync::LazyLock;

use super::asked;
use super::doubt;
use super::lists::{self, Item};
use super::numbers::NO_NOUNS;
use super::page::{Kind, Page};
use super::phrases::Phrases;
use super::read_failure::ReadFailure;
use super::step::Step;
use super::verdict::verdicts;

/// JSON keys that can contain a colour.
pub(super) const KEYS: &[&str] = &[
    "final_answer",
    "answer",
    "rgb",
    "color",
    "colour",
    "hex",
    "rgb_value",
    "rgb_color",
    "value",
    "prediction",
    "response",
    "output",
    "result",
];

static CHANNELS: LazyLock<Phrases<usize>> =
    LazyLock::new(|| Phrases::of(&[("r|red", 0), ("g|green", 1), ("b|blue", 2)]));

/// Colour as `[r, g, b]`, the pieces that state it, and the rule.
type ColorMatch = ([f64; 3], Range<usize>, Step);

/// Returns the colour that a page states.
pub(super) fn read(page: &Page, question: &str) -> Result<ColorMatch, ReadFailure> {
    let question = Page::of(question);
    let asked = asked::content(&question, 0..question.len());
    for verdict in verdicts(page, &NO_NOUNS) {
        match part(page, verdict, &asked) {
            Err(ReadFailure::Nothing) => {}
            found => return found,
        }
    }
    part(page, 0..page.len(), &asked)
}

fn part(page: &Page, range: Range<usize>, asked: &[String]) -> Result<ColorMatch, ReadFailure> {
    let mut found = channels(page, range.clone());
    found.extend(functions(page, range.clone()));
    if found.is_empty() {
        found = listed(page, range.clone());
    }
    found.extend(codes(page, range));
    let is_denied = |found: &ColorMatch| doubt::is_denied(page, found.1.start);
    if !found.iter().all(is_denied) {
        found.retain(|found| !is_denied(found));
    }
    let places: Vec<_> = (found.iter())
        .map(|(_, pieces, _)| pieces.clone())
        .collect();
    let mut colours = found.iter().cloned();
    let first = colours.next().ok_or(ReadFailure::Nothing)?;
    let near = |other: &ColorMatch| {
        first
            .0
            .iter()
            .zip(other.0)
            .all(|(a, b)| (a - b).abs() <= 1.5)
    };
    if colours.all(|other| near(&other)) {
        Ok(first)
    } else {
        // 'The background is (255, 255, 255), the region is (180, 60, 50).'
        let best = doubt::best_clause(page, &places, asked);
        let best = best.and_then(|best| found.get(best).cloned());
        best.ok_or(ReadFailure::Two)
    }
}

/// Converts three channels to the range 0 to 255; percentages and fractions are scaled.
fn rgb(items: &[Item]) -> Option<[f64; 3]> {
    let [red, green, blue] = items else {
        return None;
    };
    let shares = items.iter().all(|item| (0.0..=1.0).contains(&item.value))
        && items.iter().any(|item| item.decimal);
    let channel = |item: &Item| {
        let value = match (item.percent, shares) {
            (true, _) => item.value * 2.55,
            (_, true) => item.value * 255.0,
            _ => item.value,
        };
        (0.0..=255.0).contains(&value).then_some(value)
    };
    Some([channel(red)?, channel(green)?, channel(blue)?])
}

/// Reads lists such as `[200, 30, 40]`, `rgb(…)` and `rgba(…)`.
fn listed(page: &Page, range: Range<usize>) -> Vec<ColorMatch> {
    let lists = lists::lists(page, range);
    let alpha = |start: usize| start > 1 && page.lower(start - 2) == "rgba";
    let of = |list: &lists::List| {
        let items = match list.items.as_slice() {
            [colour @ .., _] if colour.len() == 3 && alpha(list.pieces.start) => colour,
            items => items,
        };
        Some((rgb(items)?, list.pieces.clone(), Step::ThreeNumbers))
    };
    lists.iter().filter_map(of).collect()
}

/// Reads `R: 200, G: 30, B: 40`.
fn channels(page: &Page, range: Range<usize>) -> Vec<ColorMatch> {
    let fields = lists::fields(page, range, &CHANNELS);
    let three = fields.windows(3).filter_map(|three| {
        let [(_, _, first), _, (_, _, last)] = three else {
            return None;
        };
        let channel = |wanted: usize| {
            let mut named = three.iter().filter(|(channel, ..)| *channel == wanted);
            named.next().map(|(_, item, _)| *item)
        };
        Some((
            rgb(&[channel(0)?, channel(1)?, channel(2)?])?,
            first.start..last.end,
            Step::NamedChannels,
        ))
    });
    three.collect()
}

/// Reads `#c81e28`, `#f00` and `0xC81E28`. A code without `#` or `0x` is read only if the page
/// contains nothing else.
fn codes(page: &Page, range: Range<usize>) -> Vec<ColorMatch> {
    let mut found = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let marked = page.is(at, '#');
        let start = at + usize::from(marked);
        let fresh = page.is_alphanumeric(start)
            && (marked && page.glued(start)
                || !(page.glued(start) && page.is_alphanumeric(start - 1)));
        if !fresh {
            at += 1;
            continue;
        }
        let mut end = start + 1;
        while end < range.end
            && page.glued(end)
            && matches!(page.kind(end), Some(Kind::Word | Kind::Number))
        {
            end += 1;
        }
        if end - start <= 10 {
            let written: String = (start..end).map(|at| page.lower(at)).collect();
            let code = written.strip_prefix("0x");
            let lone = range
                .clone()
                .all(|at| (start..end).contains(&at) || !page.is_alphanumeric(at))
                && written.len() == 6;
            if let Some(rgb) = code
                .or_else(|| (marked || lone || is_named(page, at)).then_some(&written))
                .and_then(hex)
            {
                found.push((rgb, at..end, Step::HexCode));
            }
        }
        at = end;
    }
    found
}

/// Returns true if the word 'hex' precedes a code: 'the hex code is F08010'.
fn is_named(page: &Page, at: usize) -> bool {
    (at.saturating_sub(4)..at).any(|at| page.lower(at) == "hex")
}

/// Converts three, four, six or eight hex digits to channels.
fn hex(digits: &str) -> Option<[f64; 3]> {
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let width = match digits.len() {
        3 | 4 => 1,
        6 | 8 => 2,
        _ => return None,
    };
    let channel = |place: usize| {
        let part = digits.get(place * width..(place + 1) * width)?;
        let value = u8::from_str_radix(part, 16).ok()?;
        Some(f64::from(if width == 1 { value * 17 } else { value }))
    };
    Some([channel(0)?, channel(1)?, channel(2)?])
}

/// Reads `hsl(0, 100%, 50%)` and other colour functions of CSS.
fn functions(page: &Page, range: Range<usize>) -> Vec<ColorMatch> {
    let mut found = Vec::new();
    for at in range.clone() {
        if !matches!(
            page.lower(at),
            "hsl" | "hsla" | "hwb" | "lab" | "lch" | "oklab" | "oklch" | "hsv"
        ) || !page.is(at + 1, '(')
        {
            continue;
        }
        let Some(end) = (at..(at + 24).min(range.end)).find(|end| page.is(*end, ')')) else {
            continue;
        };
        let mut written = String::new();
        for piece in at..=end {
            if !page.glued(piece) && piece > at {
                written.push(' ');
            }
            written.push_str(page.lower(piece));
        }
        found.extend(css(&written).map(|rgb| (rgb, at..end + 1, Step::CssFunction)));
    }
    found
}

fn css(written: &str) -> Option<[f64; 3]> {
    let [red, green, blue, _] = csscolorparser::parse(written).ok()?.to_rgba8();
    Some([red, green, blue].map(f64::from))
}
