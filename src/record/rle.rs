//! Masks as stored in COCO files: run lengths, column by column.

use super::Mask;

/// The pixels of one object as run lengths, column by column: off, on, off and so on.
///
/// The functions reproduce `maskApi.c` of `pycocotools`, including its treatment of empty runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rle {
    /// Height of the picture in pixels.
    pub height: u32,
    /// Width of the picture in pixels.
    pub width: u32,
    /// Run lengths in pixels; their sum is at most `height * width`.
    pub runs: Vec<u32>,
}

impl Rle {
    /// Returns the number of pixels of the object.
    pub fn area(&self) -> u64 {
        let on = self.runs.iter().skip(1).step_by(2);
        on.map(|run| u64::from(*run)).sum()
    }

    /// Returns the bounding box of the object, `[x, y, width, height]` in pixels (`rleToBbox`).
    pub fn bbox(&self) -> [f64; 4] {
        let pairs = self.runs.len() / 2 * 2;
        if pairs == 0 || self.height == 0 {
            return [0.0; 4];
        }
        let (mut left, mut top, mut right, mut bottom) = (self.width, self.height, 0, 0);
        let (mut end, mut first_column) = (0_u32, 0);
        for (at, run) in self.runs.iter().take(pairs).enumerate() {
            end = end.saturating_add(*run);
            let is_on = at % 2 == 1;
            let pixel = end.saturating_sub(u32::from(is_on));
            let (x, y) = (pixel / self.height, pixel % self.height);
            if !is_on {
                first_column = x;
            } else if first_column < x {
                (top, bottom) = (0, self.height - 1);
            }
            (left, right) = (left.min(x), right.max(x));
            (top, bottom) = (top.min(y), bottom.max(y));
        }
        let length = |from: u32, to: u32| f64::from(to) - f64::from(from) + 1.0;
        let (width, height) = (length(left, right), length(top, bottom));
        [f64::from(left), f64::from(top), width, height]
    }

    /// Walks through two masks in parallel. Calls `each` for each stretch of pixels on which both
    /// masks are constant, with its length and the states (on or off) of the two masks.
    pub fn walk(&self, other: &Self, mut each: impl FnMut(u32, [bool; 2])) {
        let mut sides = [self.runs.iter(), other.runs.iter()];
        // Initial state; the first run of a mask is off.
        let (mut left, mut on) = ([0; 2], [true; 2]);
        loop {
            for ((left, side), on) in left.iter_mut().zip(&mut sides).zip(&mut on) {
                while *left == 0 {
                    let Some(next) = side.next() else {
                        *on = false;
                        break;
                    };
                    (*left, *on) = (*next, !*on);
                }
            }
            // After its last run, a mask is off.
            let step = match left {
                [0, 0] => return,
                [0, step] | [step, 0] => step,
                [a, b] => a.min(b),
            };
            each(step, on);
            left = left.map(|left: u32| left.saturating_sub(step));
        }
    }

    /// Returns the union of two masks of the same picture (`rleMerge`).
    #[must_use]
    pub fn merged(&self, other: &Self) -> Self {
        let mut runs = vec![0];
        let mut state = false;
        self.walk(other, |length, [a, b]| {
            if (a || b) != state {
                state = !state;
                runs.push(0);
            }
            if let Some(last) = runs.last_mut() {
                *last += length;
            }
        });
        Self { runs, ..*self }
    }

    /// Sets the object's pixels in a row-by-row mask of the same picture.
    pub fn draw(&self, mask: &mut Mask) {
        let height = self.height as usize;
        let mut at = 0;
        for (place, run) in self.runs.iter().enumerate() {
            let end = at + *run as usize;
            for pixel in (at..end).filter(|_| place % 2 == 1) {
                let place = pixel % height * mask.width + pixel / height;
                if let Some(pixel) = mask.pixels.get_mut(place) {
                    *pixel = true;
                }
            }
            at = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Rle;
    use crate::Mask;

    fn rle(runs: &[u32]) -> Rle {
        Rle {
            height: 3,
            width: 4,
            runs: runs.to_vec(),
        }
    }

    #[test]
    fn a_box_surrounds_the_pixels() {
        // The mask covers rows 1 and 2 of column 1, and row 0 of column 2.
        let mask = rle(&[4, 3, 5]);
        assert_eq!((mask.area(), mask.bbox()), (3, [1.0, 0.0, 2.0, 3.0]));
        assert_eq!(rle(&[4, 2, 6]).bbox(), [1.0, 1.0, 1.0, 2.0]);
        assert_eq!(rle(&[12]).bbox(), [0.0; 4]);
    }

    #[test]
    fn merged_masks_hold_the_pixels_of_both() {
        let both = rle(&[4, 2, 6]).merged(&rle(&[5, 3, 4]));
        assert_eq!(both.runs, [4, 4, 4]);
        assert_eq!(rle(&[12]).merged(&rle(&[0, 12])).area(), 12);
        // The runs of one mask end before the last pixel.
        assert_eq!(rle(&[2, 3]).merged(&both).runs, [2, 6, 4]);
        assert_eq!(rle(&[]).merged(&both).runs, [4, 4, 4]);
    }

    #[test]
    fn columns_become_rows() {
        let mut mask = Mask {
            width: 4,
            pixels: vec![false; 12],
        };
        rle(&[4, 3, 5]).draw(&mut mask);
        assert_eq!(mask.runs(), [2, 1, 2, 1, 3, 1, 2]);
    }
}
