//! The costs of runs as a table and as JSON.

use serde_json::{Value as Json, json};

use super::Grid;
use super::summary::count;
use analysis::Cost;
use format::fixed;

/// A row per model and ability.
pub fn grid(costs: &[Cost]) -> Grid {
    let columns = [
        "benchmark",
        "ability",
        "model",
        "n>",
        "prompt tokens>",
        "completion tokens>",
        "USD>",
        "USD per 1,000 samples>",
    ];
    let mut grid = Grid::new("Cost", &columns);
    for cost in costs {
        grid.push([
            cost.benchmark.as_str(),
            &cost.ability,
            &cost.model,
            &count(cost.n),
            &fixed(cost.prompt, 0),
            &fixed(cost.completion, 0),
            &fixed(cost.usd, 4),
            &fixed(cost.usd_per_thousand(), 2),
        ]);
    }
    grid
}

/// A row as JSON.
pub fn json(cost: &Cost) -> Json {
    json!({
        "benchmark": cost.benchmark, "ability": cost.ability, "model": cost.model, "n": cost.n,
        "prompt_tokens": cost.prompt, "completion_tokens": cost.completion, "usd": cost.usd,
        "usd_per_1000": cost.usd_per_thousand(),
    })
}
