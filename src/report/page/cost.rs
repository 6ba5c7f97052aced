//! Cost section of a benchmark.

use crate::html::{Block, Table};
use crate::{Summary, costs};

/// Heading and table; empty if no log has token counts.
pub fn blocks(summary: &Summary, benchmark: &str) -> Vec<Block> {
    let rows = summary.costs.iter();
    let rows = rows.filter(|cost| cost.benchmark == benchmark);
    let grid = costs::columns().without(&["benchmark"]).grid("", rows);
    if grid.rows.is_empty() {
        return Vec::new();
    }
    let table = Table {
        heads: 2,
        ..Table::from(&grid)
    };
    vec![Block::Heading(3, "Cost".to_owned()), Block::Table(table)]
}
