//! Draws scores over a numeric tag.

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::shared::AppState;
use crate::widget::Spacing;
use crate::widget::curve::{Curve, CurvePoint, CurveSeries};
use analysis::Subgroup;
use base::format::visible;
use record::benchmark::Bins;

use super::bins::Rows;

/// Tags with a logarithmic axis, as in the case studies of `TDBench`.
const LOGARITHMIC: [&str; 2] = ["altitude_m", "magnification"];

/// Returns a model's scores in the order of x. Empty if the tag is not numeric.
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
    let mut points: Vec<CurvePoint> = bins.iter().filter_map(point).collect();
    // Bins can be sorted by score, so sort them by x.
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    points
}

/// Draws the scores of each model in the chart over a numeric tag.
pub fn draw(
    shared: &AppState,
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

#[cfg(test)]
mod tests {
    use super::points;
    use analysis::Subgroup;

    #[test]
    fn a_curve_runs_from_left_to_right_in_any_order_of_the_list() {
        let group = |center: f64| Subgroup {
            score: Some(0.5),
            center: Some(center),
            ..Subgroup::default()
        };
        let (first, second) = (group(1.0), group(2.0));
        let bins = vec![("b", vec![Some(&second)]), ("a", vec![Some(&first)])];
        let found: Vec<f64> = points(&bins, 0).iter().map(|point| point.x).collect();
        assert_eq!(found, [1.0, 2.0]);
    }
}
