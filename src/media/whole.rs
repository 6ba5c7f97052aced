//! Whether a picture's file ends where its format says.
//!
//! Decoders pass over a missing end: of a JPEG that is cut, the rest is grey and nothing is said. So the marks that
//! end the two formats which pictures are mostly stored in are looked for. What follows after them is not looked at.

use image::ImageFormat;

/// What is wrong with the end of a file that could be decoded.
pub(super) fn damage(format: ImageFormat, bytes: &[u8]) -> Option<String> {
    let ends = match format {
        ImageFormat::Jpeg => jpeg_ends(bytes),
        ImageFormat::Png => png_ends(bytes),
        _ => Some(()),
    };
    match ends {
        Some(()) => None,
        None => Some("the file is cut off".to_owned()),
    }
}

/// `Some` if a JPEG comes to its end mark (EOI). Segments before the scans are passed by their lengths, so that the
/// end of a thumbnail in them does not count.
fn jpeg_ends(bytes: &[u8]) -> Option<()> {
    let mut rest = bytes.get(2..)?;
    loop {
        // Between segments stand any bytes up to a mark, and any number of 0xFF before its code.
        let mark = rest.iter().position(|byte| *byte == 0xFF)?;
        rest = rest.get(mark..)?;
        let code_at = rest.iter().position(|byte| *byte != 0xFF)?;
        let code = *rest.get(code_at)?;
        rest = rest.get(code_at + 1..)?;
        match code {
            0xD9 => return Some(()),
            // A byte 0xFF of a scan, restart marks, and marks without a segment.
            0x00 | 0x01 | 0xD0..=0xD8 => {}
            _ => {
                let [high, low] = *rest.first_chunk()?;
                rest = rest.get(usize::from(u16::from_be_bytes([high, low])).max(2)..)?;
            }
        }
    }
}

/// `Some` if a PNG comes to its last chunk (IEND).
fn png_ends(bytes: &[u8]) -> Option<()> {
    let mut rest = bytes.get(8..)?;
    loop {
        let (kind, _, after) = chunk(rest)?;
        if kind == b"IEND" {
            return Some(());
        }
        rest = after;
    }
}

/// Returns true if a file is a PNG that comes to its end, and the checksum of each of its chunks holds: its pixels are
/// those that were written, and need not be decoded to know it.
pub(super) fn is_whole_png(bytes: &[u8]) -> bool {
    let Some(mut rest) = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n") else {
        return false;
    };
    let mut has_pixels = false;
    while let Some((kind, checked, after)) = chunk(rest) {
        let sum = rest.get(4 + checked..).and_then(|sum| sum.first_chunk());
        let told = sum.map(|sum| u32::from_be_bytes(*sum));
        let found = rest.get(4..4 + checked).map(crc32fast::hash);
        if found.is_none() || found != told {
            return false;
        }
        has_pixels |= kind == b"IDAT";
        if kind == b"IEND" {
            return has_pixels;
        }
        rest = after;
    }
    false
}

/// The first chunk of a PNG after its signature: its kind, the bytes of kind and data that its checksum is of, and what
/// follows it.
fn chunk(rest: &[u8]) -> Option<(&[u8; 4], usize, &[u8])> {
    let length = usize::try_from(u32::from_be_bytes(*rest.first_chunk()?)).ok()?;
    let kind = rest.get(4..)?.first_chunk()?;
    // Length and kind before the data, the checksum after them.
    let after = rest.get(length.checked_add(12)?..)?;
    Some((kind, length + 4, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jpeg_ends_at_its_own_mark_and_not_at_that_of_a_thumbnail() {
        let head = b"\xff\xd8\xff\xe1\x00\x08\xff\xd8\xff\xd9..";
        let scan = b"\xff\xda\x00\x02a\xff\x00b\xff\xd0c";
        let mut file = [head.as_slice(), scan].concat();
        assert_eq!(jpeg_ends(&file), None);
        file.extend(b"\xff\xff\xd9");
        assert_eq!(jpeg_ends(&file), Some(()));
        for cut in 0..file.len() {
            assert_eq!(jpeg_ends(&file[..cut]), None, "{cut}");
        }
        file.extend(b"more");
        assert_eq!(jpeg_ends(&file), Some(()));
    }

    #[test]
    fn a_chunk_longer_than_the_file_is_no_end() {
        let mut file = b"\x89PNG\r\n\x1a\n\xff\xff\xff\xffIDAT".to_vec();
        assert_eq!(png_ends(&file), None);
        file.truncate(8);
        file.extend(b"\0\0\0\0IEND\xae\x42\x60\x82");
        assert_eq!(png_ends(&file), Some(()));
        for cut in 0..file.len() {
            assert_eq!(png_ends(&file[..cut]), None, "{cut}");
        }
    }

    #[test]
    fn checksums_tell_a_whole_png_from_one_with_a_changed_byte() {
        let picture = image::RgbImage::from_fn(9, 7, |x, y| image::Rgb([x as u8, y as u8, 7]));
        let mut out = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut out, ImageFormat::Png).unwrap();
        let file = out.into_inner();
        assert!(is_whole_png(&file));
        for at in 0..file.len() {
            let mut changed = file.clone();
            changed[at] ^= 4;
            assert!(!is_whole_png(&changed), "{at}");
            assert!(!is_whole_png(&file[..at]), "{at}");
        }
        let more = [&file[..], b"more"].concat();
        assert!(is_whole_png(&more), "what follows is not looked at");
        let empty = [&file[..33], &file[file.len() - 12..]].concat();
        assert!(!is_whole_png(&empty), "no pixels");
    }
}
