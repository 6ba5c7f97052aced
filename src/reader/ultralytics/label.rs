//! Parses the lines of a label file. A line contains a class, and a box or an outline in fractions
//! of the picture; for a prediction also the confidence.

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use crate::Candidate;
use crate::coco::bounds;
use crate::lines::{self, START};

/// Tolerance for values below 0 or above 1, caused by rounding.
const ROUNDED: f64 = 0.01;
/// Maximum length of a value quoted in a message, in characters.
const LONGEST: usize = 20;
/// Number of values of a box.
const BOX: usize = 4;
/// Number of files to examine to decide whether a folder contains labels.
const LOOKED_AT: usize = 50;

/// An object in a label file, annotated or predicted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Label {
    /// Line number, counted from 1.
    pub line: u64,
    /// Class index, counted from 0.
    pub class: usize,
    /// `[x, y, width, height]` as fractions of the picture; x and y are the upper left corner.
    pub xywh: [f64; 4],
    /// Confidence of a prediction; `None` for an annotation.
    pub score: Option<f64>,
}

/// Content of a label file: annotations or predictions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Annotations, without confidence. Contains the number of pose values that follow each box.
    Truth(usize),
    /// Predictions, with confidence. Pose values and the number of a track are ignored.
    Results,
    /// Boxes with the number of a track, but without confidence.
    Tracks,
}

/// Objects and invalid lines of a label file.
#[derive(Debug, Default)]
pub struct Labels {
    /// Objects in file order. A repeated line is read once.
    pub objects: Vec<Label>,
    /// Number of repeated lines.
    pub repeated: u64,
    /// Invalid lines, as pairs of line number and message.
    pub bad: Vec<(u64, String)>,
}

impl Labels {
    /// Reads a file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(path: &Path, purpose: Purpose) -> io::Result<Self> {
        let (mut found, mut seen) = (Self::default(), HashSet::new());
        let read = lines::each(path, START, &mut |line| {
            let text = line
                .text
                .map(|text| String::from_utf8_lossy(text).into_owned());
            match text.and_then(|text| Ok((label(&text, line.number, purpose)?, text))) {
                Ok((None, _)) => {}
                Ok((Some(label), text)) if seen.insert(text.clone()) => found.objects.push(label),
                Ok(_) => found.repeated += 1,
                Err(what) => found.bad.push((line.number, what)),
            }
            ControlFlow::Continue(())
        });
        read.map(|_| found)
    }
}

/// True if the first lines of a folder's first files are mostly valid labels.
pub fn are_labels(files: &[Candidate], purpose: Purpose) -> bool {
    let (mut good, mut bad) = (0, 0);
    for file in files.iter().filter(|file| file.length > 0).take(LOOKED_AT) {
        for line in file.head_text().lines() {
            match label(line, 0, purpose) {
                Ok(object) => good += usize::from(object.is_some()),
                Err(_) => bad += 1,
            }
        }
    }
    good > bad
}

/// True if all predictions in a folder's first files are outlines of four points: oriented boxes.
pub fn are_oriented(files: &[Candidate]) -> bool {
    let files = files.iter().filter(|file| file.length > 0).take(LOOKED_AT);
    let mut lines = files.flat_map(|file| {
        let lines = file.head_text();
        let counts = lines
            .lines()
            .map(|line| line.split_ascii_whitespace().count());
        counts.filter(|count| *count > 0).collect::<Vec<_>>()
    });
    // Class, four points and confidence.
    let is_oriented = |count: usize| count == 1 + 2 * BOX + 1;
    lines.next().is_some_and(is_oriented) && lines.all(is_oriented)
}

fn is_confidence(score: f64) -> bool {
    (0.0..=1.0).contains(&score)
}

/// True for the number of a track, counted from 1.
fn is_track(id: f64) -> bool {
    id >= 1.0 && id.fract() == 0.0
}

/// Parses a line; `None` for an empty line.
fn label(text: &str, line: u64, purpose: Purpose) -> Result<Option<Label>, String> {
    let numbers = text.split_ascii_whitespace().map(|number| {
        let value = number.parse().ok().filter(|it: &f64| it.is_finite());
        value.ok_or_else(|| {
            format!(
                "`{}` is not a number",
                base::format::first_words(number, LONGEST)
            )
        })
    });
    let numbers: Vec<f64> = numbers.collect::<Result<_, _>>()?;
    let Some((&class, rest)) = numbers.split_first() else {
        return Ok(None);
    };
    let count = numbers.len();
    let (rest, score, pose) = match (purpose, rest) {
        (Purpose::Truth(pose), _) => (rest, None, pose),
        (Purpose::Tracks, [bounds @ .., id]) if bounds.len() == BOX && is_track(*id) => {
            (bounds, None, 0)
        }
        (Purpose::Results, [bounds @ .., score, id])
            if bounds.len() == BOX && is_track(*id) && is_confidence(*score) =>
        {
            (bounds, Some(*score), 0)
        }
        (Purpose::Results, [rest @ .., score]) if !is_confidence(*score) => {
            return Err(format!(
                "the last of {} values, {score}, is no confidence",
                rest.len() + 2
            ));
        }
        (Purpose::Results, [rest @ .., score]) if rest.len().is_multiple_of(2) => {
            (rest, Some(*score), 0)
        }
        // Poses of an odd number of points with x, y and visibility.
        (Purpose::Results, [rest @ .., score]) if rest.len() % 3 == BOX % 3 => {
            (rest.get(..BOX).unwrap_or(rest), Some(*score), 0)
        }
        (Purpose::Results | Purpose::Tracks, _) => {
            return Err("no confidence: write it with save_conf".to_owned());
        }
    };
    let rest = match rest.get(..BOX) {
        Some(bounds) if pose > 0 && rest.len().checked_sub(BOX) == Some(pose) => bounds,
        _ => rest,
    };
    let xywh = match rest {
        &[x, y, width, height] => center_form([x, y, width, height]),
        _ if rest.len() >= 6 && rest.len().is_multiple_of(2) => around(rest),
        _ => {
            return Err(format!(
                "{} where a box has 5",
                base::format::counted(count as u64, "value")
            ));
        }
    };
    // A box can extend beyond the edge of the picture, but its values are fractions.
    let is_share = |value: &f64| (-ROUNDED..=1.0 + ROUNDED).contains(value);
    let [_, _, width, height] = xywh;
    if !rest.iter().all(is_share) || width < 0.0 || height < 0.0 {
        return Err("the values are not between 0 and 1".to_owned());
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an integer within the range of the type"
    )]
    let class = (class.fract() == 0.0 && (0.0..1e9).contains(&class)).then_some(class as usize);
    Ok(Some(Label {
        line,
        class: class.ok_or("the class is not a whole number from 0")?,
        xywh,
        score,
    }))
}

fn center_form([x, y, width, height]: [f64; 4]) -> [f64; 4] {
    [x - width / 2.0, y - height / 2.0, width, height]
}

/// Returns the bounding box of an outline, which is a flat list of x and y.
fn around(outline: &[f64]) -> [f64; 4] {
    let (points, _) = outline.as_chunks::<2>();
    let [x, y, right, bottom] = bounds(points.iter().copied()).unwrap_or_default();
    [x, y, right - x, bottom - y]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, purpose: Purpose) -> Labels {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        Labels::read(file.path(), purpose).unwrap()
    }

    #[test]
    fn boxes_outlines_and_poses_are_boxes() {
        let text = "0 0.5 0.5 0.5 0.25\n\n2 0.25 0.375 0.75 0.375 0.5 0.625\n";
        let found = read(text, Purpose::Truth(0));
        let boxes: Vec<_> = found.objects.iter().map(|it| (it.class, it.xywh)).collect();
        let expected = [0.25, 0.375, 0.5, 0.25];
        assert_eq!(boxes, [(0, expected), (2, expected)]);
        let pose = read("1 0.5 0.5 0.5 0.25 0.1 0.1 2 0.9 0.9 2", Purpose::Truth(6));
        assert_eq!(pose.objects[0].xywh, expected);
    }

    #[test]
    fn results_have_a_confidence_and_repeated_lines_count_once() {
        let line = "0 0.5 0.5 0.5 0.25 0.75\n";
        let found = read(&format!("{line}{line}"), Purpose::Results);
        assert_eq!((found.objects.len(), found.repeated), (1, 1));
        assert_eq!(found.objects[0].score, Some(0.75));
    }

    #[test]
    fn tracks_and_poses_are_boxes_and_a_track_is_no_confidence() {
        let score = |line: &str| {
            let found = read(line, Purpose::Results);
            found.objects.first().and_then(|label| label.score)
        };
        assert_eq!(score("0 0.5 0.5 0.5 0.25 0.75 12"), Some(0.75));
        assert_eq!(score("0 0.5 0.5 0.5 0.25 12"), None);
        assert_eq!(score("0 0.5 0.5 0.5 0.25 0.1 0.1 2 0.75"), Some(0.75));
        let tracks = read("0 0.5 0.5 0.5 0.25 12", Purpose::Tracks);
        assert_eq!(tracks.objects.len(), 1);
    }

    #[test]
    fn odd_lines_are_reported_and_cost_no_other() {
        for bad in [
            "0 0.5 0.5 0.5",
            "0.5 0.5 0.5 0.5 0.5",
            "0 50 50 50 25",
            "0 0.5 0.5 nan 0.5",
            "-1 0.5 0.5 0.5 0.5",
            "car 0.5 0.5 0.5 0.5",
            "0 0.5 0.5 -0.5 0.5",
        ] {
            let found = read(&format!("{bad}\n1 0.5 0.5 1 1\n"), Purpose::Truth(0));
            assert_eq!((found.objects.len(), found.bad.len()), (1, 1), "{bad}");
            assert_eq!(found.bad[0].0, 1);
        }
        assert_eq!(read("0 0.5 0.5 1 1\n", Purpose::Results).bad.len(), 1);
    }
}
