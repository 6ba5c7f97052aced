//! HTML page of score against size or date: a chart per benchmark and ability.

use crate::chart::{Scatter, ScatterLine, ScatterPoint, scatter};
use crate::html::{Block, Figure, Page};
use crate::trend::{TrendCharts, title};
use analysis::{Trend, TrendAxis};
use base::format::fixed;
use record::benchmark::Direction;

/// Maximum number of families with a line and a label.
const MOST_FAMILIES: usize = 12;

/// Page with one chart per trend that has points.
pub fn page(charts: &TrendCharts) -> Page {
    let drawn = charts.found.iter().filter(|chart| !chart.points.is_empty());
    let figures = drawn.map(|chart| Block::Figure(figure(chart, charts.against)));
    super::with_charts(
        "Eyechart: score against size and date",
        charts,
        figures.collect(),
    )
}

fn figure(chart: &Trend, against: TrendAxis) -> Figure {
    // The first families, which show the most.
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
        across: match against {
            TrendAxis::Parameters => format!("{} (log)", against.label()),
            TrendAxis::Released | TrendAxis::Step => against.label().to_owned(),
        },
        up: format!("{} {arrow}", record::benchmark::metric_words(&chart.metric)),
        is_log: against == TrendAxis::Parameters,
        series: families.iter().map(|name| (*name).to_owned()).collect(),
        points: chart.points.iter().map(point).collect(),
        lines: lines.collect(),
    };
    let rho = chart
        .rho
        .map(|rho| format!("; Spearman's correlation {}", fixed(Some(rho), 2)));
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
