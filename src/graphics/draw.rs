//! From a decoded picture to what the terminal draws: cut out, scale, draw boxes, encode.

use image::RgbaImage;

use crate::media::{Overlay, Region, Source, draw as draw_overlays, fit, fitted_size};

use super::encode::{Encoded, encode};
use super::half_block::HalfBlocks;
use super::probe::{Protocol, Terminal};

/// How far a small picture is enlarged when all of it is shown.
const ENLARGE_WHOLE: f64 = 8.0;
/// How far a part of a picture is enlarged.
const ENLARGE_PART: f64 = 64.0;
/// Most pixels that are sent to a terminal at the far end of a connection.
const REMOTE_PIXELS: f64 = 400_000.0;

/// A picture to show.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The caller's name for this picture in this size with these boxes; comes back with the reply.
    pub key: u64,
    /// Where the picture is.
    pub source: Source,
    /// Columns and rows that it may take.
    pub area: (u16, u16),
    /// Boxes to draw on it.
    pub overlays: Vec<Overlay>,
    /// The part to show as fractions `[x0, y0, x1, y1]`; `None` for all of it.
    pub region: Option<[f64; 4]>,
}

/// A picture, ready to be drawn.
#[derive(Clone)]
pub enum Drawn {
    /// As cells.
    Blocks(HalfBlocks),
    /// In the terminal's protocol.
    Encoded(Encoded),
}

impl Drawn {
    /// Columns and rows.
    #[must_use]
    pub fn size(&self) -> (u16, u16) {
        match self {
            Self::Blocks(blocks) => blocks.size(),
            Self::Encoded(encoded) => encoded.size(),
        }
    }

    /// About how many bytes it holds, to bound a cache.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        match self {
            Self::Blocks(blocks) => blocks.bytes(),
            Self::Encoded(encoded) => encoded.bytes,
        }
    }
}

/// How to show a picture: what of it, how large, with which boxes.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) area: (u16, u16),
    pub(super) overlays: &'a [Overlay],
    pub(super) region: Option<[f64; 4]>,
}

impl Request {
    pub(super) fn view(&self) -> View<'_> {
        View {
            area: self.area,
            overlays: &self.overlays,
            region: self.region,
        }
    }
}

/// Draws a picture as the terminal takes it. `None` when there is no room or pictures are off.
pub(super) fn draw(terminal: &Terminal, picture: &RgbaImage, view: View) -> Option<Drawn> {
    match terminal.protocol {
        Protocol::Off => None,
        Protocol::Blocks => in_blocks(terminal, picture, view).map(Drawn::Blocks),
        _ => in_pixels(terminal, picture, view)
            .and_then(|shown| encode(terminal, &shown))
            .map(Drawn::Encoded)
            .or_else(|| in_blocks(terminal, picture, view).map(Drawn::Blocks)),
    }
}

/// As half blocks, with thin boxes.
pub(super) fn in_blocks(
    terminal: &Terminal,
    picture: &RgbaImage,
    view: View,
) -> Option<HalfBlocks> {
    let (columns, rows) = view.area;
    let bounds = (u32::from(columns), 2 * u32::from(rows));
    // Half a cell is rarely a square.
    let aspect = 2.0 * f64::from(terminal.cell.0) / f64::from(terminal.cell.1);
    let thin = |overlay: &Overlay| Overlay {
        width: overlay.width.min(1),
        ..overlay.clone()
    };
    let overlays: Vec<Overlay> = view.overlays.iter().map(thin).collect();
    let view = View {
        overlays: &overlays,
        ..view
    };
    Some(HalfBlocks::new(&scaled(picture, view, bounds, aspect)?))
}

/// In the pixels of the terminal, ready to be encoded.
pub(super) fn in_pixels(terminal: &Terminal, picture: &RgbaImage, view: View) -> Option<RgbaImage> {
    let (columns, rows) = view.area;
    let width = u32::from(columns) * u32::from(terminal.cell.0);
    let height = u32::from(rows) * u32::from(terminal.cell.1);
    let bounds = if terminal.remote {
        capped((width, height))
    } else {
        (width, height)
    };
    scaled(picture, view, bounds, 1.0)
}

/// Over a connection, bytes are what one waits for: the same shape with fewer pixels.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "smaller than it was, and not negative"
)]
fn capped((width, height): (u32, u32)) -> (u32, u32) {
    let shrink = (REMOTE_PIXELS / (f64::from(width) * f64::from(height)).max(1.0))
        .sqrt()
        .min(1.0);
    let side = |length: u32| (f64::from(length) * shrink) as u32;
    (side(width), side(height))
}

fn scaled(
    picture: &RgbaImage,
    view: View,
    bounds: (u32, u32),
    pixel_aspect: f64,
) -> Option<RgbaImage> {
    if bounds.0 == 0 || bounds.1 == 0 {
        return None;
    }
    let (region, most) = match view.region {
        Some(part) => (Region::new(part), ENLARGE_PART),
        None => (Region::WHOLE, ENLARGE_WHOLE),
    };
    let target = fitted_size(picture.dimensions(), region, bounds, pixel_aspect, most);
    let mut shown = fit(picture, region, target)?;
    draw_overlays(&mut shown, region, view.overlays);
    Some(shown)
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::super::surroundings::Surroundings;
    use super::*;
    use crate::media::Stroke;

    fn request(area: (u16, u16), region: Option<[f64; 4]>) -> Request {
        let frame = Overlay {
            xyxy: [0.0, 0.0, 1.0, 1.0],
            color: [255, 0, 0],
            style: Stroke::Solid,
            width: 2,
        };
        Request {
            key: 1,
            source: Source::Inline(String::new()),
            area,
            overlays: vec![frame],
            region,
        }
    }

    fn cells(area: (u16, u16), region: Option<[f64; 4]>, size: (u32, u32)) -> Option<HalfBlocks> {
        let terminal = Terminal::unasked(Protocol::Blocks, "", Surroundings::read());
        let picture = RgbaImage::from_pixel(size.0, size.1, Rgba([0, 0, 9, 255]));
        match draw(&terminal, &picture, request(area, region).view())? {
            Drawn::Blocks(blocks) => Some(blocks),
            Drawn::Encoded(_) => None,
        }
    }

    #[test]
    fn a_picture_keeps_its_shape_in_the_area() {
        assert_eq!(cells((40, 30), None, (400, 200)).unwrap().size(), (40, 10));
        assert_eq!(cells((40, 5), None, (400, 200)).unwrap().size(), (20, 5));
    }

    #[test]
    fn boxes_are_one_pixel_wide_in_half_blocks() {
        let blocks = cells((6, 3), None, (60, 60)).unwrap();
        let red = Some([255, 0, 0]);
        let ground = Some([0, 0, 9]);
        let cell = |column, row| {
            blocks
                .cells()
                .find(|(x, y, ..)| (*x, *y) == (column, row))
                .unwrap()
        };
        assert_eq!(cell(0, 1), (0, 1, red, red));
        assert_eq!(cell(1, 0), (1, 0, red, ground));
        assert_eq!(cell(1, 1), (1, 1, ground, ground));
        assert_eq!(cell(1, 2), (1, 2, ground, red));
    }

    #[test]
    fn small_pictures_are_enlarged_within_reason_and_parts_further() {
        assert_eq!(cells((80, 40), None, (2, 2)).unwrap().size(), (16, 8));
        assert_eq!(
            cells((80, 40), Some([0.0, 0.0, 0.5, 0.5]), (2, 2))
                .unwrap()
                .size(),
            (64, 32)
        );
    }

    #[test]
    fn no_room_draws_nothing() {
        assert!(cells((0, 3), None, (4, 4)).is_none());
        assert!(cells((3, 0), None, (4, 4)).is_none());
    }

    #[test]
    fn far_terminals_get_fewer_pixels_of_the_same_shape() {
        assert_eq!(capped((100, 50)), (100, 50));
        assert_eq!(capped((4000, 1000)), (1264, 316));
    }
}
