//! Computes the overlap of boxes given as `[x, y, width, height]`.

/// Computes the intersection over union of a predicted and an annotated box, 0 to 1.
pub fn iou(found: [f64; 4], truth: [f64; 4]) -> f64 {
    let shared = intersection(found, truth);
    shared.map_or(0.0, |shared| shared / (area(found) + area(truth) - shared))
}

/// Computes the share of a predicted box inside the annotated box of a crowd, 0 to 1 (`maskApi.c`,
/// `bbIou`).
pub fn share_in_crowd(found: [f64; 4], crowd: [f64; 4]) -> f64 {
    intersection(found, crowd).map_or(0.0, |shared| shared / area(found))
}

fn area([_, _, width, height]: [f64; 4]) -> f64 {
    width * height
}

/// Returns the area that two boxes share; `None` if they do not overlap.
fn intersection([fx, fy, fw, fh]: [f64; 4], [tx, ty, tw, th]: [f64; 4]) -> Option<f64> {
    let width = (fx + fw).min(tx + tw) - fx.max(tx);
    let height = (fy + fh).min(ty + th) - fy.max(ty);
    let is_apart = width <= 0.0 || height <= 0.0;
    (!is_apart).then_some(width * height)
}
