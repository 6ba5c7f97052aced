//! Finds salient objects: connected pixels that differ from the median of their row. Sky and ground
//! do not stand out.

use image::RgbaImage;

use super::view::{View, drawn_box, is_mark};
use media::Region;

/// Maximum side of the searched picture in pixels; larger pictures are sampled.
const LONGEST: u32 = 512;
/// Minimum difference of a channel from the median of its row.
const APART: u8 = 26;
/// Maximum distance in pixels between pixels of one object.
const REACH: usize = 2;
/// Minimum number of pixels of an object.
const MIN_PIXELS: usize = 20;
/// Maximum number of objects; the largest are kept.
const MOST: usize = 80;
/// Margin around a cropped object, as a share of its longer side.
const AROUND: f64 = 0.08;
/// The colour of the box around the object that the question is about.
const RED: [u8; 3] = [255, 0, 0];

/// A salient object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thing {
    /// Left, top, right and bottom, in fractions of the picture.
    pub xyxy: [f64; 4],
    /// Number of its pixels, after sampling.
    pixels: usize,
}

impl Thing {
    /// Centre of the bounding box, in fractions of the picture.
    pub fn middle(&self) -> (f64, f64) {
        let [x0, y0, x1, y1] = self.xyxy;
        (f64::midpoint(x0, x1), f64::midpoint(y0, y1))
    }

    /// A square crop around the object, which keeps its aspect ratio.
    pub fn view(&self, picture: &RgbaImage) -> Option<View> {
        let (width, height) = (f64::from(picture.width()), f64::from(picture.height()));
        let [x0, y0, x1, y1] = self.xyxy;
        let half = ((x1 - x0) * width).max((y1 - y0) * height) * (0.5 + AROUND);
        let (x, y) = self.middle();
        let (wide, high) = (half / width, half / height);
        View::of(
            picture,
            Region::new([x - wide, y - high, x + wide, y + high]),
        )
    }

    /// Returns true if the centre lies in the region.
    pub fn is_in(&self, region: Region) -> bool {
        let ([x0, y0, x1, y1], (x, y)) = (region.xyxy(), self.middle());
        (x0..=x1).contains(&x) && (y0..=y1).contains(&y)
    }
}

/// Salient objects of a picture, the largest first.
pub fn things(picture: &RgbaImage) -> Vec<Thing> {
    let longest = picture.width().max(picture.height());
    let step = longest.div_ceil(LONGEST).max(1);
    // Samples pixels: a mean would mix the lines of boxes with their surroundings.
    let picture = RgbaImage::from_fn(picture.width() / step, picture.height() / step, |x, y| {
        *picture.get_pixel(step * x, step * y)
    });
    let mut found = connected(standing_out(&picture), picture.width() as usize);
    let (width, height) = (f64::from(picture.width()), f64::from(picture.height()));
    for thing in &mut found {
        let [x0, y0, x1, y1] = thing.xyxy;
        thing.xyxy = [x0 / width, y0 / height, x1 / width, y1 / height];
    }
    found.sort_by_key(|thing| std::cmp::Reverse(thing.pixels));
    found.truncate(MOST);
    found
}

/// The largest object in the red box, and the objects outside it, the largest first.
pub fn marked_and_others(picture: &RgbaImage) -> Option<(Thing, Vec<Thing>)> {
    let region = drawn_box(picture, RED)?;
    let (within, others): (Vec<Thing>, Vec<Thing>) = things(picture)
        .into_iter()
        .partition(|thing| thing.is_in(region));
    Some((within.first().copied()?, others))
}

/// Mask of pixels that differ from the median of their row, without drawn boxes.
fn standing_out(picture: &RgbaImage) -> Vec<bool> {
    let width = picture.width().max(1) as usize;
    let (pixels, _) = picture.as_raw().as_chunks::<4>();
    let mut mask = Vec::with_capacity(pixels.len());
    for row in pixels.chunks_exact(width) {
        let usual: [u8; 3] = std::array::from_fn(|channel| median(row, channel));
        mask.extend(row.iter().map(|pixel| {
            let mut channels = pixel.iter().zip(usual);
            !is_mark(*pixel) && channels.any(|(channel, usual)| channel.abs_diff(usual) > APART)
        }));
    }
    mask
}

fn median(row: &[[u8; 4]], channel: usize) -> u8 {
    let mut values: Vec<u8> = row
        .iter()
        .filter_map(|pixel| pixel.get(channel).copied())
        .collect();
    let middle = values.len() / 2;
    *values.select_nth_unstable(middle).1
}

/// Groups of nearby pixels, with corners in pixels.
fn connected(mut mask: Vec<bool>, width: usize) -> Vec<Thing> {
    let mut found = Vec::new();
    for start in 0..mask.len() {
        if mask[start] {
            let thing = flooded(&mut mask, width, start);
            if thing.pixels >= MIN_PIXELS {
                found.push(thing);
            }
        }
    }
    found
}

/// Collects the object at a pixel and removes its pixels from the mask.
fn flooded(mask: &mut [bool], width: usize, start: usize) -> Thing {
    let mut open = vec![start];
    mask[start] = false;
    let (mut corners, mut pixels) = ([usize::MAX, usize::MAX, 0, 0], 0);
    while let Some(at) = open.pop() {
        let (x, y) = (at % width, at / width);
        corners = [
            corners[0].min(x),
            corners[1].min(y),
            corners[2].max(x + 1),
            corners[3].max(y + 1),
        ];
        pixels += 1;
        for next in near((x, y), width, mask.len() / width) {
            if std::mem::take(&mut mask[next]) {
                open.push(next);
            }
        }
    }
    let xyxy = corners.map(|at| f64::from(u32::try_from(at).unwrap_or(u32::MAX)));
    Thing { xyxy, pixels }
}

/// Indices of the pixels around a pixel, up to [`REACH`] away.
fn near((x, y): (usize, usize), width: usize, height: usize) -> impl Iterator<Item = usize> {
    let along = |at: usize, side: usize| at.saturating_sub(REACH)..(at + REACH + 1).min(side);
    along(y, height).flat_map(move |row| along(x, width).map(move |column| row * width + column))
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;

    /// Two squares on a background that fades downwards; a red box is around one of them.
    fn drawn() -> RgbaImage {
        RgbaImage::from_fn(200, 100, |x, y| {
            let line = (50..90).contains(&x) && (20..60).contains(&y);
            let inside = (52..88).contains(&x) && (22..58).contains(&y);
            if line && !inside {
                Rgba([255, 0, 0, 255])
            } else if (60..80).contains(&x) && (30..50).contains(&y) {
                Rgba([30, 60, 90, 255])
            } else if (120..150).contains(&x) && (10..40).contains(&y) {
                Rgba([250, 250, 250, 255])
            } else {
                Rgba([180 - y as u8, 170, 150, 255])
            }
        })
    }

    #[test]
    fn things_are_found_and_boxes_are_none() {
        let found = things(&drawn());
        let boxes: Vec<[f64; 4]> = found.iter().map(|thing| thing.xyxy).collect();
        assert_eq!(boxes, [[0.6, 0.1, 0.75, 0.4], [0.3, 0.3, 0.4, 0.5]]);
        let (marked, others) = marked_and_others(&drawn()).unwrap();
        assert_eq!(marked, found[1]);
        assert_eq!(others, found[..1]);
        assert!(things(&RgbaImage::new(40, 30)).is_empty());
        assert!(marked_and_others(&RgbaImage::new(40, 30)).is_none());
    }

    #[test]
    fn larger_pictures_have_the_same_things() {
        let large =
            image::imageops::resize(&drawn(), 1600, 800, image::imageops::FilterType::Nearest);
        let found = things(&large);
        assert_eq!(found.len(), 2);
        for (one, other) in found.iter().zip(things(&drawn())) {
            for (one, other) in one.xyxy.iter().zip(other.xyxy) {
                assert!((one - other).abs() < 0.01);
            }
        }
    }
}
