//! HTML page of rank stability: average ranks with their critical difference, and each model's rank
//! interval.

use crate::Ranks;
use crate::chart::{ChartMark, DotPlot, DotPlotRow, dot_plot};
use crate::html::{Block, Figure, Page};
use analysis::Score;
use analysis::sensitivity::{AbilityRanks, CriticalDifference, letters};
use base::format::{compact, fixed};

/// Page with a chart of average ranks and one per ability, above the tables.
pub fn page(ranks: &Ranks) -> Page {
    let average = ranks.found.critical.iter().map(averages);
    let abilities = ranks.found.abilities.iter();
    let sampled = abilities.filter(|row| row.models.iter().any(|model| model.rank_ci.is_some()));
    let charts = average.chain(sampled.map(intervals)).map(Block::Figure);
    super::with_charts("Eyechart: stability of ranks", ranks, charts.collect())
}

/// Chart of average ranks, each with half the critical difference on either side.
fn averages(critical: &CriticalDifference) -> Figure {
    let row = |(model, rank): &(String, f64)| {
        let half = critical.difference.map(|difference| 0.5 * difference);
        DotPlotRow {
            label: model.clone(),
            note: fixed(Some(*rank), 2),
            marks: vec![ChartMark::disc(
                *rank,
                half.map(|half| (rank - half, rank + half)),
            )],
        }
    };
    dot_plot(&DotPlot {
        title: format!("Average rank in {}", critical.benchmark),
        axis: format!(
            "average rank over {} abilities; no clear difference where bars overlap",
            critical.abilities
        ),
        rows: critical.models.iter().map(row).collect(),
        ..DotPlot::default()
    })
    .into()
}

/// Chart of the ranks in an ability, with intervals.
fn intervals(row: &AbilityRanks) -> Figure {
    let of_model = |model: &Score| {
        let ends = model
            .rank_ci
            .map(|(low, high)| (f64::from(low), f64::from(high)));
        let group = letters(&model.tie_groups);
        let words = model
            .rank_ci
            .map_or_else(String::new, |(low, high)| format!(" [{low}-{high}]"));
        let mark = |rank: u32| ChartMark::disc(f64::from(rank), ends);
        DotPlotRow {
            label: model.model.clone(),
            note: format!(
                "{}{words} {group} n {}",
                model
                    .rank
                    .map_or_else(|| "–".to_owned(), |rank| rank.to_string()),
                compact(model.n)
            ),
            marks: model.rank.map(mark).into_iter().collect(),
        }
    };
    dot_plot(&DotPlot {
        title: format!("Ranks in {}", row.ability),
        axis: format!(
            "rank in {} by {} {}, ranks that hold at 95 %, tie group",
            row.ability.replace('_', " "),
            record::benchmark::metric_words(&row.metric),
            row.direction.arrow()
        ),
        rows: row.models.iter().map(of_model).collect(),
        ..DotPlot::default()
    })
    .into()
}
