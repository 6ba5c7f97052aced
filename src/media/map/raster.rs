//! Reads the values of a pixel map from a picture file or run lengths.

use image::{DynamicImage, ImageBuffer, imageops::FilterType};

use base::limits::Limit;

use crate::decode::decode_stored;
use crate::drawing::png;
use crate::{EncodedPicture, MissingPicture, Source};

/// Returns the maximum number of pixels that are stored; no screen shows more.
fn most() -> u32 {
    u32::try_from(Limit::MapPixels.get()).unwrap_or(u32::MAX)
}

/// The meaning of a map's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MapKind {
    /// Whether each pixel belongs to an object.
    Mask,
    /// The class code of each pixel.
    Labels,
    /// The depth of each pixel, in the file's own unit.
    Depth,
    /// The surface normal of each pixel: right, up, out of the picture, each from -1 to 1.
    Normals,
}

/// A pixel map: one value per pixel, in row order.
#[derive(Clone, Debug, PartialEq)]
pub struct Raster {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The `width * height` values.
    pub values: Values,
}

/// The values of a map.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// [`MapKind::Mask`]: true for pixels of the object.
    Mask(Vec<bool>),
    /// [`MapKind::Labels`]: the class code of each pixel.
    Labels(Vec<u32>),
    /// Values of [`MapKind::Depth`]; `NaN` where depth was not measured.
    Depth(Vec<f64>),
    /// [`MapKind::Normals`]: right, up and out, each from -1 to 1.
    Normals(Vec<[f64; 3]>),
}

impl Raster {
    /// Returns a mask from run lengths in row order. The first run is outside the object. `None` if
    /// the runs do not fill complete rows or exceed the size limit.
    pub fn of_runs(width: u32, runs: &[u32]) -> Option<Self> {
        let pixels: u64 = runs.iter().map(|run| u64::from(*run)).sum();
        if width == 0
            || pixels == 0
            || !pixels.is_multiple_of(u64::from(width))
            || pixels > u64::from(most())
        {
            return None;
        }
        let height = u32::try_from(pixels / u64::from(width)).ok()?;
        let states = [false, true].into_iter().cycle();
        let mask = runs.iter().zip(states).flat_map(|(run, on)| {
            let length = usize::try_from(*run).unwrap_or_default();
            std::iter::repeat_n(on, length)
        });
        Some(Self {
            width,
            height,
            values: Values::Mask(mask.collect()),
        })
    }

    /// Reads a map from a picture file.
    ///
    /// - Mask: true where the picture is not black.
    /// - Labels: the grey value, or `red + 256 green + 65536 blue` as in COCO's panoptic pictures.
    /// - Depth: the grey value, 8 or 16 bits.
    /// - Normals: colours, with 0 for -1 and 255 for 1.
    ///
    /// Very large maps are subsampled. The map uses the coordinates of the stored picture;
    /// [`crate::Layer::lay`] applies the orientation.
    ///
    /// # Errors
    /// As [`crate::load`], or the file is damaged.
    pub fn load(source: &Source, kind: MapKind) -> Result<Self, MissingPicture> {
        let name = source.name();
        let stored = decode_stored(&source.read()?, &name)?;
        // Missing pixels of a picture can be seen. In a map, they would count as values.
        if let Some(why) = stored.damage {
            return Err(MissingPicture::Broken { name, why });
        }
        Ok(Self::of_picture(thinned(stored.picture), kind))
    }

    /// Returns the map resampled to this size, by nearest pixel.
    #[must_use]
    pub fn at_size(&self, width: u32, height: u32) -> Self {
        if (self.width, self.height) == (width, height) {
            return self.clone();
        }
        let near =
            |at: u32, from: u32, to: u32| u64::from(at) * u64::from(from) / u64::from(to.max(1));
        let place = |(x, y): (u32, u32)| {
            let at =
                near(y, self.height, height) * u64::from(self.width) + near(x, self.width, width);
            usize::try_from(at).unwrap_or(usize::MAX)
        };
        let places = (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .map(place);
        let values = match &self.values {
            Values::Mask(values) => Values::Mask(picked(values, places)),
            Values::Labels(values) => Values::Labels(picked(values, places)),
            Values::Depth(values) => Values::Depth(picked(values, places)),
            Values::Normals(values) => Values::Normals(picked(values, places)),
        };
        Self {
            width,
            height,
            values,
        }
    }

    /// Encodes the map as a PNG that [`Raster::load`] can read. Labels and depth are rounded to
    /// 16-bit grey values. Returns `None` if there are fewer values than pixels.
    pub fn png(&self) -> Option<EncodedPicture> {
        let (width, height) = (self.width, self.height);
        let picture = match &self.values {
            Values::Mask(values) => {
                let grey = values.iter().map(|on| if *on { 255 } else { 0 }).collect();
                DynamicImage::ImageLuma8(ImageBuffer::from_raw(width, height, grey)?)
            }
            Values::Labels(values) => {
                let code = |code: &u32| u16::try_from(*code).unwrap_or(u16::MAX);
                let grey = values.iter().map(code).collect();
                DynamicImage::ImageLuma16(ImageBuffer::from_raw(width, height, grey)?)
            }
            Values::Depth(values) => {
                let grey = values.iter().map(|depth| whole(*depth, u16::MAX)).collect();
                DynamicImage::ImageLuma16(ImageBuffer::from_raw(width, height, grey)?)
            }
            Values::Normals(values) => {
                let channel = |value: &f64| {
                    u8::try_from(whole((value + 1.0) * 127.5, 255)).unwrap_or(u8::MAX)
                };
                let channels = values.iter().flatten().map(channel).collect();
                DynamicImage::ImageRgb8(ImageBuffer::from_raw(width, height, channels)?)
            }
        };
        png(&picture)
    }

    fn of_picture(picture: DynamicImage, kind: MapKind) -> Self {
        let (width, height) = (picture.width(), picture.height());
        let values = match kind {
            MapKind::Mask => {
                let pixels = picture.into_luma8().into_raw();
                Values::Mask(pixels.into_iter().map(|pixel| pixel > 0).collect())
            }
            MapKind::Labels => Values::Labels(labels(picture)),
            MapKind::Depth => Values::Depth(match picture {
                DynamicImage::ImageLuma16(pixels) => {
                    pixels.into_raw().into_iter().map(f64::from).collect()
                }
                other => other
                    .into_luma8()
                    .into_raw()
                    .into_iter()
                    .map(f64::from)
                    .collect(),
            }),
            MapKind::Normals => {
                let pixels = picture.into_rgb32f();
                let signed = |pixel: &image::Rgb<f32>| pixel.0.map(|v| f64::from(v) * 2.0 - 1.0);
                Values::Normals(pixels.pixels().map(signed).collect())
            }
        };
        Self {
            width,
            height,
            values,
        }
    }
}

fn picked<T: Copy>(values: &[T], places: impl Iterator<Item = usize>) -> Vec<T> {
    places.filter_map(|at| values.get(at).copied()).collect()
}

/// Rounds to a whole number from 0 to `most`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturates, and is clamped"
)]
fn whole(value: f64, most: u16) -> u16 {
    (value.round() as u16).min(most)
}

fn labels(picture: DynamicImage) -> Vec<u32> {
    match picture {
        DynamicImage::ImageLuma16(pixels) => pixels.into_raw().into_iter().map(u32::from).collect(),
        DynamicImage::ImageLuma8(pixels) => pixels.into_raw().into_iter().map(u32::from).collect(),
        other => {
            let pixels = other.into_rgb8();
            let code = |pixel: &image::Rgb<u8>| {
                let [red, green, blue] = pixel.0;
                u32::from_le_bytes([red, green, blue, 0])
            };
            pixels.pixels().map(code).collect()
        }
    }
}

/// Subsamples the picture to at most [`most`] pixels.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "smaller than it was, and not negative"
)]
fn thinned(picture: DynamicImage) -> DynamicImage {
    let pixels = f64::from(picture.width()) * f64::from(picture.height());
    if pixels <= f64::from(most()) {
        return picture;
    }
    let shrink = (f64::from(most()) / pixels).sqrt();
    let side = |length: u32| ((f64::from(length) * shrink) as u32).max(1);
    let (width, height) = (side(picture.width()), side(picture.height()));
    picture.resize_exact(width, height, FilterType::Nearest)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{GrayImage, ImageBuffer, ImageFormat, Luma, Rgb, RgbImage};

    use super::*;

    fn read(picture: DynamicImage, kind: MapKind) -> Raster {
        let folder = tempfile::tempdir().unwrap();
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
        std::fs::write(folder.path().join("a.png"), bytes.into_inner()).unwrap();
        let source = Source::Path {
            reference: "a.png".to_owned(),
            roots: vec![folder.path().to_owned()],
        };
        Raster::load(&source, kind).unwrap()
    }

    #[test]
    fn runs_begin_with_what_is_off() {
        let raster = Raster::of_runs(3, &[2, 3, 1]).unwrap();
        assert_eq!((raster.width, raster.height), (3, 2));
        let on = [false, false, true, true, true, false];
        assert_eq!(raster.values, Values::Mask(on.to_vec()));
        assert_eq!(Raster::of_runs(4, &[2, 3, 1]), None);
        assert_eq!(Raster::of_runs(0, &[]), None);
        assert_eq!(Raster::of_runs(1, &[u32::MAX, u32::MAX]), None);
    }

    #[test]
    fn depth_keeps_its_sixteen_bits() {
        let pixels = ImageBuffer::from_fn(2, 1, |x, _| Luma([1000 + 60_000 * x as u16]));
        let raster = read(DynamicImage::ImageLuma16(pixels), MapKind::Depth);
        assert_eq!(raster.values, Values::Depth(vec![1000.0, 61_000.0]));
    }

    #[test]
    fn labels_are_grey_values_or_panoptic_colours() {
        let grey = GrayImage::from_fn(2, 1, |x, _| Luma([if x == 0 { 7 } else { 255 }]));
        let raster = read(DynamicImage::ImageLuma8(grey), MapKind::Labels);
        assert_eq!(raster.values, Values::Labels(vec![7, 255]));
        let colors = RgbImage::from_pixel(1, 1, Rgb([1, 2, 3]));
        let raster = read(DynamicImage::ImageRgb8(colors), MapKind::Labels);
        assert_eq!(raster.values, Values::Labels(vec![1 + 512 + 3 * 65_536]));
    }

    #[test]
    fn normals_lie_between_minus_one_and_one() {
        let colors = RgbImage::from_pixel(1, 1, Rgb([0, 255, 51]));
        let raster = read(DynamicImage::ImageRgb8(colors), MapKind::Normals);
        let Values::Normals(values) = raster.values else {
            panic!("no normals")
        };
        let apart = values[0].iter().zip([-1.0, 1.0, -0.6]);
        assert!(apart.map(|(a, b)| (a - b).abs()).all(|d| d < 1e-6));
    }

    #[test]
    fn a_map_that_was_written_is_read_again() {
        let of = |values| Raster {
            width: 2,
            height: 1,
            values,
        };
        for (map, kind) in [
            (of(Values::Mask(vec![true, false])), MapKind::Mask),
            (of(Values::Labels(vec![255, 300])), MapKind::Labels),
            (of(Values::Depth(vec![0.0, 65_000.0])), MapKind::Depth),
            (
                of(Values::Normals(vec![[-1.0, 1.0, 0.2], [1.0, 0.6, -0.2]])),
                MapKind::Normals,
            ),
        ] {
            let written = map.png().unwrap();
            use base64::Engine as _;
            let text = base64::engine::general_purpose::STANDARD.encode(written.bytes);
            let read = Raster::load(&Source::Inline(text), kind).unwrap();
            match (&read.values, &map.values) {
                (Values::Normals(read), Values::Normals(map)) => {
                    let apart = read.iter().flatten().zip(map.iter().flatten());
                    assert!(apart.map(|(a, b)| (a - b).abs()).all(|d| d < 0.01));
                }
                (read, map) => assert_eq!(read, map),
            }
        }
        let torn = Raster {
            width: 3,
            ..of(Values::Labels(vec![1]))
        };
        assert_eq!(torn.png(), None);
    }

    #[test]
    fn a_very_large_map_is_thinned_out() {
        let grey = GrayImage::from_pixel(2000, 1500, Luma([9]));
        let raster = read(DynamicImage::ImageLuma8(grey), MapKind::Depth);
        assert!(raster.width * raster.height <= most() && raster.width > 1300);
    }
}
