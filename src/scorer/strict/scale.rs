//! Determines the unit of a box's numbers, and converts them to the unit of the target.
//!
//! A target is in pixels or in fractions of its picture. An answer can be in pixels, fractions,
//! percent or thousandths. The unit is taken from the answer's notation, the question or a tag, or
//! else from whether the box fits the picture.

use super::boxes_read::ParsedBox;
use super::read_failure::ReadFailure;
use super::step::Step;
use record::{Content, Labels, picture_sides};

/// Unit of the numbers of a box.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Scale {
    /// Not stated; must be inferred from the values.
    Untold,
    /// Pixels of the picture.
    Pixels,
    /// Relative to the picture; holds the number that means the full width and the full height.
    To(f64),
    /// Ambiguous over the whole run: both pixels and thousandths occur.
    InDoubt,
}

/// Known facts about the picture and about the unit of a sample's boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoxContext {
    /// Unit that the question or a tag states.
    pub stated: Scale,
    /// Width and height of the picture in pixels.
    pub size: Option<[f64; 2]>,
    /// True if the question asks for vertical coordinates first.
    pub vertical_first: bool,
}

/// Evidence of one box for the unit of its run, if no unit is stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BoxScale {
    /// Fits a small picture, which most boxes in thousandths would exceed; read as pixels.
    FitsSmall,
    /// Fits a picture of medium size both as pixels and as thousandths; read as pixels.
    Fits,
    /// Fits and is at most 1000, but its target exceeds 1000; read as pixels.
    FitsLarge,
    /// Fits and exceeds 1000: certainly pixels.
    Pixels,
    /// At most 1000, but exceeds the picture; read as thousandths.
    Thousandths,
    /// Fits and is at most 100, but its target exceeds 100; read as pixels.
    Hundredths,
}

/// Tag with the unit of a box: `pixels`, [`IN_DOUBT`], or the number that means a full side.
pub const BOX_SCALE: &str = "box_scale";

/// Value of the tag [`BOX_SCALE`] if a run contains both units; its boxes are not read.
pub const IN_DOUBT: &str = "in doubt";

/// Maximum shorter side of a small picture, in pixels; boxes in thousandths rarely fit it.
const SMALL: f64 = 600.0;

impl BoxScale {
    const EACH: [Self; 6] = [
        Self::FitsSmall,
        Self::Fits,
        Self::FitsLarge,
        Self::Pixels,
        Self::Thousandths,
        Self::Hundredths,
    ];

    /// Returns the evidence among the steps of a reading.
    pub(crate) fn of(steps: &[Step]) -> Option<Self> {
        (Self::EACH.into_iter()).find(|scale| steps.contains(&scale.step()))
    }

    /// Classifies a box that fits its picture as pixels.
    fn fitting(corners: [f64; 4], target: [f64; 4], [width, height]: [f64; 2]) -> Self {
        if most(corners) > 1000.0 {
            Self::Pixels
        } else if most(corners) <= 100.0 && most(target) > 100.0 {
            Self::Hundredths
        } else if width.min(height) <= SMALL {
            Self::FitsSmall
        } else if most(target) > 1000.0 {
            Self::FitsLarge
        } else {
            Self::Fits
        }
    }

    /// Returns the step that is shown to the user.
    const fn step(self) -> Step {
        match self {
            Self::FitsSmall => Step::FitsSmallPicture,
            Self::Fits => Step::FitsPicture,
            Self::FitsLarge => Step::FitsLargeTarget,
            Self::Pixels => Step::AboveThousand,
            Self::Thousandths => Step::ExceedsPicture,
            Self::Hundredths => Step::FitsBelowHundred,
        }
    }
}

/// Factor by which a box in pixels can exceed its picture.
const OVERLAP: f64 = 1.05;

impl BoxContext {
    /// Collects the facts from a sample's question, tags and conditions: `box_scale`, and
    /// `picture_size`, `image_size` or `image_width` with `image_height`.
    pub fn of(content: &Content, condition: &Labels) -> Self {
        let label = |name: &str| content.tags.get(name).or_else(|| condition.get(name));
        let number = |name: &str| label(name)?.number();
        let stated = match label(BOX_SCALE).map(ToString::to_string) {
            Some(told) => match told.as_str() {
                "pixels" | "px" | "pixel" => Scale::Pixels,
                IN_DOUBT => Scale::InDoubt,
                told => told.parse().map_or_else(|_| stated(told), Scale::To),
            },
            None => stated(&content.question),
        };
        let size = label("picture_size").or_else(|| label("image_size"));
        let sides = size.and_then(|size| picture_sides(&size.to_string()));
        let size = sides.or_else(|| Some([number("image_width")?, number("image_height")?]));
        Self {
            stated,
            size: size.filter(|size| size.iter().all(|side| *side >= 1.0)),
            vertical_first: vertical_first(&content.question),
        }
    }

    /// Converts the corners of a box to the unit of `target`; also returns the step of the
    /// conversion.
    ///
    /// # Errors
    /// [`ReadFailure::Scale`] if the unit is ambiguous.
    pub fn scaled(
        self,
        found: &ParsedBox,
        target: Option<[f64; 4]>,
    ) -> Result<([f64; 4], Option<Step>), ReadFailure> {
        let corners = found.corners;
        let Some(target) = target else {
            return Ok((corners, None));
        };
        if most(target) <= 1.0 {
            return self.fractions(found);
        }
        // A target that exceeds its picture is not in pixels of that picture.
        match self.size.filter(|size| fits(target, *size)) {
            Some(size) => self.pixels(found, target, size),
            None if most(corners) <= 1.0 || found.is_percent() => Err(ReadFailure::Scale),
            None => Ok((corners, None)),
        }
    }

    /// Converts the corners to pixels of a picture.
    fn pixels(
        self,
        found: &ParsedBox,
        target: [f64; 4],
        size: [f64; 2],
    ) -> Result<([f64; 4], Option<Step>), ReadFailure> {
        let corners = found.corners;
        let [width, height] = size;
        let made = |scale: f64, step: Step| {
            let [x0, y0, x1, y1] = corners.map(|number| number / scale);
            Ok((
                [x0 * width, y0 * height, x1 * width, y1 * height],
                Some(step),
            ))
        };
        match (found.scale, self.stated) {
            // The notation contradicts the question.
            (Scale::To(_), Scale::Pixels) if !found.is_percent() => Err(ReadFailure::Scale),
            (Scale::To(scale), _) => made(scale, Step::ToPixels),
            (_, Scale::To(scale)) if most(corners) <= scale => made(scale, Step::StatedToPixels),
            (_, Scale::To(_)) => Err(ReadFailure::Scale),
            _ if most(corners) <= 1.0 => made(1.0, Step::FractionsToPixels),
            (_, Scale::Pixels) => Ok((corners, None)),
            (_, Scale::InDoubt) => Err(ReadFailure::Scale),
            _ if fits(corners, size) => {
                let scale = BoxScale::fitting(corners, target, size);
                Ok((corners, Some(scale.step())))
            }
            _ if most(corners) <= 1000.0 => made(1000.0, BoxScale::Thousandths.step()),
            _ => Err(ReadFailure::Scale),
        }
    }

    /// Converts the corners to fractions of a picture. If the unit is unknown, numbers are divided
    /// by the smallest of 100, 1000 and 1024 that none of them exceeds; fails if the box also fits
    /// the picture in pixels.
    fn fractions(self, found: &ParsedBox) -> Result<([f64; 4], Option<Step>), ReadFailure> {
        let corners = found.corners;
        let made = |scale: f64, step: Step| Ok((corners.map(|number| number / scale), Some(step)));
        let told = Step::ToFractions;
        let fitting = self.size.filter(|size| fits(corners, *size));
        match (self.stated, found.scale, fitting) {
            _ if most(corners) <= 1.0 => Ok((corners, None)),
            (Scale::To(scale), ..) if scale >= most(corners) && scale > 1.0 => made(scale, told),
            (Scale::Pixels, Scale::To(_), _) if !found.is_percent() => Err(ReadFailure::Scale),
            (_, Scale::To(scale), _) => made(scale, told),
            (Scale::Pixels, _, Some([width, height])) => {
                let [x0, y0, x1, y1] = corners;
                Ok((
                    [x0 / width, y0 / height, x1 / width, y1 / height],
                    Some(told),
                ))
            }
            (Scale::Pixels | Scale::InDoubt, ..) | (_, _, Some(_)) => Err(ReadFailure::Scale),
            _ => match most(corners) {
                size if size <= 100.0 => made(100.0, Step::Hundredths),
                size if size <= 1000.0 => made(1000.0, Step::Thousandths),
                size if size <= 1024.0 => made(1024.0, Step::PartsOf1024),
                _ => Ok((corners, None)),
            },
        }
    }
}

/// Returns the largest number of a box.
fn most(corners: [f64; 4]) -> f64 {
    corners.into_iter().fold(0.0, f64::max)
}

/// Returns true if a box lies within a picture, with a tolerance of 5 %.
fn fits([x0, y0, x1, y1]: [f64; 4], [width, height]: [f64; 2]) -> bool {
    x0.max(x1) <= width * OVERLAP && y0.max(y1) <= height * OVERLAP
}

/// Returns true if a question asks for the order `[ymin, xmin, ymax, xmax]`.
fn vertical_first(question: &str) -> bool {
    let plain = question.to_lowercase().replace(['_', ' '], "");
    ["ymin,xmin", "y1,x1", "y0,x0", "top,left,bottom,right"]
        .iter()
        .any(|order| plain.contains(order))
}

/// Returns the unit of box coordinates that a question asks for.
pub(super) fn stated(question: &str) -> Scale {
    let lower = question.to_lowercase();
    let asks = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if asks(&[
        "0-1000",
        "0 to 1000",
        "0 and 1000",
        "0–1000",
        "0-999",
        "0 to 999",
        "[0, 1000]",
        "[0,1000]",
        "0 and 999",
    ]) {
        Scale::To(1000.0)
    } else if asks(&["0-100", "0 to 100", "0 and 100", "percent"]) {
        Scale::To(100.0)
    } else if asks(&[
        "between 0 and 1",
        "from 0 to 1",
        "[0, 1]",
        "[0,1]",
        "range 0-1",
    ]) {
        Scale::To(1.0)
    } else if asks(&["in pixel", "pixel coordinates"]) {
        Scale::Pixels
    } else {
        Scale::Untold
    }
}

#[cfg(test)]
mod tests {
    use super::super::explain;
    use super::{Scale, stated};
    use crate::Answer;
    use record::benchmark::Metric;
    use record::{Content, Record, Target, Value};

    /// Reads the box in a response, for a picture of the given size.
    fn read(
        size: Option<&str>,
        question: &str,
        target: [f64; 4],
        response: &str,
    ) -> Result<[f64; 4], String> {
        let mut content = Content {
            question: question.to_owned(),
            target: Some(Target::Box(target)),
            ..Content::default()
        };
        if let Some(size) = size {
            content
                .tags
                .insert("image_size".to_owned(), Value::from(size));
        }
        let record = Record {
            ability: "localization".to_owned(),
            content,
            response: Some(response.to_owned()),
            ..Record::default()
        };
        match explain(&record, Metric::Giou).map(|reading| reading.answer) {
            Ok(Answer::Box(corners)) => Ok(corners),
            Ok(other) => Err(other.to_string()),
            Err(why) => Err(why.to_string()),
        }
    }

    const PIXELS: [f64; 4] = [64.0, 96.0, 320.0, 288.0];
    const FRACTIONS: [f64; 4] = [0.1, 0.2, 0.5, 0.6];

    fn near(found: Result<[f64; 4], String>, corners: [f64; 4]) -> bool {
        found.is_ok_and(|found| found.iter().zip(corners).all(|(a, b)| (a - b).abs() < 0.7))
    }

    #[test]
    fn every_scale_becomes_pixels_of_a_known_picture() {
        for response in [
            "[64, 96, 320, 288]",
            "[0.1, 0.2, 0.5, 0.6]",
            "[10%, 20%, 50%, 60%]",
            "[100, 200, 500, 600]",
            "{\"box_2d\": [200, 100, 600, 500]}",
            "<loc_100><loc_200><loc_500><loc_600>",
            "<loc0205><loc0102><loc0614><loc0512>",
            "<box>(100,200),(500,600)</box>",
            "x=64, y=96, w=256, h=192",
        ] {
            assert!(
                near(read(Some("640x480"), "", PIXELS, response), PIXELS),
                "{response}"
            );
        }
        let asked = "Give the box in coordinates from 0 to 1000.";
        let large = [160.0, 240.0, 800.0, 720.0];
        assert!(near(
            read(Some("1600 x 1200"), asked, large, "[100, 200, 500, 600]"),
            large
        ));
        for response in [
            "<|box_start|>(100,200),(500,600)<|box_end|>",
            "<box>[[100, 200, 500, 600]]</box>",
        ] {
            assert!(
                near(read(Some("1600x1200"), "", large, response), large),
                "{response}"
            );
        }
        let percent = "Answer in percent of the picture.";
        assert!(near(
            read(Some("640x480"), percent, PIXELS, "[10, 20, 50, 60]"),
            PIXELS
        ));
    }

    #[test]
    fn numbers_that_may_count_in_two_things_are_no_box() {
        let why = Err("the scale of the box is ambiguous".to_owned());
        assert_eq!(read(None, "", PIXELS, "[0.1, 0.2, 0.5, 0.6]"), why);
        assert_eq!(read(None, "", PIXELS, "[10%, 20%, 50%, 60%]"), why);
        assert_eq!(
            read(Some("640x480"), "", PIXELS, "[100, 200, 1500, 1600]"),
            why
        );
        assert_eq!(
            read(Some("640x480"), "", FRACTIONS, "[64, 96, 320, 288]"),
            why
        );
        let asked = "Give the box in coordinates from 0 to 1000.";
        assert_eq!(
            read(
                Some("1600x1200"),
                asked,
                [160.0, 240.0, 800.0, 720.0],
                "[1, 2, 1200, 700]"
            ),
            why
        );
    }

    #[test]
    fn fractions_are_made_of_what_cannot_be_pixels() {
        for size in [None, Some("640x480")] {
            assert!(near(
                read(size, "", FRACTIONS, "[100, 200, 500, 600]"),
                FRACTIONS
            ));
        }
        let asked = "Give the box in pixels.";
        assert!(near(
            read(Some("640x480"), asked, FRACTIONS, "[64, 96, 320, 288]"),
            FRACTIONS
        ));
        assert_eq!(stated("normalized to 0-1000"), Scale::To(1000.0));
        assert_eq!(stated("with values between 0 and 1"), Scale::To(1.0));
    }
}
