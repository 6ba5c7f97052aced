//! Approximates Gaussian blur of one value per pixel, such as lightness or coverage.

/// Number of passes of a box blur that approximate a Gaussian.
const PASSES: usize = 3;

/// Blurs values in rows of `width` with the standard deviation `sigma` in pixels; edges are
/// repeated.
pub fn blurred(values: Vec<f64>, width: usize, sigma: f64) -> Vec<f64> {
    (0..PASSES).fold(values, |values, _| pass(&values, width, sigma))
}

/// One pass of a box blur in both directions; edges are repeated. Three passes have the standard
/// deviation `sigma`.
///
/// Source: W. M. Wells, "Efficient synthesis of Gaussian filters by cascaded uniform filters", PAMI
/// 8 (1986).
fn pass(values: &[f64], width: usize, sigma: f64) -> Vec<f64> {
    let passes = f64::from(u32::try_from(PASSES).unwrap_or(1));
    let size = (12.0 * sigma * sigma / passes + 1.0).sqrt();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "less than the side of a picture"
    )]
    let radius = ((size - 1.0) / 2.0).round().max(0.0) as usize;
    if radius == 0 || width == 0 {
        return values.to_vec();
    }
    let mut across = vec![0.0; values.len()];
    for (row, out) in values.chunks(width).zip(across.chunks_mut(width)) {
        blurred_line(row, radius, |at, value| out[at] = value);
    }
    blurred_down(&across, width, radius)
}

/// Running means down all columns, row by row.
fn blurred_down(values: &[f64], width: usize, radius: usize) -> Vec<f64> {
    let last = values.len() / width - 1;
    let row = |place: usize| {
        let row = place.saturating_sub(radius).min(last);
        &values[row * width..(row + 1) * width]
    };
    let mut sums = vec![0.0; width];
    for place in 0..=2 * radius {
        for (sum, value) in sums.iter_mut().zip(row(place)) {
            *sum += value;
        }
    }
    let count = f64::from(u32::try_from(2 * radius + 1).unwrap_or(u32::MAX));
    let mut down = Vec::with_capacity(values.len());
    for place in 0..=last {
        down.extend(sums.iter().map(|sum| sum / count));
        let (next, gone) = (row(place + 2 * radius + 1), row(place));
        for ((sum, next), gone) in sums.iter_mut().zip(next).zip(gone) {
            *sum += next - gone;
        }
    }
    down
}

/// Running mean along a line.
fn blurred_line(line: &[f64], radius: usize, mut put: impl FnMut(usize, f64)) {
    let last = line.len() - 1;
    let at = |place: usize| line[place.saturating_sub(radius).min(last)];
    // Indices are shifted by the radius, so that none is negative.
    let mut sum: f64 = (0..=2 * radius).map(at).sum();
    let count = f64::from(u32::try_from(2 * radius + 1).unwrap_or(u32::MAX));
    for place in 0..line.len() {
        put(place, sum / count);
        sum += at(place + 2 * radius + 1) - at(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blur_spreads_a_point_as_far_as_it_says() {
        let width = 101;
        let mut values = vec![0.0; width * width];
        values[50 * width + 50] = 1.0;
        values = blurred(values, width, 6.0);
        let sum: f64 = values.iter().sum();
        assert!((sum - 1.0).abs() < 1e-9);
        let variance: f64 = values
            .iter()
            .enumerate()
            .map(|(at, value)| value * ((at % width) as f64 - 50.0).powi(2))
            .sum();
        assert!((variance.sqrt() - 6.0).abs() < 0.5, "{}", variance.sqrt());
    }

    #[test]
    fn an_even_picture_stays_even() {
        let even = vec![0.4; 64 * 64];
        let blurred = blurred(even, 64, 20.0);
        assert!(blurred.iter().all(|value| (value - 0.4).abs() < 1e-9));
    }
}
