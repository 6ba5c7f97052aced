//! Sizes of pictures: a box in fractions or thousandths becomes pixels by the size of its picture.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use media::{locate, stored_size};
use record::{ImageRef, Record, Target, Value};

/// The tag that holds the size.
const TAG: &str = "picture_size";

/// Bytes of a picture in which its header is looked for.
const HEADER: u64 = 256 << 10;

/// The record, with the size of its first picture as a tag where an answer is compared with a box, one of the two is
/// in no fractions, no size is stated and the picture is a file.
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

/// Width and height of the first picture as it stands upright; `None` where it is no file, or stands otherwise.
fn picture_size(record: &Record, roots: &[PathBuf]) -> Option<[u32; 2]> {
    let ImageRef::Path(reference) = record.content.images.first()? else {
        return None;
    };
    // No picture is fetched for its size alone.
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
