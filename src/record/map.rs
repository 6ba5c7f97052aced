//! Maps of a sample's picture: masks, labels, depth, surface normals.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

use super::{ImageRef, Role};

/// A value for every pixel of a sample's first picture, annotated or predicted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PixelMap {
    /// The annotation or a model's answer.
    pub role: Role,
    /// What its values stand for.
    pub kind: MapKind,
    /// Where the values are.
    pub values: MapValues,
    /// Names of labels by code; empty where they are not known.
    pub names: Arc<[String]>,
}

/// What the values of a map stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MapKind {
    /// Which pixels belong to a thing.
    Mask,
    /// The class of each pixel.
    Labels,
    /// How far away each pixel is, in the file's own unit.
    Depth,
    /// Which way the surface faces: right, up, out of the picture.
    Normals,
}

impl MapKind {
    /// Every kind with its name in a log.
    pub const NAMES: [(Self, &str); 4] = [
        (Self::Mask, "mask"),
        (Self::Labels, "labels"),
        (Self::Depth, "depth"),
        (Self::Normals, "normals"),
    ];

    /// The name in a log.
    #[must_use]
    pub fn name(self) -> &'static str {
        let known = Self::NAMES.iter().find(|(kind, _)| *kind == self);
        known.map_or("", |(_, name)| name)
    }

    /// The kind of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let known = Self::NAMES.iter().find(|(_, known)| *known == name);
        known.map(|(kind, _)| *kind)
    }
}

/// Where the values of a map are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MapValues {
    /// In a picture file.
    Picture(ImageRef),
    /// A mask as lengths of runs, row by row: off, on, off and so on.
    Runs {
        /// Pixels in a row.
        width: u32,
        /// The lengths.
        runs: Vec<u32>,
    },
    /// In no file; why, in a few words.
    Nowhere(String),
}
