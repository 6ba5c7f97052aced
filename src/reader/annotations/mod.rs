//! Annotations without results, for label audits: Label Studio, COCO, YOLO, Pascal VOC, KITTI and
//! CVAT.
//!
//! Each picture is a sample of the model [`MODEL`], without response and score. Its boxes are drawn
//! as targets. The numbers of objects by class and size become tags.

mod coco;
mod cvat;
mod folders;
mod kitti;
mod label_studio;
mod picture;
#[cfg(test)]
mod tests;
mod voc;
mod write_back;
mod xml;
mod yolo;

pub use picture::{AnnotatedPicture, MODEL, Object};
pub use write_back::{MarkedFile, Tool, WriteBack};

use std::collections::HashSet;
use std::path::PathBuf;

use super::{Candidate, Context, Reader, Sink, Unit};
use record::Source;

/// Reason shown for annotations that are not read because results lie next to them.
pub const SET_ASIDE: &str = "set aside: may be the ground truth of the results next to it";

base::named_enum! {
    /// Readers of annotations, one per format.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Annotations {
        /// JSON export of Label Studio.
        LabelStudio = "label studio",
        /// COCO annotations without results.
        Coco = "coco annotations",
        /// Label files of YOLO, with or without the data set's YAML file.
        Yolo = "yolo labels",
        /// XML files of Pascal VOC, one per picture.
        Voc = "pascal voc",
        /// Text files of KITTI, one per picture.
        Kitti = "kitti",
        /// XML export "CVAT for images".
        Cvat = "cvat",
    }
}

impl Reader for Annotations {
    fn format(&self) -> &'static str {
        self.name()
    }

    fn plan(&self, files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
        let format = self.name();
        match self {
            Self::LabelStudio => {
                Unit::singles(files, format, context, label_studio::is_label_studio)
            }
            Self::Coco => coco::plan(files, format, context),
            Self::Yolo => yolo::plan(files, format, context),
            Self::Voc => folders::plan(files, format, context, voc::is_voc),
            Self::Kitti => folders::plan(files, format, context, kitti::is_kitti),
            Self::Cvat => Unit::singles(files, format, context, cvat::is_cvat),
        }
    }

    fn read(&self, unit: &Unit, _context: &Context, sink: &mut dyn Sink) {
        match self {
            Self::LabelStudio => label_studio::read(unit, sink),
            Self::Coco => coco::read(unit, sink),
            Self::Yolo => yolo::read(unit, sink),
            Self::Voc => folders::read(unit, sink, voc::read),
            Self::Kitti => kitti::read(unit, sink),
            Self::Cvat => cvat::read(unit, sink),
        }
    }
}

/// Skips annotations if there are results of models, because the annotations may be their ground
/// truth. Skipped annotations stay listed and are read if the user selects them. Annotations that a
/// log already uses are removed.
pub fn leave_to_models(units: &mut Vec<Unit>) {
    let is_ours = |unit: &Unit| is_form(unit.format);
    if units.iter().all(is_ours) {
        return;
    }
    let used = units.iter().flat_map(|unit| &unit.companions);
    let used: HashSet<PathBuf> = used.cloned().collect();
    units.retain(|unit| !is_ours(unit) || !used.contains(&unit.path));
    for unit in units.iter_mut().filter(|unit| is_ours(unit)) {
        unit.superseded = true;
    }
}

/// Returns why a listed log was not read; `None` if it was read.
pub fn why_unread(source: &Source) -> Option<&'static str> {
    source.superseded.then(|| {
        if is_form(source.format) {
            SET_ASIDE
        } else {
            "superseded by another run"
        }
    })
}

/// True if a format's name is one of the annotation formats.
fn is_form(format: &str) -> bool {
    Annotations::ALL.iter().any(|form| form.name() == format)
}
