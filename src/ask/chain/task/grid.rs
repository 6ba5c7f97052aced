//! Grid search for an object: each round divides the window and keeps the cells with the object.

use super::ROUNDS;

/// Positions of the cuts in eighths of a side: coarse grid, fine grid.
const CUTS: [[u32; 4]; 2] = [[0, 2, 6, 8], [0, 1, 7, 8]];
/// Number of cells of a grid.
pub(super) const CELLS: usize = 9;

/// Search for one object with a shrinking window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Search {
    /// Left, top, right and bottom in pixels; right and bottom are excluded.
    pub(super) window: [u32; 4],
    /// Number of rounds so far.
    pub(super) round: usize,
    is_fine: bool,
    is_over: bool,
}

impl Search {
    /// Starts a search in a picture of this size.
    pub(super) fn new((width, height): (u32, u32)) -> Self {
        let mut search = Self {
            window: [0, 0, width, height],
            round: 0,
            is_fine: false,
            is_over: false,
        };
        search.skip();
        search
    }

    /// Returns the cells of the next round in row order; `None` if the search is over.
    pub(super) fn cells(&self) -> Option<[[u32; 4]; CELLS]> {
        if self.is_over {
            return None;
        }
        let (across, down) = self.cuts();
        let mut cells = [[0; 4]; CELLS];
        for (at, cell) in cells.iter_mut().enumerate() {
            let (row, column) = (at / 3, at % 3);
            *cell = [across[column], down[row], across[column + 1], down[row + 1]];
        }
        Some(cells)
    }

    /// Shrinks the window to the cells that contain a part of the object. If there is no hit, all
    /// cells are kept.
    pub(super) fn narrow(&mut self, hits: [bool; CELLS]) {
        let hits = if hits.contains(&true) {
            hits
        } else {
            [true; CELLS]
        };
        let column = |at: usize| (0..3).any(|row| hits[3 * row + at]);
        let row = |at: usize| (0..3).any(|column| hits[3 * at + column]);
        let span = |is_hit: &dyn Fn(usize) -> bool| {
            let first = (0..3).find(|at| is_hit(*at)).unwrap_or(0);
            let last = (0..3).rev().find(|at| is_hit(*at)).unwrap_or(2);
            (first, last)
        };
        let ((left, right), (top, bottom)) = (span(&column), span(&row));
        let (across, down) = self.cuts();
        self.window = [across[left], down[top], across[right + 1], down[bottom + 1]];
        self.round += 1;
        self.is_over = self.round >= ROUNDS;
        if (left, right, top, bottom) == (0, 2, 0, 2) {
            self.finer();
        }
        self.skip();
    }

    /// Ends the search with the current window.
    pub(super) const fn stop(&mut self) {
        self.is_over = true;
    }

    /// Switches to the fine grid, or ends the search if it is already fine.
    const fn finer(&mut self) {
        if self.is_fine {
            self.is_over = true;
        }
        self.is_fine = true;
    }

    /// Skips rounds in which a cell would be empty.
    fn skip(&mut self) {
        while !self.is_over {
            let (across, down) = self.cuts();
            if across[0] != across[1] && down[0] != down[1] {
                return;
            }
            self.round += 1;
            self.is_over = self.round >= ROUNDS;
            self.finer();
        }
    }

    /// Returns the columns and rows at which the window is cut.
    fn cuts(&self) -> ([u32; 4], [u32; 4]) {
        let eighths = CUTS[usize::from(self.is_fine)];
        let [left, top, right, bottom] = self.window;
        let at = |from: u32, to: u32| {
            let length = u64::from(to - from);
            eighths
                .map(|part| from + u32::try_from(length * u64::from(part) / 8).unwrap_or(u32::MAX))
        };
        (at(left, right), at(top, bottom))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Searches for a box with perfect answers; returns the window and the number of requests.
    fn found(size: (u32, u32), object: [u32; 4]) -> ([u32; 4], usize) {
        let mut search = Search::new(size);
        let mut requests = 0;
        while let Some(cells) = search.cells() {
            requests += 1;
            search.narrow(cells.map(|cell| meets(cell, object)));
        }
        (search.window, requests)
    }

    fn meets(a: [u32; 4], b: [u32; 4]) -> bool {
        a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
    }

    fn area([x0, y0, x1, y1]: [u32; 4]) -> f64 {
        f64::from(x1 - x0) * f64::from(y1 - y0)
    }

    #[test]
    fn an_object_that_fills_the_picture_takes_two_rounds() {
        assert_eq!(found((640, 480), [0, 0, 640, 480]), ([0, 0, 640, 480], 2));
    }

    #[test]
    fn an_object_in_a_corner_is_closed_in_on() {
        let (window, requests) = found((800, 800), [0, 0, 100, 100]);
        assert!(
            requests <= ROUNDS && window[0] == 0 && window[2] < 160,
            "{window:?} {requests}"
        );
    }

    #[test]
    fn nothing_found_counts_as_everything() {
        let mut search = Search::new((80, 80));
        search.narrow([false; CELLS]);
        assert_eq!((search.window, search.is_fine), ([0, 0, 80, 80], true));
        search.narrow([false; CELLS]);
        assert_eq!(search.cells(), None);
    }

    #[test]
    fn a_picture_too_small_to_cut_is_not_asked_about() {
        assert_eq!(Search::new((3, 100)).cells(), None);
        assert_eq!(Search::new((0, 0)).cells(), None);
    }

    proptest! {
        /// With correct answers, the box stays inside the window and the search stays within its
        /// bound. If the fine grid is hit on all sides, at most an eighth is missed on each side.
        #[test]
        fn with_right_answers_the_window_closes_in_to_its_ceiling(
            width in 16_u32..900, height in 16_u32..900, x in 0.0..0.9, y in 0.0..0.9, w in 0.05..1.0, h in 0.05..1.0,
        ) {
            let at = |share: f64, length: u32| (share * f64::from(length)) as u32;
            let (x0, y0) = (at(x, width), at(y, height));
            let (x1, y1) = ((x0 + at(w, width).max(1)).min(width), (y0 + at(h, height).max(1)).min(height));
            let object = [x0, y0, x1, y1];
            let (window, requests) = found((width, height), object);
            prop_assert!(requests <= ROUNDS);
            prop_assert!(window[0] <= x0 && window[1] <= y0 && window[2] >= x1 && window[3] >= y1);
            let iou = area(object) / area(window);
            if requests < ROUNDS && window[2] - window[0] >= 8 && window[3] - window[1] >= 8 {
                let slack = |far: u32, length: u32| f64::from(far) <= f64::from(length) / 8.0 + 1.0;
                prop_assert!(slack(x0 - window[0], window[2] - window[0]) && slack(window[2] - x1, window[2] - window[0]));
                prop_assert!(slack(y0 - window[1], window[3] - window[1]) && slack(window[3] - y1, window[3] - window[1]));
            }
            prop_assert!(iou > 0.0 && iou <= 1.0);
        }
    }
}
