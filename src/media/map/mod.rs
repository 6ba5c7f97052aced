//! Pixel maps: one value per pixel of a picture. They are read from a picture file or run lengths,
//! and drawn as colours.

mod layer;
mod ramp;
mod raster;

pub use layer::{Layer, Outline, Pen};
pub use ramp::{ERROR_RAMP, Ramp, VALUE_RAMP, color_at, label_color};
pub use raster::{MapKind, Raster, Values};
