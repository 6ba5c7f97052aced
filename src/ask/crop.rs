//! Computes the region of a picture in which an object takes a given share of the area.

use media::Region;

/// Returns the region in which `object` takes `share` of the area, in fractions and with the
/// picture's aspect ratio. It contains the object and stays inside the picture. `None` if that is
/// the whole picture.
pub fn around(object: [f64; 4], share: f64) -> Option<Region> {
    let [x0, y0, x1, y1] = object;
    let (width, height) = ((x1 - x0).abs(), (y1 - y0).abs());
    let side = (width * height / share).sqrt().max(width).max(height);
    if !(side > 0.0 && side < 0.999) {
        return None;
    }
    let start = |from: f64, to: f64| (f64::midpoint(from, to) - side / 2.0).clamp(0.0, 1.0 - side);
    let (x, y) = (start(x0, x1), start(y0, y1));
    Some(Region::new([x, y, x + side, y + side]))
}

/// Returns the smallest box that contains all boxes.
pub fn union(boxes: &[[f64; 4]]) -> Option<[f64; 4]> {
    boxes.iter().copied().reduce(|a, b| {
        [
            a[0].min(b[0]),
            a[1].min(b[1]),
            a[2].max(b[2]),
            a[3].max(b[3]),
        ]
    })
}

/// Converts a box to fractions of a region, clipped at its border.
pub fn within(corners: [f64; 4], region: Region) -> [f64; 4] {
    let [left, top, right, bottom] = region.xyxy();
    let across = |x: f64| ((x - left) / (right - left)).clamp(0.0, 1.0);
    let down = |y: f64| ((y - top) / (bottom - top)).clamp(0.0, 1.0);
    let [x0, y0, x1, y1] = corners;
    [across(x0), down(y0), across(x1), down(y1)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_object_is_whole_and_takes_its_share(x in 0.0..0.9, y in 0.0..0.9, w in 0.01..0.3, h in 0.01..0.3, share in 0.05..0.9) {
            let object = [x, y, f64::min(x + w, 1.0), f64::min(y + h, 1.0)];
            if let Some(region) = around(object, share) {
                let inside = within(object, region);
                let back = region.xyxy();
                prop_assert!(back[0] <= object[0] + 1e-9 && back[2] >= object[2] - 1e-9);
                prop_assert!((back[2] - back[0] - back[3] + back[1]).abs() < 1e-9, "the picture's proportions");
                let takes = (inside[2] - inside[0]) * (inside[3] - inside[1]);
                prop_assert!(takes <= share + 1e-6, "{takes} of {share}");
            }
        }
    }

    #[test]
    fn a_large_object_needs_the_whole_picture() {
        assert_eq!(around([0.0, 0.0, 1.0, 0.5], 0.1), None);
        assert_eq!(around([0.5, 0.5, 0.5, 0.5], 0.1), None, "no object");
        assert_eq!(
            around([0.4, 0.4, 0.6, 0.6], 0.25)
                .unwrap()
                .xyxy()
                .map(|v| (v * 10.0).round()),
            [3.0, 3.0, 7.0, 7.0]
        );
        assert_eq!(
            union(&[[0.1, 0.2, 0.3, 0.4], [0.0, 0.3, 0.2, 0.9]]),
            Some([0.0, 0.2, 0.3, 0.9])
        );
    }
}
