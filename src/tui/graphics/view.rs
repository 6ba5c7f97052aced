//! Crops, scales, rotates and annotates a picture. The resulting pixels are ready for encoding.

use std::sync::Arc;

use image::RgbaImage;

use media::{
    Layer, Orientation, Overlay, Pen, Region, Turn, Unit, draw as draw_boxes, draw_tags, fit,
    tag_place,
};

use super::depth::{ColorDepth, luminance};
use super::half_block::HalfBlocks;
use super::probe::Terminal;

/// Maximum magnification of a whole small picture.
const ENLARGE_WHOLE: f64 = 8.0;
/// Maximum magnification of a part of a picture.
const ENLARGE_PART: f64 = 64.0;

/// The visible part of a picture, its size and its boxes.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) area: (u16, u16),
    pub(super) overlays: &'a [Overlay],
    pub(super) layers: &'a [Arc<Layer>],
    pub(super) region: Option<[f64; 4]>,
    pub(super) turn: Turn,
    /// EXIF orientation of the stored picture. Boxes and maps are in stored coordinates.
    pub(super) orientation: Orientation,
    pub(super) budget: Option<usize>,
}

/// A tag: text, column and row of its first half block, and colour.
pub(super) type PlacedTag = (String, u16, u16, [u8; 3]);

/// Renders pixels for half blocks, with thin boxes. Returns the tags separately.
pub(super) fn in_blocks(
    terminal: &Terminal,
    picture: &RgbaImage,
    view: View,
) -> Option<(HalfBlocks, Vec<PlacedTag>)> {
    let (columns, rows) = view.area;
    let bounds = (u32::from(columns), 2 * u32::from(rows));
    // The pixels of a half block are rarely square.
    let aspect = 2.0 * f64::from(terminal.cell.0) / f64::from(terminal.cell.1);
    let without_color = terminal.depth == ColorDepth::None;
    let ink = |shown: &RgbaImage| without_color.then(|| contrast(shown));
    let mut shown = plain(picture, view, bounds, aspect, &|layer, pixels, region| {
        let pen = Pen {
            scale: 1.0 / 3.0,
            color: ink(pixels),
        };
        layer.lay(pixels, region, view.orientation, pen);
    })?;
    let (region, mut overlays) = turned(picture, view);
    let plain_ink = ink(&shown);
    for overlay in &mut overlays {
        overlay.width = overlay.width.min(1);
        overlay.color = plain_ink.unwrap_or(overlay.color);
    }
    draw_boxes(&mut shown, region, &overlays);
    let tags = overlays.iter().filter_map(|overlay| {
        let tag = tag_place(overlay, region, shown.dimensions())?;
        let (mut x, y) = tag.corner;
        if tag.ends {
            let length = u32::try_from(tag.text.chars().count()).ok()?;
            x = (x + 1).saturating_sub(length);
        }
        Some((tag.text, narrow(x), narrow(y / 2), overlay.color))
    });
    let tags = tags.collect();
    Some((HalfBlocks::new(&shown), tags))
}

/// Returns black for a bright picture and white for a dark picture. Without colours, a line is
/// visible only by its brightness.
fn contrast(picture: &RgbaImage) -> [u8; 3] {
    let bright = picture.pixels().filter(|pixel| {
        let [red, green, blue, _] = pixel.0;
        luminance([red, green, blue]) >= 128
    });
    if 2 * bright.count() > picture.pixels().len() {
        [0; 3]
    } else {
        [u8::MAX; 3]
    }
}

/// Renders pixels for a pixel protocol.
pub(super) fn in_pixels(terminal: &Terminal, picture: &RgbaImage, view: View) -> Option<RgbaImage> {
    scaled(picture, view, pixels_of(view.area, terminal.cell), 1.0)
}

/// Returns the width and height in pixels of an area of cells.
pub(super) fn pixels_of((columns, rows): (u16, u16), cell: (u16, u16)) -> (u32, u32) {
    (
        u32::from(columns) * u32::from(cell.0),
        u32::from(rows) * u32::from(cell.1),
    )
}

/// Scales and rotates a picture, and draws its tags and boxes. Lines are `line` times as wide
/// as specified.
pub(super) fn scaled(
    picture: &RgbaImage,
    view: View,
    bounds: (u32, u32),
    line: f64,
) -> Option<RgbaImage> {
    let pen = Pen {
        scale: line,
        ..Pen::OWN
    };
    let lay = |layer: &Layer, pixels: &mut RgbaImage, region| {
        layer.lay(pixels, region, view.orientation, pen);
    };
    let mut shown = plain(picture, view, bounds, 1.0, &lay)?;
    let (region, mut overlays) = turned(picture, view);
    for overlay in &mut overlays {
        overlay.width = whole((f64::from(overlay.width) * line).round()).max(1);
    }
    draw_boxes(&mut shown, region, &overlays);
    draw_tags(&mut shown, region, &overlays);
    Some(shown)
}

/// Returns the visible part and the boxes in coordinates of the rotated picture.
fn turned(picture: &RgbaImage, view: View) -> (Region, Vec<Overlay>) {
    let lay = |overlay: &Overlay| Overlay {
        xyxy: view
            .turn
            .corners(overlay.upright(picture.dimensions(), view.orientation)),
        unit: Unit::Fraction,
        ..overlay.clone()
    };
    let overlays = view.overlays.iter().map(lay).collect();
    (view.turn.region(view.part().0), overlays)
}

impl View<'_> {
    /// Returns the visible part of the upright picture, and its maximum magnification.
    fn part(&self) -> (Region, f64) {
        match self.region {
            Some(part) => (Region::new(part), ENLARGE_PART),
            None => (Region::WHOLE, ENLARGE_WHOLE),
        }
    }
}

/// Scales and rotates a picture without boxes. `lay` draws each map on the upright pixels of a
/// part.
fn plain(
    picture: &RgbaImage,
    view: View,
    bounds: (u32, u32),
    pixel_aspect: f64,
    lay: &dyn Fn(&Layer, &mut RgbaImage, Region),
) -> Option<RgbaImage> {
    let (width, height) = shown_size(picture, view, bounds, pixel_aspect)?;
    let upright = if view.turn.is_sideways() {
        (height, width)
    } else {
        (width, height)
    };
    let (part, _) = view.part();
    let mut pixels = fit(picture, part, upright)?;
    for layer in view.layers {
        lay(layer, &mut pixels, part);
    }
    Some(view.turn.pixels(pixels))
}

/// Returns the width and height of the rotated picture within bounds, or `None` if there is no
/// space.
pub(super) fn shown_size(
    picture: &RgbaImage,
    view: View,
    bounds: (u32, u32),
    pixel_aspect: f64,
) -> Option<(u32, u32)> {
    if bounds.0 == 0 || bounds.1 == 0 {
        return None;
    }
    let (region, most) = view.part();
    let size = picture.dimensions();
    if view.turn.is_sideways() {
        let bounds = (bounds.1, bounds.0);
        let (height, width) = region.fitted_size(size, bounds, 1.0 / pixel_aspect, most);
        return Some((width, height));
    }
    Some(region.fitted_size(size, bounds, pixel_aspect, most))
}

/// Rounds a length to whole pixels or cells. A positive length becomes at least one.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "smaller than it was, and not negative"
)]
pub(super) fn whole(length: f64) -> u32 {
    if length > 0.0 {
        (length as u32).max(1)
    } else {
        0
    }
}

/// Limits a length to the largest screen coordinate.
pub(super) fn narrow(length: u32) -> u16 {
    u16::try_from(length).unwrap_or(u16::MAX)
}
