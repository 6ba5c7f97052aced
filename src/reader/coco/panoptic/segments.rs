//! Segments of a picture, encoded as the colours of a PNG.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use media::Source;

/// Id of unlabelled pixels.
pub const VOID: u32 = 0;

/// Segment id of each pixel in a picture.
pub struct Segments {
    /// Width of the picture in pixels.
    pub width: u32,
    /// Segment id of each pixel, row by row.
    pub ids: Vec<u32>,
    /// Bounding box of each segment, `[x, y, width, height]` in pixels.
    pub boxes: BTreeMap<u32, [f64; 4]>,
}

impl Segments {
    /// Reads a PNG from the first folder that contains it.
    ///
    /// # Errors
    /// If the PNG is missing or damaged.
    pub fn read(name: &str, folders: &[PathBuf]) -> Result<Self, String> {
        let source = Source::Path {
            reference: name.to_owned(),
            roots: folders.to_vec(),
        };
        let picture = media::load(&source).map_err(|error| error.to_string())?;
        if picture.form.is_damaged {
            return Err(format!("{name} is damaged"));
        }
        let (width, _) = picture.form.size;
        let id = |[red, green, blue, _]: [u8; 4]| u32::from_le_bytes([red, green, blue, 0]);
        let ids: Vec<u32> = picture.pixels.pixels().map(|pixel| id(pixel.0)).collect();
        Ok(Self {
            boxes: boxes(&ids, width),
            width,
            ids,
        })
    }

    /// Returns an unlabelled picture with the same size as another.
    pub fn void(other: &Self) -> Self {
        Self {
            width: other.width,
            ids: vec![VOID; other.ids.len()],
            boxes: BTreeMap::new(),
        }
    }
}

fn boxes(ids: &[u32], width: u32) -> BTreeMap<u32, [f64; 4]> {
    let mut corners: BTreeMap<u32, [u32; 4]> = BTreeMap::new();
    let rows = ids.chunks(width.max(1) as usize);
    for (y, row) in (0_u32..).zip(rows) {
        for (x, id) in (0_u32..).zip(row) {
            let [left, top, right, bottom] = corners.entry(*id).or_insert([x, y, x, y]);
            (*left, *right) = ((*left).min(x), (*right).max(x));
            (*top, *bottom) = ((*top).min(y), (*bottom).max(y));
        }
    }
    let bbox = |(id, [left, top, right, bottom]): (u32, [u32; 4])| {
        let (width, height) = (right - left + 1, bottom - top + 1);
        (id, [left, top, width, height].map(f64::from))
    };
    corners.into_iter().map(bbox).collect()
}

/// Numbers of pixels in segments and in their intersections.
#[derive(Default)]
pub struct Areas {
    found: HashMap<u32, f64>,
    truth: HashMap<u32, f64>,
    /// Number of common pixels, by ids of annotated and predicted segment.
    shared: HashMap<[u32; 2], f64>,
    /// Ids of the annotated segments that overlap a predicted segment, by the id of the predicted
    /// segment.
    touched: HashMap<u32, Vec<u32>>,
}

impl Areas {
    /// Counts the pixels of two pictures of the same size.
    pub fn of(found: &Segments, truth: &Segments) -> Self {
        let mut areas = Self::default();
        for (&found, &truth) in found.ids.iter().zip(&truth.ids) {
            *areas.shared.entry([truth, found]).or_default() += 1.0;
        }
        for (&[truth, found], pixels) in &areas.shared {
            *areas.found.entry(found).or_default() += pixels;
            *areas.truth.entry(truth).or_default() += pixels;
            areas.touched.entry(found).or_default().push(truth);
        }
        areas
    }

    /// Returns the number of pixels of a predicted segment.
    pub fn found(&self, id: u32) -> f64 {
        self.found.get(&id).copied().unwrap_or_default()
    }

    /// Returns the number of pixels of an annotated segment.
    pub fn truth(&self, id: u32) -> f64 {
        self.truth.get(&id).copied().unwrap_or_default()
    }

    /// Returns the ids of the annotated segments that share pixels with a predicted segment, in any
    /// order.
    pub fn touched(&self, found: u32) -> &[u32] {
        self.touched.get(&found).map_or(&[], Vec::as_slice)
    }

    /// Returns the number of pixels that two segments share.
    pub fn shared(&self, truth: u32, found: u32) -> f64 {
        self.shared
            .get(&[truth, found])
            .copied()
            .unwrap_or_default()
    }
}
