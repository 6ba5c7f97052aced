//! Finds shapes that look like lines of letters, by their sizes and alignment.
//!
//! A shape is a connected area that is darker or brighter than its surroundings. A line consists of
//! at least three shapes side by side, with similar heights but different forms. Text is not
//! recognized, and rows of other small objects can be mistaken for letters.
//!
//! Based on L. Neumann and J. Matas, "Real-time scene text localization and recognition", CVPR
//! (2012), with a threshold instead of extremal regions.

/// Cells per side for the positions of letters.
const CELLS: usize = 4;
/// Radius of a pixel's surroundings, in pixels.
const AROUND: usize = 12;
/// Minimum difference from the surroundings, in thousandths of a level.
const CONTRAST: i64 = 20_000;
/// Minimum height of a letter in pixels, and a divisor. The picture's height divided by the second
/// number is the maximum height of a letter.
const HEIGHTS: [usize; 2] = [5, 5];
/// Maximum number of letter-like shapes in a picture; more shapes count as a pattern.
const MOST: usize = 4_000;

/// Area of a picture that letters cover.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LetterCover {
    /// Share of the picture, 0 to 1.
    pub share: f64,
    /// Share of each of 4 x 4 cells, row by row.
    pub cells: [f32; CELLS * CELLS],
}

/// A connected area of the picture.
#[derive(Clone, Copy, Debug)]
struct Shape {
    left: usize,
    top: usize,
    /// First column to the right of the shape; `bottom` is the first row below it.
    right: usize,
    bottom: usize,
    pixels: usize,
}

impl Shape {
    const fn width(&self) -> usize {
        self.right - self.left
    }

    const fn height(&self) -> usize {
        self.bottom - self.top
    }

    /// Returns the share of its bounding box that the shape fills.
    fn fill(&self) -> f64 {
        real(self.pixels) / real(self.width() * self.height())
    }

    fn is_like_a_letter(&self, rows: usize) -> bool {
        let [least, part] = HEIGHTS;
        let (width, height) = (self.width(), self.height());
        let is_thin = 2 * width <= height;
        height >= least
            && height * part <= rows
            && 2 * width <= 3 * height
            && self.fill() >= 0.15
            && (self.fill() <= 0.9 || is_thin)
    }

    /// Returns true if `next` can be the next letter. `next` starts no further left than this
    /// shape.
    fn is_followed_by(&self, next: &Self) -> bool {
        let [low, high] = [self.height(), next.height()];
        let [low, high] = [low.min(high), low.max(high)];
        let offset = (self.top + self.bottom).abs_diff(next.top + next.bottom);
        let overlap = self.right.saturating_sub(next.left);
        let gap = next.left.saturating_sub(self.right);
        high <= 2 * low && 10 * offset <= 7 * high && 5 * overlap <= high && 5 * gap <= 4 * high
    }
}

/// Finds lines of letters in the luma of a picture, in thousandths of a level, row by row.
pub fn letters(lumas: &[i64], width: usize) -> LetterCover {
    let rows = lumas.len() / width.max(1);
    let mut found = LetterCover::default();
    if rows == 0 {
        return found;
    }
    let differences = from_surroundings(lumas, width);
    for sign in [1, -1] {
        let ink: Vec<bool> = differences.iter().map(|it| sign * it > CONTRAST).collect();
        let mut shapes = shapes(&ink, width);
        shapes.retain(|shape| shape.is_like_a_letter(rows));
        if shapes.len() > MOST {
            continue;
        }
        for line in lines(shapes).iter().filter(|line| is_written(line)) {
            for shape in line {
                found.add(shape, [width, rows]);
            }
        }
    }
    found
}

impl LetterCover {
    #[expect(clippy::cast_possible_truncation, reason = "a part of a cell")]
    fn add(&mut self, shape: &Shape, [width, rows]: [usize; 2]) {
        let part = real(shape.width() * shape.height()) / real(width * rows);
        let cell = |low: usize, high: usize, side: usize| (low + high) * CELLS / (2 * side);
        let (x, y) = (
            cell(shape.left, shape.right, width),
            cell(shape.top, shape.bottom, rows),
        );
        self.share = (self.share + part).min(1.0);
        if let Some(cover) = self.cells.get_mut(y * CELLS + x) {
            let of_cell = part * real(CELLS * CELLS);
            *cover = (*cover + of_cell as f32).min(1.0);
        }
    }
}

/// Subtracts from each pixel the mean of the square around that pixel, clipped to the picture.
fn from_surroundings(lumas: &[i64], width: usize) -> Vec<i64> {
    let rows = lumas.len() / width;
    // Sums of all pixels above and to the left of each position.
    let stride = width + 1;
    let mut sums = vec![0_i64; stride * (rows + 1)];
    for (y, row) in lumas.chunks_exact(width).enumerate() {
        let mut sum = 0;
        for (x, luma) in row.iter().enumerate() {
            sum += luma;
            sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1] + sum;
        }
    }
    let ends = |at: usize, side: usize| [at.saturating_sub(AROUND), (at + AROUND + 1).min(side)];
    let of_pixel = |(at, luma): (usize, &i64)| {
        let [left, right] = ends(at % width, width);
        let [top, bottom] = ends(at / width, rows);
        let sum = |y: usize, x: usize| sums[y * stride + x];
        let around = sum(bottom, right) - sum(top, right) - sum(bottom, left) + sum(top, left);
        let area = i64::try_from((right - left) * (bottom - top)).unwrap_or(i64::MAX);
        luma - around / area
    };
    lumas.iter().enumerate().map(of_pixel).collect()
}

/// Disjoint sets of indices.
struct Sets(Vec<usize>);

impl Sets {
    fn find(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        self.0[other] = one;
    }
}

/// Returns the connected areas of a mask. Pixels that touch at a corner are connected.
fn shapes(ink: &[bool], width: usize) -> Vec<Shape> {
    let mut runs: Vec<Shape> = Vec::new();
    let mut sets = Sets(Vec::new());
    let mut above = 0..0;
    for (y, row) in ink.chunks_exact(width).enumerate() {
        let first = runs.len();
        let mut left = 0;
        for run in row.chunk_by(|a, b| a == b) {
            let right = left + run.len();
            if run.first() == Some(&true) {
                let own = runs.len();
                sets.0.push(own);
                for other in above.clone() {
                    if runs[other].left <= right && left <= runs[other].right {
                        sets.join(other, own);
                    }
                }
                runs.push(Shape {
                    left,
                    top: y,
                    right,
                    bottom: y + 1,
                    pixels: run.len(),
                });
            }
            left = right;
        }
        above = first..runs.len();
    }
    let mut found: Vec<Option<Shape>> = vec![None; runs.len()];
    for (at, run) in runs.iter().enumerate() {
        let whole = &mut found[sets.find(at)];
        *whole = Some(whole.map_or(*run, |whole| Shape {
            left: whole.left.min(run.left),
            top: whole.top.min(run.top),
            right: whole.right.max(run.right),
            bottom: whole.bottom.max(run.bottom),
            pixels: whole.pixels + run.pixels,
        }));
    }
    found.into_iter().flatten().collect()
}

/// Groups shapes that follow each other into lines.
fn lines(mut shapes: Vec<Shape>) -> Vec<Vec<Shape>> {
    shapes.sort_by_key(|shape| (shape.left, shape.top));
    let mut sets = Sets((0..shapes.len()).collect());
    let widest = shapes.iter().map(Shape::height).max().unwrap_or_default();
    for (at, shape) in shapes.iter().enumerate() {
        let others = shapes.iter().enumerate().skip(at + 1);
        for (other, next) in others.take_while(|(_, it)| it.left <= shape.right + widest) {
            if shape.is_followed_by(next) {
                sets.join(at, other);
            }
        }
    }
    let mut found: Vec<Vec<Shape>> = vec![Vec::new(); shapes.len()];
    for (at, shape) in shapes.iter().enumerate() {
        found[sets.find(at)].push(*shape);
    }
    found
}

/// Returns true if a line has at least three shapes with similar heights and different forms.
fn is_written(line: &[Shape]) -> bool {
    let height = |shape: &Shape| real(shape.height());
    let form = |shape: &Shape| real(shape.width()) / real(shape.height());
    let (mean, heights) = spread(line, height);
    line.len() >= 3
        && heights < 0.3 * mean
        && (spread(line, form).1 > 0.1 || spread(line, Shape::fill).1 > 0.06)
}

/// Returns the mean and the standard deviation of a measure over the shapes of a line.
fn spread(line: &[Shape], of: impl Fn(&Shape) -> f64) -> (f64, f64) {
    let n = real(line.len().max(1));
    let mean = line.iter().map(&of).sum::<f64>() / n;
    let squares = line.iter().map(|shape| (of(shape) - mean).powi(2));
    (mean, (squares.sum::<f64>() / n).sqrt())
}

#[expect(clippy::cast_precision_loss, reason = "pixels of a small copy")]
const fn real(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws rectangles, `[left, top, width, height]`, on a grey picture of 64 x 40 pixels.
    fn drawn(rectangles: &[[usize; 4]]) -> Vec<i64> {
        let mut lumas = vec![200_000; 64 * 40];
        for [left, top, width, height] in rectangles {
            for y in *top..top + height {
                lumas[y * 64 + left..][..*width].fill(20_000);
            }
        }
        lumas
    }

    #[test]
    fn shapes_side_by_side_are_letters_if_they_differ() {
        // Vertical strokes of different widths.
        let line = [[4, 10, 2, 8], [8, 10, 4, 8], [14, 10, 4, 8], [20, 11, 1, 7]];
        let found = letters(&drawn(&line), 64);
        let area = (16 + 32 + 32 + 7) as f64;
        assert!(
            (found.share - area / (64.0 * 40.0)).abs() < 1e-12,
            "{found:?}"
        );
        // All shapes have their centres left of column 32 and between rows 10 and 20.
        let covered: Vec<usize> = (0..16).filter(|at| found.cells[*at] > 0.0).collect();
        assert_eq!(covered, [4, 5]);
        let alike = [4, 8, 12, 16, 20].map(|left| [left, 10, 2, 8]);
        assert_eq!(letters(&drawn(&alike), 64), LetterCover::default());
        let scattered = [[4, 2, 2, 8], [30, 20, 4, 8], [50, 5, 3, 8]];
        assert_eq!(letters(&drawn(&scattered), 64).share, 0.0);
        assert_eq!(letters(&drawn(&line[..2]), 64).share, 0.0);
    }

    #[test]
    fn connected_parts_touch_at_corners_too() {
        let ink = [
            [true, false, false, true],
            [false, true, false, true],
            [false, false, false, true],
            [true, true, false, false],
        ];
        let found = shapes(&ink.concat(), 4);
        let sizes: Vec<[usize; 3]> = found
            .iter()
            .map(|it| [it.width(), it.height(), it.pixels])
            .collect();
        assert_eq!(sizes, [[2, 2, 2], [1, 3, 3], [2, 1, 2]]);
        assert!(shapes(&[], 4).is_empty());
    }
}
