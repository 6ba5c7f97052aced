//! Pixel maps of a sample's picture: masks, labels, depth, surface normals.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

use super::{ImageRef, Mask, Role};

/// Map with one value per pixel of a sample's first picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PixelMap {
    /// Whether the map is annotated or predicted.
    pub role: Role,
    /// Meaning of the values.
    pub kind: MapKind,
    /// Source of the values.
    pub values: MapValues,
    /// Label names, indexed by class code; empty if unknown.
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
        /// Depth of each pixel, in the file's own unit.
        Depth = "depth",
        /// Direction of the surface at each pixel, in components right, up, and out of the picture.
        Normals = "normals",
    }
}

/// Source of the values of a map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MapValues {
    /// Pixels of a picture file.
    Picture(ImageRef),
    /// Segments in a picture file. The colour of a pixel, `red + 256 green + 65536 blue`, is the id
    /// of its segment.
    Segments {
        /// The picture file with the segments.
        picture: ImageRef,
        /// Class code of each segment, by segment id. Pixels without such an id are unlabelled.
        classes: BTreeMap<u32, u32>,
    },
    /// A mask as run lengths, row by row: off, on, off and so on.
    Runs {
        /// Width of the mask in pixels.
        width: u32,
        /// Run lengths in pixels, starting with an off run.
        runs: Vec<u32>,
    },
    /// The values are not available; contains a short reason.
    Nowhere(String),
}
