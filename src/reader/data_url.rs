//! Data URLs of pictures that a log holds as bytes.

use crate::tabular::base64;
use record::ImageRef;

/// Returns a picture with these bytes.
pub fn picture(bytes: &[u8]) -> ImageRef {
    let kind = match bytes {
        [b'G', b'I', b'F', ..] => "gif",
        [b'R', b'I', b'F', b'F', ..] => "webp",
        [0xff, 0xd8, ..] => "jpeg",
        _ => "png",
    };
    let url = format!("data:image/{kind};base64,{}", base64(bytes));
    ImageRef::Inline(url)
}
