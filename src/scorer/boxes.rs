//! Computes the overlap of two boxes `[x0, y0, x1, y1]` in the same unit.

/// Returns the box with ordered corners: `x0 <= x1` and `y0 <= y1`.
pub fn ordered([x0, y0, x1, y1]: [f64; 4]) -> [f64; 4] {
    [x0.min(x1), y0.min(y1), x0.max(x1), y0.max(y1)]
}

/// Returns true if two boxes are equal up to rounding.
pub fn same(a: [f64; 4], b: [f64; 4]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9)
}

/// Computes intersection over union, 0 to 1. Corners are ordered first; 0 if both boxes are
/// empty.
pub fn iou(prediction: [f64; 4], target: [f64; 4]) -> f64 {
    let (shared, union) = overlap(ordered(prediction), ordered(target));
    if union > 0.0 { shared / union } else { 0.0 }
}

/// Computes generalised `IoU`, -1 to 1: `IoU - (hull - union) / hull` (Rezatofighi et al. 2019;
/// AVA-Bench, Table 1).
///
/// Corners are ordered first. If the hull has no area, returns the `IoU`, as AVA-Bench's
/// `location/eval.py` does.
pub fn giou(prediction: [f64; 4], target: [f64; 4]) -> f64 {
    let (a, b) = (ordered(prediction), ordered(target));
    let hull = area([
        a[0].min(b[0]),
        a[1].min(b[1]),
        a[2].max(b[2]),
        a[3].max(b[3]),
    ]);
    let (_, union) = overlap(a, b);
    let iou = iou(a, b);
    if hull > 0.0 {
        iou - (hull - union) / hull
    } else {
        iou
    }
}

/// Computes the `IoU` of `VLMEvalKit`'s `tdbench.py`. Corners are not ordered: a swapped pair
/// gives a negative area and a result outside 0 to 1. 0 for disjoint boxes and for an empty
/// union.
pub fn iou_unordered(prediction: [f64; 4], target: [f64; 4]) -> f64 {
    let width = prediction[2].min(target[2]) - prediction[0].max(target[0]);
    let height = prediction[3].min(target[3]) - prediction[1].max(target[1]);
    if width < 0.0 || height < 0.0 {
        return 0.0;
    }
    let union = area(prediction) + area(target) - width * height;
    if union == 0.0 {
        0.0
    } else {
        width * height / union
    }
}

/// Returns true if the centre of the predicted box is inside the target, borders included
/// (`TDBench`, visual grounding).
///
/// The prediction's corners can be in any order; the target's must be ordered.
pub fn centre_within(prediction: [f64; 4], target: [f64; 4]) -> bool {
    let x = f64::midpoint(prediction[0], prediction[2]);
    let y = f64::midpoint(prediction[1], prediction[3]);
    (target[0]..=target[2]).contains(&x) && (target[1]..=target[3]).contains(&y)
}

/// Returns width times height; negative if one pair of corners is swapped.
pub fn area([x0, y0, x1, y1]: [f64; 4]) -> f64 {
    (x1 - x0) * (y1 - y0)
}

/// Returns the areas of intersection and union of two boxes with ordered corners.
fn overlap(a: [f64; 4], b: [f64; 4]) -> (f64, f64) {
    let width = (a[2].min(b[2]) - a[0].max(b[0])).max(0.0);
    let height = (a[3].min(b[3]) - a[1].max(b[1])).max(0.0);
    let shared = width * height;
    (shared, area(a) + area(b) - shared)
}

#[cfg(test)]
mod tests {
    use super::{centre_within, giou, iou, iou_unordered};

    const UNIT: [f64; 4] = [0.0, 0.0, 1.0, 1.0];
    const HALF: [f64; 4] = [0.5, 0.0, 1.0, 1.0];
    const SWAPPED: [f64; 4] = [1.0, 1.0, 0.5, 0.0];

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn strict_overlap_orders_corners() {
        assert!(near(iou(SWAPPED, UNIT), 0.5));
        assert!(near(giou(SWAPPED, UNIT), 0.5));
        assert!(near(giou([0.0, 0.0, 1.0, 1.0], [3.0, 0.0, 4.0, 1.0]), -0.5));
        assert!(near(giou([1.0; 4], [1.0; 4]), 0.0));
    }

    #[test]
    fn harness_overlap_keeps_swapped_corners() {
        assert!(near(iou_unordered(HALF, UNIT), 0.5));
        // Only the width is swapped: the intersection has a negative width, so the boxes count as
        // disjoint.
        assert!(near(iou_unordered([1.0, 0.0, 0.5, 1.0], UNIT), 0.0));
        assert!(near(iou_unordered([0.5; 4], [0.5; 4]), 0.0));
    }

    #[test]
    fn centres_count_on_the_border() {
        assert!(centre_within([0.5, 0.0, 1.5, 1.0], UNIT));
        assert!(centre_within(SWAPPED, UNIT));
        assert!(!centre_within([0.6, 0.0, 1.5, 1.0], UNIT));
    }
}
