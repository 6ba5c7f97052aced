//! The documents of `eyechart agree`: the agreement of two rankings, or subsets that keep a
//! ranking.

use serde_json::{Value as Json, json};

use super::cells::pair;
use super::columns::{Columns, metric};
use super::{Document, Grid, html, page};
use analysis::metric::CorrelationError;
use analysis::{Agreement, Subset, SubsetAgreement, SubsetOptions};
use base::format::{compact, fixed};

const SCHEMA: &str = "eyechart.agree/1";

/// Agreement between two sets of runs, per ability.
#[derive(Clone, Debug)]
pub struct Agreements {
    /// Names of the two sets.
    pub between: [String; 2],
    /// The abilities of either set, each with its coefficients.
    pub abilities: Vec<Agreement>,
}

/// The smallest subset of each ability that keeps the ranking.
#[derive(Clone, Debug)]
pub struct Subsets {
    /// The parameters of the search.
    pub keeping: SubsetOptions,
    /// One result per ability.
    pub abilities: Vec<Subset>,
}

/// Reason for a missing coefficient.
fn reason(order: &Result<f64, CorrelationError>) -> Option<String> {
    order.as_ref().err().map(ToString::to_string)
}

fn number_or_reason(order: &Result<f64, CorrelationError>) -> String {
    match order {
        Ok(number) => fixed(Some(*number), 3),
        Err(why) => why.to_string(),
    }
}

/// Maximum number of models or pairs in one cell; with thousands of models, a list in each row
/// would grow with their square.
pub(super) const MOST_LISTED: usize = 100;

/// Swapped pairs of models: `A > B, A > C`.
pub(super) fn pairs(swaps: &[(String, String)]) -> String {
    let pairs = swaps.iter();
    listed(
        MOST_LISTED,
        pairs.map(|(better, worse)| format!("{better} > {worse}")),
    )
}

/// Joins the first items of a list, at most `most`, and counts the others.
pub fn listed(most: usize, items: impl ExactSizeIterator<Item = String>) -> String {
    let more = items.len().saturating_sub(most);
    let words: Vec<String> = items.take(most).collect();
    match more {
        0 => words.join(", "),
        more => format!("{}, and {more} more", words.join(", ")),
    }
}

/// Metric of both sets, or that of each if they differ, with its direction.
fn metrics(row: &Agreement) -> String {
    let [one, other] = &row.metrics;
    if one == other || other.is_empty() {
        return metric(one, row.direction);
    }
    metric(&format!("{one}, {other}"), row.direction)
}

impl Document for Agreements {
    fn grids(&self) -> Vec<Grid> {
        let [first, second] = &self.between;
        let title = format!("Order of the models: {first} against {second}");
        let table = Columns::<Agreement>::new()
            .text("benchmark", |it| &it.benchmark)
            .text("ability", |it| &it.ability)
            .words("metric", metrics)
            .count("models", |it| it.models.len() as u64)
            .words("tau-b>", |it| number_or_reason(&it.tau))
            .interval(3, |it| it.tau_interval)
            .fixed("rho", 3, |it| it.rho.ok())
            .words("n>", |it| it.n.map(compact).join(" / "))
            .words("swapped", |it| pairs(&it.swaps))
            .words("in one set only", |it| it.only.concat().join(", "))
            .grid(&title, &self.abilities);
        vec![table]
    }

    fn page(&self) -> html::Page {
        page::agreements(self)
    }

    fn json(&self) -> Json {
        json!({"schema": SCHEMA, "between": self.between, "abilities": self.lines()})
    }

    fn lines(&self) -> Vec<Json> {
        self.abilities.iter().map(agreement).collect()
    }
}

fn agreement(row: &Agreement) -> Json {
    let scores: Vec<Json> = (row.models.iter())
        .map(|(model, scores)| json!({"model": model, "scores": scores}))
        .collect();
    json!({
        "benchmark": row.benchmark, "ability": row.ability, "metric": row.metrics, "direction": row.direction.name(),
        "models": row.models.len(), "n": row.n,
        "kendall_tau_b": row.tau.ok(), "tau_ci": pair(row.tau_interval), "spearman_rho": row.rho.ok(), "reason": reason(&row.tau),
        "swaps": row.swaps, "only_in_first": row.only[0], "only_in_second": row.only[1], "excluded": row.excluded, "scores": scores,
    })
}

impl Document for Subsets {
    fn grids(&self) -> Vec<Grid> {
        let title = format!(
            "Smallest random subset that keeps the order of the models: tau-b of {} or more in 19 of 20 draws",
            fixed(Some(self.keeping.threshold), 2),
        );
        let table = Columns::<Subset>::new()
            .text("benchmark", |it| &it.benchmark)
            .text("ability", |it| &it.ability)
            .metric(|it| &it.metric, |it| it.direction)
            .count("models", |it| it.models.len() as u64)
            .count("samples", |it| it.chosen.len() as u64)
            .count("of", |it| it.of as u64)
            .words("tau-b>", |it| number_or_reason(&it.tau))
            .words("swapped", |it| pairs(&it.swaps))
            .grid(&title, &self.abilities);
        let sizes = self.abilities.iter();
        let sizes = sizes.flat_map(|row| row.curve.iter().map(move |kept| (row, kept)));
        let curve = Columns::<(&Subset, &SubsetAgreement)>::new()
            .text("benchmark", |(row, _)| &row.benchmark)
            .text("ability", |(row, _)| &row.ability)
            .count("samples", |(_, kept)| kept.n as u64)
            .fixed("median", 3, |(_, kept)| kept.median)
            .fixed("5 %", 3, |(_, kept)| kept.low)
            .grid("Tau-b by size of the subset", sizes);
        vec![table, curve]
    }

    fn page(&self) -> html::Page {
        page::subsets(self)
    }

    fn json(&self) -> Json {
        json!({
            "schema": SCHEMA, "threshold": self.keeping.threshold, "draws": self.keeping.draws,
            "seed": self.keeping.seed, "abilities": self.lines(),
        })
    }

    fn lines(&self) -> Vec<Json> {
        self.abilities.iter().map(subset).collect()
    }
}

fn subset(row: &Subset) -> Json {
    let curve: Vec<Json> = (row.curve.iter())
        .map(|kept| json!({"n": kept.n, "median": kept.median, "low": kept.low}))
        .collect();
    json!({
        "benchmark": row.benchmark, "ability": row.ability, "metric": row.metric, "direction": row.direction.name(),
        "models": row.models.len(), "n": row.chosen.len(), "of": row.of,
        "kendall_tau_b": row.tau.ok(), "spearman_rho": row.rho.ok(),
        "reason": reason(&row.tau), "swaps": row.swaps, "curve": curve,
    })
}
