//! Downscaled pixels: mean red, green and blue of 16 x 16 cells.

use super::view::View;

/// Cells per side.
const CELLS: usize = 16;

/// 768 features.
pub fn features(view: &View) -> Vec<f32> {
    view.cells(CELLS).into_iter().flatten().collect()
}
