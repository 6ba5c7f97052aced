//! Which pictures belong to a sample, and what is drawn on them.

use super::page::Detail;
use crate::media::{Overlay, Source, Stroke};
use crate::record::{ImageRef, LabelledBox, Role, Table, Target};

/// Colours of target, reference and predicted boxes, told apart by line style too (Okabe and Ito's palette).
const TARGET: [u8; 3] = [0, 158, 115];
const REFERENCE: [u8; 3] = [86, 180, 233];
const PREDICTION: [u8; 3] = [230, 159, 0];
/// Width of a box's line where pixels are real.
const WIDTH: u32 = 3;

/// The pictures of a sample, in the order in which the model saw them.
#[must_use]
pub fn sources(table: &Table, detail: &Detail) -> Vec<Source> {
    let place = table.place(detail.list.row);
    let roots = table
        .sources()
        .get(place.unit as usize)
        .map(|source| source.image_roots.clone())
        .unwrap_or_default();
    let source = |image: &ImageRef| match image {
        ImageRef::Path(reference) => Source::Path {
            reference: reference.clone(),
            roots: roots.clone(),
        },
        ImageRef::Inline(text) => Source::Inline(text.clone()),
        ImageRef::Url(url) => Source::Url(url.clone()),
        ImageRef::Cell {
            file,
            offset,
            length,
        } => Source::Cell {
            file: file.clone(),
            offset: *offset,
            length: *length,
        },
    };
    detail.record.content.images.iter().map(source).collect()
}

/// The boxes to draw on a picture of `size` pixels: the log's own, the target, and what the model answered.
#[must_use]
pub fn overlays(detail: &Detail, size: (u32, u32), prediction: bool) -> Vec<Overlay> {
    let content = &detail.record.content;
    let mut found: Vec<Overlay> = content
        .boxes
        .iter()
        .filter_map(|known| labelled(known, size))
        .collect();
    if let (Some(Target::Box(corners)), true) = (&content.target, found.is_empty()) {
        found.extend(overlay(*corners, size, TARGET, Stroke::Solid));
    }
    if let (Some(corners), true) = (detail.predicted_box, prediction) {
        found.extend(overlay(corners, size, PREDICTION, Stroke::Dashed));
    }
    found
}

fn labelled(known: &LabelledBox, size: (u32, u32)) -> Option<Overlay> {
    let (color, stroke) = match known.role {
        Role::Target => (TARGET, Stroke::Solid),
        Role::Reference => (REFERENCE, Stroke::Dotted),
        Role::Prediction => (PREDICTION, Stroke::Dashed),
    };
    overlay(
        known.xyxy,
        size,
        known.color.as_deref().and_then(named).unwrap_or(color),
        stroke,
    )
}

/// A box in pixels, or in fractions when no corner exceeds 1.
fn overlay(corners: [f64; 4], size: (u32, u32), color: [u8; 3], style: Stroke) -> Option<Overlay> {
    let fractions = corners.iter().all(|corner| corner.abs() <= 1.0);
    let scale = if fractions {
        (1.0, 1.0)
    } else {
        (f64::from(size.0), f64::from(size.1))
    };
    let [x0, y0, x1, y1] = corners;
    let xyxy = [x0 / scale.0, y0 / scale.1, x1 / scale.0, y1 / scale.1];
    xyxy.iter()
        .all(|corner| corner.is_finite())
        .then_some(Overlay {
            xyxy,
            color,
            style,
            width: WIDTH,
        })
}

/// The colours that question texts name.
fn named(name: &str) -> Option<[u8; 3]> {
    Some(match name.to_lowercase().as_str() {
        "red" => [230, 40, 40],
        "blue" => [50, 110, 240],
        "green" => [0, 170, 90],
        "yellow" => [240, 220, 50],
        "orange" => [240, 150, 20],
        "white" => [255, 255, 255],
        "black" => [0, 0, 0],
        _ => return None,
    })
}
