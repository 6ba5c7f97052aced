//! Writes animated PNG files.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use image::RgbImage;
use png::{BitDepth, ColorType, DeflateCompression, Encoder, Filter};

use crate::stored::in_order;

/// Maximum number of colours in a palette.
const COLORS: usize = 256;

/// A picture with its duration in milliseconds.
pub struct Frame {
    pub picture: RgbImage,
    pub stands: u16,
}

/// Writes pictures of the same size as a looping animated PNG. Rare colours are replaced by
/// similar, more frequent ones.
pub fn write(path: &Path, frames: &[Frame]) {
    let colors = common(frames);
    let first = &frames[0].picture;
    let file = BufWriter::new(File::create(path).unwrap());
    let mut encoder = Encoder::new(file, first.width(), first.height());
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(in_order(&colors));
    encoder.set_deflate_compression(DeflateCompression::Level(9));
    encoder.set_filter(Filter::NoFilter);
    encoder.set_animated(frames.len() as u32, 0).unwrap();
    let mut writer = encoder.write_header().unwrap();
    let mut known = HashMap::new();
    let mut before: Option<&RgbImage> = None;
    for frame in frames {
        let part = before.map_or_else(|| whole(first), |before| changed(before, &frame.picture));
        let (x, y, width, height) = part;
        writer.set_frame_delay(frame.stands, 1000).unwrap();
        if before.is_some() {
            // The size is checked against the previous frame's offset.
            writer.set_frame_position(0, 0).unwrap();
            writer.set_frame_dimension(width, height).unwrap();
            writer.set_frame_position(x, y).unwrap();
        }
        let view = image::imageops::crop_imm(&frame.picture, x, y, width, height);
        let pixels = view.to_image();
        let number = |color: [u8; 3]| {
            *known
                .entry(color)
                .or_insert_with(|| nearest(&colors, color))
        };
        let data: Vec<u8> = pixels.pixels().map(|pixel| pixel.0).map(number).collect();
        writer.write_image_data(&data).unwrap();
        before = Some(&frame.picture);
    }
    writer.finish().unwrap();
}

fn whole(picture: &RgbImage) -> (u32, u32, u32, u32) {
    (0, 0, picture.width(), picture.height())
}

/// Bounding box of the changed pixels, which has at least one pixel.
fn changed(before: &RgbImage, now: &RgbImage) -> (u32, u32, u32, u32) {
    let differs = |(x, y, pixel): &(u32, u32, &image::Rgb<u8>)| before.get_pixel(*x, *y) != *pixel;
    let places = now
        .enumerate_pixels()
        .filter(differs)
        .map(|(x, y, _)| (x, y));
    let around = places.fold(None, |all: Option<[u32; 4]>, (x, y)| {
        let [left, top, right, bottom] = all.unwrap_or([x, y, x, y]);
        Some([left.min(x), top.min(y), right.max(x), bottom.max(y)])
    });
    let [left, top, right, bottom] = around.unwrap_or_default();
    (left, top, right - left + 1, bottom - top + 1)
}

/// The most frequent colours; rare ones are grouped by similarity.
fn common(frames: &[Frame]) -> BTreeMap<[u8; 3], u8> {
    let mut counts: HashMap<[u8; 3], usize> = HashMap::new();
    for pixel in frames.iter().flat_map(|frame| frame.picture.pixels()) {
        *counts.entry(pixel.0).or_default() += 1;
    }
    let mut often: Vec<_> = counts.into_iter().collect();
    often.sort_unstable_by_key(|(color, count)| (usize::MAX - count, *color));
    let exact = if often.len() > COLORS {
        COLORS * 5 / 8
    } else {
        COLORS
    };
    let rest = often.split_off(exact.min(often.len()));
    let mut colors: Vec<[u8; 3]> = often.into_iter().map(|(color, _)| color).collect();
    let room = COLORS - colors.len();
    let grouped = |bits: u32| {
        let mut near: BTreeMap<[u8; 3], usize> = BTreeMap::new();
        for (color, count) in &rest {
            let group = color.map(|part| ((part >> bits) << bits) | (1 << (bits - 1)));
            *near.entry(group).or_default() += count;
        }
        near
    };
    // Group the colours as finely as the palette allows.
    let near = (1..=5).map(grouped).find(|near| near.len() <= room);
    let mut near: Vec<_> = near.unwrap_or_else(|| grouped(5)).into_iter().collect();
    near.sort_unstable_by_key(|(color, count)| (usize::MAX - count, *color));
    near.truncate(room);
    colors.extend(near.into_iter().map(|(color, _)| color));
    colors.sort_unstable();
    colors.dedup();
    (0..=u8::MAX)
        .zip(colors)
        .map(|(at, color)| (color, at))
        .collect()
}

fn nearest(colors: &BTreeMap<[u8; 3], u8>, color: [u8; 3]) -> u8 {
    let far = |other: &[u8; 3]| -> i32 {
        let parts = other.iter().zip(color);
        parts
            .map(|(a, b)| (i32::from(*a) - i32::from(b)).pow(2))
            .sum()
    };
    let best = colors.iter().min_by_key(|(other, _)| far(other));
    best.map_or(0, |(_, at)| *at)
}

#[cfg(test)]
mod tests {
    use image::{AnimationDecoder as _, Rgb};

    use super::*;

    #[test]
    fn frames_come_back_and_hold_only_what_changed() {
        let first = RgbImage::from_fn(40, 30, |x, y| Rgb([x as u8, y as u8, 9]));
        let mut second = first.clone();
        second.put_pixel(7, 5, Rgb([250, 0, 0]));
        second.put_pixel(9, 8, Rgb([250, 0, 0]));
        assert_eq!(changed(&first, &second), (7, 5, 3, 4));
        let small = RgbImage::from_pixel(20, 20, Rgb([1, 2, 3]));
        let mut other = small.clone();
        other.put_pixel(3, 3, Rgb([9, 9, 9]));
        let frame = |picture: &RgbImage| Frame {
            picture: picture.clone(),
            stands: 500,
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("moving.png");
        write(&path, &[frame(&small), frame(&other), frame(&other)]);
        let bytes = std::fs::read(&path).unwrap();
        let decoder = image::codecs::png::PngDecoder::new(std::io::Cursor::new(bytes)).unwrap();
        let frames = decoder.apng().unwrap().into_frames();
        let back: Vec<_> = frames.map(|frame| frame.unwrap().into_buffer()).collect();
        assert_eq!(back.len(), 3);
        let pixels = |at: usize| image::DynamicImage::ImageRgba8(back[at].clone()).to_rgb8();
        assert!(pixels(0) == small && pixels(1) == other && pixels(2) == other);
        // The pictures have more colours than fit in the palette. No colour may change much.
        let colors = common(&[frame(&first), frame(&second)]);
        assert!((200..=COLORS).contains(&colors.len()), "{}", colors.len());
        let numbers = in_order(&colors);
        for pixel in first.pixels() {
            let at = usize::from(nearest(&colors, pixel.0)) * 3;
            let mut parts = numbers[at..at + 3].iter().zip(pixel.0);
            assert!(parts.all(|(a, b)| a.abs_diff(b) < 5), "{pixel:?}");
        }
        assert_eq!(
            nearest(
                &BTreeMap::from([([0, 0, 0], 4), ([255, 255, 255], 7)]),
                [200; 3]
            ),
            7
        );
    }
}
