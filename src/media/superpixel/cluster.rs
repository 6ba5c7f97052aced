//! Clusters pixels by colour and position.

use super::{real, side, whole};

/// Number of iterations; each assigns pixels and moves centres.
const ROUNDS: usize = 10;

/// Mean position and colour of a cluster.
#[derive(Clone, Copy, Debug, Default)]
struct Centre {
    row: f64,
    column: f64,
    color: [f64; 3],
    pixels: f64,
}

/// The cluster number of each pixel in row order, and the number of clusters.
pub(super) struct Clusters {
    pub(super) numbers: Vec<u32>,
    pub(super) count: u32,
}

/// Clusters the pixels of a picture with size `[rows, columns]` into about `wanted` clusters.
pub(super) fn clusters(colors: &[[f64; 3]], size: [usize; 2], wanted: u32) -> Clusters {
    let grid = grid(size, wanted);
    let step = grid[0].1.max(grid[1].1).max(1);
    let mut centres = Vec::new();
    for row in (grid[0].0..size[0]).step_by(grid[0].1.max(1)) {
        for column in (grid[1].0..size[1]).step_by(grid[1].1.max(1)) {
            centres.push(Centre {
                row: real(row),
                column: real(column),
                ..Centre::default()
            });
        }
    }
    let mut numbers = vec![0; colors.len()];
    for _ in 0..ROUNDS {
        assign(colors, size, &centres, real(step), &mut numbers);
        centres = moved(colors, size[1], &numbers, centres.len());
    }
    Clusters {
        numbers,
        count: u32::try_from(centres.len()).unwrap_or(u32::MAX),
    }
}

/// Returns offset and step along rows and along columns for a grid of about `wanted` points.
///
/// Works like scikit-image's `regular_grid` with a first axis of length 1. A side that is shorter
/// than a step gets one point.
fn grid(size: [usize; 2], wanted: u32) -> [(usize, usize); 2] {
    let space = real(size[0]) * real(size[1]);
    if space <= f64::from(wanted) {
        return [(0, 1); 2];
    }
    let is_wide = size[1] >= size[0];
    let sides = if is_wide {
        [size[0], size[1]]
    } else {
        [size[1], size[0]]
    };
    let lengths = sides.map(real);
    let mut steps = [(space / f64::from(wanted)).sqrt(); 2];
    if lengths[0] < steps[0] {
        steps = [lengths[0], lengths[1] / f64::from(wanted)];
    }
    let place = |step: f64| (whole((step / 2.0).floor()), whole(step.round_ties_even()));
    let [short, long] = steps.map(place);
    if is_wide {
        [short, long]
    } else {
        [long, short]
    }
}

/// Assigns each pixel to the nearest cluster centre within a distance of two steps.
fn assign(
    colors: &[[f64; 3]],
    size: [usize; 2],
    centres: &[Centre],
    step: f64,
    numbers: &mut [u32],
) {
    let weight = 1.0 / (step * step);
    let mut nearest = vec![f64::INFINITY; colors.len()];
    let window = |middle: f64, length: usize| {
        let from = whole((middle - 2.0 * step).max(0.0));
        let to = whole((middle + 2.0 * step + 1.0).min(real(length)));
        from..to
    };
    for (centre, number) in centres.iter().zip(0..) {
        for row in window(centre.row, size[0]) {
            let down = (centre.row - real(row)).powi(2);
            for column in window(centre.column, size[1]) {
                let place = row * size[1] + column;
                let mut distance = (down + (centre.column - real(column)).powi(2)) * weight;
                let mut apart = 0.0;
                for (a, b) in colors[place].iter().zip(centre.color) {
                    apart += (a - b) * (a - b);
                }
                distance += apart;
                if nearest[place] > distance {
                    nearest[place] = distance;
                    numbers[place] = number;
                }
            }
        }
    }
}

/// Returns the new centres: the means of the clusters.
fn moved(colors: &[[f64; 3]], columns: usize, numbers: &[u32], count: usize) -> Vec<Centre> {
    let mut centres = vec![Centre::default(); count];
    for (place, (color, number)) in colors.iter().zip(numbers).enumerate() {
        let centre = &mut centres[side(*number)];
        centre.row += real(place / columns);
        centre.column += real(place % columns);
        for (sum, channel) in centre.color.iter_mut().zip(color) {
            *sum += channel;
        }
        centre.pixels += 1.0;
    }
    let mean = |centre: &Centre| Centre {
        row: centre.row / centre.pixels,
        column: centre.column / centre.pixels,
        color: centre.color.map(|sum| sum / centre.pixels),
        pixels: centre.pixels,
    };
    centres.iter().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_has_about_as_many_points_as_wanted() {
        for (size, wanted, known) in [
            // Expected values from scikit-image's `regular_grid`.
            ([96, 112], 40, [(8, 16), (8, 16)]),
            ([480, 640], 400, [(13, 28), (13, 28)]),
            ([4, 400], 10, [(2, 4), (20, 40)]),
        ] {
            assert_eq!(grid(size, wanted), known, "{size:?}");
        }
    }
}
