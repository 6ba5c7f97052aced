//! HTML page of spreads: a chart per ability and metric, with a row of values for each model.

use crate::chart::{ChartMark, DotPlot, DotPlotRow, Ink, Shape, dot_plot};
use crate::html::{Block, Page};
use crate::spread::{SpreadTable, part};
use analysis::Spread;
use base::format::fixed;
use record::benchmark::{Direction, metric_words};

/// Page with one chart for the spreads of each ability and metric.
pub fn page(spreads: &SpreadTable) -> Page {
    let mut charts: Vec<Vec<&Spread>> = Vec::new();
    for spread in &spreads.found {
        let is_alike = |chart: &&mut Vec<&Spread>| {
            chart.first().is_some_and(|first| {
                let (a, b) = (&first.of, &spread.of);
                (&a.benchmark, &a.ability, &a.split) == (&b.benchmark, &b.ability, &b.split)
                    && (&a.metric, &a.by) == (&b.metric, &b.by)
            })
        };
        match charts.iter_mut().find(is_alike) {
            Some(chart) => chart.push(spread),
            None => charts.push(vec![spread]),
        }
    }
    let figures = charts
        .iter()
        .filter_map(|chart| Some(Block::Figure(figure(chart)?.into())));
    super::with_charts("Eyechart: spread of scores", spreads, figures.collect())
}

fn figure(spreads: &[&Spread]) -> Option<String> {
    let first = spreads.first()?;
    let looks = [
        (Shape::Disc, Ink::Series(0), "mean, from lowest to highest"),
        (Shape::Ring, Ink::Series(1), "each value"),
    ];
    let row = |spread: &&Spread| {
        let mean = ChartMark::disc(
            spread.mean,
            Some((spread.lowest.score, spread.highest.score)),
        );
        let each = spread.values.iter().map(|value| ChartMark {
            value: value.score,
            interval: None,
            shape: Shape::Ring,
            ink: Ink::Series(1),
        });
        DotPlotRow {
            label: spread.of.model.clone(),
            note: format!("range {}", fixed(Some(spread.range()), 3)),
            marks: std::iter::once(mean).chain(each).collect(),
        }
    };
    let arrow = first.of.direction.map_or("", Direction::arrow);
    Some(dot_plot(&DotPlot {
        title: format!("{}, {} by {}", first.of.benchmark, part(first), first.of.by),
        axis: format!("{} {arrow}", metric_words(&first.of.metric)),
        reference: None,
        legend: looks
            .map(|(shape, ink, words)| (shape, ink, words.to_owned()))
            .into(),
        rows: spreads.iter().map(row).collect(),
    }))
}
