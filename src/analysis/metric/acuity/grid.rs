//! Defines the grid of thresholds, slopes and lapses that a posterior is computed on.

use std::sync::LazyLock;

use super::{LEVELS, Psychometric};

/// Distance between neighbouring thresholds, in levels.
pub const STEP: f64 = 0.1;
/// Lowest threshold, two levels below the easiest level.
const FIRST: f64 = -1.0;
/// Number of thresholds: from -1 to 12, two levels beyond both ends.
pub const THRESHOLDS: usize = 131;
/// Slopes, evenly spaced on a log scale: from a fall over most levels to a fall within one level.
pub const SLOPES: [f64; 7] = [0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0];
/// Lapse rates with their prior weights.
pub const LAPSES: [(f64, f64); 5] = [
    (0.0, 0.3),
    (0.015, 0.3),
    (0.04, 0.2),
    (0.08, 0.13),
    (0.14, 0.07),
];
/// Number of points of the grid.
pub const POINTS: usize = THRESHOLDS * SLOPES.len() * LAPSES.len();

/// Share of readable items that is read, by level and by pair of threshold and slope.
static SHAPES: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let levels = (1..=LEVELS).flat_map(|level| {
        (0..THRESHOLDS * SLOPES.len()).map(move |pair| {
            let observer = Psychometric {
                lapse: 0.0,
                ..point(pair * LAPSES.len())
            };
            observer.right(f64::from(level), 0.0)
        })
    });
    levels.collect()
});

/// Returns the threshold at an index, in levels.
pub fn threshold(at: usize) -> f64 {
    FIRST + STEP * f64::from(u32::try_from(at).unwrap_or(u32::MAX))
}

/// Clamps the index of a threshold to the levels, 1 to 10.
pub fn clamped(at: usize) -> usize {
    const PER_LEVEL: usize = 10;
    at.clamp(2 * PER_LEVEL, (LEVELS as usize + 1) * PER_LEVEL)
}

/// Returns the observer at a point of the grid.
pub fn point(at: usize) -> Psychometric {
    let pair = at / LAPSES.len();
    Psychometric {
        threshold: threshold(pair / SLOPES.len()),
        slope: SLOPES[pair % SLOPES.len()],
        lapse: LAPSES[at % LAPSES.len()].0,
    }
}

/// Returns the prior weight of each point; the sum is 1.
pub fn prior() -> Vec<f64> {
    let cells = f64::from(u32::try_from(POINTS / LAPSES.len()).unwrap_or(u32::MAX));
    (0..POINTS)
        .map(|at| LAPSES[at % LAPSES.len()].1 / cells)
        .collect()
}

/// Returns the share of readable items that is read at a level, by pair of threshold and slope.
pub fn shapes(level: u8) -> &'static [f64] {
    const PAIRS: usize = THRESHOLDS * SLOPES.len();
    let level = usize::from(level.clamp(1, LEVELS)) - 1;
    &SHAPES[level * PAIRS..(level + 1) * PAIRS]
}
