//! Scores visual grounding as `TDBench` does in `VLMEvalKit`: one box in fractions of the image.
//!
//! Follows `vlmeval/dataset/utils/tdbench.py`. Its pattern drops signs, accepts one digit before
//! the point and at most one space after a comma, and must match exactly once. Any other response
//! is an error with score 0.

use std::sync::LazyLock;

use regex::Regex;

use super::traced_text::TracedText;
use super::{Answer, Outcome, Reading, boxes, python, strict};
use base::format::pattern;
use record::Record;

/// Matches four numbers separated by commas; each can be empty.
static FOUR: LazyLock<Regex> =
    LazyLock::new(|| pattern(&[r"(\d?(?:\.\d+)?)"; 4].join(r",[\s\x1C-\x1F]?")));

/// Scores 1 if the centre of the predicted box is inside the target, borders included; `IoU` is
/// the second score.
pub(super) fn judge_centroid(record: &Record) -> (Outcome, Option<Reading>) {
    let unreadable = Outcome::unreadable(Some(0.0), Some(0.0));
    judge(record, unreadable, |prediction, target| {
        let right = boxes::centre_within(prediction, target);
        Outcome::judged(right).with_second(boxes::iou_unordered(prediction, target))
    })
}

/// Scores the `IoU` without ordering the corners.
pub(super) fn judge_iou(record: &Record) -> (Outcome, Option<Reading>) {
    let unreadable = Outcome::unreadable(Some(0.0), None);
    judge(record, unreadable, |prediction, target| {
        Outcome::scored(boxes::iou_unordered(prediction, target))
    })
}

/// Reads the predicted box and scores it; also returns the box.
fn judge(
    record: &Record,
    unreadable: Outcome,
    score: impl Fn([f64; 4], [f64; 4]) -> Outcome,
) -> (Outcome, Option<Reading>) {
    let reading = read(record);
    let outcome = match (
        strict::target_box(record),
        reading.as_ref().map(|it| &it.answer),
    ) {
        (None, _) => Outcome::left_out(),
        (Some(target), Some(Answer::Box(prediction))) => score(*prediction, target),
        _ => unreadable,
    };
    (outcome, reading)
}

/// Reads the only box in the response, in fractions of the image; its corners are not ordered.
fn read(record: &Record) -> Option<Reading> {
    let line = TracedText::without(record.response.as_deref()?, '\n');
    let mut matches = FOUR.captures_iter(&line.text);
    let (found, None) = (matches.next()?, matches.next()) else {
        return None;
    };
    let (whole, numbers) = found.extract::<4>();
    let [x0, y0, x1, y1] = numbers.map(python::float);
    let start = found.get(0)?.start();
    Some(Reading::new(
        Answer::Box([x0?, y0?, x1?, y1?]),
        line.origin(start..start + whole.len()),
    ))
}

#[cfg(test)]
mod tests {
    use super::{judge_centroid, judge_iou, read};
    use crate::Answer;
    use record::{Content, Record, Target};

    fn record(response: &str, target: [f64; 4]) -> Record {
        Record {
            content: Content {
                target: Some(Target::Box(target)),
                ..Content::default()
            },
            response: Some(response.to_owned()),
            ..Record::default()
        }
    }

    fn find_box(response: &str) -> Option<([f64; 4], String)> {
        let reading = read(&record(response, [0.0; 4]))?;
        match (reading.answer, reading.span) {
            (Answer::Box(numbers), Some(span)) => Some((numbers, response[span].to_owned())),
            _ => None,
        }
    }

    #[test]
    fn the_pattern_has_its_ways() {
        let plain = ([0.1, 0.2, 0.3, 0.4], "0.1, 0.2,0.3, 0.4".to_owned());
        assert_eq!(find_box("[0.1, 0.2,0.3, 0.4]"), Some(plain));
        // Signs are dropped, line breaks are removed, and only the last digit of a pixel coordinate
        // matches.
        assert_eq!(
            find_box("[-0.1, 0.2, 0.3, 0.4]").map(|(b, _)| b[0]),
            Some(0.1)
        );
        assert_eq!(
            find_box("[0.1,\n0.2,\n0.3,\n0.4]").map(|(b, _)| b[1]),
            Some(0.2)
        );
        assert_eq!(find_box("12, 3, 4, 5").map(|(b, _)| b[0]), Some(2.0));
        for unreadable in [
            "[0.1,  0.2, 0.3, 0.4]",
            "(0.1, 0.2), (0.3, 0.4)",
            "[10, 20, 30, 40]",
            "[0.1, 0.2, 0.3, 0.4] [0.1, 0.2, 0.3, 0.4]",
            ", , ,",
            "",
        ] {
            assert_eq!(find_box(unreadable), None, "{unreadable}");
        }
    }

    #[test]
    fn swapped_corners_have_a_centre_but_no_overlap() {
        let swapped = record("[0.6, 0.6, 0.4, 0.4]", [0.0, 0.0, 1.0, 1.0]);
        assert_eq!(judge_centroid(&swapped).0.score, Some(1.0));
        assert_eq!(judge_iou(&swapped).0.score, Some(0.0));
    }

    #[test]
    fn unreadable_boxes_score_nothing() {
        let (outcome, _) = judge_centroid(&record("no", [0.0, 0.0, 1.0, 1.0]));
        assert_eq!(
            (outcome.score, outcome.second, outcome.invalid),
            (Some(0.0), Some(0.0), true)
        );
        assert!(judge_iou(&record("no", [0.0, 0.0, 1.0, 1.0])).0.invalid);
    }
}
