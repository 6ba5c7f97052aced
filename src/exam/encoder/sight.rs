//! Input of a head: the views of a picture, or what the drawn boxes mark.

use image::RgbaImage;
use serde::{Deserialize, Serialize};

use super::Encoder;
use super::things::things;
use super::view::{SIDE, View, drawn_box};
use media::Region;

/// The colours of drawn boxes.
const MARKS: [[u8; 3]; 2] = [[255, 0, 0], [0, 0, 255]];

/// Part of a picture that a head uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sight {
    /// The whole picture and the insides of its boxes.
    Views,
    /// The positions of the boxes: a map of them, filled with their colours.
    Map,
    /// The picture's columns at the red box and at the blue box. Without a blue box: at the largest
    /// object outside the red box. They show what is above and below.
    Columns,
}

impl Sight {
    /// Features of a picture, with the same length for every picture; zeros for missing parts.
    pub fn features(self, encoder: Encoder, picture: &RgbaImage) -> Vec<f32> {
        match self {
            Self::Views => encoder.features(picture),
            Self::Map => encoder.of_view(&map(picture)),
            Self::Columns => columns(picture)
                .into_iter()
                .flat_map(|view| match view {
                    Some(view) => encoder.of_view(&view),
                    None => vec![0.0; encoder.of_view(&View::blank()).len()],
                })
                .collect(),
        }
    }
}

/// Returns true if a picture has a red and a blue box.
pub fn has_both(picture: &RgbaImage) -> bool {
    MARKS.iter().all(|mark| drawn_box(picture, *mark).is_some())
}

/// A view of the boxes alone, filled with their colours. A pixel's brightness is the share of its
/// area that a box covers.
fn map(picture: &RgbaImage) -> View {
    let mut view = View::blank();
    for mark in MARKS {
        let Some(region) = drawn_box(picture, mark) else {
            continue;
        };
        let [x0, y0, x1, y1] = region.xyxy();
        for (at, pixel) in view.rgb.iter_mut().enumerate() {
            let share = covered(at % SIDE, (x0, x1)) * covered(at / SIDE, (y0, y1));
            for (channel, pure) in pixel.iter_mut().zip(mark) {
                *channel += share * f32::from(pure) / 255.0;
            }
        }
    }
    view
}

/// Share of a pixel's width that a range covers; the range is in fractions of the picture.
#[expect(clippy::cast_possible_truncation, reason = "between 0 and 1")]
fn covered(at: usize, (from, to): (f64, f64)) -> f32 {
    let length = |at: usize| f64::from(u32::try_from(at).unwrap_or(u32::MAX));
    let side = length(SIDE);
    let (from, to) = (from * side, to * side);
    (to.min(length(at + 1)) - from.max(length(at))).clamp(0.0, 1.0) as f32
}

fn columns(picture: &RgbaImage) -> [Option<View>; 2] {
    let [red, blue] = MARKS.map(|mark| drawn_box(picture, mark));
    let other = blue.or_else(|| {
        let red = red?;
        let mut things = things(picture).into_iter();
        let other = things.find(|thing| !thing.is_in(red))?;
        Some(Region::new(other.xyxy))
    });
    [red, other].map(|region| {
        let [x0, _, x1, _] = region?.xyxy();
        View::of(picture, Region::new([x0, 0.0, x1, 1.0]))
    })
}
