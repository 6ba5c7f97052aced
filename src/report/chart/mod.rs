//! Draws charts as SVG text, for HTML pages.
//!
//! Each chart has a title and a description for screen readers. Series are distinguished by shape
//! and by colour. Colours are those of [`Ink`], which the page's style sheet replaces in dark mode.

mod canvas;
mod curve;
mod dot_plot;
mod forest;
mod scatter;

pub use canvas::{Ink, Shape};
pub use curve::{Curve, CurvePoint, CurveSeries, curve};
pub use dot_plot::{ChartMark, DotPlot, DotPlotRow, dot_plot};
pub use forest::{ForestRow, forest};
pub use scatter::{Scatter, ScatterLine, ScatterPoint, ScatterScale, scatter};
