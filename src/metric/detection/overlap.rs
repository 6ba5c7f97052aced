//! Computes the overlap of boxes given as `[x, y, width, height]`.

/// Computes the intersection over union of a predicted and an annotated box, 0 to 1. For a crowd,
/// divides by the prediction's own area instead (`maskApi.c`, `bbIou`).
#[must_use]
pub fn iou(found: [f64; 4], truth: [f64; 4], crowd: bool) -> f64 {
    let [fx, fy, fw, fh] = found;
    let [tx, ty, tw, th] = truth;
    let width = (fx + fw).min(tx + tw) - fx.max(tx);
    let height = (fy + fh).min(ty + th) - fy.max(ty);
    if width <= 0.0 || height <= 0.0 {
        return 0.0;
    }
    let shared = width * height;
    let whole = if crowd {
        fw * fh
    } else {
        fw * fh + tw * th - shared
    };
    shared / whole
}
