//! Data URLs of pictures that a log holds as bytes.

use record::ImageRef;

/// Digits of base64 (RFC 4648, section 4).
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Returns a picture with these bytes.
pub fn picture(bytes: &[u8]) -> ImageRef {
    let kind = match bytes {
        [b'G', b'I', b'F', ..] => "gif",
        [b'R', b'I', b'F', b'F', ..] => "webp",
        [0xff, 0xd8, ..] => "jpeg",
        _ => "png",
    };
    let mut url = format!("data:image/{kind};base64,");
    url.reserve(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        let digit = |at: usize| {
            let value = bits >> (18 - 6 * at) & 63;
            char::from(DIGITS[value as usize])
        };
        url.extend((0..4).map(|at| if at <= group.len() { digit(at) } else { '=' }));
    }
    ImageRef::Inline(url)
}

#[cfg(test)]
mod tests {
    use super::{ImageRef, picture};

    #[test]
    fn bytes_are_padded_to_groups_of_four_digits() {
        for (bytes, digits) in [
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
        ] {
            let url = format!("data:image/png;base64,{digits}");
            assert_eq!(picture(bytes.as_bytes()), ImageRef::Inline(url));
        }
    }
}
