//! Unit of box coordinates: pixels, or a fixed range per side such as 0 to 1000.

use std::sync::LazyLock;

use base::format::pattern;
use regex::Regex;

use super::TransformRefusal;

/// Range of coordinates that a text gives, such as `0-1000`.
const RANGE: &str = r"\b0(?:\.0+)?\s*(?:-|–|—|to|and|,|\.\.+)\s*(?:100|999|1000|1024)\b";
/// Words for what such a range describes, for example coordinates or corners.
const COUNTED: &str =
    r"(?:coordinates?|coords?|normali[sz]ed|scaled?|boxe?s?|bbox(?:es)?|corners?|x1|xmin)";

/// A range given for coordinates.
static OF_COORDINATES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i)\b{COUNTED}\b[^.?!\n]{{0,80}}{RANGE}|{RANGE}[^.?!\n]{{0,40}}\b{COUNTED}\b"
    ))
});
/// Text that hints at a scale without a range that [`OF_COORDINATES`] recognizes.
static OTHER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i){RANGE}|\bnormali[sz]ed\b|\bper\s?mille\b|\bthousandths?\b|\brelative\s+coord|\bpercentages?\b|\bpercents?\b"
    ))
});
/// A mention of pixels, which contradicts a range.
static PIXELS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\bpixels?\b"));

/// Scale of box coordinates that a question states.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum StatedScale {
    /// No scale is stated.
    #[default]
    Nothing,
    /// Coordinates run from 0 to this value on each side.
    To(f64),
    /// A scale is hinted at but not clear.
    Unsure,
}

/// Unit of the numbers of a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// Pixels of the picture.
    Pixel,
    /// Coordinates run from 0 to this value on each side.
    To(f64),
}

impl Unit {
    /// Returns the width and height of the picture in this unit.
    pub fn sides(self, size: (u32, u32)) -> (f64, f64) {
        match self {
            Self::To(most) => (most, most),
            Self::Pixel => (f64::from(size.0.max(1)), f64::from(size.1.max(1))),
        }
    }
}

/// Returns the scale stated in texts that belong together, such as a question and its system
/// prompt.
///
/// Different scales yield [`StatedScale::Unsure`].
pub fn stated_scale<'a>(texts: impl IntoIterator<Item = &'a str>) -> StatedScale {
    let all = texts.into_iter().map(stated_by);
    all.fold(StatedScale::Nothing, |known, one| match (known, one) {
        (StatedScale::Nothing, other) | (other, StatedScale::Nothing) => other,
        (a, b) if a == b => a,
        _ => StatedScale::Unsure,
    })
}

fn stated_by(text: &str) -> StatedScale {
    let holds = |form: &Regex| form.is_match(text);
    match scorer::stated_scale(text) {
        Some(most) if holds(&OF_COORDINATES) && !holds(&PIXELS) => StatedScale::To(most),
        None if !holds(&OTHER) => StatedScale::Nothing,
        _ => StatedScale::Unsure,
    }
}

/// Hints about the unit of some numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Signs {
    /// `Some(true)` if all numbers have a percent sign, `Some(false)` if only some do, `None` if
    /// none does.
    pub percent: Option<bool>,
    /// True if the numbers are in a box tag such as `<box>`.
    pub is_tagged: bool,
    /// True if the same box is known to be in pixels.
    pub is_known: bool,
}

/// Returns the unit of a box or a point.
///
/// # Errors
/// If the unit is ambiguous, or if a number is negative or lies outside the picture.
pub fn unit(
    values: &[f64],
    signs: Signs,
    stated: StatedScale,
    (width, height): (u32, u32),
) -> Result<Unit, TransformRefusal> {
    /// Scale of numbers in box tags of Qwen-VL and `InternVL`.
    const THOUSAND: f64 = 1000.0;
    const BEYOND: TransformRefusal = TransformRefusal("a box outside the picture");
    const UNSURE: TransformRefusal = TransformRefusal("a box in an unknown scale");
    let most = values.iter().copied().fold(0.0, f64::max);
    let within = |limit: f64| {
        if most <= limit {
            Ok(Unit::To(limit))
        } else {
            Err(BEYOND)
        }
    };
    if !values
        .iter()
        .all(|value| value.is_finite() && *value >= 0.0)
    {
        return Err(TransformRefusal("a box outside the picture"));
    }
    match (signs.percent, stated) {
        (Some(true), _) => within(100.0),
        (Some(false), _) => Err(UNSURE),
        _ if most <= 1.0 => Ok(Unit::To(1.0)),
        (None, StatedScale::To(_)) if signs.is_known => Err(UNSURE),
        (None, StatedScale::To(limit)) => within(limit),
        _ if signs.is_known => Ok(Unit::Pixel),
        (None, StatedScale::Unsure) => Err(UNSURE),
        _ if signs.is_tagged && most <= THOUSAND => Ok(Unit::To(THOUSAND)),
        _ => {
            let sides = [f64::from(width) + 1.0, f64::from(height) + 1.0];
            let mut pairs = values.iter().zip(sides.into_iter().cycle());
            let fits = pairs.all(|(value, side)| *value <= side);
            if fits { Ok(Unit::Pixel) } else { Err(BEYOND) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_counts_where_it_is_said_of_coordinates() {
        for (text, expected) in [
            (
                "Give the box (coordinates normalized to 0-1000).",
                StatedScale::To(1000.0),
            ),
            (
                "[x1, y1, x2, y2] with coordinates from 0 to 100",
                StatedScale::To(100.0),
            ),
            ("Where is the cat?", StatedScale::Nothing),
            ("Give the box in pixels.", StatedScale::Nothing),
            ("What percentage of the box is red?", StatedScale::Unsure),
            ("How full is it, from 0 to 100?", StatedScale::Unsure),
            ("Give normalized coordinates.", StatedScale::Unsure),
            ("Give the box in pixels of 0-1000.", StatedScale::Unsure),
        ] {
            assert_eq!(stated_scale([text]), expected, "{text}");
        }
        let two = ["The box is of 0-1000.", "The box is of 0-100."];
        assert_eq!(stated_scale(two), StatedScale::Unsure);
        assert_eq!(
            stated_scale(["", "The box is of 0-100."]),
            StatedScale::To(100.0)
        );
    }

    #[test]
    fn a_unit_is_told_or_in_doubt() {
        let of = |values: [f64; 4], percent, stated| {
            let signs = Signs {
                percent,
                ..Signs::default()
            };
            unit(&values, signs, stated, (200, 100)).ok()
        };
        let pixels = [10.0, 20.0, 190.0, 90.0];
        assert_eq!(of(pixels, None, StatedScale::Nothing), Some(Unit::Pixel));
        assert_eq!(
            of(pixels, None, StatedScale::To(1000.0)),
            Some(Unit::To(1000.0))
        );
        assert_eq!(of(pixels, None, StatedScale::Unsure), None);
        assert_eq!(
            of(pixels, Some(true), StatedScale::Nothing),
            None,
            "190 percent"
        );
        let part = [10.0, 20.0, 90.0, 90.0];
        assert_eq!(
            of(part, Some(true), StatedScale::Nothing),
            Some(Unit::To(100.0))
        );
        assert_eq!(of(part, Some(false), StatedScale::Nothing), None);
        let low = [10.0, 20.0, 90.0, 150.0];
        assert_eq!(
            of(low, None, StatedScale::Nothing),
            None,
            "higher than wide"
        );
        let fraction = [0.1, 0.2, 0.3, 0.4];
        assert_eq!(of(fraction, None, StatedScale::Unsure), Some(Unit::To(1.0)));
        assert_eq!(of([f64::NAN; 4], None, StatedScale::Nothing), None);
    }
}
