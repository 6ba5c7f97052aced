//! Files of a data set in YOLO's format: pictures below `images`, labels below `labels`.

use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use base::limits::Limit;
use walkdir::WalkDir;

use crate::coco::stem;
pub use crate::file_name::has_ending;
use crate::open::open;
use record::Problem;

/// Extensions of picture files.
const PICTURES: [&str; 10] = [
    "bmp", "dng", "jpeg", "jpg", "mpo", "png", "tif", "tiff", "webp", "pfm",
];
/// Name of the folder with pictures. Labels have the same paths relative to [`LABELS`].
pub const IMAGES: &str = "images";
/// Name of the folder with labels.
pub const LABELS: &str = "labels";
/// Name of the file with class names, next to labels.
pub const CLASS_LIST: &str = "classes.txt";
/// Maximum depth of folders that are searched for pictures of a split.
const DEPTH: usize = 8;
/// Maximum number of bytes read from a list of pictures.
const LIST: u64 = 64 << 20;

/// A picture in a split, and its labels.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sample {
    /// Path of the picture; `None` if only labels exist.
    pub picture: Option<PathBuf>,
    /// Path of the label file. If the file does not exist, the picture contains no objects.
    pub labels: PathBuf,
}

impl Sample {
    /// Returns the name of the picture without extension. Results refer to the picture by this
    /// name.
    pub fn stem(&self) -> String {
        stem_of(&self.labels)
    }

    /// Returns the problem of a picture with the same name as an earlier one.
    pub fn repeated(&self) -> Problem {
        let what = format!("another picture is called {}: left out", self.stem());
        Problem::file(&self.labels, what).leaving_out(1)
    }
}

/// Returns the first file or folder below the roots whose path matches the longest end of `path`.
/// The path can come from another machine. The result is always below one of the roots.
pub fn inside(roots: &[&Path], path: &str) -> Option<PathBuf> {
    let path = path.replace('\\', "/");
    let parts = Path::new(&path).components();
    let names = parts.filter_map(|part| match part {
        Component::Normal(name) => Some(name),
        _ => None,
    });
    let names: Vec<_> = names.collect();
    (0..names.len().max(1)).find_map(|skipped| {
        let end: PathBuf = names.iter().skip(skipped).collect();
        let mut found = roots.iter().map(|root| root.join(&end));
        found.find(|path| path.exists())
    })
}

/// Returns the path of the labels for the path of a picture or of a picture folder.
pub fn swapped(path: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    if let Some(last) = parts.iter_mut().rev().find(|part| **part == IMAGES) {
        *last = LABELS;
    }
    parts.join("/")
}

fn of_picture(picture: PathBuf) -> Sample {
    let labels = PathBuf::from(swapped(&picture.to_string_lossy())).with_extension("txt");
    Sample {
        picture: Some(picture),
        labels,
    }
}

/// Returns the pictures listed in a text file. Paths in the list are relative to the file's folder.
pub fn listed(list: &Path) -> Vec<Sample> {
    let text = text_of(list);
    let folder = list.parent().unwrap_or(Path::new(""));
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let sample = |line: &str| {
        if let Some(picture) = inside(&[folder], line) {
            return of_picture(picture);
        }
        let labels = Path::new(&swapped(line)).with_extension("txt");
        let found = inside(&[folder], &labels.to_string_lossy());
        let name = labels.file_name().unwrap_or_default();
        Sample {
            picture: None,
            labels: found.unwrap_or_else(|| folder.join(name)),
        }
    };
    lines.map(sample).take(Limit::Files.length()).collect()
}

/// True if a file with this name can contain labels.
pub fn is_labels(path: &Path) -> bool {
    has_ending(path, &["txt"]) && !path.ends_with(CLASS_LIST)
}

/// Returns the text of a list of pictures; empty if it cannot be read.
pub fn text_of(list: &Path) -> String {
    let mut text = String::new();
    let read = open(list).and_then(|file| file.take(LIST).read_to_string(&mut text));
    read.map(|_| text).unwrap_or_default()
}

pub fn pictures_below(folder: &Path) -> impl Iterator<Item = Sample> {
    files_below(folder)
        .filter(|path| has_ending(path, &PICTURES))
        .map(of_picture)
}

pub fn labels_below(folder: &Path) -> impl Iterator<Item = Sample> {
    let labels = files_below(folder).filter(|path| is_labels(path));
    labels.map(|labels| Sample {
        picture: None,
        labels,
    })
}

fn files_below(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = WalkDir::new(folder).max_depth(DEPTH).into_iter().flatten();
    let files = entries.filter(|entry| entry.path().is_file());
    files
        .map(walkdir::DirEntry::into_path)
        .take(Limit::Files.length())
}

/// Returns the closest folder named `labels` above a file.
pub fn labels_above(file: &Path) -> Option<&Path> {
    file.ancestors()
        .skip(1)
        .find(|folder| folder.ends_with(LABELS))
}

/// Returns a file's name without extension. Results refer to a picture by this name.
pub fn stem_of(path: &Path) -> String {
    stem(&path.to_string_lossy()).to_owned()
}
