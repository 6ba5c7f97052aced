//! What the numbers of a box count in: the picture's pixels, or so many to each side.

use std::sync::LazyLock;

use base::format::pattern;
use regex::Regex;

use super::Doubt;

/// The range of numbers that a text gives.
const RANGE: &str = r"\b0(?:\.0+)?\s*(?:-|–|—|to|and|,|\.\.+)\s*(?:100|999|1000|1024)\b";
/// What has such numbers.
const COUNTED: &str =
    r"(?:coordinates?|coords?|normali[sz]ed|scaled?|boxe?s?|bbox(?:es)?|corners?|x1|xmin)";

/// A range that is said of coordinates.
static OF_COORDINATES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i)\b{COUNTED}\b[^.?!\n]{{0,80}}{RANGE}|{RANGE}[^.?!\n]{{0,40}}\b{COUNTED}\b"
    ))
});
/// What may say a scale, and says none that is known.
static OTHER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i){RANGE}|\bnormali[sz]ed\b|\bper\s?mille\b|\bthousandths?\b|\brelative\s+coord|\bpercentages?\b|\bpercents?\b"
    ))
});
/// Pixels, beside a range of which they are none.
static PIXELS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\bpixels?\b"));

/// What a question says of the numbers of its boxes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Stated {
    /// Nothing.
    #[default]
    Nothing,
    /// The picture has so many to each side.
    To(f64),
    /// Something, but not for certain.
    Unsure,
}

/// What the numbers of a place count in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// Pixels.
    Pixel,
    /// So many to each side of the picture.
    To(f64),
}

impl Unit {
    /// How many of it the picture has from left to right and from top to bottom.
    pub fn sides(self, size: (u32, u32)) -> (f64, f64) {
        match self {
            Self::To(most) => (most, most),
            Self::Pixel => (f64::from(size.0.max(1)), f64::from(size.1.max(1))),
        }
    }
}

/// What some texts that belong together, such as a question and a system prompt, say of the numbers of their boxes.
pub fn stated<'a>(texts: impl IntoIterator<Item = &'a str>) -> Stated {
    let all = texts.into_iter().map(stated_by);
    all.fold(Stated::Nothing, |known, one| match (known, one) {
        (Stated::Nothing, other) | (other, Stated::Nothing) => other,
        (a, b) if a == b => a,
        _ => Stated::Unsure,
    })
}

fn stated_by(text: &str) -> Stated {
    let holds = |form: &Regex| form.is_match(text);
    match scorer::stated_scale(text) {
        Some(most) if holds(&OF_COORDINATES) && !holds(&PIXELS) => Stated::To(most),
        None if !holds(&OTHER) => Stated::Nothing,
        _ => Stated::Unsure,
    }
}

/// What some numbers tell of their place in a picture.
#[derive(Clone, Copy, Debug, Default)]
pub struct Signs {
    /// All of them, or some, are percent.
    pub percent: Option<bool>,
    /// They stand in a tag of boxes.
    pub is_tagged: bool,
    /// The same box is known to be in pixels.
    pub is_known: bool,
}

/// What the numbers of a place count in: corners of a box, or a point.
///
/// # Errors
/// That cannot be told, or they lie beyond the picture.
pub fn unit(
    values: &[f64],
    signs: Signs,
    stated: Stated,
    (width, height): (u32, u32),
) -> Result<Unit, Doubt> {
    /// The scale of numbers in tags of boxes, as Qwen-VL and `InternVL` write them.
    const THOUSAND: f64 = 1000.0;
    const BEYOND: Doubt = Doubt("a box outside the picture");
    const UNSURE: Doubt = Doubt("a box in an unknown scale");
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
        return Err(Doubt("a box outside the picture"));
    }
    match (signs.percent, stated) {
        (Some(true), _) => within(100.0),
        (Some(false), _) => Err(UNSURE),
        _ if most <= 1.0 => Ok(Unit::To(1.0)),
        (None, Stated::To(_)) if signs.is_known => Err(UNSURE),
        (None, Stated::To(limit)) => within(limit),
        _ if signs.is_known => Ok(Unit::Pixel),
        (None, Stated::Unsure) => Err(UNSURE),
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
                Stated::To(1000.0),
            ),
            (
                "[x1, y1, x2, y2] with coordinates from 0 to 100",
                Stated::To(100.0),
            ),
            ("Where is the cat?", Stated::Nothing),
            ("Give the box in pixels.", Stated::Nothing),
            ("What percentage of the box is red?", Stated::Unsure),
            ("How full is it, from 0 to 100?", Stated::Unsure),
            ("Give normalized coordinates.", Stated::Unsure),
            ("Give the box in pixels of 0-1000.", Stated::Unsure),
        ] {
            assert_eq!(stated([text]), expected, "{text}");
        }
        let two = ["The box is of 0-1000.", "The box is of 0-100."];
        assert_eq!(stated(two), Stated::Unsure);
        assert_eq!(stated(["", "The box is of 0-100."]), Stated::To(100.0));
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
        assert_eq!(of(pixels, None, Stated::Nothing), Some(Unit::Pixel));
        assert_eq!(of(pixels, None, Stated::To(1000.0)), Some(Unit::To(1000.0)));
        assert_eq!(of(pixels, None, Stated::Unsure), None);
        assert_eq!(of(pixels, Some(true), Stated::Nothing), None, "190 percent");
        let part = [10.0, 20.0, 90.0, 90.0];
        assert_eq!(of(part, Some(true), Stated::Nothing), Some(Unit::To(100.0)));
        assert_eq!(of(part, Some(false), Stated::Nothing), None);
        let low = [10.0, 20.0, 90.0, 150.0];
        assert_eq!(of(low, None, Stated::Nothing), None, "higher than wide");
        let fraction = [0.1, 0.2, 0.3, 0.4];
        assert_eq!(of(fraction, None, Stated::Unsure), Some(Unit::To(1.0)));
        assert_eq!(of([f64::NAN; 4], None, Stated::Nothing), None);
    }
}
