//! Tables and JSON of memorised keys.

use serde_json::{Value as Json, json};

use super::Grid;
use super::cells::pair;
use super::columns::Columns;
use analysis::BenchmarkMemory;
use base::format::probability;

/// Title of the table, which explains its columns.
const TITLE: &str = "Memorised answer keys (twin): samples with the original's key on both the mirrored and the flipped \
                     picture, and the estimated share of memorised keys";

/// Table with one row per model and benchmark; `None` without any.
pub fn grid(rows: &[BenchmarkMemory]) -> Option<Grid> {
    let grid = Columns::<BenchmarkMemory>::new()
        .text("benchmark", |it| &it.benchmark)
        .text("model", |it| &it.model)
        .count("n", |it| it.test.n)
        .count("on both", |it| it.test.kept)
        .fixed("share", 3, |it| it.test.share)
        .interval(3, |it| it.test.interval)
        .words("p adjusted>", |it| {
            it.test.p_adjusted.map(probability).unwrap_or_default()
        })
        .text("", |it| it.test.verdict().words())
        .grid(TITLE, rows);
    (!rows.is_empty()).then_some(grid)
}

/// A row as JSON.
pub fn json(row: &BenchmarkMemory) -> Json {
    let test = &row.test;
    json!({
        "benchmark": row.benchmark, "model": row.model, "n": test.n, "kept_on_both": test.kept,
        "share": test.share, "ci": pair(test.interval), "p_value": test.p_value,
        "p_adjusted": test.p_adjusted,
        "verdict": test.verdict().name(),
    })
}
