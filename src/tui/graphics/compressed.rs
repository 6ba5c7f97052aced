//! Compresses pictures for remote connections.
//!
//! The terminal scales a picture up, so fewer pixels blur it but do not shrink it. Kitty gets a
//! PNG, because raw pixels take three times as many bytes even when deflated. iTerm2 gets a
//! JPEG. The cells of a kitty picture come from `ratatui-image`.

use std::fmt::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ExtendedColorType, ImageEncoder, RgbaImage};
use ratatui::layout::Size;
use ratatui_image::protocol::Protocol as Sequence;
use ratatui_image::protocol::iterm2::Iterm2;
use ratatui_image::protocol::kitty::Kitty;

use super::probe::Terminal;

/// Base64 characters per chunk of a kitty transmission.
const PIECE: usize = 4096;
/// JPEG quality out of 100, high enough that lines one pixel wide keep their colour.
const QUALITY: u8 = 80;

/// Returns a kitty transmission for a picture of the given columns and rows, and the cells that
/// show it.
pub(super) fn kitty(
    terminal: &Terminal,
    picture: &RgbaImage,
    (columns, rows): (u16, u16),
) -> Option<(String, Sequence)> {
    let id = fresh_id();
    let wrap = Wrap::new(terminal.multiplexed);
    let payload = STANDARD.encode(png(picture)?);
    let mut text = String::with_capacity(payload.len() + payload.len() / 100);
    let mut head = format!("i={id},a=T,U=1,f=100,t=d,c={columns},r={rows},");
    let mut rest = payload.as_str();
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.len().min(PIECE));
        let more = u8::from(!after.is_empty());
        wrap.push(&mut text, |text, escape| {
            write!(text, "{escape}_Gq=2,{head}m={more};{piece}{escape}\\")
        })?;
        head.clear();
        rest = after;
    }
    // The crate places the picture by its id. Its own one-pixel transmission is not used.
    let cells = Kitty::new(
        DynamicImage::new_rgba8(1, 1),
        Size::new(columns, rows),
        id,
        false,
        false,
        false,
    );
    Some((text, Sequence::Kitty(cells.ok()?)))
}

/// Returns the iTerm2 sequence for a picture that is scaled to `shown` pixels on the given
/// columns and rows.
pub(super) fn iterm2(
    terminal: &Terminal,
    picture: &RgbaImage,
    shown: (u32, u32),
    (columns, rows): (u16, u16),
) -> Option<Sequence> {
    let jpeg = jpeg(picture)?;
    let mut data = String::new();
    Wrap::new(terminal.multiplexed).push(&mut data, |data, escape| {
        for _ in 0..rows {
            write!(data, "{escape}[{columns}X{escape}[1B")?;
        }
        write!(
            data,
            "{escape}[{rows}A{escape}]1337;File=inline=1;size={};width={}px;height={}px;preserveAspectRatio=0;\
             doNotMoveCursor=1:{}\x07",
            jpeg.len(),
            shown.0,
            shown.1,
            STANDARD.encode(&jpeg)
        )
    })?;
    Some(Sequence::ITerm2(Iterm2 {
        data,
        size: Size::new(columns, rows),
        is_tmux: terminal.multiplexed,
    }))
}

/// Start, escape character and end of a sequence, wrapped for tmux if needed.
struct Wrap {
    start: &'static str,
    escape: &'static str,
    end: &'static str,
}

impl Wrap {
    const fn new(through_tmux: bool) -> Self {
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

/// Returns a random picture id. The cells' colour encodes its low 24 bits.
fn fresh_id() -> u32 {
    use std::hash::{BuildHasher, RandomState};
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    // Random, so that programs that share a terminal do not collide.
    let [a, b, c, d, ..] = RandomState::new().hash_one(next).to_le_bytes();
    u32::from_le_bytes([a, b, c, d]).max(1)
}

/// Encodes a PNG. Colours are quantised in steps of eight, which is hardly visible and halves
/// the bytes.
fn png(picture: &RgbaImage) -> Option<Vec<u8>> {
    let coarse = |channel: u8| (channel & 0xF8) | (channel >> 5);
    let pixels: Vec<u8> = rgb(picture).map(coarse).collect();
    let mut bytes = Vec::new();
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, FilterType::Adaptive)
        .write_image(
            &pixels,
            picture.width(),
            picture.height(),
            ExtendedColorType::Rgb8,
        )
        .ok()?;
    Some(bytes)
}

fn jpeg(picture: &RgbaImage) -> Option<Vec<u8>> {
    let pixels: Vec<u8> = rgb(picture).collect();
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, QUALITY)
        .write_image(
            &pixels,
            picture.width(),
            picture.height(),
            ExtendedColorType::Rgb8,
        )
        .ok()?;
    Some(bytes)
}

fn rgb(picture: &RgbaImage) -> impl Iterator<Item = u8> {
    picture.pixels().flat_map(|pixel| {
        let [red, green, blue, _] = pixel.0;
        [red, green, blue]
    })
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::super::probe::Protocol;
    use super::super::testing::terminal;
    use super::*;

    fn picture() -> RgbaImage {
        RgbaImage::from_fn(120, 90, |x, y| {
            Rgba([(x * y).to_le_bytes()[0], x.to_le_bytes()[0], 200, 255])
        })
    }

    /// Joins and decodes the chunks of a transmission, as a terminal does.
    fn payload(transmission: &str) -> Vec<u8> {
        let pieces = transmission
            .split("\x1b\\")
            .filter(|piece| !piece.is_empty());
        let text: String = pieces
            .map(|piece| piece.split_once(';').unwrap().1)
            .collect();
        STANDARD.decode(text).unwrap()
    }

    #[test]
    fn kitty_gets_the_picture_in_pieces() {
        let (text, _) = kitty(&terminal(Protocol::Kitty), &picture(), (12, 5)).unwrap();
        let shown = image::load_from_memory(&payload(&text))
            .unwrap()
            .into_rgba8();
        assert_eq!(shown.dimensions(), (120, 90));
        let apart = shown
            .iter()
            .zip(picture().iter())
            .map(|(one, other)| one.abs_diff(*other))
            .max();
        assert!(apart <= Some(7), "{apart:?}");
        assert!(text.contains("U=1,f=100,t=d,c=12,r=5,m=1;"));
        assert_eq!(text.matches("m=0;").count(), 1);
        assert_eq!(text.matches("U=1").count(), 1);
    }

    #[test]
    fn tmux_passes_every_piece_on() {
        let mut terminal = terminal(Protocol::Kitty);
        terminal.multiplexed = true;
        let (text, _) = kitty(&terminal, &picture(), (12, 5)).unwrap();
        assert!(text.starts_with("\x1bPtmux;\x1b\x1b_Gq=2,i="));
        assert_eq!(
            text.matches("\x1bPtmux;").count(),
            text.matches("m=1;").count() + 1
        );
        assert!(text.ends_with("\x1b\x1b\\\x1b\\"));
    }

    #[test]
    fn iterm2_gets_a_jpeg_and_the_size_to_show() {
        let terminal = terminal(Protocol::Iterm2);
        let shown = iterm2(&terminal, &picture(), (240, 180), (24, 9));
        let Some(Sequence::ITerm2(shown)) = shown else {
            panic!("no sequence")
        };
        assert!(shown.data.contains("width=240px;height=180px"));
        let (_, data) = shown.data.split_once(':').unwrap();
        let bytes = STANDARD.decode(data.trim_end_matches('\x07')).unwrap();
        let shown = image::load_from_memory(&bytes).unwrap();
        assert_eq!((shown.width(), shown.height()), (120, 90));
    }

    #[test]
    fn numbers_do_not_repeat_soon() {
        let many: std::collections::HashSet<u32> = (0..1000).map(|_| fresh_id()).collect();
        assert!(many.len() > 998);
    }
}
