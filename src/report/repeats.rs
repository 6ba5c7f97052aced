//! Repeated answers in reports, as table and JSON.

use serde_json::{Value as Json, json};

use super::Grid;
use super::summary::{interval, pair};
use analysis::{AtK, Repeats};
use base::format::{compact, fixed};

fn at_k(at: &AtK) -> Json {
    json!({"k": at.k, "n": at.n, "score": at.score, "ci": pair(at.ci)})
}

/// Repeated answers in the JSON schema of `report`.
pub fn json(row: &Repeats) -> Json {
    let (fewest, most) = row.tries;
    json!({
        "benchmark": row.benchmark, "ability": row.ability, "model": row.model, "metric": row.metric,
        "samples": row.samples, "repeats": [fewest, most], "mean": row.mean,
        "between_repeats": row.between_repeats, "pass_at": row.pass_at.iter().map(at_k).collect::<Vec<_>>(),
        "majority": row.majority.as_ref().map(at_k),
    })
}

/// `5`, or `3-5` if samples have different numbers of answers.
pub fn tries((fewest, most): (u32, u32)) -> String {
    if fewest == most {
        most.to_string()
    } else {
        format!("{fewest}-{most}")
    }
}

/// Table of repeated answers, one row per model and ability.
pub fn grid(rows: &[Repeats]) -> Grid {
    let columns = [
        "benchmark",
        "ability",
        "model",
        "samples>",
        "repeats>",
        "mean>",
        "majority>",
        "95 %",
        "pass@k",
        "variance between repeats>",
    ];
    let mut grid = Grid::new("Samples that were answered several times", &columns);
    for row in rows {
        let pass = row.pass_at.iter();
        let pass = pass.map(|at| format!("@{} {}", at.k, fixed(Some(at.score), 3)));
        let share = row
            .between_repeats
            .map(|share| format!("{:.0} %", 100.0 * share));
        grid.push([
            row.benchmark.as_str(),
            &row.ability,
            &row.model,
            &compact(row.samples),
            &tries(row.tries),
            &fixed(Some(row.mean), 3),
            &fixed(row.majority.map(|at| at.score), 3),
            &interval(row.majority.and_then(|at| at.ci)),
            &pass.collect::<Vec<_>>().join("  "),
            &share.unwrap_or_else(|| "–".to_owned()),
        ]);
    }
    grid
}
