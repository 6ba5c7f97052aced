//! HTML page of samples: a chart of their distribution for each ability and attribute, above the
//! tables.

use crate::chart::{ChartMark, DotPlot, DotPlotRow, dot_plot};
use crate::html::{Block, Page};
use crate::items::ItemTable;
use analysis::BinCount;
use base::format::counted;

/// Page with the distributions, if the samples were counted by attributes.
pub fn page(items: &ItemTable) -> Page {
    let is_alike = |a: &BinCount, b: &BinCount| {
        (&a.benchmark, &a.ability, &a.by) == (&b.benchmark, &b.ability, &b.by)
    };
    let charts = items.bins.chunk_by(is_alike);
    let figures = charts.filter_map(|bins| Some(Block::Figure(figure(bins)?.into())));
    super::with_charts("Eyechart: samples", items, figures.collect())
}

fn figure(bins: &[BinCount]) -> Option<String> {
    let first = bins.first()?;
    let row = |bin: &BinCount| DotPlotRow {
        label: bin.bin.clone(),
        note: counted(bin.samples, "sample"),
        marks: vec![ChartMark::disc(bin.share(), None)],
    };
    Some(dot_plot(&DotPlot {
        title: format!("{}, {} by {}", first.benchmark, first.ability, first.by),
        axis: format!("share of {}", counted(first.of, "sample")),
        rows: bins.iter().map(row).collect(),
        ..DotPlot::default()
    }))
}
