//! Checks that a picture file is complete.
//!
//! Decoders ignore a missing end: they fill the rest of a truncated JPEG with grey, without an
//! error. So this module searches for the end markers of JPEG and PNG. Data after the end is
//! ignored.

use image::ImageFormat;

/// Returns a description of the damage if the end of a decodable file is missing.
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

/// Returns `Some` if a JPEG contains its end marker (EOI). Segments before the scans are skipped by
/// their length, so that the end marker of an embedded thumbnail does not count.
fn jpeg_ends(bytes: &[u8]) -> Option<()> {
    let mut rest = bytes.get(2..)?;
    loop {
        // A marker may be preceded by any bytes; its code may be preceded by several 0xFF.
        let mark = rest.iter().position(|byte| *byte == 0xFF)?;
        rest = rest.get(mark..)?;
        let code_at = rest.iter().position(|byte| *byte != 0xFF)?;
        let code = *rest.get(code_at)?;
        rest = rest.get(code_at + 1..)?;
        match code {
            0xD9 => return Some(()),
            // An escaped 0xFF in the data, restart markers, and markers without a segment.
            0x00 | 0x01 | 0xD0..=0xD8 => {}
            _ => {
                let [high, low] = *rest.first_chunk()?;
                rest = rest.get(usize::from(u16::from_be_bytes([high, low])).max(2)..)?;
            }
        }
    }
}

/// Returns `Some` if a PNG contains its last chunk (IEND).
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

/// Returns true for a complete PNG with correct checksums. Such a file is intact, so its pixels
/// need not be decoded.
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

/// Splits off a PNG chunk. Returns its kind, the length of kind and data (the part with a
/// checksum), and the bytes after the chunk.
fn chunk(rest: &[u8]) -> Option<(&[u8; 4], usize, &[u8])> {
    let length = usize::try_from(u32::from_be_bytes(*rest.first_chunk()?)).ok()?;
    let kind = rest.get(4..)?.first_chunk()?;
    // Length and kind precede the data; the checksum follows it.
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
