//! Views: the whole picture, and the inside of the boxes drawn on it, at a fixed size.

use image::RgbaImage;

use media::Region;
pub use media::code::{SIDE, View};

/// Number of views: whole picture, red box, blue box.
pub const VIEWS: usize = 3;
/// Maximum distance of a channel from the pure colour, which allows for JPEG artefacts.
const TOLERANCE: u8 = 24;
/// Minimum number of pure pixels that make a box.
const MIN_PIXELS: usize = 24;

/// The views of a picture; `None` for a missing box.
pub fn views(picture: &RgbaImage) -> [Option<View>; VIEWS] {
    let within = |color| View::of(picture, drawn_box(picture, color)?);
    [
        View::of(picture, Region::WHOLE),
        within([255, 0, 0]),
        within([0, 0, 255]),
    ]
}

/// Returns true if a pixel has a pure colour.
fn has_color(pixel: [u8; 4], color: [u8; 3]) -> bool {
    let mut channels = pixel.iter().zip(color);
    channels.all(|(channel, pure)| channel.abs_diff(pure) <= TOLERANCE)
}

/// Returns true if a pixel has the colour of a drawn box.
pub fn is_mark(pixel: [u8; 4]) -> bool {
    has_color(pixel, [255, 0, 0]) || has_color(pixel, [0, 0, 255])
}

/// The inside of the box drawn in a pure colour: the bounding box of its pixels.
pub fn drawn_box(picture: &RgbaImage, color: [u8; 3]) -> Option<Region> {
    let near = |pixel: &[u8; 4]| has_color(*pixel, color);
    let (mut left, mut top, mut right, mut bottom) = (u32::MAX, u32::MAX, 0, 0);
    let mut count = 0;
    // Several times as fast as `image`'s access to single pixels.
    let (pixels, _) = picture.as_raw().as_chunks();
    for (y, row) in (0..).zip(pixels.chunks_exact(picture.width().max(1) as usize)) {
        for (x, _) in (0..).zip(row).filter(|(_, pixel)| near(pixel)) {
            (left, right) = (left.min(x), right.max(x + 1));
            (top, bottom) = (top.min(y), bottom.max(y + 1));
            count += 1;
        }
    }
    if count < MIN_PIXELS {
        return None;
    }
    let (width, height) = (f64::from(picture.width()), f64::from(picture.height()));
    // The line itself is two pixels wide.
    let inner = |from: u32, to: u32, side: f64| {
        let line = 2.0_f64.min(f64::from(to - from) / 4.0);
        (
            (f64::from(from) + line) / side,
            (f64::from(to) - line) / side,
        )
    };
    let (x0, x1) = inner(left, right, width);
    let (y0, y1) = inner(top, bottom, height);
    Some(Region::new([x0, y0, x1, y1]))
}
