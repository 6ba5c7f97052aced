//! Reads boxes and colours as AVA-Bench does: the first numbers of the response, with any text
//! between them.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::{Answer, Outcome, Reading, boxes, color, python};
use base::format::pattern;

/// Matches a decimal number; in `.1` and in `x1:` it matches only the 1.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern(r"-?\d+(?:\.\d+)?"));

/// Applies `location/eval.py`: `GIoU` of two boxes, with `IoU` as the second score. A box is the
/// first four numbers, in their given order. Unreadable boxes are left out of all means.
pub(super) fn bounding_box(response: &str, target: Option<&str>) -> (Outcome, Option<Reading>) {
    let (read, target) = (first_numbers(response), target.and_then(first_numbers::<4>));
    let outcome = match (&read, target) {
        (_, None) => Outcome::left_out(),
        (Some((corners, _)), Some((target, _))) => {
            let iou = boxes::iou(*corners, target);
            Outcome::scored(boxes::giou(*corners, target)).with_second(iou)
        }
        (None, _) => Outcome::unreadable(None, None),
    };
    let reading = read.map(|(corners, span)| Reading::at(Answer::Box(corners), span));
    (outcome, reading)
}

/// Applies `color/eval.py`: `CIEDE2000` of two colours. A colour is the first three numbers,
/// clamped to 0 to 255. Unreadable colours are left out of the mean.
pub(super) fn color(response: &str, target: Option<&str>) -> (Outcome, Option<Reading>) {
    let (read, target) = (first_color(response), target.and_then(first_color));
    let outcome = match (&read, target) {
        (_, None) => Outcome::left_out(),
        (Some((rgb, _)), Some((target, _))) => Outcome::scored(color::ciede2000(*rgb, target)),
        (None, _) => Outcome::unreadable(None, None),
    };
    let reading = read.map(|(rgb, span)| Reading::at(Answer::Color(rgb), span));
    (outcome, reading)
}

/// Returns the first three numbers, clamped to 0 to 255, and their place.
fn first_color(text: &str) -> Option<([f64; 3], Range<usize>)> {
    let (channels, span) = first_numbers::<3>(text)?;
    Some((channels.map(|channel| channel.clamp(0.0, 255.0)), span))
}

/// Returns the first `N` numbers, and the place from the first to the last.
fn first_numbers<const N: usize>(text: &str) -> Option<([f64; N], Range<usize>)> {
    let mut numbers = [0.0; N];
    let mut matches = NUMBER.find_iter(text);
    let mut span: Option<Range<usize>> = None;
    for number in &mut numbers {
        let found = matches.next()?;
        *number = python::float(found.as_str())?;
        span = Some(span.map_or(found.start(), |span| span.start)..found.end());
    }
    Some((numbers, span?))
}

#[cfg(test)]
mod tests {
    use super::{bounding_box, color, first_color, first_numbers};

    #[test]
    fn numbers_lose_a_leading_point() {
        let found = first_numbers::<4>("[.1, .2, .3, .4]");
        assert_eq!(found.map(|(box_, _)| box_), Some([1.0, 2.0, 3.0, 4.0]));
        let found = first_numbers::<4>("x1: 0.2, 0.3, 0.4");
        assert_eq!(found.map(|(box_, _)| box_), Some([1.0, 0.2, 0.3, 0.4]));
        let text = "box at (0.06, 0.19) to (0.32, 0.54)";
        let place = first_numbers::<4>(text).map(|(_, span)| &text[span]);
        assert_eq!(place, Some("0.06, 0.19) to (0.32, 0.54"));
    }

    #[test]
    fn colours_are_held_to_their_range() {
        assert_eq!(
            first_color("[300, -20, 183]").map(|(rgb, _)| rgb),
            Some([255.0, 0.0, 183.0])
        );
        // A hyphen is read as a sign.
        assert_eq!(
            first_color("82-185-9").map(|(rgb, _)| rgb),
            Some([82.0, 0.0, 0.0])
        );
        assert_eq!(
            first_color("The 3 channels are 137, 5, 50").map(|(rgb, _)| rgb),
            Some([3.0, 137.0, 5.0])
        );
    }

    #[test]
    fn unreadable_ones_are_skipped() {
        for outcome in [
            bounding_box("[0.1, 0.2]", Some("0 0 1 1")).0,
            color("red", Some("[1, 2, 3]")).0,
        ] {
            assert_eq!(
                (outcome.score, outcome.second, outcome.invalid),
                (None, None, true)
            );
        }
        let (lost, _) = color("[1, 2, 3]", Some("red"));
        assert_eq!((lost.score, lost.invalid), (None, false));
    }
}
