//! Widgets for the screens, and themes that colour them.
//!
//! A widget depends on its arguments, its `XxxState` and the theme. It does not depend on the app,
//! actions or records. Callers must make control characters in texts visible. A widget draws as
//! much as fits into its area and never panics.

pub mod ascii;
mod axis;
mod canvas;
mod dots;
mod scale;
mod scroll;
pub mod text;
pub mod text_edit;
pub mod theme;

pub mod curve;
pub mod dot_plot;
pub mod forest;
pub mod heat_grid;
pub mod line;
pub mod line_edit;
pub mod picture;
pub mod point_map;
pub mod popup;
pub mod prose;
pub mod radar;
pub mod ranking;
pub mod scatter;
pub mod search;
pub mod table;

#[cfg(test)]
mod testing;

pub use self::scale::Spacing;
pub use self::text::{fit, fit_end, fit_middle, width};
