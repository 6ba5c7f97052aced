//! Classifies the causes of wrong detections, and finds missed boxes.
//!
//! Source: D. Bolya et al., "TIDE: a general toolbox for identifying object detection errors",
//! ECCV 2020, section 2.2: with a foreground threshold of .5 and a background threshold of .1,
//! every unmatched detection has exactly one cause.

use super::matching::by_class;
use super::shapes::Overlaps;
use record::{Detections, TrueBox};

/// Minimum `IoU` of a detection with an annotated box to match it.
const FOREGROUND: f64 = 0.5;
/// `IoU` below which a detection lies on the background.
const BACKGROUND: f64 = 0.1;

base::named_enum! {
    /// Outcome of a detection: right, or the cause of its error.
    ///
    /// The names appear in filters and tables.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Cause {
        /// Matches an annotated box.
        Right = "right",
        /// Right location, wrong class.
        Class = "class",
        /// Right class, wrong location.
        Place = "place",
        /// Wrong class and wrong location.
        Both = "both",
        /// The box was already found by a detection with a higher score.
        Duplicate = "duplicate",
        /// No annotated box is near.
        Background = "background",
        /// Neither right nor wrong: on a crowd, or beyond the detection limit.
        Ignored = "ignored",
    }
}

impl Cause {
    /// Outcomes that are errors.
    pub const WRONG: [Self; 5] = [
        Self::Class,
        Self::Place,
        Self::Both,
        Self::Duplicate,
        Self::Background,
    ];
}

/// Outcomes of the boxes of one picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Causes {
    /// Outcome of each predicted box, in file order.
    pub found: Vec<Cause>,
    /// For each annotated box, in file order: true if no detection matched it, even with a wrong
    /// class or location.
    pub missed: Vec<bool>,
}

impl Causes {
    /// Returns the number of predicted boxes with this outcome.
    pub fn count(&self, cause: Cause) -> usize {
        self.found.iter().filter(|known| **known == cause).count()
    }

    /// Returns the number of missed annotated boxes.
    pub fn missed(&self) -> usize {
        self.missed.iter().filter(|missed| **missed).count()
    }
}

/// Determines the outcome of each box of a picture.
pub fn causes(detections: &Detections) -> Causes {
    let truth = &detections.truth;
    let is_ignored = |at| detections.is_ignored(at);
    let mut causes = Causes {
        found: vec![Cause::Ignored; detections.found.len()],
        missed: (0..truth.len()).map(|at| !is_ignored(at)).collect(),
    };
    let overlaps = Overlaps::new(detections);
    let mut wrong = Vec::new();
    let mut used = vec![false; truth.len()];
    for class in by_class(detections).into_values() {
        let sorted = class.sorted(detections, |at, _| is_ignored(at));
        let assigned = sorted.assign(&sorted.overlaps(&overlaps), FOREGROUND);
        for ((place, _), column) in sorted.found.iter().zip(assigned) {
            let matched = column.and_then(|column| sorted.truth.get(column));
            match matched {
                Some((_, _, true)) => {}
                Some(&(at, _, false)) => {
                    set(&mut causes.found, *place, Cause::Right);
                    set(&mut causes.missed, at, false);
                    set(&mut used, at, true);
                }
                None => wrong.push(*place),
            }
        }
    }
    for place in wrong {
        let (cause, fixed) = cause(place, &overlaps, &used);
        set(&mut causes.found, place, cause);
        if let Some(at) = fixed {
            set(&mut causes.missed, at, false);
        }
    }
    causes
}

/// Returns the cause of an unmatched detection, tested in the order of the TIDE toolbox. Also
/// returns the annotated box that it would match with the right class or location.
fn cause(place: usize, overlaps: &Overlaps<'_>, used: &[bool]) -> (Cause, Option<usize>) {
    let detections = overlaps.detections;
    let class = detections.found.get(place).map(|found| found.class);
    let best = |wanted: &dyn Fn(usize, &TrueBox) -> bool| {
        let boxes = detections.truth.iter().enumerate();
        let overlaps = boxes
            .filter(|(at, truth)| !detections.is_ignored(*at) && wanted(*at, truth))
            .map(|(at, _)| (at, overlaps.of(place, at)));
        overlaps.max_by(|(_, a), (_, b)| a.total_cmp(b))
    };
    let same = |truth: &TrueBox| Some(truth.class) == class;
    if let Some((at, overlap)) = best(&|_, truth| same(truth))
        && (BACKGROUND..=FOREGROUND).contains(&overlap)
    {
        return (Cause::Place, Some(at));
    }
    if let Some((at, overlap)) = best(&|_, truth| !same(truth))
        && overlap >= FOREGROUND
    {
        return (Cause::Class, Some(at));
    }
    let taken = |at: usize, truth: &TrueBox| same(truth) && used.get(at) == Some(&true);
    if best(&taken).is_some_and(|(_, overlap)| overlap >= FOREGROUND) {
        return (Cause::Duplicate, None);
    }
    match best(&|_, _| true) {
        Some((_, overlap)) if overlap > BACKGROUND => (Cause::Both, None),
        _ => (Cause::Background, None),
    }
}

fn set<T>(list: &mut [T], at: usize, value: T) {
    if let Some(place) = list.get_mut(at) {
        *place = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::PredictedBox;

    fn annotated(class: u32, xywh: [f64; 4], crowd: bool) -> TrueBox {
        TrueBox {
            class,
            xywh,
            area: xywh[2] * xywh[3],
            crowd,
            id: 1,
        }
    }

    fn found(class: u32, xywh: [f64; 4], score: f64) -> PredictedBox {
        PredictedBox { class, xywh, score }
    }

    #[test]
    fn every_wrong_box_has_one_cause() {
        let truth = [
            annotated(1, [0.0, 0.0, 10.0, 10.0], false),
            annotated(2, [20.0, 0.0, 10.0, 10.0], false),
            annotated(1, [40.0, 0.0, 10.0, 10.0], false),
            annotated(2, [60.0, 0.0, 10.0, 10.0], false),
            annotated(3, [80.0, 0.0, 20.0, 20.0], true),
        ];
        let cases = [
            (found(1, [0.0, 0.0, 10.0, 10.0], 0.9), Cause::Right),
            (found(1, [1.0, 0.0, 10.0, 10.0], 0.8), Cause::Duplicate),
            (found(1, [20.0, 0.0, 10.0, 10.0], 0.9), Cause::Class),
            (found(1, [45.0, 0.0, 10.0, 10.0], 0.7), Cause::Place),
            (found(1, [65.0, 0.0, 10.0, 10.0], 0.6), Cause::Both),
            (found(1, [0.0, 90.0, 10.0, 10.0], 0.5), Cause::Background),
            (found(3, [82.0, 2.0, 5.0, 5.0], 0.5), Cause::Ignored),
        ];
        let boxes: Vec<PredictedBox> = cases.iter().map(|(found, _)| *found).collect();
        let judged = causes(&Detections {
            truth: truth.to_vec(),
            found: boxes,
            ..Detections::default()
        });
        let expected: Vec<Cause> = cases.iter().map(|(_, cause)| *cause).collect();
        assert_eq!(judged.found, expected);
        // The second and third box would be matched with the right class or location; a crowd is
        // never missed.
        assert_eq!(judged.missed, [false, false, false, true, false]);
    }

    #[test]
    fn a_picture_without_truth_has_background_alone() {
        let judged = causes(&Detections {
            found: vec![found(1, [0.0, 0.0, 1.0, 1.0], 0.5)],
            ..Detections::default()
        });
        assert_eq!(judged.found, [Cause::Background]);
        assert!(judged.missed.is_empty());
    }
}
