//! Cost section of a benchmark.

use crate::Summary;
use crate::costs::{dollars, requests};
use crate::html::{Block, Cell, Column, Table};
use crate::summary::count;
use base::format::fixed;

/// Heading and table; empty if no log has token counts.
pub fn blocks(summary: &Summary, benchmark: &str) -> Vec<Block> {
    let costs = summary.costs.iter();
    let costs = costs.filter(|cost| cost.benchmark == benchmark);
    let rows: Vec<Vec<Cell>> = costs
        .map(|cost| {
            vec![
                Cell::from(cost.ability.as_str()),
                Cell::from(cost.model.as_str()),
                count(cost.n).into(),
                requests(cost).into(),
                fixed(cost.prompt, 0).into(),
                fixed(cost.completion, 0).into(),
                dollars(cost.usd).into(),
                fixed(cost.usd_per_thousand(), 2).into(),
            ]
        })
        .collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let table = Table {
        columns: vec![
            Column::text("ability"),
            Column::text("model"),
            Column::number("n"),
            Column::number("requests"),
            Column::number("prompt tokens"),
            Column::number("completion tokens"),
            Column::number("USD"),
            Column::number("USD per 1,000 samples"),
        ],
        heads: 2,
        rows,
        ..Table::default()
    };
    vec![Block::Heading(3, "Cost".to_owned()), Block::Table(table)]
}
