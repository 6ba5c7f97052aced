//! Repeated answers in reports, as table and JSON.

use serde_json::{Value as Json, json};

use super::Grid;
use super::cells::pair;
use super::columns::Columns;
use analysis::{AtK, Repeats};
use base::format::fixed;

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
    Columns::<Repeats>::new()
        .text("benchmark", |it| &it.benchmark)
        .text("ability", |it| &it.ability)
        .text("model", |it| &it.model)
        .count("samples", |it| it.samples)
        .words("repeats>", |it| tries(it.tries))
        .fixed("mean", 3, |it| it.mean)
        .fixed("majority", 3, |it| it.majority.map(|at| at.score))
        .interval(4, |it| it.majority.and_then(|at| at.ci))
        .words("pass@k", pass)
        .words("variance between repeats>", |it| {
            let share = it.between_repeats;
            share.map_or_else(|| fixed(None, 0), |share| format!("{:.0} %", 100.0 * share))
        })
        .grid("Samples that were answered several times", rows)
}

/// Scores of the best of several answers: `@1 0.500  @5 0.750`.
fn pass(row: &Repeats) -> String {
    let pass = row.pass_at.iter();
    let pass = pass.map(|at| format!("@{} {}", at.k, fixed(Some(at.score), 3)));
    pass.collect::<Vec<_>>().join("  ")
}
