//! Adds picture sizes, to convert boxes in fractions or thousandths to pixels.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use media::{locate, stored_size};
use record::{ImageRef, Record, Target, Value};

/// Tag with the size of the picture.
const TAG: &str = "picture_size";

/// Maximum bytes of a picture read to find its header.
const HEADER: u64 = 256 << 10;

/// Adds the first picture's size as a tag, if the target or the response has a box that is not in
/// fractions. Skipped if a size is stated or the picture is not a local file.
#[must_use]
pub fn sized<'a>(record: &'a Record, roots: &[PathBuf]) -> Cow<'a, Record> {
    let (Some(Target::Box(corners)), Some(response)) = (&record.content.target, &record.response)
    else {
        return Cow::Borrowed(record);
    };
    let is_stated = record.content.tags.contains_key(TAG);
    let in_pixels = corners.iter().any(|it| *it > 1.0) || has_number_above_one(response);
    if !in_pixels || is_stated {
        return Cow::Borrowed(record);
    }
    let Some([width, height]) = picture_size(record, roots) else {
        return Cow::Borrowed(record);
    };
    let mut sized = record.clone();
    let size = Value::from(format!("{width}x{height}").as_str());
    sized.content.tags.insert(TAG.to_owned(), size);
    Cow::Owned(sized)
}

fn has_number_above_one(text: &str) -> bool {
    let numbers = text.split(|letter: char| !letter.is_ascii_digit() && letter != '.');
    let mut numbers = numbers.filter_map(|number| number.parse::<f64>().ok());
    numbers.any(|number| number > 1.0)
}

/// Returns width and height of the first picture; `None` if it is not a file or is rotated.
fn picture_size(record: &Record, roots: &[PathBuf]) -> Option<[u32; 2]> {
    let ImageRef::Path(reference) = record.content.images.first()? else {
        return None;
    };
    // Do not download a picture just for its size.
    if roots.iter().any(|root| store::holds_copies(root)) {
        return None;
    }
    let path = locate(reference, roots).ok()?;
    let mut header = Vec::new();
    let file = File::open(path).ok()?;
    file.take(HEADER).read_to_end(&mut header).ok()?;
    let ((width, height), orientation) = stored_size(&header, reference).ok()?;
    orientation.is_upright().then_some([width, height])
}
