//! Draws charts as SVG text, for HTML pages.
//!
//! Each has a title and a description for screen readers, distinguishes its series by shape as well
//! as colour, and uses the colours of [`Ink`], which the page's style sheet replaces in dark mode.

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
