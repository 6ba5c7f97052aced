//! A data set in YOLO's format. A YAML file contains class names and splits. Pictures are in the
//! folder `images`; each has a label file with the same relative path in the folder `labels`.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::label::{Label, Labels, Purpose};
use super::sample::{
    CLASS_LIST, IMAGES, Sample, has_ending, inside, labels_below, listed, pictures_below, swapped,
    text_of,
};
use crate::coco::{Annotations, Id, PictureSize};
use crate::open::{is_file, open, paths_in};
use crate::yaml::{self, Members};
use record::{Problem, TrueBox};

/// Splits in the order in which the tool prefers them for validation.
pub const SPLITS: [&str; 4] = ["val", "test", "train", "minival"];
/// Names of picture lists by which Ultralytics recognises COCO.
const COCO: [&str; 2] = ["val2017.txt", "test-dev2017.txt"];
/// Maximum class index. Classes without a name are filled in up to the highest index.
const CLASSES: usize = 10_000;
/// Number of bytes of a picture that are read to find its size.
const HEADER: u64 = 256 << 10;

/// A data set of pictures and label files.
#[derive(Clone, Debug)]
pub struct DataSet {
    /// YAML file of the data set, or its label folder.
    pub file: PathBuf,
    /// Folder to which picture paths are relative.
    pub root: PathBuf,
    /// Class names, indexed by class.
    pub classes: Vec<String>,
    /// Number of pose values that follow each box; 0 without poses.
    pose: usize,
    members: Members,
}

impl DataSet {
    /// Returns the data sets whose YAML files are in a folder.
    pub fn in_folder(folder: &Path) -> Vec<Self> {
        let paths = paths_in(folder).into_iter();
        let is_yaml = |path: &PathBuf| has_ending(path, &["yaml", "yml"]) && is_file(path);
        paths
            .filter(is_yaml)
            .filter_map(|path| Self::read(&path))
            .collect()
    }

    /// Reads the YAML file of a data set; `None` if it contains no class names or no split.
    pub fn read(file: &Path) -> Option<Self> {
        let members = yaml::read(file).ok()?;
        let classes = classes(members.get("names")?)?;
        SPLITS.iter().find(|split| members.contains_key(**split))?;
        let here = file.parent().unwrap_or(Path::new("")).to_path_buf();
        let roots = [&*here, here.parent().unwrap_or(&here)];
        let root = inside(&roots, yaml::text(&members, "path"));
        let shape = members.get("kpt_shape").into_iter().flatten();
        let shape = shape.filter_map(|(_, size)| size.parse::<usize>().ok());
        let pose = shape.reduce(usize::saturating_mul).unwrap_or_default();
        Some(Self {
            file: file.to_path_buf(),
            root: root.unwrap_or(here),
            classes,
            pose,
            members,
        })
    }

    /// Returns the data set of a label folder that has no YAML file. Class names come from the file
    /// `classes.txt`, if it exists.
    pub fn of_labels(labels: &Path) -> Self {
        let root = labels.parent().unwrap_or(labels);
        let list = [labels, root].map(|folder| folder.join(CLASS_LIST));
        let list = list.iter().find(|path| is_file(path));
        let names = list.map(|path| text_of(path)).unwrap_or_default();
        let names = names.lines().map(str::trim).filter(|name| !name.is_empty());
        let pictures = vec![(String::new(), IMAGES.to_owned())];
        Self {
            file: root.join("dataset"),
            root: root.to_path_buf(),
            classes: names.map(str::to_owned).collect(),
            pose: 0,
            members: [("val".to_owned(), pictures)].into(),
        }
    }

    /// True if the data set has more than one split.
    pub fn has_splits(&self) -> bool {
        let has = |split: &&&str| !yaml::text(&self.members, split).is_empty();
        SPLITS.iter().filter(has).count() > 1
    }

    /// Returns the name of a class, or its index if the class has no name.
    pub fn class(&self, index: usize) -> String {
        let name = self.classes.get(index).cloned();
        name.unwrap_or_else(|| index.to_string())
    }

    /// Returns the name of the data set, taken from its file or folder.
    pub fn name(&self) -> String {
        set_name(&self.file)
    }

    /// True for the original COCO data set, whose results use COCO's class ids.
    pub fn is_coco(&self) -> bool {
        let is_list = |list: &str| COCO.iter().any(|known| list.ends_with(known));
        let mut splits = SPLITS.iter().map(|split| yaml::text(&self.members, split));
        self.classes.len() == 80 && splits.any(is_list)
    }

    /// Returns the samples of a split, sorted by path.
    pub fn samples(&self, split: &str) -> Vec<Sample> {
        let values = self.members.get(split).into_iter().flatten();
        let here = self.file.parent().unwrap_or(Path::new(""));
        let roots = [self.root.as_path(), here];
        let mut samples: Vec<Sample> = Vec::new();
        for (_, value) in values {
            match inside(&roots, value) {
                Some(list) if is_file(&list) => samples.extend(listed(&list)),
                Some(folder) => samples.extend(pictures_below(&folder)),
                None => {}
            }
            if let Some(labels) = inside(&roots, &swapped(value)).filter(|_| samples.is_empty()) {
                samples.extend(labels_below(&labels));
            }
        }
        samples.sort();
        samples.dedup();
        samples
    }

    /// Reads the labels of a split and converts them to pixels. A picture with an invalid label or
    /// of unknown size is skipped and reported, because its boxes would be incomplete.
    ///
    /// `code` maps a class index to the id that results use.
    pub fn annotations(
        &self,
        split: &str,
        code: impl Fn(usize) -> i64,
        complain: &mut dyn FnMut(Problem),
    ) -> Annotations {
        let classes = self.classes.iter().cloned().enumerate();
        let classes = classes.map(|(class, name)| (name, Id::Number(code(class))));
        let mut found = Annotations::of_classes(classes);
        let (mut unsized_ones, mut next) = (Vec::new(), 1);
        for sample in self.samples(split) {
            let stem = sample.stem();
            let id = id_of(&stem);
            if found.pictures.contains_key(&id) {
                complain(sample.repeated());
                continue;
            }
            let size = sample.picture.as_deref().and_then(picture_size);
            let Some(size) = size else {
                unsized_ones.push(stem);
                continue;
            };
            let Some(labels) = self.labels(&sample, complain) else {
                continue;
            };
            let file = sample.picture.unwrap_or_default();
            let file = file.strip_prefix(&self.root).unwrap_or(&file);
            found.boxes += labels.objects.len() as u64;
            let picture = found.add_picture(id, file.to_string_lossy().into_owned(), size);
            let [width, height] = size.lengths();
            for label in &labels.objects {
                let [x, y, w, h] = label.xywh;
                let xywh = [x * width, y * height, w * width, h * height];
                picture.add_box(TrueBox {
                    class: u32::try_from(label.class).unwrap_or(u32::MAX),
                    xywh,
                    area: xywh[2] * xywh[3],
                    crowd: false,
                    id: next,
                });
                next += 1;
            }
        }
        if let Some(first) = unsized_ones.first() {
            let what = format!(
                "{} not found, or rotated by EXIF ({first}): left out, because labels are fractions of the picture size; name their folder with --data",
                base::format::counted(unsized_ones.len() as u64, "picture"),
            );
            complain(Problem::file(&self.file, what).leaving_out(unsized_ones.len() as u64));
        }
        found
    }

    /// Reads the labels of a sample; `None` if one of them is invalid.
    pub fn labels(&self, sample: &Sample, complain: &mut dyn FnMut(Problem)) -> Option<Labels> {
        if !is_file(&sample.labels) {
            return Some(Labels::default());
        }
        let labels = match Labels::read(&sample.labels, Purpose::Truth(self.pose)) {
            Ok(labels) => labels,
            Err(error) => {
                complain(Problem::unreadable(&sample.labels, error).leaving_out(1));
                return None;
            }
        };
        let count = self.classes.len();
        let is_unknown = |label: &&Label| count > 0 && label.class >= count;
        let unknown = labels.objects.iter().find(is_unknown);
        let unknown = unknown.map(|label| (label.line, format!("no class {}", label.class)));
        let mut bad = labels.bad.iter().cloned().chain(unknown);
        if let Some((line, what)) = bad.next() {
            let what = format!("{what}: the picture is left out");
            complain(Problem::line(&sample.labels, line, what).leaving_out(1));
            return None;
        }
        if labels.repeated > 0 {
            let what = format!(
                "{} left out",
                base::format::counted(labels.repeated, "repeated line")
            );
            complain(Problem::file(&sample.labels, what));
        }
        Some(labels)
    }
}

/// Returns the name of a data set: the stem of its file. If the file has a generic name such as
/// `data.yaml`, returns the folder's name.
pub fn set_name(file: &Path) -> String {
    let name = |path: &Path| {
        path.file_stem()
            .map(|name| name.to_string_lossy().into_owned())
    };
    let own = name(file).filter(|name| !matches!(name.as_str(), "data" | "dataset"));
    own.or_else(|| name(file.parent()?)).unwrap_or_default()
}

/// Returns the id that Ultralytics gives to a picture: a number if the stem consists of digits.
pub fn id_of(stem: &str) -> Id {
    let is_number = !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_number.then(|| stem.parse().ok()).flatten();
    number.map_or_else(|| Id::Text(stem.to_owned()), Id::Number)
}

/// Returns the size of a picture as stored; `None` if it cannot be read, or if EXIF data rotates
/// the picture.
pub fn picture_size(path: &Path) -> Option<PictureSize> {
    let mut header = Vec::new();
    open(path)
        .ok()?
        .take(HEADER)
        .read_to_end(&mut header)
        .ok()?;
    let ((width, height), orientation) = media::stored_size(&header, "").ok()?;
    (orientation.is_upright()).then_some(PictureSize { height, width })
}

/// Converts pairs of index and name to a list of class names. A class without a name is named by
/// its index.
fn classes(names: &[(String, String)]) -> Option<Vec<String>> {
    let mut by_index = BTreeMap::new();
    for (at, (key, name)) in names.iter().enumerate() {
        let index = if key.is_empty() {
            at
        } else {
            key.parse().ok()?
        };
        by_index.insert(index, name.clone());
    }
    let last = *by_index.last_key_value()?.0;
    let name = |index: usize| {
        by_index
            .get(&index)
            .cloned()
            .unwrap_or_else(|| index.to_string())
    };
    (last < CLASSES).then(|| (0..=last).map(name).collect())
}
