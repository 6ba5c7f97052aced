//! Encodes a picture as sixels: bands of six rows, one bit per row, one pass per colour.
//!
//! Source: "VT330/VT340 Programmer Reference Manual", volume 2, chapter 14.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use color_quant::NeuQuant;
use image::imageops::{self, ColorMap};
use image::{Pixel as _, Rgb, Rgba, RgbaImage};

/// Maximum number of colours of a picture; terminals store at least this many.
const COLORS: usize = 256;
/// The palette is computed from every tenth pixel.
const SAMPLING: i32 = 10;
/// Number of pixel rows in a band.
const BAND: usize = 6;

/// Encodes a picture, without the escape characters at start and end. Transparent pixels keep the
/// screen's content. `None` only if the text cannot be written.
pub(super) fn sixel(picture: &RgbaImage) -> Option<String> {
    let mut text = String::new();
    write(picture, &mut text).ok()?;
    Some(text)
}

fn write(picture: &RgbaImage, text: &mut String) -> fmt::Result {
    let (width, height) = picture.dimensions();
    let (palette, indices) = quantized(picture);
    // The second parameter makes pixels without a colour transparent.
    write!(text, "P0;1;0q\"1;1;{width};{height}")?;
    let percent = |channel: u8| (u32::from(channel) * 100 + 127) / 255;
    for (number, color) in palette.iter().enumerate() {
        let [red, green, blue] = color.0.map(percent);
        write!(text, "#{number};2;{red};{green};{blue}")?;
    }
    let row = usize::try_from(width).map_err(|_| fmt::Error)?.max(1);
    for band in indices.chunks(row * BAND) {
        // The bits of each colour in the band, by column.
        let mut passes: BTreeMap<u8, Vec<u8>> = BTreeMap::new();
        for (down, line) in band.chunks(row).enumerate() {
            for (column, index) in line.iter().enumerate() {
                if let Some(index) = index {
                    let pass = passes.entry(*index).or_insert_with(|| vec![0; row]);
                    pass[column] |= 1 << down;
                }
            }
        }
        for (number, pass) in passes {
            write!(text, "#{number}")?;
            for run in pass.chunk_by(|one, other| one == other) {
                let letter = char::from(b'?' + run[0]);
                match run.len() {
                    0..=3 => text.extend(run.iter().map(|_| letter)),
                    times => write!(text, "!{times}{letter}")?,
                }
            }
            text.push('$');
        }
        text.push('-');
    }
    Ok(())
}

/// Returns a palette and each pixel's index in it; `None` for a transparent pixel. Up to 256
/// colours are kept exactly; more are reduced and dithered.
fn quantized(picture: &RgbaImage) -> (Vec<Rgb<u8>>, Vec<Option<u8>>) {
    let is_seen = |pixel: &Rgba<u8>| pixel.0[3] >= 128;
    let mut known: BTreeMap<[u8; 3], u8> = BTreeMap::new();
    for pixel in picture.pixels().filter(|pixel| is_seen(pixel)) {
        if let Ok(next) = u8::try_from(known.len()) {
            known.entry(pixel.to_rgb().0).or_insert(next);
        } else if !known.contains_key(&pixel.to_rgb().0) {
            return learnt(picture, is_seen);
        }
    }
    let place = |pixel: &Rgba<u8>| known.get(&pixel.to_rgb().0).copied();
    let indices = picture
        .pixels()
        .map(|pixel| place(pixel).filter(|_| is_seen(pixel)));
    let indices = indices.collect();
    let mut palette: Vec<([u8; 3], u8)> = known.into_iter().collect();
    palette.sort_unstable_by_key(|(_, place)| *place);
    (
        palette.into_iter().map(|(color, _)| Rgb(color)).collect(),
        indices,
    )
}

fn learnt(
    picture: &RgbaImage,
    is_seen: impl Fn(&Rgba<u8>) -> bool,
) -> (Vec<Rgb<u8>>, Vec<Option<u8>>) {
    // Compute the palette and dither without transparency.
    let mut opaque = picture.clone();
    opaque.pixels_mut().for_each(|pixel| pixel.0[3] = 255);
    let map = NeuQuant::new(SAMPLING, COLORS, opaque.as_raw());
    imageops::dither(&mut opaque, &map);
    let place = |pixel: &Rgba<u8>| u8::try_from(ColorMap::index_of(&map, pixel)).ok();
    let pairs = picture.pixels().zip(opaque.pixels());
    let indices = pairs.map(|(pixel, dithered)| place(dithered).filter(|_| is_seen(pixel)));
    let indices = indices.collect();
    let colors = (0..COLORS).filter_map(|place| ColorMap::lookup(&map, place));
    (colors.map(|color| color.to_rgb()).collect(), indices)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes sixels into a picture. Pixels without a colour become black.
    fn seen(text: &str) -> RgbaImage {
        let (head, body) = text.split_once('"').unwrap();
        assert_eq!(head, "P0;1;0q");
        let size: Vec<u32> = body
            .split('#')
            .next()
            .unwrap()
            .split(';')
            .map(|number| number.parse().unwrap())
            .collect();
        let mut picture = RgbaImage::new(size[2], size[3]);
        let (mut palette, mut color) = (BTreeMap::new(), [0; 3]);
        let (mut x, mut band, mut times) = (0, 0, 1);
        let mut rest = body[body.find('#').unwrap()..].chars().peekable();
        let number = |rest: &mut std::iter::Peekable<std::str::Chars<'_>>| {
            let mut found = 0;
            while let Some(digit) = rest.peek().and_then(|c| c.to_digit(10)) {
                found = found * 10 + digit;
                rest.next();
            }
            found
        };
        while let Some(letter) = rest.next() {
            match letter {
                '#' => {
                    let place = number(&mut rest);
                    if rest.peek() == Some(&';') {
                        let parts: Vec<u32> = (0..4)
                            .map(|_| {
                                rest.next();
                                number(&mut rest)
                            })
                            .collect();
                        let byte = |percent: u32| u8::try_from((percent * 255 + 50) / 100).unwrap();
                        palette.insert(place, [byte(parts[1]), byte(parts[2]), byte(parts[3])]);
                    }
                    color = palette[&place];
                }
                '!' => times = number(&mut rest),
                '$' => x = 0,
                '-' => (x, band) = (0, band + 1),
                letter => {
                    let bits = letter as u32 - u32::from(b'?');
                    for _ in 0..times {
                        for down in (0..6).filter(|down| bits >> down & 1 == 1) {
                            let [red, green, blue] = color;
                            picture.put_pixel(x, band * 6 + down, Rgba([red, green, blue, 255]));
                        }
                        x += 1;
                    }
                    times = 1;
                }
            }
        }
        picture
    }

    fn farthest(one: &RgbaImage, other: &RgbaImage) -> u8 {
        assert_eq!(one.dimensions(), other.dimensions());
        let pairs = one.iter().zip(other.iter());
        pairs
            .map(|(one, other)| one.abs_diff(*other))
            .max()
            .unwrap()
    }

    #[test]
    fn few_colors_stay_and_transparency_too() {
        let mut picture = RgbaImage::from_fn(23, 17, |x, y| {
            Rgba([
                (x % 3).to_le_bytes()[0] * 100,
                (y % 5).to_le_bytes()[0] * 50,
                10,
                255,
            ])
        });
        picture.put_pixel(4, 9, Rgba([0; 4]));
        // Allow a tolerance, because colour channels are sent as percentages.
        assert!(farthest(&seen(&sixel(&picture).unwrap()), &picture) <= 2);
    }

    #[test]
    fn many_colors_come_close_on_average() {
        let picture = RgbaImage::from_fn(90, 60, |x, y| {
            Rgba([x.to_le_bytes()[0] * 2, y.to_le_bytes()[0] * 4, 128, 255])
        });
        let shown = seen(&sixel(&picture).unwrap());
        let pairs = shown.iter().zip(picture.iter());
        let apart: u32 = pairs
            .map(|(one, other)| u32::from(one.abs_diff(*other)))
            .sum();
        let mean = f64::from(apart) / f64::from(90 * 60 * 4);
        assert!(mean < 6.0, "{mean}");
    }

    #[test]
    fn an_empty_picture_is_no_fault() {
        assert!(sixel(&RgbaImage::new(0, 0)).is_some());
    }
}
