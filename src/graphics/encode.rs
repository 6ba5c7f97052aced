//! A finished picture to the bytes of a picture protocol.
//!
//! Takes milliseconds to half a second, hence only called from the worker's thread and from `show`.

use image::{DynamicImage, RgbaImage, imageops};
use ratatui::layout::Size;
use ratatui_image::Resize;
use ratatui_image::protocol::Protocol as Sequence;

use super::probe::{Protocol, Terminal};

/// Longest sequence that tmux passes on.
const TMUX_LIMIT: usize = 1_000_000;
/// Base64 of RGBA: bytes per three pixels.
const BASE64_OF_THREE: usize = 16;

/// A picture as the terminal takes it, to be drawn as a widget of `ratatui-image`.
///
/// A kitty picture is sent the first time that it is drawn and not again: after the terminal forgot its
/// pictures (reset, tmux attached anew) encode it again.
#[derive(Clone)]
pub struct Encoded {
    /// The picture.
    pub sequence: Box<Sequence>,
    /// About how many bytes it holds and sends.
    pub bytes: usize,
}

impl Encoded {
    /// Columns and rows.
    #[must_use]
    pub fn size(&self) -> (u16, u16) {
        let size = self.sequence.size();
        (size.width, size.height)
    }
}

/// Encodes a picture of the right size in pixels. `None` when the terminal does not take it.
pub(super) fn encode(terminal: &Terminal, picture: &RgbaImage) -> Option<Encoded> {
    let picker = terminal.picker.as_ref()?;
    let (columns, rows) = cells_of(picture.dimensions(), terminal.cell);
    let whole = padded(picture, (columns, rows), terminal.cell);
    let pixels = whole.as_raw().len() / 4;
    let size = Size::new(columns, rows);
    let picture = DynamicImage::ImageRgba8(whole);
    let sequence = picker.new_protocol(picture, size, Resize::Fit(None)).ok()?;
    let bytes = match &sequence {
        Sequence::Sixel(sixel) => sixel.data.len(),
        Sequence::ITerm2(file) => file.data.len(),
        // Kitty's is private, and at most this; it goes out in small pieces.
        Sequence::Kitty(_) | Sequence::Halfblocks(_) => pixels.div_ceil(3) * BASE64_OF_THREE,
    };
    let passes =
        !terminal.multiplexed || terminal.protocol == Protocol::Kitty || bytes < TMUX_LIMIT;
    passes.then(|| Encoded {
        sequence: Box::new(sequence),
        bytes,
    })
}

/// Columns and rows that hold so many pixels.
fn cells_of((width, height): (u32, u32), cell: (u16, u16)) -> (u16, u16) {
    let count = |pixels: u32, cell: u16| u16::try_from(pixels.div_ceil(u32::from(cell.max(1))));
    (
        count(width, cell.0).unwrap_or(u16::MAX),
        count(height, cell.1).unwrap_or(u16::MAX),
    )
}

/// Fills up to whole cells, transparently; else the terminal or the crate would scale it once more.
fn padded(picture: &RgbaImage, cells: (u16, u16), cell: (u16, u16)) -> RgbaImage {
    let side = |count: u16, pixels: u16| u32::from(count) * u32::from(pixels);
    let mut whole = RgbaImage::new(side(cells.0, cell.0), side(cells.1, cell.1));
    imageops::replace(&mut whole, picture, 0, 0);
    whole
}

#[cfg(test)]
mod tests {
    use image::Rgba;
    use ratatui_image::picker::Picker;

    use super::super::surroundings::Surroundings;
    use super::*;

    /// A terminal with the usual cell of 10 x 20 pixels.
    fn terminal(protocol: Protocol, kind: ratatui_image::picker::ProtocolType) -> Terminal {
        let mut picker = Picker::halfblocks();
        picker.set_protocol_type(kind);
        let mut terminal = Terminal::unasked(protocol, "", Surroundings::read());
        terminal.picker = Some(picker);
        terminal.multiplexed = false;
        terminal
    }

    #[test]
    fn a_picture_takes_whole_cells() {
        let picture = RgbaImage::from_pixel(95, 41, Rgba([1, 2, 3, 255]));
        for (protocol, kind) in [
            (Protocol::Kitty, ratatui_image::picker::ProtocolType::Kitty),
            (Protocol::Sixel, ratatui_image::picker::ProtocolType::Sixel),
            (
                Protocol::Iterm2,
                ratatui_image::picker::ProtocolType::Iterm2,
            ),
        ] {
            let encoded = encode(&terminal(protocol, kind), &picture).unwrap();
            assert_eq!(encoded.size(), (10, 3), "{protocol:?}");
            assert!(encoded.bytes > 0);
        }
    }

    #[test]
    fn padding_is_transparent_and_leaves_the_pixels_alone() {
        let picture = RgbaImage::from_pixel(3, 1, Rgba([1, 2, 3, 255]));
        let whole = padded(&picture, (2, 1), (2, 2));
        assert_eq!(whole.dimensions(), (4, 2));
        assert_eq!(whole.get_pixel(2, 0), &Rgba([1, 2, 3, 255]));
        assert_eq!(whole.get_pixel(3, 0), &Rgba([0; 4]));
        assert_eq!(whole.get_pixel(0, 1), &Rgba([0; 4]));
    }

    #[test]
    fn without_an_encoder_there_is_nothing() {
        let around = Surroundings::read();
        let terminal = Terminal::unasked(Protocol::Blocks, "", around);
        assert!(encode(&terminal, &RgbaImage::new(4, 4)).is_none());
    }
}
