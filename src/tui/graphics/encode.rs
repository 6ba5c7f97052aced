//! Encodes a finished picture in a pixel protocol.
//!
//! This takes milliseconds to half a second, so only the worker's thread and `show` do it.
//!
//! Over a connection, a picture is sent compressed and with fewer pixels, and the terminal scales
//! it up. Kitty then gets a PNG, because raw pixels take three times as many bytes even when
//! deflated. iTerm2 gets a JPEG.

use std::fmt::Write;
use std::num::NonZeroU16;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, RgbaImage, imageops};
use ratatui::buffer::{Buffer, CellDiffOption};
use ratatui::layout::Rect;

use super::placeholder;
use super::probe::{Protocol, Terminal};
use super::sixel::sixel;
use super::terminal_picture::TerminalPicture;

/// Longest sequence that tmux passes through, in bytes.
const TMUX_LIMIT: usize = 1_000_000;
/// Base64 characters per chunk of a kitty transmission.
const CHUNK: usize = 4096;
/// JPEG quality out of 100; at this quality, lines one pixel wide keep their colour.
const QUALITY: u8 = 80;

/// Encodes a picture at its exact size in pixels. Returns `None` if the terminal cannot show it.
pub(super) fn encode(terminal: &Terminal, picture: &RgbaImage) -> Option<TerminalPicture> {
    let cells = cells_of(picture.dimensions(), terminal.cell);
    let whole = padded(picture, cells, terminal.cell);
    let (width, height) = whole.dimensions();
    match terminal.protocol {
        Protocol::Kitty => {
            let format = format!("f=32,s={width},v={height}");
            kitty(terminal, &format, whole.as_raw(), cells)
        }
        Protocol::Iterm2 => {
            let png = png(whole.as_raw(), (width, height), ExtendedColorType::Rgba8)?;
            iterm2(terminal, &png, (width, height), cells)
        }
        Protocol::Sixel => {
            let data = sixel(&whole)?;
            in_first_cell(terminal, cells, |text, escape| {
                write!(text, "{escape}{data}{escape}\\")
            })
        }
        Protocol::Off | Protocol::Blocks => None,
    }
}

/// Encodes a picture in few bytes; the terminal scales it up to `shown` pixels. Terminals cannot
/// scale sixels, so sixel pictures need all those pixels.
pub(super) fn encode_compressed(
    terminal: &Terminal,
    picture: &RgbaImage,
    shown: (u32, u32),
) -> Option<TerminalPicture> {
    let cells = cells_of(shown, terminal.cell);
    match terminal.protocol {
        Protocol::Kitty => {
            // Rounding colours to steps of eight is hardly visible and halves the bytes.
            let coarse = |channel: u8| (channel & 0xF8) | (channel >> 5);
            let pixels: Vec<u8> = rgb(picture).map(coarse).collect();
            let png = png(&pixels, picture.dimensions(), ExtendedColorType::Rgb8)?;
            kitty(terminal, "f=100", &png, cells)
        }
        Protocol::Iterm2 => iterm2(terminal, &jpeg(picture)?, shown, cells),
        Protocol::Sixel => encode(terminal, picture),
        Protocol::Off | Protocol::Blocks => None,
    }
}

/// Returns a kitty picture: its transmission in chunks small enough for tmux, and the placeholders
/// that show it. `format` describes the encoding of the data.
///
/// Source: "Terminal graphics protocol", kitty's documentation.
fn kitty(
    terminal: &Terminal,
    format: &str,
    data: &[u8],
    (columns, rows): (u16, u16),
) -> Option<TerminalPicture> {
    let id = fresh_id();
    let wrap = Wrap::new(terminal.multiplexed);
    let payload = STANDARD.encode(data);
    let mut text = String::with_capacity(payload.len() + payload.len() / 100);
    let mut head = format!("i={id},a=T,U=1,t=d,{format},c={columns},r={rows},");
    let mut rest = payload.as_str();
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(rest.len().min(CHUNK));
        let more = u8::from(!after.is_empty());
        wrap.push(&mut text, |text, escape| {
            write!(text, "{escape}_Gq=2,{head}m={more};{chunk}{escape}\\")
        })?;
        head.clear();
        rest = after;
    }
    let cells = placeholder::cells(id, columns, rows);
    Some(TerminalPicture::of_protocol(text, cells))
}

/// Returns an iTerm2 picture from a file's bytes, scaled to `shown` pixels.
///
/// Source: "Images", iTerm2's documentation.
fn iterm2(
    terminal: &Terminal,
    file: &[u8],
    (width, height): (u32, u32),
    cells: (u16, u16),
) -> Option<TerminalPicture> {
    in_first_cell(terminal, cells, |text, escape| {
        write!(
            text,
            "{escape}]1337;File=inline=1;size={};width={width}px;height={height}px;\
             preserveAspectRatio=0;doNotMoveCursor=1:{}\x07",
            file.len(),
            STANDARD.encode(file)
        )
    })
}

/// Returns a picture whose first cell contains a sequence that clears all cells and then draws the
/// picture. Returns `None` if the sequence is too long for tmux.
fn in_first_cell(
    terminal: &Terminal,
    (columns, rows): (u16, u16),
    draw: impl FnOnce(&mut String, &str) -> std::fmt::Result,
) -> Option<TerminalPicture> {
    let mut sequence = String::new();
    Wrap::new(terminal.multiplexed).push(&mut sequence, |text, escape| {
        // With a single row, the cursor does not move down.
        let down = if rows > 1 {
            format!("{escape}[1B")
        } else {
            String::new()
        };
        for _ in 0..rows {
            write!(text, "{escape}[{columns}X{down}")?;
        }
        if rows > 1 {
            write!(text, "{escape}[{rows}A")?;
        }
        draw(text, escape)
    })?;
    if terminal.multiplexed && sequence.len() >= TMUX_LIMIT {
        return None;
    }
    let mut cells = Buffer::empty(Rect::new(0, 0, columns, rows));
    for cell in &mut cells.content {
        cell.set_diff_option(CellDiffOption::Skip);
    }
    let first = cells.content.first_mut()?;
    first.set_symbol(&sequence);
    first.set_diff_option(ONE_COLUMN);
    Some(TerminalPicture::of_protocol(String::new(), cells))
}

/// Forces a cell to count as one column wide, whatever its symbol contains.
pub(super) const ONE_COLUMN: CellDiffOption = CellDiffOption::ForcedWidth(NonZeroU16::MIN);

/// Start, escape character and end of an escape sequence, wrapped for tmux if needed.
pub(super) struct Wrap {
    pub(super) start: &'static str,
    pub(super) escape: &'static str,
    pub(super) end: &'static str,
}

impl Wrap {
    pub(super) const fn new(through_tmux: bool) -> Self {
        let (start, escape, end) = if through_tmux {
            ("\x1bPtmux;", "\x1b\x1b", "\x1b\\")
        } else {
            ("", "\x1b", "")
        };
        Self { start, escape, end }
    }

    fn push(
        &self,
        text: &mut String,
        inner: impl FnOnce(&mut String, &str) -> std::fmt::Result,
    ) -> Option<()> {
        text.push_str(self.start);
        inner(text, self.escape).ok()?;
        text.push_str(self.end);
        Some(())
    }
}

/// Returns a random picture id of 24 bits, which the cells' colour encodes.
fn fresh_id() -> u32 {
    use std::hash::{BuildHasher, RandomState};
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    // Use a random id, so that programs that share a terminal do not use the same id.
    let [a, b, c, ..] = RandomState::new().hash_one(next).to_le_bytes();
    u32::from_le_bytes([a, b, c, 0]).max(1)
}

fn png(pixels: &[u8], (width, height): (u32, u32), kind: ExtendedColorType) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let encoder =
        PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, FilterType::Adaptive);
    encoder.write_image(pixels, width, height, kind).ok()?;
    Some(bytes)
}

fn jpeg(picture: &RgbaImage) -> Option<Vec<u8>> {
    let pixels: Vec<u8> = rgb(picture).collect();
    let (width, height) = picture.dimensions();
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, QUALITY)
        .write_image(&pixels, width, height, ExtendedColorType::Rgb8)
        .ok()?;
    Some(bytes)
}

fn rgb(picture: &RgbaImage) -> impl Iterator<Item = u8> {
    picture.pixels().flat_map(|pixel| {
        let [red, green, blue, _] = pixel.0;
        [red, green, blue]
    })
}

/// Returns the columns and rows that cover a size in pixels.
pub(super) fn cells_of((width, height): (u32, u32), cell: (u16, u16)) -> (u16, u16) {
    let count = |pixels: u32, cell: u16| u16::try_from(pixels.div_ceil(u32::from(cell.max(1))));
    (
        count(width, cell.0).unwrap_or(u16::MAX),
        count(height, cell.1).unwrap_or(u16::MAX),
    )
}

/// Pads a picture with transparency to whole cells. Without padding, the terminal would scale it
/// again.
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

    fn colorful() -> RgbaImage {
        RgbaImage::from_fn(120, 90, |x, y| {
            Rgba([(x * y).to_le_bytes()[0], x.to_le_bytes()[0], 200, 255])
        })
    }

    /// Draws a picture twice, each time on a new screen. Returns the first cell of each.
    fn drawn_twice(drawn: &TerminalPicture) -> [String; 2] {
        [(); 2].map(|()| {
            let (width, height) = drawn.size();
            let mut screen = Buffer::empty(Rect::new(0, 0, width, height));
            drawn.draw((0, 0), &mut screen);
            screen[(0, 0)].symbol().to_owned()
        })
    }

    /// Joins and decodes the chunks of a kitty transmission, as a terminal does.
    fn payload(transmission: &str) -> Vec<u8> {
        let chunks = transmission.split("\x1b\\");
        let text: String = chunks
            .filter_map(|chunk| chunk.split_once(';'))
            .map(|(_, data)| data)
            .collect();
        STANDARD.decode(text).unwrap()
    }

    #[test]
    fn a_picture_takes_whole_cells() {
        let picture = RgbaImage::from_pixel(95, 41, Rgba([1, 2, 3, 255]));
        for protocol in PIXEL_PROTOCOLS {
            let drawn = encode(&terminal(protocol), &picture).unwrap();
            assert_eq!(drawn.size(), (10, 3), "{protocol:?}");
            assert!(drawn.bytes() > 0);
        }
        assert!(encode(&terminal(Protocol::Blocks), &picture).is_none());
    }

    #[test]
    fn only_kitty_transmits_once() {
        let picture = RgbaImage::from_pixel(20, 20, Rgba([1, 2, 3, 255]));
        for protocol in PIXEL_PROTOCOLS {
            for drawn in [
                encode(&terminal(protocol), &picture).unwrap(),
                encode_compressed(&terminal(protocol), &picture, (20, 20)).unwrap(),
            ] {
                let [first, again] = drawn_twice(&drawn);
                assert!(first.contains('\x1b'));
                assert_eq!(again.contains('\x1b'), protocol != Protocol::Kitty);
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
    fn kitty_gets_every_pixel_in_chunks() {
        let [text, _] = drawn_twice(&encode(&terminal(Protocol::Kitty), &colorful()).unwrap());
        let whole = padded(&colorful(), (12, 5), (10, 20));
        assert_eq!(payload(&text), whole.into_raw());
        assert!(text.contains("a=T,U=1,t=d,f=32,s=120,v=100,c=12,r=5,m=1;"));
        assert_eq!(
            (text.matches("m=0;").count(), text.matches("U=1").count()),
            (1, 1)
        );
    }

    #[test]
    fn kitty_gets_a_coarse_png_over_a_connection() {
        let kitty = terminal(Protocol::Kitty);
        let [text, _] = drawn_twice(&encode_compressed(&kitty, &colorful(), (120, 90)).unwrap());
        let shown = image::load_from_memory(&payload(&text))
            .unwrap()
            .into_rgba8();
        assert_eq!(shown.dimensions(), (120, 90));
        let pairs = shown.iter().zip(colorful().into_raw());
        let apart = pairs.map(|(one, other)| one.abs_diff(other)).max();
        assert!(apart <= Some(7), "{apart:?}");
        assert!(text.contains("t=d,f=100,c=12,r=5,m=1;"));
    }

    #[test]
    fn tmux_passes_every_chunk_on() {
        let mut terminal = terminal(Protocol::Kitty);
        terminal.multiplexed = true;
        let [text, _] = drawn_twice(&encode(&terminal, &colorful()).unwrap());
        assert!(text.starts_with("\x1bPtmux;\x1b\x1b_Gq=2,i="));
        let chunks = text.matches("m=1;").count() + 1;
        assert_eq!(text.matches("\x1bPtmux;").count(), chunks);
        assert_eq!(text.matches("\x1b\x1b\\\x1b\\").count(), chunks);
    }

    #[test]
    fn iterm2_gets_a_file_and_the_size_to_show() {
        let iterm2 = terminal(Protocol::Iterm2);
        for (drawn, size, pixels) in [
            (
                encode_compressed(&iterm2, &colorful(), (240, 180)),
                "width=240px;height=180px",
                (120, 90),
            ),
            (
                encode(&iterm2, &colorful()),
                "width=120px;height=100px",
                (120, 100),
            ),
        ] {
            let [text, _] = drawn_twice(&drawn.unwrap());
            assert!(text.contains(size));
            let (_, data) = text.split_once(':').unwrap();
            let bytes = STANDARD.decode(data.trim_end_matches('\x07')).unwrap();
            let shown = image::load_from_memory(&bytes).unwrap();
            assert_eq!((shown.width(), shown.height()), pixels);
        }
    }

    #[test]
    fn a_sequence_clears_its_cells_and_returns() {
        let picture = RgbaImage::from_pixel(20, 40, Rgba([1, 2, 3, 255]));
        let [text, _] = drawn_twice(&encode(&terminal(Protocol::Sixel), &picture).unwrap());
        assert!(
            text.starts_with("\x1b[2X\x1b[1B\x1b[2X\x1b[1B\x1b[2A\x1bP"),
            "{text:?}"
        );
        assert!(text.ends_with("\x1b\\"));
    }

    #[test]
    fn ids_do_not_repeat_soon() {
        let many: std::collections::HashSet<u32> = (0..1000).map(|_| fresh_id()).collect();
        assert!(many.len() > 990 && many.iter().all(|id| *id < 1 << 24));
    }
}
