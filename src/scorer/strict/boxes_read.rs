//! Reads the box in a response, in any notation that models use.

use std::ops::Range;
use std::sync::LazyLock;

use super::boxes_tagged::{all_tagged, tagged};
use super::doubt;
use super::lists::{self, Item, List};
use super::numbers::NO_NOUNS;
use super::page::Page;
use super::phrases::Phrases;
use super::place::AnswerPlace;
use super::polarity::is_past;
use super::read_failure::ReadFailure;
use super::scale::Scale;
use super::step::Step;
use super::tags::Tag;
use super::verdict::verdicts;
use crate::boxes;

/// JSON keys that can contain the answer; not specific to boxes.
pub(super) const KEYS: &[&str] = &[
    "final_answer",
    "answer",
    "prediction",
    "response",
    "output",
    "result",
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Field {
    X0,
    /// Lower end if `x2` is also given, upper end if `x0` is.
    X1,
    X2,
    Y0,
    Y1,
    Y2,
    Width,
    Height,
    CentreX,
    CentreY,
}

static FIELDS: LazyLock<Phrases<Field>> = LazyLock::new(|| {
    Phrases::of(&[
        (
            "x0|xmin|x_min|left|x_left|x|x_0|xtl|min_x|minx|x_start|x top left|x min",
            Field::X0,
        ),
        ("x1|x_1", Field::X1),
        (
            "x2|x_2|xmax|x_max|right|x_right|xbr|max_x|maxx|x_end|x max",
            Field::X2,
        ),
        (
            "y0|ymin|y_min|top|y_top|y|y_0|ytl|min_y|miny|y_start|y min",
            Field::Y0,
        ),
        ("y1|y_1", Field::Y1),
        (
            "y2|y_2|ymax|y_max|bottom|y_bottom|ybr|max_y|maxy|y_end|y max",
            Field::Y2,
        ),
        ("width|w", Field::Width),
        ("height|h", Field::Height),
        ("cx|center_x|x_center|centre_x|x_centre|xc", Field::CentreX),
        ("cy|center_y|y_center|centre_y|y_centre|yc", Field::CentreY),
    ])
});

/// Box in a response, with its scale and place.
#[derive(Clone, Debug)]
pub(super) struct ParsedBox {
    pub corners: [f64; 4],
    pub scale: Scale,
    pub span: Range<usize>,
    /// Pieces of the page; `None` for tags, which are not part of a page.
    pub pieces: Option<Range<usize>>,
    pub rule: Step,
}

impl ParsedBox {
    /// Returns true if the numbers are percentages.
    pub fn is_percent(&self) -> bool {
        self.scale == Scale::To(100.0)
    }

    /// Creates a box from some pieces of a page; the corners can be in any order.
    fn new(
        page: &Page,
        pieces: Range<usize>,
        corners: [f64; 4],
        (scale, rule): (Scale, Step),
    ) -> Option<Self> {
        Some(Self {
            corners: boxes::ordered(corners),
            scale,
            span: page.span(&pieces)?,
            pieces: Some(pieces),
            rule,
        })
    }

    /// Returns true if the sentence of the box names another object than the question.
    pub fn is_about_other(&self, page: &Page, asked: &[String]) -> bool {
        (self.pieces.as_ref())
            .is_some_and(|pieces| doubt::is_about_other(page, pieces.start, asked))
    }

    /// Swaps the axes of a plain list of numbers, if the question requires vertical coordinates
    /// first.
    pub fn swap_axes(&mut self) {
        if matches!(self.rule, Step::FourNumbers | Step::TwoCorners) {
            let [x0, y0, x1, y1] = self.corners;
            self.corners = [y0, x0, y1, x1];
            self.rule = Step::VerticalFirst;
        }
    }

    /// Sets the scale of a box in a tag of Qwen-VL or `InternVL` to thousandths, for any picture
    /// size.
    fn within(mut self, place: &AnswerPlace) -> Self {
        let is_box = |tag: &Tag| {
            matches!(tag.name.as_str(), "box" | "box_start") && tag.span.end <= self.span.start
        };
        let most = self.corners.into_iter().fold(0.0, f64::max);
        let fits = most > 1.0 && most <= 1000.0;
        if self.scale == Scale::Untold && fits && place.tags.iter().any(is_box) {
            self.scale = Scale::To(1000.0);
            self.rule = Step::BoxTag;
        }
        self
    }
}

/// Reads the box at an answer's place.
pub(super) fn read(page: &Page, place: &AnswerPlace) -> Result<ParsedBox, ReadFailure> {
    if let Some(found) = tagged(place)? {
        return Ok(found);
    }
    for verdict in verdicts(page, &NO_NOUNS) {
        match one(page, verdict) {
            Err(ReadFailure::Nothing | ReadFailure::Cut) => {}
            found => return found.map(|found| found.within(place)),
        }
    }
    one(page, 0..page.len()).map(|found| found.within(place))
}

/// Maximum number of boxes among which the answer is selected.
const MOST: usize = 100;

/// Returns the box whose clause is about the question, as in 'cat: [...]; dog: [...]'.
pub(super) fn about(page: &Page, place: &AnswerPlace, asked: &[String]) -> Option<ParsedBox> {
    let mut found = every(page, place);
    if found.len() > MOST {
        return None;
    }
    let is_aside = |found: &ParsedBox| {
        (found.pieces.as_ref()).is_none_or(|pieces| {
            is_past(page, pieces.start, 0) || doubt::is_denied(page, pieces.start)
        })
    };
    if found.iter().filter(|found| !is_aside(found)).count() == 1 {
        found.retain(|found| !is_aside(found));
        return found.pop();
    }
    let pieces: Option<Vec<Range<usize>>> =
        found.iter().map(|found| found.pieces.clone()).collect();
    let best = doubt::best_clause(page, &pieces?, asked)?;
    Some(found.swap_remove(best))
}

/// Returns all boxes of a page, including boxes written as tags.
pub(super) fn every(page: &Page, place: &AnswerPlace) -> Vec<ParsedBox> {
    let mut found = all_tagged(place);
    let plain = all(page, 0..page.len()).into_iter();
    found.extend(plain.map(|found| found.within(place)));
    found
}

/// Returns the boxes in a part of a page.
fn all(page: &Page, range: Range<usize>) -> Vec<ParsedBox> {
    let vertical_first = (range.start.saturating_sub(8)..range.end)
        .any(|at| page.lower(at) == "box" && page.text(at + 1) == "2" && page.lower(at + 2) == "d");
    let mut lists = lists::lists(page, range.clone());
    lists.retain(|list| !is_cut(page, list));
    let found = named(page, range.clone());
    if !found.is_empty() {
        return found;
    }
    let sides = sides(page, range);
    if sides.is_empty() {
        listed(page, &lists, vertical_first)
    } else {
        sides
    }
}

/// Returns true if the response ends within a list, so that the last number can lack digits:
/// `[40, 60, 200, 18`.
fn is_cut(page: &Page, list: &List) -> bool {
    if list.pieces.end != page.len() {
        return false;
    }
    let open = (0..list.pieces.start)
        .rev()
        .take_while(|at| !page.is_any(*at, ")]"));
    let open = open.filter(|at| page.is_any(*at, "([")).count() > 0;
    // If left and right edge are plausible but the lower edge is above the upper edge, its number
    // lacks digits.
    let short =
        matches!(list.items.as_slice(), [a, b, c, d] if c.value > a.value && d.value < b.value);
    open || short
}

/// Returns boxes whose sides are given as ranges: `x: 40-200, y: 60-180`.
fn sides(page: &Page, range: Range<usize>) -> Vec<ParsedBox> {
    let mut found = Vec::new();
    let mut across: Option<([f64; 2], usize)> = None;
    for at in range {
        let axis = match page.lower(at) {
            "horizontally" => "x",
            "vertically" => "y",
            word => word,
        };
        let Some((ends, end)) = matches!(axis, "x" | "y")
            .then(|| side(page, at + 1))
            .flatten()
        else {
            continue;
        };
        match (axis, across) {
            ("x", _) => across = Some((ends, at)),
            (_, Some(([x0, x1], start))) => {
                across = None;
                let corners = [x0, ends[0], x1, ends[1]];
                let notation = (Scale::Untold, Step::AxisRanges);
                found.extend(ParsedBox::new(page, start..end, corners, notation));
            }
            _ => {}
        }
    }
    found
}

/// Reads a range of two numbers after the name of an axis; also returns its end.
fn side(page: &Page, start: usize) -> Option<([f64; 2], usize)> {
    let skip = |at: usize, words: &[&str], marks: &str| {
        (at..at + 5).find(|at| !(page.is_any(*at, marks) || words.contains(&page.lower(*at))))
    };
    let at = skip(
        start,
        &["from", "in", "is", "between", "range", "ranges", "axis"],
        ":=([-∈",
    )?;
    let (low, length) = lists::item(page, at)?;
    let behind = at + length;
    let next = skip(behind, &["to", "and", "px", "until"], "-–—~,→.")?;
    let (high, length) = lists::item(page, next).filter(|_| next > behind)?;
    Some(([low.value, high.value], next + length))
}

/// Returns the only box in a part of a page; fails if there are none or several.
fn one(page: &Page, range: Range<usize>) -> Result<ParsedBox, ReadFailure> {
    let mut boxes = all(page, range.clone()).into_iter();
    let Some(first) = boxes.next() else {
        let cut = lists::lists(page, range)
            .iter()
            .any(|list| is_cut(page, list));
        return Err(if cut {
            ReadFailure::Cut
        } else {
            ReadFailure::Nothing
        });
    };
    if boxes.any(|other| !boxes::same(other.corners, first.corners)) {
        return Err(ReadFailure::Two);
    }
    let area = boxes::area(first.corners);
    if area > 0.0 && area.is_finite() {
        Ok(first)
    } else {
        Err(ReadFailure::Nothing)
    }
}

/// Returns boxes written as lists of four numbers, or of two pairs.
fn listed(page: &Page, lists: &[List], vertical_first: bool) -> Vec<ParsedBox> {
    let mut found = Vec::new();
    let mut add = |items: &[Item], pieces: Range<usize>, rule: Step| {
        let [a, b, c, d] = items else { return };
        let percent = items.iter().all(|item| item.percent) || in_percent(page, pieces.end);
        let [a, b, c, d] = [a.value, b.value, c.value, d.value];
        let (corners, scale, rule) = if vertical_first {
            ([b, a, d, c], Scale::To(1000.0), Step::Box2d)
        } else {
            (
                [a, b, c, d],
                if percent {
                    Scale::To(100.0)
                } else {
                    Scale::Untold
                },
                rule,
            )
        };
        found.extend(ParsedBox::new(page, pieces, corners, (scale, rule)));
    };
    let mut at = 0;
    while let Some(list) = lists.get(at) {
        if list.items.len() == 4 {
            add(&list.items, list.pieces.clone(), Step::FourNumbers);
        } else if let Some(next) = lists
            .get(at + 1)
            .filter(|next| list.items.len() == 2 && next.items.len() == 2)
        {
            add(
                &[list.items.clone(), next.items.clone()].concat(),
                list.pieces.start..next.pieces.end,
                Step::TwoCorners,
            );
            at += 1;
        }
        at += 1;
    }
    found
}

/// Returns true if 'in percent' or similar follows a list.
fn in_percent(page: &Page, end: usize) -> bool {
    let near = (end..end + 5).take_while(|at| !page.ends_sentence(*at));
    let mut words =
        near.filter(|at| matches!(page.lower(*at), "percent" | "percents" | "percentages"));
    words.next().is_some()
}

/// Returns boxes written as numbers with names: `xmin: 40, ymin: 60, ...`.
fn named(page: &Page, range: Range<usize>) -> Vec<ParsedBox> {
    let mut found = Vec::new();
    let mut open: Vec<(Field, f64)> = Vec::new();
    let mut start = 0;
    for (field, item, pieces) in lists::fields(page, range, &FIELDS) {
        if open.is_empty() || open.iter().any(|(other, _)| *other == field) {
            open.clear();
            start = pieces.start;
        }
        open.push((field, item.value));
        if let Some(corners) = corners(&open) {
            let scale = if item.percent {
                Scale::To(100.0)
            } else {
                Scale::Untold
            };
            let notation = (scale, Step::NamedCorners);
            found.extend(ParsedBox::new(page, start..pieces.end, corners, notation));
            open.clear();
        }
    }
    found
}

/// Combines four named numbers into corners.
fn corners(fields: &[(Field, f64)]) -> Option<[f64; 4]> {
    let of = |wanted: Field| {
        fields
            .iter()
            .find(|(field, _)| *field == wanted)
            .map(|(_, value)| *value)
    };
    let side = |low: Field, middle: Field, high: Field, size: Field, centre: Field| {
        let lower = of(low);
        match (lower, of(middle), of(high), of(size), of(centre)) {
            (Some(a), _, Some(b), ..)
            | (None, Some(a), Some(b), ..)
            | (Some(a), Some(b), None, ..) => Some((a, b)),
            (Some(a), _, _, Some(size), _) | (None, Some(a), _, Some(size), _) => {
                Some((a, a + size))
            }
            (.., Some(size), Some(centre)) => Some((centre - size / 2.0, centre + size / 2.0)),
            _ => None,
        }
    };
    let (x0, x1) = side(
        Field::X0,
        Field::X1,
        Field::X2,
        Field::Width,
        Field::CentreX,
    )?;
    let (y0, y1) = side(
        Field::Y0,
        Field::Y1,
        Field::Y2,
        Field::Height,
        Field::CentreY,
    )?;
    Some([x0, y0, x1, y1])
}
