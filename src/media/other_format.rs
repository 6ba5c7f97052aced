//! Recognizes picture formats that are not supported by their first bytes.

/// Bytes searched for the first element of an SVG file.
const HEAD: usize = 512;

/// Returns the name of an unsupported format; `None` if it is unknown.
pub fn name(bytes: &[u8]) -> Option<&'static str> {
    let starts = |mark: &[u8]| bytes.starts_with(mark);
    Some(match bytes {
        _ if starts(b"II*\0") || starts(b"MM\0*") => "TIFF",
        _ if starts(b"II+\0") || starts(b"MM\0+") => "BigTIFF",
        _ if starts(b"\0\0\0\x0cjP  ") || starts(b"\xff\x4f\xff\x51") => "JPEG 2000",
        _ if starts(b"\0\0\0\x0cJXL ") || starts(b"\xff\x0a") => "JPEG XL",
        _ if starts(b"\0\0\x01\0") => "ICO",
        _ if starts(b"8BPS") => "Photoshop",
        _ if starts(b"DDS ") => "DDS",
        _ if starts(b"qoif") => "QOI",
        _ if starts(b"\x76\x2f\x31\x01") => "OpenEXR",
        _ if starts(b"#?RADIANCE") => "Radiance HDR",
        _ if starts(b"%PDF") => "PDF",
        [_, _, _, _, b'f', b't', b'y', b'p', brand @ ..] => match brand.get(..4)? {
            b"avif" | b"avis" => "AVIF",
            b"heic" | b"heix" | b"hevc" | b"mif1" | b"msf1" => "HEIF",
            _ => "MP4",
        },
        _ => {
            let head = bytes.get(..bytes.len().min(HEAD))?;
            let is_svg = has_part(head, b"<svg") && head.trim_ascii_start().starts_with(b"<");
            return is_svg.then_some("SVG");
        }
    })
}

fn has_part(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn formats_are_told_by_how_they_begin() {
        for (bytes, format) in [
            (&b"II*\0rest"[..], Some("TIFF")),
            (b"MM\0*", Some("TIFF")),
            (b"\0\0\0\x1cftypavif", Some("AVIF")),
            (b"\0\0\0\x18ftypheic", Some("HEIF")),
            (b"\0\0\0\x0cjP  \r\n", Some("JPEG 2000")),
            (b"\0\0\x01\0\x01", Some("ICO")),
            (b"<?xml version=\"1.0\"?>\n<svg/>", Some("SVG")),
            (b"some text about <svg", None),
            (b"ftyp", None),
            (b"", None),
        ] {
            assert_eq!(name(bytes), format, "{bytes:?}");
        }
    }
}
