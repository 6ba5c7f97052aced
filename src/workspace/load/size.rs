//! Adds to a record what defines the coordinates of its boxes: picture size, and scale in the run.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use media::{locate, stored_size};
use record::{ImageRef, Record, Row, Table, Target, Value};
use scorer::{BOX_SCALE, stated_scale};

/// Tag that contains the size of the picture.
const TAG: &str = "picture_size";

/// Maximum number of bytes of a picture that are read to find its size.
const HEADER: u64 = 256 << 10;

/// Data of a log that defines the coordinates of boxes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frames<'a> {
    /// Folders of the pictures.
    pub roots: &'a [PathBuf],
    /// Scale of boxes by model, as a value of the tag `box_scale`.
    pub scales: Option<&'a BTreeMap<String, &'static str>>,
}

impl<'a> Frames<'a> {
    /// Returns the data of a prediction's log.
    pub fn of(table: &'a Table, row: Row) -> Self {
        let source = table.sources().get(table.place(row).unit as usize);
        source.map_or_else(Self::default, |source| Self {
            roots: &source.image_roots,
            scales: Some(&source.box_scales),
        })
    }

    fn scale(self, record: &Record) -> Option<&'static str> {
        let scale = *self.scales?.get(&record.model)?;
        let is_stated = record.content.tags.contains_key(BOX_SCALE)
            || record.condition.contains_key(BOX_SCALE)
            || stated_scale(&record.content.question).is_some();
        (!is_stated).then_some(scale)
    }
}

/// Returns a record with up to two more tags, if it compares boxes that are not in fractions. One
/// tag is the size of its first picture, if that is a file and the record states no size. The other
/// tag is the scale of the boxes in its run.
pub fn sized<'a>(record: &'a Record, frames: Frames<'_>) -> Cow<'a, Record> {
    let (Some(Target::Box(corners)), Some(response)) = (&record.content.target, &record.response)
    else {
        return Cow::Borrowed(record);
    };
    if !corners.iter().any(|it| *it > 1.0) && !has_number_above_one(response) {
        return Cow::Borrowed(record);
    }
    let is_sized = record.content.tags.contains_key(TAG);
    let size = (!is_sized).then(|| picture_size(record, frames.roots));
    let size = size
        .flatten()
        .map(|[width, height]| format!("{width}x{height}"));
    let scale = frames.scale(record);
    if size.is_none() && scale.is_none() {
        return Cow::Borrowed(record);
    }
    let mut sized = record.clone();
    let mut tag = |name: &str, value: &str| {
        sized
            .content
            .tags
            .insert(name.to_owned(), Value::from(value));
    };
    if let Some(size) = size {
        tag(TAG, &size);
    }
    if let Some(scale) = scale {
        tag(BOX_SCALE, scale);
    }
    Cow::Owned(sized)
}

fn has_number_above_one(text: &str) -> bool {
    let numbers = text.split(|letter: char| !letter.is_ascii_digit() && letter != '.');
    let mut numbers = numbers.filter_map(|number| number.parse::<f64>().ok());
    numbers.any(|number| number > 1.0)
}

/// Returns width and height of the first picture. `None` if it is not a file, or if it is rotated.
fn picture_size(record: &Record, roots: &[PathBuf]) -> Option<[u32; 2]> {
    let ImageRef::Path(reference) = record.content.images.first()? else {
        return None;
    };
    // Do not download a picture only to read its size.
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
