//! HTML page of deviating subgroups, with a chart per metric above the table.

use itertools::Itertools as _;

use crate::SliceList;
use crate::cells::ends_note;
use crate::chart::{ChartMark, DotPlot, DotPlotRow, Ink, Shape, dot_plot};
use crate::html::{Block, Figure, Page};
use analysis::slices::Slice;
use base::format::{compact, fixed};

/// Maximum number of rows in one chart.
const MOST: usize = 40;

/// Page of a subgroup search.
pub fn page(list: &SliceList) -> Page {
    let metrics = list.found.slices.iter().map(|slice| slice.metric.as_str());
    let charts = metrics.unique().map(|metric| {
        let of_metric = list.found.slices.iter();
        let shown: Vec<&Slice> = of_metric.filter(|slice| slice.metric == metric).collect();
        Block::Figure(chart(metric, &shown))
    });
    super::with_charts("Eyechart: subgroups that differ", list, charts.collect())
}

fn chart(metric: &str, slices: &[&Slice]) -> Figure {
    let arrow = slices.first().map_or("", |slice| slice.direction.arrow());
    let row = |slice: &&Slice| {
        let who = slice
            .model
            .as_deref()
            .map_or_else(String::new, |model| format!("{model} "));
        let ends = slice.interval.map(|interval| (interval.low, interval.high));
        let words = ends_note(3, ends);
        let mark = |value, interval, shape, ink| ChartMark {
            value,
            interval,
            shape,
            ink,
        };
        DotPlotRow {
            label: format!("{who}{}", slice.words),
            note: format!(
                "{}{words} n {}",
                fixed(Some(slice.difference), 3),
                compact(slice.n)
            ),
            marks: vec![
                mark(slice.difference, ends, Shape::Disc, Ink::Series(0)),
                mark(slice.held_out.difference, None, Shape::Ring, Ink::Dim),
            ],
        }
    };
    let left_out = slices.len().saturating_sub(MOST);
    Figure {
        svg: dot_plot(&DotPlot {
            title: format!("{metric}: subgroups minus the rest of their ability"),
            axis: format!("{metric} {arrow}: subgroup minus rest, 95 % interval"),
            reference: Some(0.0),
            legend: vec![
                (Shape::Disc, Ink::Series(0), "all samples".to_owned()),
                (Shape::Ring, Ink::Dim, "the held-out half".to_owned()),
            ],
            rows: slices.iter().take(MOST).map(row).collect(),
        }),
        caption: if left_out == 0 {
            String::new()
        } else {
            format!("{left_out} more are in the table.")
        },
    }
}
