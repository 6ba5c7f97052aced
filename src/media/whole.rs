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
        let [a, b, c, d, kind @ ..] = *rest.first_chunk::<8>()?;
        let length = usize::try_from(u32::from_be_bytes([a, b, c, d])).ok()?;
        // Length and kind before the data, the checksum after them.
        rest = rest.get(length.checked_add(12)?..)?;
        if kind == *b"IEND" {
            return Some(());
        }
    }
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
}
