//! Small classical image encoders, each with a ridge head per ability: real predictions from real pixels.
//!
//! AVA-Bench trains one head per ability on top of a frozen encoder. So does this module, at a size that
//! trains in seconds: five encoders that see different things in a picture, and ridge regression for heads.
//! They answer the exam, and they are the models that are asked when no endpoint is at hand. This module
//! must not know how the exam is drawn, nor where items are stored.

// Tests compare exact numbers and cast small ones.
#![cfg_attr(
    test,
    allow(
        clippy::pedantic,
        clippy::type_complexity,
        clippy::cloned_ref_to_slice_refs
    )
)]

mod boxes;
mod color;
mod gabor;
mod head;
mod heads;
mod hog;
mod letters;
mod options;
mod pairs;
mod pixels;
mod randconv;
mod ridge;
mod spots;
mod view;
mod wording;

use image::RgbaImage;

pub use heads::{Example, Heads};
use view::{VIEWS, View};

/// A fixed function from a picture to a list of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Encoder {
    /// The picture itself, very small.
    Pixels,
    /// Colour histograms over a pyramid of cells.
    Color,
    /// Histograms of oriented gradients. Sees no colour.
    Hog,
    /// Energy of Gabor filters, by scale and direction. Sees no colour.
    Gabor,
    /// Random convolutions, rectified and pooled.
    RandConv,
}

impl Encoder {
    /// Every encoder.
    pub const ALL: [Self; 5] = [
        Self::Pixels,
        Self::Color,
        Self::Hog,
        Self::Gabor,
        Self::RandConv,
    ];

    /// Its name, as in `builtin:hog`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pixels => "pixels",
            Self::Color => "color",
            Self::Hog => "hog",
            Self::Gabor => "gabor",
            Self::RandConv => "randconv",
        }
    }

    /// The encoder of a name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|encoder| encoder.name() == name)
    }

    /// The features of a picture: of the whole, of what the red box holds, and of what the blue box holds.
    /// The list has the same length for every picture; a box that is not drawn leaves zeros.
    #[must_use]
    pub fn features(self, picture: &RgbaImage) -> Vec<f32> {
        let views = view::views(picture).map(|view| view.map(|view| self.of_view(&view)));
        let length = views.iter().flatten().map(Vec::len).max().unwrap_or(0);
        let mut features = Vec::with_capacity(length * VIEWS);
        for view in views {
            features.extend(view.unwrap_or_else(|| vec![0.0; length]));
        }
        features
    }

    /// What each of 8 x 8 cells of a view shows, row by row.
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

    /// The features of one view.
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
