//! Reads and writes picture files.

use std::collections::BTreeMap;
use std::path::Path;

use image::RgbImage;
use png::{BitDepth, ColorType, DeflateCompression, Encoder, Filter};

/// Palette of a picture with at most 256 colours; `None` if it has more.
fn palette(picture: &RgbImage) -> Option<BTreeMap<[u8; 3], u8>> {
    let mut colors = BTreeMap::new();
    for pixel in picture.pixels() {
        if !colors.contains_key(&pixel.0) {
            colors.insert(pixel.0, u8::try_from(colors.len()).ok()?);
        }
    }
    Some(colors)
}

/// Encodes a picture as a small PNG, with a palette if possible.
pub fn encode(picture: &RgbImage) -> Vec<u8> {
    if let Some(colors) = palette(picture) {
        let depth = match colors.len() {
            0..=2 => BitDepth::One,
            3..=4 => BitDepth::Two,
            5..=16 => BitDepth::Four,
            _ => BitDepth::Eight,
        };
        let data = packed(picture, &colors, depth);
        return written(picture, depth, &data, Some(&colors), Filter::NoFilter);
    }
    let data = picture.as_raw();
    let tries = [Filter::NoFilter, Filter::Up, Filter::Adaptive];
    let tries = tries.map(|filter| written(picture, BitDepth::Eight, data, None, filter));
    tries.into_iter().min_by_key(Vec::len).unwrap()
}

/// Palette indices, packed with whole bytes per row.
fn packed(picture: &RgbImage, colors: &BTreeMap<[u8; 3], u8>, depth: BitDepth) -> Vec<u8> {
    let bits = depth as usize;
    let pack = |pixels: &[u8]| {
        let mut byte = 0;
        for (at, pixel) in pixels.iter().enumerate() {
            byte |= pixel << (8 - bits * (at + 1));
        }
        byte
    };
    let rows = picture.rows().map(|row| {
        let row: Vec<u8> = row.map(|pixel| colors[&pixel.0]).collect();
        row.chunks(8 / bits).map(pack).collect::<Vec<u8>>()
    });
    rows.flatten().collect()
}

fn written(
    picture: &RgbImage,
    depth: BitDepth,
    data: &[u8],
    colors: Option<&BTreeMap<[u8; 3], u8>>,
    filter: Filter,
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, picture.width(), picture.height());
    encoder.set_depth(depth);
    encoder.set_deflate_compression(DeflateCompression::Level(9));
    encoder.set_filter(filter);
    encoder.set_color(ColorType::Rgb);
    if let Some(colors) = colors {
        encoder.set_color(ColorType::Indexed);
        encoder.set_palette(in_order(colors));
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(data).unwrap();
    writer.finish().unwrap();
    bytes
}

/// Palette colours in the order of their indices.
pub fn in_order(colors: &BTreeMap<[u8; 3], u8>) -> Vec<u8> {
    let mut list: Vec<_> = colors.iter().map(|(color, at)| (*at, *color)).collect();
    list.sort_unstable();
    list.into_iter().flat_map(|(_, color)| color).collect()
}

/// Writes a picture and creates its folder.
pub fn write(path: &Path, picture: &RgbImage) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, encode(picture)).unwrap();
}

/// Reads a picture; `None` if the file does not exist.
pub fn read(path: &Path) -> Option<RgbImage> {
    path.exists().then(|| image::open(path).unwrap().to_rgb8())
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    #[test]
    fn a_picture_comes_back_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/picture.png");
        for colors in [1, 2, 3, 16, 200, 700] {
            let pixel = |x, y| {
                let number = (x + 37 * y) % colors;
                Rgb([number as u8, (number / 256) as u8, 7])
            };
            let picture = RgbImage::from_fn(37, 41, pixel);
            write(&path, &picture);
            assert_eq!(read(&path), Some(picture), "{colors}");
        }
        assert_eq!(read(&folder.path().join("none.png")), None);
    }
}
