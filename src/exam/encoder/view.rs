//! Views: the whole picture, and the inside of the boxes drawn on it, at a fixed size.

use image::RgbaImage;

use media::{Region, fit};

/// Side of a view in pixels.
pub const SIDE: usize = 64;
/// Number of views: whole picture, red box, blue box.
pub const VIEWS: usize = 3;
/// Maximum distance of a channel from the pure colour, which allows for JPEG artefacts.
const TOLERANCE: u8 = 24;
/// Minimum number of pure pixels that make a box.
const FEWEST: usize = 24;

/// A square picture with sides of [`SIDE`] pixels.
pub struct View {
    /// Rows of red, green and blue, 0 to 1.
    pub rgb: Vec<[f32; 3]>,
}

impl View {
    /// A region of a picture, scaled to a square.
    pub fn of(picture: &RgbaImage, region: Region) -> Option<Self> {
        let side = u32::try_from(SIDE).ok()?;
        let scaled = fit(picture, region, (side, side))?;
        let (pixels, _) = scaled.as_raw().as_chunks();
        let rgb = |[r, g, b, _]: &[u8; 4]| [*r, *g, *b].map(|channel| f32::from(channel) / 255.0);
        Some(Self {
            rgb: pixels.iter().map(rgb).collect(),
        })
    }

    /// A black view.
    pub fn blank() -> Self {
        Self {
            rgb: vec![[0.0; 3]; SIDE * SIDE],
        }
    }

    /// Luma (ITU-R BT.601), rows of [`SIDE`].
    pub fn gray(&self) -> Vec<f32> {
        let luma = |[r, g, b]: &[f32; 3]| 0.299 * r + 0.587 * g + 0.114 * b;
        self.rgb.iter().map(luma).collect()
    }

    /// Mean colours of `cells` x `cells` equal cells.
    pub fn cells(&self, cells: usize) -> Vec<[f32; 3]> {
        let size = SIDE / cells;
        let mut means = vec![[0.0; 3]; cells * cells];
        for (at, pixel) in self.rgb.iter().enumerate() {
            let (x, y) = (at % SIDE / size, at / SIDE / size);
            if let Some(mean) = means.get_mut(y * cells + x) {
                for (sum, channel) in mean.iter_mut().zip(pixel) {
                    *sum += channel;
                }
            }
        }
        let count = f32::from(u16::try_from(size * size).unwrap_or(u16::MAX));
        for mean in &mut means {
            *mean = mean.map(|sum| sum / count);
        }
        means
    }
}

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
    if count < FEWEST {
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
