//! Facts about the options and target boxes of an item, computed when its content is read.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::content::picture_sides;
use crate::{Choice, Content, Role, Target};

/// A box closer to an edge than this touches it. Fraction of the picture's side.
const EDGE: f64 = 0.005;
/// A box with a larger coordinate extends beyond its picture. Fraction of the picture's side.
const INSIDE: f64 = 1.05;
/// Maximum number of boxes whose pairwise overlaps are computed.
const MOST_COMPARED: usize = 100;

/// Facts about the options of an item.
#[derive(Clone, Copy, Debug)]
pub struct OptionFacts {
    /// Number of options.
    pub count: u16,
    /// Position of the right option, from 1; 0 if it is unknown.
    pub right: u16,
    /// Total number of characters in all options.
    pub length: u32,
    /// Hash of the right option's text; 0 if the text is unknown or empty. A picture option has no
    /// text.
    pub answer: u32,
}

impl OptionFacts {
    /// Returns the facts about a sample's options; `None` without options. `target` is the target
    /// as text.
    pub fn new(content: &Content, target: &str) -> Option<Self> {
        let choices = content.choices.as_slice();
        if choices.is_empty() {
            return None;
        }
        let right = right_choice(choices, target);
        let length: usize = choices.iter().map(|it| it.text.chars().count()).sum();
        Some(Self {
            count: u16::try_from(choices.len()).unwrap_or(u16::MAX),
            right: right.and_then(|at| u16::try_from(at + 1).ok()).unwrap_or(0),
            length: u32::try_from(length).unwrap_or(u32::MAX),
            answer: right
                .and_then(|at| choices.get(at))
                .filter(|right| !right.text.trim().is_empty())
                .map_or(0, |right| text_hash(&right.text)),
        })
    }
}

/// Returns the index of the option that a target names. Compares letters first, then option texts;
/// ignores case and surrounding white space.
pub fn right_choice(choices: &[Choice], target: &str) -> Option<usize> {
    let target = target.trim();
    let is_target = |text: &str| !target.is_empty() && text.trim().eq_ignore_ascii_case(target);
    let by_letter = choices.iter().position(|it| is_target(&it.letter));
    by_letter.or_else(|| choices.iter().position(|it| is_target(&it.text)))
}

/// Returns a hash of a target, ignoring case and surrounding white space.
pub fn text_hash(text: &str) -> u32 {
    let mut hasher = DefaultHasher::new();
    text.trim().to_lowercase().hash(&mut hasher);
    let [a, b, c, d, ..] = hasher.finish().to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// Facts about the target boxes of an item.
#[derive(Clone, Copy, Debug)]
pub struct BoxFacts {
    /// Number of boxes.
    pub count: u32,
    /// True if the corners are fractions of the picture's sides, false if they are pixels.
    is_relative: bool,
    /// Mean area, in the squared unit of the corners.
    area: f64,
    /// Corners of the smallest box that contains all boxes.
    around: [f64; 4],
    /// Largest `IoU` of two boxes; `NaN` for a single box.
    pub overlap: f64,
    /// Width and height of the picture in pixels; `None` if unknown.
    size: Option<[f64; 2]>,
}

impl BoxFacts {
    /// Returns the facts about a sample's target boxes; `None` without boxes.
    pub fn from_content(content: &Content) -> Option<Self> {
        let boxes = content.boxes.iter();
        let targets = boxes.filter(|it| it.role == Role::Target);
        let mut targets: Vec<[f64; 4]> = targets.map(|it| it.xyxy).collect();
        if let (true, Some(Target::Box(target))) = (targets.is_empty(), &content.target) {
            targets.push(*target);
        }
        if targets.is_empty() {
            return None;
        }
        let size = content.tags.get("picture_size");
        let size = size.or_else(|| content.tags.get("image_size"));
        let size = size.and_then(|size| picture_sides(&size.to_string()));
        let size = size.filter(|sides| sides.iter().all(|side| *side >= 1.0));
        Self::new(targets, size)
    }

    /// Returns the facts about boxes given by their corners; `None` without valid boxes. `size` is
    /// the picture's width and height in pixels, if known.
    pub fn new(mut boxes: Vec<[f64; 4]>, size: Option<[f64; 2]>) -> Option<Self> {
        boxes.retain(|[x0, y0, x1, y1]| x1 > x0 && y1 > y0 && (x1 - x0 + y1 - y0).is_finite());
        let count = u32::try_from(boxes.len()).ok().filter(|count| *count > 0)?;
        let around = boxes.iter().copied().reduce(|a, b| {
            let [low, high] = [f64::min, f64::max];
            [
                low(a[0], b[0]),
                low(a[1], b[1]),
                high(a[2], b[2]),
                high(a[3], b[3]),
            ]
        })?;
        Some(Self {
            count,
            is_relative: around.iter().all(|corner| *corner <= 1.0),
            area: boxes.iter().map(|it| area(*it)).sum::<f64>() / f64::from(count),
            around,
            overlap: overlap(&boxes),
            size,
        })
    }

    /// Sets the picture's width and height in pixels, unless they were already known from the log.
    pub fn in_picture(self, size: Option<[f64; 2]>) -> Self {
        Self {
            size: self.size.or(size),
            ..self
        }
    }

    /// True if the picture's size is unknown.
    pub const fn lacks_size(&self) -> bool {
        self.size.is_none()
    }

    /// Returns the picture's width and height in the unit of the corners. `None` if they are
    /// unknown, or if a box extends beyond the picture.
    pub fn frame(&self) -> Option<[f64; 2]> {
        let frame = if self.is_relative {
            Some([1.0; 2])
        } else {
            self.size
        };
        let [_, _, right, bottom] = self.around;
        frame.filter(|[width, height]| right <= width * INSIDE && bottom <= height * INSIDE)
    }

    /// Returns the mean box area as a fraction of the picture; `None` if the picture's size is
    /// unknown.
    pub fn share(&self) -> Option<f64> {
        Some(self.area / area_of(self.frame()?))
    }

    /// Returns the size of one unit of the corners in pixels, horizontally and vertically; `None`
    /// if unknown.
    fn unit(&self) -> Option<[f64; 2]> {
        let is_misfit = self.size.is_some() && self.frame().is_none();
        let unit = if self.is_relative {
            self.size
        } else {
            Some([1.0; 2])
        };
        unit.filter(|_| !is_misfit)
    }

    /// Returns the mean box area in square pixels; `None` if the unit of the corners is unknown.
    pub fn pixels(&self) -> Option<f64> {
        Some(self.area * area_of(self.unit()?))
    }

    /// Returns the corners of the box; `None` if there are several boxes.
    fn only(&self) -> Option<[f64; 4]> {
        (self.count == 1).then_some(self.around)
    }

    /// Returns the ratio of width to height of the box; `None` if there are several boxes.
    pub fn aspect(&self) -> Option<f64> {
        let ([width, height], [x0, y0, x1, y1]) = (self.unit()?, self.only()?);
        Some((x1 - x0) * width / ((y1 - y0) * height))
    }

    /// Returns the centre of the box as fractions of the picture's sides; `None` if there are
    /// several boxes.
    pub fn center(&self) -> Option<[f64; 2]> {
        let ([width, height], [x0, y0, x1, y1]) = (self.frame()?, self.only()?);
        Some([
            f64::midpoint(x0, x1) / width,
            f64::midpoint(y0, y1) / height,
        ])
    }

    /// Returns whether a box touches the edge of the picture; `None` if the picture's size is
    /// unknown.
    pub fn is_at_edge(&self) -> Option<bool> {
        let ([width, height], [x0, y0, x1, y1]) = (self.frame()?, self.around);
        let margins = [x0 / width, y0 / height, 1.0 - x1 / width, 1.0 - y1 / height];
        Some(margins.iter().any(|margin| *margin <= EDGE))
    }
}

/// Returns the area of a rectangle with these sides.
pub fn area_of([width, height]: [f64; 2]) -> f64 {
    width * height
}

/// Returns the area of a box with these corners.
fn area([x0, y0, x1, y1]: [f64; 4]) -> f64 {
    (x1 - x0) * (y1 - y0)
}

/// Returns the largest `IoU` of any two boxes; `NaN` for fewer than two.
fn overlap(boxes: &[[f64; 4]]) -> f64 {
    let boxes = boxes.get(..MOST_COMPARED).unwrap_or(boxes);
    let iou = |a: [f64; 4], b: [f64; 4]| {
        let width = (a[2].min(b[2]) - a[0].max(b[0])).max(0.0);
        let height = (a[3].min(b[3]) - a[1].max(b[1])).max(0.0);
        let both = width * height;
        both / (area(a) + area(b) - both)
    };
    let pairs = (1..).zip(boxes);
    let pairs = pairs.flat_map(|(next, one)| {
        let others = boxes.get(next..).unwrap_or_default();
        others.iter().map(move |other| iou(*one, *other))
    });
    pairs.fold(f64::NAN, f64::max)
}

#[cfg(test)]
mod tests {
    use super::{BoxFacts, OptionFacts};
    use crate::{Choice, Content, LabelledBox, Role, Target, Value};

    fn content(options: &[&str]) -> Content {
        let choices = options.iter().enumerate().map(|(at, text)| Choice {
            letter: Choice::letters(at),
            text: (*text).to_owned(),
        });
        Content {
            choices: choices.collect(),
            ..Content::default()
        }
    }

    #[test]
    fn the_right_option_is_found_by_letter_or_text() {
        let options = content(&["red", "b", "green car"]);
        let right = |target: &str| OptionFacts::new(&options, target).unwrap().right;
        assert_eq!(["b", "GREEN car ", "blue", ""].map(right), [2, 3, 0, 0]);
        let facts = OptionFacts::new(&options, "C").unwrap();
        assert_eq!((facts.count, facts.right, facts.length), (3, 3, 13));
        let other = OptionFacts::new(&content(&["Green Car"]), "A").unwrap();
        assert_eq!(facts.answer, other.answer, "the same text at another place");
        let pictures = OptionFacts::new(&content(&["", ""]), "B").unwrap();
        assert_eq!((pictures.right, pictures.answer), (2, 0));
        assert!(OptionFacts::new(&content(&[]), "A").is_none());
    }

    #[test]
    fn boxes_in_pixels_need_the_size_of_the_picture_for_fractions() {
        let corners = vec![[0.0, 25.0, 50.0, 50.0]];
        let facts = BoxFacts::new(corners.clone(), Some([100.0, 100.0])).unwrap();
        let all = |facts: BoxFacts| {
            let [area, pixels, aspect] = [facts.share(), facts.pixels(), facts.aspect()];
            (area, pixels, aspect, facts.center(), facts.is_at_edge())
        };
        let known = (
            Some(0.125),
            Some(1250.0),
            Some(2.0),
            Some([0.25, 0.375]),
            Some(true),
        );
        assert_eq!((facts.count, all(facts)), (1, known));
        let facts = BoxFacts::new(corners.clone(), None).unwrap();
        assert!(facts.lacks_size());
        assert_eq!(all(facts), (None, Some(1250.0), Some(2.0), None, None));
        // The measured size does not replace the size from the log.
        let measured = facts.in_picture(Some([100.0, 100.0]));
        assert_eq!(all(measured.in_picture(Some([50.0, 50.0]))), known);
        let misfit = BoxFacts::new(corners, Some([40.0, 40.0])).unwrap();
        assert_eq!(all(misfit), (None, None, None, None, None));
    }

    #[test]
    fn boxes_in_fractions_have_an_area_and_a_place() {
        let corners = vec![[0.5, 0.25, 1.0, 0.75]];
        let facts = BoxFacts::new(corners.clone(), None).unwrap();
        assert_eq!(
            (facts.share(), facts.center()),
            (Some(0.25), Some([0.75, 0.5]))
        );
        assert_eq!((facts.aspect(), facts.pixels()), (None, None));
        let facts = BoxFacts::new(corners, Some([200.0, 100.0])).unwrap();
        assert_eq!((facts.aspect(), facts.pixels()), (Some(2.0), Some(5000.0)));
    }

    #[test]
    fn several_boxes_overlap_and_have_no_place() {
        let half = vec![
            [0.0, 0.0, 0.5, 0.5],
            [0.25, 0.0, 0.75, 0.5],
            [0.9, 0.9, 0.99, 0.99],
        ];
        let facts = BoxFacts::new(half, None).unwrap();
        assert!((facts.overlap - 1.0 / 3.0).abs() < 1e-12, "{facts:?}");
        assert_eq!(facts.count, 3);
        assert_eq!(facts.center(), None);
        assert!(BoxFacts::new(vec![[0.5, 0.5, 0.5, 0.9], [f64::NAN; 4]], None).is_none());
    }

    #[test]
    fn target_boxes_come_before_the_target() {
        let labelled = |role, xyxy| LabelledBox {
            label: String::new(),
            role,
            xyxy,
            color: None,
            number: None,
        };
        let mut content = Content {
            target: Some(Target::Box([0.0, 0.0, 50.0, 50.0])),
            boxes: vec![labelled(Role::Prediction, [0.0, 0.0, 0.5, 0.5])],
            ..Content::default()
        };
        content
            .tags
            .insert("picture_size".to_owned(), Value::from("100x200"));
        assert_eq!(
            BoxFacts::from_content(&content).unwrap().share(),
            Some(0.125)
        );
        content
            .boxes
            .push(labelled(Role::Target, [0.0, 0.0, 100.0, 100.0]));
        let facts = BoxFacts::from_content(&content).unwrap();
        assert_eq!((facts.count, facts.share()), (1, Some(0.5)));
    }
}
