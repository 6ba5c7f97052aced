//! Pixel maps of a sample's picture: masks, labels, depth, surface normals.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

use super::{ImageRef, Mask, Role};

/// One value per pixel of a sample's first picture, annotated or predicted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PixelMap {
    /// Whether the map is annotated or predicted.
    pub role: Role,
    /// Meaning of the values.
    pub kind: MapKind,
    /// Location of the values.
    pub values: MapValues,
    /// Label names, indexed by code; empty if they are unknown.
    pub names: Arc<[String]>,
}

impl PixelMap {
    /// Returns the map of a mask.
    pub fn of_mask(mask: &Mask, role: Role) -> Self {
        Self {
            role,
            kind: MapKind::Mask,
            values: MapValues::Runs {
                width: u32::try_from(mask.width).unwrap_or(u32::MAX),
                runs: mask.runs(),
            },
            names: Arc::default(),
        }
    }
}

base::named_enum! {
    /// Meaning of the values of a map. The names are used in logs.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum MapKind {
        /// The pixels of one object.
        Mask = "mask",
        /// The class code of each pixel.
        Labels = "labels",
        /// Distance of each pixel, in the file's own unit.
        Depth = "depth",
        /// Direction of the surface: right, up, and out of the picture.
        Normals = "normals",
    }
}

/// Location of the values of a map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MapValues {
    /// Pixels of a picture file.
    Picture(ImageRef),
    /// Segments of a picture file: the colour of a pixel, `red + 256 green + 65536 blue`, is the id
    /// of its segment.
    Segments {
        /// The picture file with the segments.
        picture: ImageRef,
        /// Class code of each segment, by segment id. Other pixels are unlabelled.
        classes: BTreeMap<u32, u32>,
    },
    /// A mask as run lengths, row by row: off, on, off and so on.
    Runs {
        /// Width of the mask in pixels.
        width: u32,
        /// Run lengths in pixels, starting with an off run.
        runs: Vec<u32>,
    },
    /// Not available; contains a short reason.
    Nowhere(String),
}
