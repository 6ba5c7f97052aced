//! Frames of animated GIF and WebP files: their times, which are read from the headers, and their
//! pixels.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Cursor;
use std::sync::{Mutex, PoisonError};

use base::limits::Limit;
use image::codecs::gif::GifDecoder;
use image::codecs::webp::WebPDecoder;
use image::error::ImageError;
use image::{AnimationDecoder as _, Frames, ImageDecoder as _, ImageFormat};

use super::decode::{explain, stored_size};
use super::missing::MissingPicture;

/// Maximum number of listed frames; longer animations are sampled at equal distances.
const MOST: usize = 16;
/// Maximum number of pixels decoded for a frame, including all earlier frames. Without this limit,
/// decoding a small file could take very long.
const WORK: u64 = 1 << 30;
/// Delay in milliseconds that browsers use instead of a delay of 10 ms or less.
const USUAL: u32 = 100;

/// A frame of an animation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameTime {
    /// Number of the frame, from 0.
    pub at: u32,
    /// Time at which the frame appears, in milliseconds from the start.
    pub ms: u32,
}

/// Returns the frames of an animated GIF or WebP file, without decoding pixels. Stops where the
/// headers cannot be read. Empty for a still picture and for other formats.
pub fn frame_times(bytes: &[u8]) -> Vec<FrameTime> {
    let delays = match image::guess_format(bytes) {
        Ok(ImageFormat::Gif) => gif_delays(bytes),
        Ok(ImageFormat::WebP) => webp_delays(bytes),
        _ => Vec::new(),
    };
    if delays.len() < 2 {
        return Vec::new();
    }
    let mut ms = 0_u32;
    let times = (0..).zip(&delays).map(|(at, delay)| {
        let time = FrameTime { at, ms };
        ms = ms.saturating_add(if *delay <= 10 { USUAL } else { *delay });
        time
    });
    let times: Vec<FrameTime> = times.collect();
    let count = times.len().min(MOST);
    let place = |at: usize| times.get(at * times.len() / count).copied();
    (0..count).filter_map(place).collect()
}

/// Returns the delay of each frame in milliseconds.
///
/// Source: `GIF89a` specification, sections 18 to 23.
fn gif_delays(bytes: &[u8]) -> Vec<u32> {
    let table = |flags: u8| match flags & 0x80 {
        0 => 0,
        _ => 3 << ((flags & 7) + 1),
    };
    let (mut delays, mut delay) = (Vec::new(), 0);
    let mut at = 13 + bytes.get(10).map_or(0, |flags| table(*flags));
    loop {
        match (bytes.get(at), bytes.get(at + 1)) {
            (Some(0x21), Some(label)) => {
                if let (0xf9, Some([low, high])) = (*label, bytes.get(at + 4..at + 6)) {
                    delay = u32::from(u16::from_le_bytes([*low, *high])) * 10;
                }
                at += 2;
            }
            (Some(0x2c), Some(_)) => {
                delays.push(std::mem::take(&mut delay));
                // Skip the image descriptor, the colour table and the code size.
                at += 11 + bytes.get(at + 9).map_or(0, |flags| table(*flags));
            }
            _ => return delays,
        }
        // Data blocks, each preceded by its length. An empty block is the last.
        loop {
            let length = bytes.get(at).map_or(0, |length| usize::from(*length));
            at += 1 + length;
            if length == 0 {
                break;
            }
        }
    }
}

/// Returns the delay of each frame in milliseconds.
///
/// Source: WebP container specification, chunk ANMF.
fn webp_delays(bytes: &[u8]) -> Vec<u32> {
    let (mut delays, mut at) = (Vec::new(), 12_usize);
    while let Some([a, b, c, d, e, f, g, h]) = bytes.get(at..at.saturating_add(8)) {
        let length = u32::from_le_bytes([*e, *f, *g, *h]) as usize;
        if [*a, *b, *c, *d] == *b"ANMF" {
            let Some([low, middle, high]) = bytes.get(at + 20..at + 23) else {
                break;
            };
            delays.push(u32::from_le_bytes([*low, *middle, *high, 0]));
        }
        // Chunks have an even length.
        at = at.saturating_add(8 + length + length % 2);
    }
    delays
}

/// Returns a frame of an animation as a PNG file.
///
/// # Errors
/// The file is too large or broken, does not have the frame, or has too many frames before it.
pub(super) fn frame(bytes: &[u8], at: u32, name: &str) -> Result<Vec<u8>, MissingPicture> {
    static LAST: Mutex<DecodedFrames> = Mutex::new(DecodedFrames::new());
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    last.frame(bytes, at, name)
}

/// Frames of the most recently decoded animation, as PNG files.
///
/// To decode a frame, all earlier frames must be decoded. Without this cache, stepping through an
/// animation would decode it once per frame.
struct DecodedFrames {
    /// Hash of the file.
    file_hash: Option<u64>,
    frames: BTreeMap<u32, Vec<u8>>,
    /// Number of frames that were decoded.
    decoded: u64,
}

impl DecodedFrames {
    const fn new() -> Self {
        Self {
            file_hash: None,
            frames: BTreeMap::new(),
            decoded: 0,
        }
    }

    fn frame(&mut self, bytes: &[u8], at: u32, name: &str) -> Result<Vec<u8>, MissingPicture> {
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let file_hash = Some(hasher.finish());
        if self.file_hash != file_hash {
            *self = Self {
                file_hash,
                ..Self::new()
            };
        }
        if let Some(png) = self.frames.get(&at) {
            return Ok(png.clone());
        }
        let ((width, height), _) = stored_size(bytes, name)?;
        let work = u64::from(width) * u64::from(height);
        let is_allowed = |at: u32| work.saturating_mul(u64::from(at) + 1) <= WORK;
        if !is_allowed(at) {
            return Err(MissingPicture::TooLarge {
                name: name.to_owned(),
                size: format!("{at} frames of {width} x {height} pixels must be decoded first"),
            });
        }
        // For a first request, decode only that frame. A second request is probably part of a walk
        // through all frames.
        let mut wanted = BTreeSet::from([at]);
        if !self.frames.is_empty() && !self.is_full() {
            let listed = frame_times(bytes).into_iter().map(|time| time.at);
            wanted.extend(listed.filter(|at| is_allowed(*at)));
        }
        let end = self.decode(bytes, &wanted, at);
        match (self.frames.get(&at), end) {
            (Some(png), _) => Ok(png.clone()),
            (None, Err(error)) => Err(explain(&error, name)),
            (None, Ok(())) => Err(MissingPicture::Broken {
                name: name.to_owned(),
                why: "the animation ends before this frame".to_owned(),
            }),
        }
    }

    /// Returns true if there is no memory left for further frames.
    fn is_full(&self) -> bool {
        let sizes = self.frames.values().map(|png| png.len() as u64);
        sizes.sum::<u64>() > Limit::Picture.get()
    }

    /// Decodes all frames up to the last wanted frame. Stores the requested frame, and other wanted
    /// frames as long as there is memory.
    fn decode(
        &mut self,
        bytes: &[u8],
        wanted: &BTreeSet<u32>,
        asked: u32,
    ) -> Result<(), ImageError> {
        let last = wanted.last().copied().unwrap_or_default();
        for (at, frame) in (0..=last).zip(frames(bytes)?) {
            let frame = frame?;
            self.decoded += 1;
            if wanted.contains(&at) && (at == asked || !self.is_full()) {
                let mut png = Cursor::new(Vec::new());
                frame.into_buffer().write_to(&mut png, ImageFormat::Png)?;
                self.frames.insert(at, png.into_inner());
            }
        }
        Ok(())
    }
}

fn frames(bytes: &[u8]) -> Result<Frames<'_>, ImageError> {
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(Limit::PictureDecoded.get());
    Ok(if image::guess_format(bytes)? == ImageFormat::Gif {
        let mut decoder = GifDecoder::new(Cursor::new(bytes))?;
        decoder.set_limits(limits)?;
        decoder.into_frames()
    } else {
        let mut decoder = WebPDecoder::new(Cursor::new(bytes))?;
        decoder.set_limits(limits)?;
        decoder.into_frames()
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use base64::Engine as _;
    use image::codecs::gif::GifEncoder;
    use image::{Delay, Frame, Rgba, RgbaImage};

    use super::*;
    use crate::{OpenedPicture, Source, decode};

    /// A GIF of grey frames with levels 0, 40, 80 and so on. Each frame has one of these delays in
    /// milliseconds.
    fn gif(delays: &[u32]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = GifEncoder::new(&mut bytes);
        for (shade, delay) in (0_u8..).zip(delays) {
            let pixels = RgbaImage::from_pixel(6, 4, grey(shade));
            let delay = Delay::from_numer_denom_ms(*delay, 1);
            let frame = Frame::from_parts(pixels, 0, 0, delay);
            encoder.encode_frame(frame).unwrap();
        }
        drop(encoder);
        bytes
    }

    fn grey(shade: u8) -> Rgba<u8> {
        let value = (shade % 6) * 40;
        Rgba([value, value, value, 255])
    }

    /// Returns a chunk of a WebP file.
    fn chunk(name: &[u8], content: &[u8]) -> Vec<u8> {
        let length = u32::try_from(content.len()).unwrap().to_le_bytes();
        let pad = vec![0; content.len() % 2];
        [name, &length, content, &pad].concat()
    }

    /// An animated WebP of grey, lossless frames.
    fn webp(delays: &[u32]) -> Vec<u8> {
        let mut chunks = chunk(b"VP8X", &[2, 0, 0, 0, 5, 0, 0, 3, 0, 0]);
        chunks.extend(chunk(b"ANIM", &[0; 6]));
        for (shade, delay) in (0_u8..).zip(delays) {
            let pixels = RgbaImage::from_pixel(6, 4, grey(shade));
            let mut still = Cursor::new(Vec::new());
            pixels.write_to(&mut still, ImageFormat::WebP).unwrap();
            let still = still.into_inner();
            let [low, middle, high, _] = delay.to_le_bytes();
            let head = [0, 0, 0, 0, 0, 0, 5, 0, 0, 3, 0, 0, low, middle, high, 0];
            // The chunk of the pixels follows the file's own head.
            chunks.extend(chunk(b"ANMF", &[&head[..], &still[12..]].concat()));
        }
        let length = u32::try_from(chunks.len() + 4).unwrap().to_le_bytes();
        [b"RIFF", &length[..], b"WEBP", &chunks].concat()
    }

    #[test]
    fn frames_have_the_times_of_their_delays() {
        let times = |bytes: &[u8]| -> Vec<(u32, u32)> {
            let times = frame_times(bytes).into_iter();
            times.map(|time| (time.at, time.ms)).collect()
        };
        let expected = [(0, 0), (1, 500), (2, 600)];
        for file in [gif(&[500, 0, 250]), webp(&[500, 0, 250])] {
            assert_eq!(times(&file), expected);
            // A truncated file has only the frames that begin before its end.
            assert!(times(&file[..file.len() / 2]).len() < 3);
        }
        for still in [gif(&[500]), webp(&[500]), b"GIF89a".to_vec(), Vec::new()] {
            assert_eq!(times(&still), []);
        }
        let many = times(&gif(&[20; 130]));
        // 130 / 16 is 8.1; each frame takes 20 ms.
        assert_eq!((many.len(), many[1], many[15]), (16, (8, 160), (121, 2420)));
    }

    #[test]
    fn a_frame_is_decoded_by_its_number() {
        for (file, ms) in [(gif(&[100; 4]), 200), (webp(&[100; 4]), 200)] {
            let moving = Source::Inline(base64::engine::general_purpose::STANDARD.encode(&file));
            let (sent, how) = OpenedPicture::new(&moving)
                .unwrap()
                .encoded(&[], false)
                .unwrap();
            assert_eq!(
                decode(&sent.bytes, "a").unwrap().pixels.get_pixel(3, 2),
                &grey(0)
            );
            assert_eq!(how.words().unwrap(), "PNG of the first frame");
            let whole = base64::engine::general_purpose::STANDARD.encode(file);
            let of = Arc::new(Source::Inline(whole));
            let frame = |at| {
                let of = Arc::clone(&of);
                let source = Source::Frame { of, at, ms };
                let png = source.read()?;
                Ok::<_, MissingPicture>(*decode(&png, "a")?.pixels.get_pixel(3, 2))
            };
            assert_eq!(frame(0).unwrap(), grey(0));
            let [red, ..] = frame(2).unwrap().0;
            assert!(red.abs_diff(80) <= 4, "{red}");
            let error = frame(4).unwrap_err().to_string();
            assert!(
                error.starts_with("frame 5 of inline picture cannot"),
                "{error}"
            );
            // Each frame has 24 pixels.
            let error = frame(44_739_242).unwrap_err().to_string();
            assert!(
                error.ends_with("44739242 frames of 6 x 4 pixels must be decoded first"),
                "{error}"
            );
        }
    }

    #[test]
    fn a_walk_through_an_animation_decodes_it_once_more_only() {
        for file in [gif(&[100; 40]), webp(&[100; 40])] {
            let mut decoded = DecodedFrames::new();
            let walk: Vec<u32> = frame_times(&file).iter().map(|time| time.at).collect();
            assert_eq!(walk.len(), MOST);
            let pngs: Vec<Vec<u8>> = walk
                .iter()
                .map(|at| decoded.frame(&file, *at, "a").unwrap())
                .collect();
            // First the requested frame alone, then all frames up to the last one.
            let last = u64::from(*walk.last().unwrap());
            assert_eq!(decoded.decoded, 1 + last + 1);
            for (at, png) in walk.into_iter().zip(pngs).rev() {
                let alone = DecodedFrames::new().frame(&file, at, "a").unwrap();
                assert!(alone == png, "frame {at}");
            }
            // Another file replaces this file in the cache.
            decoded.frame(&gif(&[50; 3]), 1, "b").unwrap();
            assert_eq!(decoded.decoded, 2);
        }
    }
}
