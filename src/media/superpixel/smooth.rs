//! Gaussian smoothing, mirrored at the borders.

/// Radius of the filter in standard deviations.
const REACH: f64 = 4.0;

/// Smooths the colours of a picture with size `[rows, columns]` along both axes, in place.
pub(super) fn smooth(colors: &mut [[f64; 3]], [rows, columns]: [usize; 2], sigma: f64) {
    let weights = weights(sigma);
    for column in 0..columns {
        along(colors, column, columns, rows, &weights);
    }
    for row in 0..rows {
        along(colors, row * columns, 1, columns, &weights);
    }
}

/// Returns the weights by distance from the centre. The weights of both sides together sum to 1.
fn weights(sigma: f64) -> Vec<f64> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a few pixels"
    )]
    let radius = (REACH * sigma + 0.5) as u32;
    let bell = |at: u32| (-0.5 / (sigma * sigma) * f64::from(at * at)).exp();
    let weights: Vec<f64> = (0..=radius).map(bell).collect();
    let sum = 2.0 * weights.iter().skip(1).sum::<f64>() + weights.first().unwrap_or(&1.0);
    weights.iter().map(|weight| weight / sum).collect()
}

/// Smooths `count` values that are `stride` apart.
fn along(colors: &mut [[f64; 3]], from: usize, stride: usize, count: usize, weights: &[f64]) {
    let line: Vec<[f64; 3]> = (0..count).map(|at| colors[from + at * stride]).collect();
    for at in 0..count {
        let mut sum = line[at].map(|value| value * weights[0]);
        for (distance, weight) in weights.iter().enumerate().skip(1).rev() {
            let before = line[mirrored(at, distance, count, false)];
            let behind = line[mirrored(at, distance, count, true)];
            for ((sum, before), behind) in sum.iter_mut().zip(before).zip(behind) {
                *sum += (before + behind) * weight;
            }
        }
        colors[from + at * stride] = sum;
    }
}

/// Returns the index that is `distance` before or behind `at`. At the ends, the index is mirrored
/// and the last value repeated.
const fn mirrored(at: usize, distance: usize, count: usize, is_behind: bool) -> usize {
    let round = 2 * count;
    let place = if is_behind {
        (at + distance) % round
    } else {
        (at + round - distance % round) % round
    };
    if place < count {
        place
    } else {
        round - 1 - place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_one_and_lines_are_mirrored() {
        let weights = weights(5.0);
        assert_eq!(weights.len(), 21);
        let sum = weights[0] + 2.0 * weights[1..].iter().sum::<f64>();
        assert!((sum - 1.0).abs() < 1e-12);
        let places: Vec<usize> = (1..=7).map(|far| mirrored(1, far, 3, false)).collect();
        assert_eq!(places, [0, 0, 1, 2, 2, 1, 0]);
        let places: Vec<usize> = (1..=4).map(|far| mirrored(1, far, 3, true)).collect();
        assert_eq!(places, [2, 2, 1, 0]);
    }

    #[test]
    fn an_even_picture_stays_as_it_is() {
        let mut colors = vec![[1.0, 2.0, 3.0]; 12];
        smooth(&mut colors, [3, 4], 5.0);
        for color in colors {
            let apart = color.iter().zip([1.0, 2.0, 3.0]).map(|(a, b)| a - b);
            assert!(apart.into_iter().all(|apart| apart.abs() < 1e-12));
        }
    }
}
