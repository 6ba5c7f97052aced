//! HTML page of score against size, date or another score: a chart per benchmark and ability.

use crate::cells::ends_note;
use crate::chart::{Scatter, ScatterLine, ScatterPoint, ScatterScale, scatter};
use crate::html::{Block, Figure, Page};
use crate::trend::{TrendCharts, title};
use analysis::{Against, Trend, TrendAxis};
use base::format::fixed;
use record::benchmark::Direction;

/// Maximum number of families with a line and a label.
const MOST_FAMILIES: usize = 12;

/// Page with one chart per trend that has points.
pub fn page(charts: &TrendCharts) -> Page {
    let drawn = charts.found.iter().filter(|chart| !chart.points.is_empty());
    let figures = drawn.map(|chart| Block::Figure(figure(chart, &charts.options.against)));
    super::with_charts(
        &format!("Eyechart: score against {}", charts.options.against.label()),
        charts,
        figures.collect(),
    )
}

fn figure(chart: &Trend, against: &Against) -> Figure {
    let scale = match against {
        Against::Fact(TrendAxis::Parameters) => ScatterScale::Log,
        Against::Fact(TrendAxis::Released) => ScatterScale::Years,
        Against::Fact(TrendAxis::Step) | Against::Score(_) => ScatterScale::Linear,
    };
    let log = if scale == ScatterScale::Log {
        " (log)"
    } else {
        ""
    };
    // The first families have the most points.
    let mut families = chart.families();
    families.truncate(MOST_FAMILIES);
    let point = |point: &analysis::TrendPoint| ScatterPoint {
        name: point.model.clone(),
        x: point.x,
        y: point.score,
        interval: point.ci.map(|ci| (ci.low, ci.high)),
        series: (families.iter()).position(|name| Some(*name) == point.family.as_deref()),
    };
    let lines = chart.lines.iter().map(|line| ScatterLine {
        name: line.name.clone(),
        y: line.score,
    });
    let arrow = chart.direction.map_or("", Direction::arrow);
    let drawn = Scatter {
        title: title(chart),
        across: format!("{}{log}", against.label()),
        up: format!("{} {arrow}", record::benchmark::metric_words(&chart.metric)),
        scale,
        series: families.iter().map(|name| (*name).to_owned()).collect(),
        points: chart.points.iter().map(point).collect(),
        lines: lines.collect(),
    };
    let ci = ends_note(2, chart.rho_ci.map(|ci| (ci.low, ci.high)));
    let rho = chart.rho.map(|rho| {
        let rho = fixed(Some(rho), 2);
        format!("; Spearman's correlation {rho}{ci}")
    });
    Figure {
        svg: scatter(&drawn),
        caption: format!(
            "{}, {} models{}",
            title(chart),
            chart.points.len(),
            rho.unwrap_or_default()
        ),
    }
}
