//! Annotations in one file per picture. Each folder with such files is a data set.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::picture::AnnotatedPicture;
use crate::open::{is_file, paths_in};
use crate::ultralytics::sample::stem_of;
use crate::{Candidate, Context, Sink, Unit};
use media::locate;
use record::ImageRef;

/// Picture folders to search, relative to the data set's folder.
const PICTURES: [&str; 5] = ["JPEGImages", "images", "image_2", "data", ""];
/// File extensions tried when a picture is searched by its stem.
const ENDINGS: [&str; 6] = ["jpg", "png", "jpeg", "JPG", "bmp", "webp"];

/// Content of an annotation file. `None` for a file of another format; an error is a line and a
/// reason.
pub type FileResult = Result<Option<AnnotatedPicture>, (u64, String)>;

/// Moves the files that `is_ours` accepts out of `files`. Each of their folders becomes a unit,
/// named after the parent folder.
pub fn plan(
    files: &mut Vec<Candidate>,
    format: &'static str,
    context: &Context,
    is_ours: fn(&Candidate) -> bool,
) -> Vec<Unit> {
    let mut folders: BTreeMap<PathBuf, Vec<Candidate>> = BTreeMap::new();
    for file in files.extract_if(.., |file| is_ours(file)) {
        folders
            .entry(file.folder().to_path_buf())
            .or_default()
            .push(file);
    }
    let unit = |files: Vec<Candidate>| {
        let length = files.iter().map(|file| file.length).sum();
        let first = files.into_iter().next()?;
        let real = first.real.clone();
        let above = real.parent().and_then(Path::parent);
        let single = Unit::single(first, format, context);
        let near = above
            .into_iter()
            .flat_map(|above| PICTURES.map(|name| above.join(name)));
        let name = above.and_then(Path::file_name).map(OsStr::to_string_lossy);
        Some(Unit {
            dataset: name.map(std::borrow::Cow::into_owned).or(single.dataset),
            image_roots: near.chain(single.image_roots).collect(),
            length,
            ..single
        })
    };
    folders.into_values().filter_map(unit).collect()
}

/// Reads the files in a unit's folder that have the same extension as the unit's first file.
pub fn read(unit: &Unit, sink: &mut dyn Sink, read: fn(&Path) -> FileResult) {
    let benchmark = unit.dataset.as_deref().unwrap_or_default();
    let folder = unit
        .path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let files = paths_in(folder.unwrap_or(Path::new("."))).into_iter();
    for file in files.filter(|file| file.extension() == unit.path.extension() && is_file(file)) {
        let stem = stem_of(&file);
        match read(&file) {
            Ok(Some(mut picture)) => {
                picture.image = image(picture.image, &stem, &unit.image_roots);
                picture.id = stem;
                sink.record(picture.record(benchmark), 1);
            }
            Ok(None) => {}
            Err((line, what)) => sink.left_out(&file, line, what),
        }
        if sink.progress(0).is_break() {
            return;
        }
    }
    let _ = sink.progress(unit.length);
}

/// Returns the picture named in the annotation file if it exists, or else a picture with the same
/// stem.
fn image(named: Option<ImageRef>, stem: &str, roots: &[PathBuf]) -> Option<ImageRef> {
    if let Some(ImageRef::Path(path)) = &named
        && locate(path, roots).is_ok()
    {
        return named;
    }
    let same = ENDINGS.map(|ending| format!("{stem}.{ending}"));
    let found = same.into_iter().find(|name| locate(name, roots).is_ok());
    found.map(ImageRef::Path).or(named)
}

/// Returns line and reason for a file that cannot be read.
pub fn unreadable(error: &std::io::Error) -> (u64, String) {
    (1, format!("cannot be read: {error}"))
}
