//! Small classical vision encoders with a ridge regression head per ability: real predictions from
//! real pixels.
//!
//! AVA-Bench trains one head per ability on a frozen encoder. This module does the same at a size
//! that trains in seconds, with five encoders that extract different features. They answer the
//! exam, and serve as models when no endpoint is available. This module does not know how exam
//! items are drawn or stored.

mod boxes;
mod finder;
mod head;
mod heads;
mod letters;
mod number;
mod options;
mod pairs;
mod pixels;
mod randconv;
mod ridge;
mod sight;
mod similarity;
mod spots;
mod things;
mod view;
mod wording;

use image::RgbaImage;
use serde::{Deserialize, Serialize};

pub use heads::{Example, Heads};
use media::code::{color, gabor, hog};
use view::{VIEWS, View};

/// Version of encoders and training; raise it when either changes, to invalidate cached heads.
pub const VERSION: u32 = 2;

base::named_enum! {
    /// A fixed function from a picture to a feature vector.
    ///
    /// Each is available as the model `builtin:NAME`, such as `builtin:hog`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum Encoder {
        /// The picture itself, downscaled.
        Pixels = "pixels",
        /// Colour histograms over a pyramid of cells.
        Color = "color",
        /// Histograms of oriented gradients; ignores colour.
        Hog = "hog",
        /// Gabor filter energy by scale and orientation; ignores colour.
        Gabor = "gabor",
        /// Random convolutions with rectification and pooling.
        RandConv = "randconv",
    }
}

impl Encoder {
    /// Features of the whole picture, of the inside of the red box, and of the inside of the blue
    /// box. The length is the same for every picture; a missing box gives zeros.
    pub fn features(self, picture: &RgbaImage) -> Vec<f32> {
        let views = view::views(picture).map(|view| view.map(|view| self.of_view(&view)));
        let length = views.iter().flatten().map(Vec::len).max().unwrap_or(0);
        let mut features = Vec::with_capacity(length * VIEWS);
        for view in views {
            features.extend(view.unwrap_or_else(|| vec![0.0; length]));
        }
        features
    }

    /// Features of each of 8 x 8 cells of a view, row by row.
    fn of_cells(self, view: &View) -> Vec<Vec<f32>> {
        let cells = spots::CELLS;
        let flat = match self {
            Self::Pixels => view.cells(cells).into_iter().flatten().collect(),
            Self::Color => color::histograms(view, cells),
            Self::Hog => hog::features(view),
            Self::Gabor => gabor::of_cells(view, cells),
            Self::RandConv => randconv::of_cells(view, cells),
        };
        let depth = flat.len() / (cells * cells);
        flat.chunks_exact(depth.max(1))
            .map(<[f32]>::to_vec)
            .collect()
    }

    /// Features of one view.
    fn of_view(self, view: &View) -> Vec<f32> {
        match self {
            Self::Pixels => pixels::features(view),
            Self::Color => color::features(view),
            Self::Hog => hog::features(view),
            Self::Gabor => gabor::features(view),
            Self::RandConv => randconv::features(view),
        }
    }
}

#[cfg(test)]
mod tests;
