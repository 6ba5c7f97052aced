//! Assigns colours to maps, and describes their meaning.

use std::collections::BTreeMap;

use super::judge::{Agreement, Comparison, Differences};
use super::{Key, Part};
use crate::picture::Meaning;
use analysis::metric::dense::IGNORED;
use media::{
    ERROR_RAMP, Layer, Outline, Raster, Stroke, VALUE_RAMP, Values, color_at, label_color,
};

/// Opacity of a mask, 0 to 255. The outline of the mask is opaque.
const TINT: u8 = 70;
/// Opacity of labels, 0 to 255.
const LABELS: u8 = 170;
/// Opacity, 0 to 255, with which right pixels are dimmed so that wrong pixels are visible.
const DIM: u8 = 120;
/// Width of a mask's outline in pixels, on terminals with pixel graphics.
const WIDTH: u32 = 3;
/// Relative depth error shown in the last colour: twice the tolerance of delta1.
const LARGEST_ERROR: f64 = 0.5;
/// Angle in degrees shown in the last colour.
const LARGEST_ANGLE: f64 = 60.0;
/// Colour of missed pixels; the next constant is for extra pixels (Okabe and Ito's blue and
/// vermilion).
const MISSED: [u8; 3] = [0, 114, 178];
const EXTRA: [u8; 3] = [213, 94, 0];

/// Colours a map. Masks have the colour of their meaning; depth is coloured within `range`.
pub fn map(raster: &Raster, meaning: Meaning, range: Option<(f64, f64)>) -> Layer {
    let outlined = |parts, color, style, width| {
        Some(Outline {
            parts,
            color,
            style,
            width,
        })
    };
    let (colors, outline) = match &raster.values {
        Values::Mask(pixels) => {
            let tint = |on: &bool| with(meaning.color(), if *on { TINT } else { 0 });
            let parts = pixels.iter().map(|on| u32::from(*on)).collect();
            let outline = outlined(parts, meaning.color(), meaning.stroke(), WIDTH);
            (pixels.iter().map(tint).collect(), outline)
        }
        Values::Labels(codes) => {
            let counts = |code: &u32| *code != u32::from(IGNORED);
            let color =
                |code: &u32| with(label_color(*code), if counts(code) { LABELS } else { 0 });
            let part = |code: &u32| {
                if counts(code) {
                    code.saturating_add(1)
                } else {
                    0
                }
            };
            let parts = codes.iter().map(part).collect();
            let outline = outlined(parts, [0; 3], Stroke::Solid, 1);
            (codes.iter().map(color).collect(), outline)
        }
        Values::Depth(depths) => {
            let (low, high) = range.unwrap_or((0.0, 1.0));
            let color = |depth: &f64| {
                let fraction = (depth - low) / (high - low);
                scaled(&VALUE_RAMP, if high > low { fraction } else { depth * 0.0 })
            };
            (depths.iter().map(color).collect(), None)
        }
        Values::Normals(normals) => {
            let color = |normal: &[f64; 3]| with(normal.map(channel), u8::MAX);
            (normals.iter().map(color).collect(), None)
        }
    };
    Layer::new(raster.width, colors, outline)
}

/// Returns minimum and maximum depth. `None` for other maps, or if no pixel was measured.
pub fn range(raster: &Raster) -> Option<(f64, f64)> {
    let Values::Depth(depths) = &raster.values else {
        return None;
    };
    let known = depths.iter().copied().filter(|depth| depth.is_finite());
    let (low, high) = known.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), depth| {
        (low.min(depth), high.max(depth))
    });
    (low <= high).then_some((low, high))
}

/// Returns the meaning of a map's colours.
pub fn key(
    raster: &Raster,
    names: &[String],
    fitted: Option<&Raster>,
    range: Option<(f64, f64)>,
) -> Key {
    match &raster.values {
        Values::Mask(pixels) => Key::Pixels(pixels.iter().filter(|pixel| **pixel).count()),
        Values::Labels(codes) => Key::Parts(classes(codes, names)),
        Values::Depth(_) if fitted.is_some() => Key::Fitted,
        Values::Depth(_) => {
            let (low, high) = range.unwrap_or((f64::NAN, f64::NAN));
            Key::Scale {
                what: "in the file's unit",
                low,
                high,
                ramp: &VALUE_RAMP,
            }
        }
        Values::Normals(_) => Key::Axes,
    }
}

/// Colours a comparison. Also returns the meaning of its colours.
pub fn error(comparison: &Comparison) -> (Layer, Key) {
    let scale = |what, high| Key::Scale {
        what,
        low: 0.0,
        high,
        ramp: &ERROR_RAMP,
    };
    let scaled = |errors: &[f64], most: f64| -> Vec<[u8; 4]> {
        errors
            .iter()
            .map(|error| scaled(&ERROR_RAMP, error / most))
            .collect()
    };
    let (colors, key) = match &comparison.differences {
        Differences::Mask(pixels) => masks(pixels),
        Differences::Labels(pixels) => labels(pixels),
        Differences::Depth(errors) => {
            let key = scale("relative error", LARGEST_ERROR);
            (scaled(errors, LARGEST_ERROR), key)
        }
        Differences::Normals(angles) => {
            let key = scale("error in degrees", LARGEST_ANGLE);
            (scaled(angles, LARGEST_ANGLE), key)
        }
    };
    (Layer::new(comparison.width, colors, None), key)
}

fn masks(pixels: &[Agreement]) -> (Vec<[u8; 4]>, Key) {
    let color = |pixel: &Agreement| match pixel {
        Agreement::Neither => with([0; 3], DIM),
        Agreement::Both => with([0; 3], 0),
        Agreement::Missed => with(MISSED, 200),
        Agreement::Extra => with(EXTRA, 200),
    };
    let part = |name: &str, color, wanted: Agreement| {
        let count = pixels.iter().filter(|pixel| **pixel == wanted).count();
        part(name.to_owned(), color, count, pixels.len())
    };
    let parts = vec![
        part("missed", MISSED, Agreement::Missed),
        part("extra", EXTRA, Agreement::Extra),
    ];
    (pixels.iter().map(color).collect(), Key::Parts(parts))
}

fn labels(pixels: &[Option<bool>]) -> (Vec<[u8; 4]>, Key) {
    let color = |right: &Option<bool>| match right {
        Some(false) => with(EXTRA, 200),
        Some(true) => with([0; 3], 0),
        None => with([0; 3], DIM),
    };
    let part = |name: &str, color, wanted: Option<bool>| {
        let count = pixels.iter().filter(|right| **right == wanted).count();
        part(name.to_owned(), color, count, pixels.len())
    };
    let parts = vec![
        part("wrong", EXTRA, Some(false)),
        part("not counted", [0; 3], None),
    ];
    (pixels.iter().map(color).collect(), Key::Parts(parts))
}

/// Returns the classes of a picture, largest first. Ignored pixels do not count.
fn classes(codes: &[u32], names: &[String]) -> Vec<Part> {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for code in codes.iter().filter(|code| **code != u32::from(IGNORED)) {
        *counts.entry(*code).or_default() += 1;
    }
    let mut counts: Vec<(u32, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let called = |code: u32| {
        let name = usize::try_from(code).ok().and_then(|code| names.get(code));
        name.cloned().unwrap_or_else(|| format!("label {code}"))
    };
    let class = |(code, count)| part(called(code), label_color(code), count, codes.len());
    counts.into_iter().map(class).collect()
}

fn part(name: String, color: [u8; 3], count: usize, all: usize) -> Part {
    let real = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    Part {
        color,
        name,
        share: real(count) / real(all).max(1.0),
    }
}

/// Returns the colour of a value. `NaN` is transparent.
fn scaled(ramp: &media::Ramp, fraction: f64) -> [u8; 4] {
    if fraction.is_nan() {
        return with([0; 3], 0);
    }
    with(color_at(ramp, fraction), u8::MAX)
}

/// Converts a value from -1 to 1 to a colour channel.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to a byte"
)]
fn channel(value: f64) -> u8 {
    ((value + 1.0) * 127.5).round().clamp(0.0, 255.0) as u8
}

const fn with([red, green, blue]: [u8; 3], cover: u8) -> [u8; 4] {
    [red, green, blue, cover]
}
