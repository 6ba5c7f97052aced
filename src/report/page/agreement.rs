//! HTML pages of `eyechart agree`, with charts above the tables.

use crate::cells::ends_note;
use crate::chart::{
    ChartMark, Curve, CurvePoint, CurveSeries, DotPlot, DotPlotRow, curve, dot_plot,
};
use crate::html::{Block, Figure, Page};
use crate::{Agreements, Subsets};
use analysis::{Agreement, Subset};
use base::format::fixed;

/// Maximum number of sizes in one curve.
const MOST: usize = 9;

/// Page that compares the rankings of two sets of runs.
pub fn agreements(found: &Agreements) -> Page {
    let row = |one: &Agreement| {
        let ends = one
            .tau_interval
            .map(|interval| (interval.low, interval.high));
        let words = ends_note(3, ends);
        let mark = |value: &f64| ChartMark::disc(*value, ends);
        DotPlotRow {
            label: one.ability.replace('_', " "),
            note: format!(
                "{}{words}, {} models",
                fixed(one.tau.ok(), 3),
                one.models.len()
            ),
            marks: one.tau.iter().map(mark).collect(),
        }
    };
    let [first, second] = &found.between;
    let svg = dot_plot(&DotPlot {
        title: format!("Agreement of {first} with {second}"),
        axis: "Kendall's tau-b, 95 % interval".to_owned(),
        reference: Some(0.0),
        rows: found.abilities.iter().map(row).collect(),
        ..DotPlot::default()
    });
    super::with_charts(
        "Eyechart: two rankings",
        found,
        vec![Block::Figure(svg.into())],
    )
}

/// Page of subsets that keep the ranking.
pub fn subsets(found: &Subsets) -> Page {
    let abilities = found
        .abilities
        .iter()
        .filter(|subset| !subset.curve.is_empty());
    let charts = abilities.map(|subset| Block::Figure(by_size(subset)));
    super::with_charts(
        "Eyechart: subsets that keep the ranking",
        found,
        charts.collect(),
    )
}

/// Curve of tau-b over the size of the subset.
fn by_size(subset: &Subset) -> Figure {
    let every = subset.curve.len().div_ceil(MOST);
    let last = subset.curve.len() - 1;
    let kept: Vec<_> = subset
        .curve
        .iter()
        .enumerate()
        .filter(|(at, _)| (last - at).is_multiple_of(every))
        .map(|(_, kept)| kept)
        .collect();
    let series = |name: &str, of: fn(&analysis::SubsetAgreement) -> f64| CurveSeries {
        name: name.to_owned(),
        points: kept
            .iter()
            .enumerate()
            .map(|(bin, kept)| CurvePoint {
                bin,
                value: of(kept),
                interval: None,
            })
            .collect(),
    };
    curve(&Curve {
        title: format!("Tau-b by size in {}", subset.ability),
        across: format!(
            "samples of {} ({} are enough)",
            subset.ability.replace('_', " "),
            subset.chosen.len()
        ),
        up: "tau-b".to_owned(),
        bins: kept.iter().map(|kept| kept.n.to_string()).collect(),
        series: vec![
            series("median", |kept| kept.median),
            series("5 % quantile", |kept| kept.low),
        ],
        ends: Vec::new(),
    })
    .into()
}
