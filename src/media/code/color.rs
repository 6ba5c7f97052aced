//! Colour histograms over a pyramid of 1, 4 and 16 cells (M. Swain and D. Ballard, "Color
//! indexing", 1991; S. Lazebnik et al., "Beyond bags of features", 2006).
//!
//! A pixel is split between the eight nearest bins (trilinear interpolation), so a mean colour is a
//! weighted sum of bins.

use super::{SIDE, View};

/// Bin centres per channel.
const CENTRES: usize = 4;
/// Bins per histogram.
const BINS: usize = CENTRES * CENTRES * CENTRES;
/// Cells per side, by level of the pyramid.
const LEVELS: [usize; 3] = [1, 2, 4];

/// Returns 21 histograms of 64 bins; each sums to one.
pub fn features(view: &View) -> Vec<f32> {
    LEVELS
        .iter()
        .flat_map(|&cells| histograms(view, cells))
        .collect()
}

/// Returns a histogram for each of `cells` x `cells` cells, row by row.
pub fn histograms(view: &View, cells: usize) -> Vec<f32> {
    let size = SIDE / cells;
    let share = 1.0 / f32::from(u16::try_from(size * size).unwrap_or(u16::MAX));
    let mut bins = vec![0.0; cells * cells * BINS];
    for (at, &[r, g, b]) in view.rgb.iter().enumerate() {
        let cell = at / SIDE / size * cells + at % SIDE / size;
        for (red, by_red) in around(r) {
            for (green, by_green) in around(g) {
                for (blue, by_blue) in around(b) {
                    let bin = (red * CENTRES + green) * CENTRES + blue;
                    if let Some(sum) = bins.get_mut(cell * BINS + bin) {
                        *sum += share * by_red * by_green * by_blue;
                    }
                }
            }
        }
    }
    bins
}

/// Returns the two bin centres around a channel's value, each with its weight.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between 0 and the last centre but one"
)]
fn around(channel: f32) -> [(usize, f32); 2] {
    let last = f32::from(u8::try_from(CENTRES - 1).unwrap_or(u8::MAX));
    let place = channel.clamp(0.0, 1.0) * last;
    let lower = place.floor().min(last - 1.0);
    let upper_share = place - lower;
    let at = lower as usize;
    [(at, 1.0 - upper_share), (at + 1, upper_share)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_color_is_a_weighted_sum_of_bins() {
        let color = [0.2, 0.55, 0.9];
        let view = View {
            rgb: vec![color; SIDE * SIDE],
        };
        let features = features(&view);
        assert_eq!(features.len(), 21 * 64);
        let mut mean = [0.0_f32; 3];
        for (bin, share) in features[..64].iter().enumerate() {
            for (channel, centre) in [bin / 16, bin / 4 % 4, bin % 4].into_iter().enumerate() {
                mean[channel] += share * centre as f32 / 3.0;
            }
        }
        for (found, expected) in mean.into_iter().zip(color) {
            assert!((found - expected).abs() < 1e-3, "{mean:?}");
        }
    }
}
