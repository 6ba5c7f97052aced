//! Costs of runs as a table and as JSON.

use serde_json::{Value as Json, json};

use super::Grid;
use super::summary::count;
use analysis::Cost;
use base::format::{compact, fixed, money};

/// Table of costs, one row per model and ability.
pub fn grid(costs: &[Cost]) -> Grid {
    let columns = [
        "benchmark",
        "ability",
        "model",
        "n>",
        "requests>",
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
            &requests(cost),
            &fixed(cost.prompt, 0),
            &fixed(cost.completion, 0),
            &dollars(cost.usd),
            &fixed(cost.usd_per_thousand(), 2),
        ]);
    }
    grid
}

/// Dollars with four decimals; a dash if the price is unknown.
pub(super) fn dollars(usd: Option<f64>) -> String {
    usd.map_or_else(|| fixed(None, 0), |usd| money(usd, 4))
}

/// Number of requests; a dash if the log has none.
pub(super) fn requests(cost: &Cost) -> String {
    cost.requests.map_or_else(|| fixed(None, 0), compact)
}

/// A row in the JSON schema of `report`.
pub fn json(cost: &Cost) -> Json {
    json!({
        "benchmark": cost.benchmark, "ability": cost.ability, "model": cost.model, "n": cost.n,
        "requests": cost.requests, "without_token_counts": cost.uncounted, "prompt_tokens": cost.prompt, "completion_tokens": cost.completion, "usd": cost.usd,
        "usd_per_1000": cost.usd_per_thousand(),
    })
}
