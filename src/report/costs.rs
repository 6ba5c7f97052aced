//! Costs of runs as a table and as JSON.

use serde_json::{Value as Json, json};

use super::cells::count;
use super::columns::Columns;
use analysis::Cost;
use base::format::{fixed, money};

/// Columns of the costs of a model in an ability.
pub fn columns<'a>() -> Columns<'a, Cost> {
    Columns::<Cost>::new()
        .text("benchmark", |it| &it.benchmark)
        .text("ability", |it| &it.ability)
        .text("model", |it| &it.model)
        .words("n>", |it| count(it.n))
        .count("requests", |it| it.requests)
        .fixed("prompt tokens", 0, |it| it.prompt)
        .fixed("completion tokens", 0, |it| it.completion)
        .words("USD>", |it| dollars(it.usd))
        .fixed("USD per 1,000 samples", 2, Cost::usd_per_thousand)
}

/// Dollars with four decimals; a dash if the price is unknown.
fn dollars(usd: Option<f64>) -> String {
    usd.map_or_else(|| fixed(None, 0), |usd| money(usd, 4))
}

/// A row in the JSON schema of `report`.
pub fn json(cost: &Cost) -> Json {
    json!({
        "benchmark": cost.benchmark, "ability": cost.ability, "model": cost.model, "n": cost.n,
        "requests": cost.requests, "without_token_counts": cost.uncounted, "prompt_tokens": cost.prompt, "completion_tokens": cost.completion, "usd": cost.usd,
        "usd_per_1000": cost.usd_per_thousand(),
    })
}
