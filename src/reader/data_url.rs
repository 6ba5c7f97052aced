//! Recognises pictures embedded in a log, and names of picture files.

use base64_simd::STANDARD;
use record::ImageRef;

/// Extensions of picture files.
pub const ENDINGS: [&str; 8] = ["jpg", "png", "jpeg", "webp", "gif", "bmp", "tif", "tiff"];
/// First characters of PNG, JPEG, GIF, WebP and BMP files in base64.
const STARTS: [&str; 5] = ["iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR", "Qk"];
/// Minimum length of a picture in base64. Paths are usually shorter, or contain a dot.
const SHORTEST: usize = 64;

/// True for a picture in base64.
pub fn is_base64(text: &str) -> bool {
    text.len() >= SHORTEST
        && STARTS.iter().any(|start| text.starts_with(start))
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+/=\r\n".contains(&byte))
}

/// Returns picture bytes as a data URL.
pub fn picture(bytes: &[u8]) -> ImageRef {
    let kind = match bytes {
        [b'G', b'I', b'F', ..] => "gif",
        [b'R', b'I', b'F', b'F', ..] => "webp",
        [0xff, 0xd8, ..] => "jpeg",
        _ => "png",
    };
    let url = format!(
        "data:image/{kind};base64,{}",
        STANDARD.encode_to_string(bytes)
    );
    ImageRef::Inline(url)
}
