//! Reads boxes written as tags with one number each.

use std::ops::Range;

use super::boxes_read::ParsedBox;
use super::place::AnswerPlace;
use super::read_failure::ReadFailure;
use super::scale::Scale;
use super::step::Step;
use super::tags::Tag;
use crate::boxes;

/// Returns the box written as `<loc_…>` or `<patch_index_…>` tags; fails if several boxes differ.
pub(super) fn tagged(place: &AnswerPlace) -> Result<Option<ParsedBox>, ReadFailure> {
    let found = all_tagged(place);
    let Some(first) = found.first() else {
        return Ok(None);
    };
    if found
        .iter()
        .any(|other| !boxes::same(other.corners, first.corners))
    {
        return Err(ReadFailure::Two);
    }
    Ok(found.into_iter().next())
}

/// Notation of a tag with one number.
#[derive(Clone, Copy, PartialEq)]
enum Notation {
    /// `<loc0102>` of `PaliGemma`: four digits, y first, in units of 1/1024.
    Padded,
    /// `<loc_102>`: in thousandths.
    Underscore,
    /// `<loc102>`: in an unknown unit.
    Bare,
}

/// Returns all boxes written as tags with one number each.
pub(super) fn all_tagged(place: &AnswerPlace) -> Vec<ParsedBox> {
    let mut found = located(place);
    found.extend(patches(place));
    found
}

/// Returns the numbers that `number` reads from the tags within the place.
fn numbers<T>(place: &AnswerPlace, number: impl Fn(&str) -> Option<T>) -> Vec<(T, Range<usize>)> {
    let within =
        |tag: &&Tag| tag.span.start >= place.range.start && tag.span.end <= place.range.end;
    let tags = place.tags.iter().filter(within);
    tags.filter_map(|tag| Some((number(&tag.name)?, tag.span.clone())))
        .collect()
}

/// Returns the boxes that are written as four `<loc_…>` tags each.
fn located(place: &AnswerPlace) -> Vec<ParsedBox> {
    let located = numbers(place, |name| {
        let digits = name.strip_prefix("loc")?;
        let bare = digits.trim_start_matches('_');
        let notation = match bare.len() {
            length if length < digits.len() => Notation::Underscore,
            4 => Notation::Padded,
            _ => Notation::Bare,
        };
        Some((bare.parse().ok()?, notation))
    });
    let boxes = located.chunks_exact(4).filter_map(|four| {
        let [
            ((a, notation), first),
            ((b, _), _),
            ((c, _), _),
            ((d, _), last),
        ] = four
        else {
            return None;
        };
        let (a, b, c, d): (f64, f64, f64, f64) = (*a, *b, *c, *d);
        let (corners, scale, rule) = match notation {
            Notation::Padded => ([b, a, d, c], Scale::To(1024.0), Step::LocTags),
            Notation::Underscore => ([a, b, c, d], Scale::To(1000.0), Step::LocTagsInThousandths),
            Notation::Bare => ([a, b, c, d], Scale::Untold, Step::FourNumbers),
        };
        Some(ParsedBox {
            corners: boxes::ordered(corners),
            scale,
            span: first.start..last.end,
            pieces: None,
            rule,
        })
    });
    boxes.collect()
}

/// Returns the boxes that are written as two `<patch_index_…>` tags each.
fn patches(place: &AnswerPlace) -> Vec<ParsedBox> {
    let patches = numbers(place, |name| {
        name.strip_prefix("patch_index_")?.parse::<u32>().ok()
    });
    let boxes = patches.chunks_exact(2).filter_map(|two| {
        let [(upper, first), (lower, last)] = two else {
            return None;
        };
        let cell = |index: u32| (f64::from(index % 32), f64::from(index / 32));
        let ((x0, y0), (x1, y1)) = (cell(*upper), cell(*lower));
        let is_thin = x0 >= x1 || y0 >= y1;
        let corners = if is_thin {
            [x0, y0, x1 + 1.0, y1 + 1.0]
        } else {
            [x0 + 0.5, y0 + 0.5, x1 + 0.5, y1 + 0.5]
        };
        Some(ParsedBox {
            corners,
            scale: Scale::To(32.0),
            span: first.start..last.end,
            pieces: None,
            rule: Step::GridCells,
        })
    });
    boxes.collect()
}
