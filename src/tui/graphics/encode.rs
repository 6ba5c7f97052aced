//! Encodes a finished picture in a pixel protocol.
//!
//! Takes milliseconds to half a second, so only the worker's thread and `show` call it.

use image::{DynamicImage, RgbaImage, imageops};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::widgets::Widget;
use ratatui_image::protocol::Protocol as Sequence;
use ratatui_image::{Image, Resize};

use super::compressed;
use super::probe::{Protocol, Terminal};
use super::terminal_picture::TerminalPicture;

/// Longest sequence that tmux passes through, in bytes.
const TMUX_LIMIT: usize = 1_000_000;

/// Encodes a picture at its exact size in pixels. Returns `None` if the terminal cannot show it.
pub(super) fn encode(terminal: &Terminal, picture: &RgbaImage) -> Option<TerminalPicture> {
    let picker = terminal.picker.as_ref()?;
    let (columns, rows) = cells_of(picture.dimensions(), terminal.cell);
    let whole = padded(picture, (columns, rows), terminal.cell);
    let picture = DynamicImage::ImageRgba8(whole);
    let size = Size::new(columns, rows);
    let sequence = picker.new_protocol(picture, size, Resize::Fit(None)).ok()?;
    passable(terminal, of_sequence(&sequence))
}

/// Encodes a picture in few bytes; the terminal scales it up to `shown` pixels. Sixel cannot be
/// scaled up, so it needs all those pixels.
pub(super) fn encode_compressed(
    terminal: &Terminal,
    picture: &RgbaImage,
    shown: (u32, u32),
) -> Option<TerminalPicture> {
    let (columns, rows) = cells_of(shown, terminal.cell);
    let drawn = match terminal.protocol {
        Protocol::Kitty => {
            let (transmission, sequence) = compressed::kitty(terminal, picture, (columns, rows))?;
            // The first rendering includes the crate's own transmission, which is not sent.
            drop(rendered(&sequence));
            TerminalPicture::of_protocol(transmission, rendered(&sequence))
        }
        Protocol::Iterm2 => of_sequence(&compressed::iterm2(
            terminal,
            picture,
            shown,
            (columns, rows),
        )?),
        Protocol::Sixel => return encode(terminal, picture),
        Protocol::Off | Protocol::Blocks => return None,
    };
    passable(terminal, drawn)
}

/// Returns `None` if the sequence is too long for tmux. Kitty's transmission is sent in small
/// chunks, so it always passes.
fn passable(terminal: &Terminal, drawn: TerminalPicture) -> Option<TerminalPicture> {
    let passes = !terminal.multiplexed
        || terminal.protocol == Protocol::Kitty
        || drawn.first_symbol().len() < TMUX_LIMIT;
    passes.then_some(drawn)
}

/// Splits a sequence into its cells and the transmission that is sent only once.
fn of_sequence(sequence: &Sequence) -> TerminalPicture {
    let first = rendered(sequence);
    let again = rendered(sequence);
    let symbol = |cells: &Buffer| {
        let first = cells.content.first();
        first.map_or_else(String::new, |cell| cell.symbol().to_owned())
    };
    let transmission = symbol(&first);
    let transmission = transmission.strip_suffix(&symbol(&again));
    TerminalPicture::of_protocol(transmission.unwrap_or_default().to_owned(), again)
}

fn rendered(sequence: &Sequence) -> Buffer {
    let size = sequence.size();
    let area = Rect::new(0, 0, size.width, size.height);
    let mut cells = Buffer::empty(area);
    Image::new(sequence).render(area, &mut cells);
    cells
}

/// Returns the columns and rows that cover a size in pixels.
pub(super) fn cells_of((width, height): (u32, u32), cell: (u16, u16)) -> (u16, u16) {
    let count = |pixels: u32, cell: u16| u16::try_from(pixels.div_ceil(u32::from(cell.max(1))));
    (
        count(width, cell.0).unwrap_or(u16::MAX),
        count(height, cell.1).unwrap_or(u16::MAX),
    )
}

/// Pads with transparency to whole cells. Without padding the terminal or the crate would scale
/// the picture again.
fn padded(picture: &RgbaImage, cells: (u16, u16), cell: (u16, u16)) -> RgbaImage {
    let side = |count: u16, pixels: u16| u32::from(count) * u32::from(pixels);
    let mut whole = RgbaImage::new(side(cells.0, cell.0), side(cells.1, cell.1));
    imageops::replace(&mut whole, picture, 0, 0);
    whole
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;
    use crate::graphics::testing::{PIXEL_PROTOCOLS, terminal};

    #[test]
    fn a_picture_takes_whole_cells() {
        let picture = RgbaImage::from_pixel(95, 41, Rgba([1, 2, 3, 255]));
        for protocol in PIXEL_PROTOCOLS {
            let drawn = encode(&terminal(protocol), &picture).unwrap();
            assert_eq!(drawn.size(), (10, 3), "{protocol:?}");
            assert!(drawn.bytes() > 0);
        }
    }

    #[test]
    fn only_kitty_transmits_once() {
        let picture = RgbaImage::from_pixel(20, 20, Rgba([1, 2, 3, 255]));
        for protocol in PIXEL_PROTOCOLS {
            for drawn in [
                encode(&terminal(protocol), &picture).unwrap(),
                encode_compressed(&terminal(protocol), &picture, (20, 20)).unwrap(),
            ] {
                let mut screen = Buffer::empty(Rect::new(0, 0, 9, 9));
                drawn.draw((0, 0), &mut screen);
                assert!(screen[(0, 0)].symbol().contains('\x1b'));
                screen.reset();
                drawn.draw((0, 0), &mut screen);
                let again = screen[(0, 0)].symbol().contains('\x1b');
                assert_eq!(again, protocol != Protocol::Kitty, "{protocol:?}");
            }
        }
    }

    #[test]
    fn few_pixels_can_appear_large() {
        let picture = RgbaImage::from_pixel(10, 10, Rgba([1, 2, 3, 255]));
        for protocol in [Protocol::Kitty, Protocol::Iterm2] {
            let drawn = encode_compressed(&terminal(protocol), &picture, (200, 200)).unwrap();
            assert_eq!(drawn.size(), (20, 10));
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
        let mut asked = terminal(Protocol::Kitty);
        asked.picker = None;
        assert!(encode(&asked, &RgbaImage::new(4, 4)).is_none());
    }
}
