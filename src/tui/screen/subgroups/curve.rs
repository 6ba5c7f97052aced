//! Draws scores over a numeric tag.

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::shared::Shared;
use crate::widget::Spacing;
use crate::widget::curve::{Curve, CurvePoint, CurveSeries};
use analysis::Subgroup;
use base::format::visible;
use record::benchmark::Bins;

use super::bins::Rows;

/// Tags with a logarithmic axis, as in the case studies of `TDBench`.
const LOGARITHMIC: [&str; 2] = ["altitude_m", "magnification"];

/// Returns a model's scores along the x axis, if the tag is numeric.
pub fn points(bins: &Rows<'_>, model: usize) -> Vec<CurvePoint> {
    let point = |(_, cells): &(&str, Vec<Option<&Subgroup>>)| {
        let group = cells.get(model).copied().flatten()?;
        let (y, x) = (group.score?, group.center.filter(|x| x.is_finite())?);
        Some(CurvePoint {
            x,
            y,
            interval: group.ci.map(|ci| (ci.low, ci.high)),
            n: group.n,
        })
    };
    bins.iter().filter_map(point).collect()
}

/// Draws the scores of each model in the chart over a numeric tag.
pub fn draw(
    shared: &Shared,
    split: &str,
    heading: &str,
    models: &[String],
    points: &[Vec<CurvePoint>],
    frame: &mut Frame<'_>,
    area: Rect,
) {
    let names: Vec<String> = models
        .iter()
        .map(|model| visible(model).into_owned())
        .collect();
    let series: Vec<CurveSeries<'_>> = names
        .iter()
        .zip(points)
        .map(|(name, points)| CurveSeries { name, points })
        .collect();
    let positive = points.iter().flatten().all(|point| point.x > 0.0);
    let log = LOGARITHMIC.contains(&split) || matches!(shared.cut.bins, Some(Bins::Log(_)));
    let spacing = if log && positive {
        Spacing::Log
    } else {
        Spacing::Linear
    };
    let x_label = visible(split);
    frame.render_widget(
        Curve {
            theme: &shared.theme,
            x_label: &x_label,
            y_label: heading,
            spacing,
            series: &series,
        },
        area,
    );
}
