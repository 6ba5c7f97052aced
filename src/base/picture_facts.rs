//! Properties of a picture that are computed from its pixels.

use serde::{Deserialize, Serialize};

/// Properties of a picture. `media::facts` computes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PictureFacts {
    /// Number of pixels: width times height.
    pub pixels: f64,
    /// Width over height.
    pub aspect: f64,
    /// Mean luma, 0 (black) to 1 (white).
    pub brightness: f64,
    /// Standard deviation of the luma, 0 to 0.5.
    pub contrast: f64,
    /// Colourfulness by Hasler and Süsstrunk, on the scale of their paper: 0 none, 33 moderate, 59
    /// quite, 109 extreme.
    pub colourfulness: f64,
    /// Variance of the Laplacian of the luma. The luma has levels from 0 to 255.
    pub sharpness: f64,
    /// Share of the pixels that are on an edge, 0 to 1.
    pub edges: f64,
    /// Share of the picture covered by shapes that look like lines of letters, 0 to 1.
    pub letters: f64,
    /// File size in bits per pixel.
    pub bits_per_pixel: f64,
    /// True if the picture has no colours.
    pub is_grey: bool,
    /// Difference hash; equal for pictures that look the same.
    pub hash: u64,
}
