//! HTML page of checkpoints: a chart per curve.

use crate::chart::{Scatter, ScatterPoint, ScatterScale, scatter};
use crate::checkpoints::{CheckpointCurves, title};
use crate::html::{Block, Figure, Page};
use analysis::{CheckpointCurve, CheckpointPoint};
use record::benchmark::metric_words;

/// Page with one chart per curve.
pub fn page(curves: &CheckpointCurves) -> Page {
    let figures = curves
        .found
        .iter()
        .map(|curve| Block::Figure(figure(curve)));
    super::with_charts("Eyechart: checkpoints", curves, figures.collect())
}

fn figure(curve: &CheckpointCurve) -> Figure {
    let point = |point: &CheckpointPoint| {
        Some(ScatterPoint {
            name: point.model.clone(),
            x: point.step,
            y: point.score?,
            interval: point.ci.map(|ci| (ci.low, ci.high)),
            series: Some(0),
        })
    };
    let drawn = Scatter {
        title: title(curve),
        across: "training step".to_owned(),
        up: format!(
            "{} {}",
            metric_words(&curve.metric),
            curve.direction.arrow()
        ),
        scale: ScatterScale::Linear,
        series: vec![curve.line.clone()],
        points: curve.points.iter().filter_map(point).collect(),
        lines: Vec::new(),
    };
    Figure {
        svg: scatter(&drawn),
        caption: format!("{}, {} checkpoints", title(curve), curve.points.len()),
    }
}
