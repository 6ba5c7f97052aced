//! The documents of `eyechart agree`: the agreement of two rankings, or subsets that keep a
//! ranking.

use serde_json::{Value as Json, json};

use super::{Document, Grid, html, page};
use analysis::metric::CorrelationError;
use analysis::{Agreement, Subset, SubsetOptions};
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
const MOST_LISTED: usize = 100;

/// Swapped pairs of models: `A > B, A > C`.
pub(super) fn pairs(swaps: &[(String, String)]) -> String {
    let pairs = swaps.iter();
    listed(pairs.map(|(better, worse)| format!("{better} > {worse}")))
}

/// Joins the first [`MOST_LISTED`] items of a list and counts the others.
pub(super) fn listed(items: impl ExactSizeIterator<Item = String>) -> String {
    let more = items.len().saturating_sub(MOST_LISTED);
    let words: Vec<String> = items.take(MOST_LISTED).collect();
    match more {
        0 => words.join(", "),
        more => format!("{}, and {more} more", words.join(", ")),
    }
}

fn interval(of: &Agreement) -> Option<[f64; 2]> {
    of.tau_interval
        .map(|interval| [interval.low, interval.high])
}

impl Document for Agreements {
    fn grids(&self) -> Vec<Grid> {
        let [first, second] = &self.between;
        let title = format!("Order of the models: {first} against {second}");
        let columns = [
            "benchmark",
            "ability",
            "metric",
            "models>",
            "tau-b>",
            "95 %",
            "rho>",
            "n>",
            "swapped",
            "in one set only",
        ];
        let mut grid = Grid::new(&title, &columns);
        for row in &self.abilities {
            let [one, other] = &row.metrics;
            let metric = if one == other || other.is_empty() {
                one.clone()
            } else {
                format!("{one}, {other}")
            };
            let only: Vec<&str> = row.only.iter().flatten().map(String::as_str).collect();
            let [n, n_other] = row.n.map(compact);
            let range = interval(row).map_or_else(
                || "–".to_owned(),
                |[low, high]| format!("[{}, {}]", fixed(Some(low), 3), fixed(Some(high), 3)),
            );
            grid.push([
                row.benchmark.as_str(),
                &row.ability,
                &format!("{metric} {}", row.direction.arrow()),
                &row.models.len().to_string(),
                &number_or_reason(&row.tau),
                &range,
                &row.rho
                    .map_or_else(|_| "–".to_owned(), |rho| fixed(Some(rho), 3)),
                &format!("{n} / {n_other}"),
                &pairs(&row.swaps),
                &only.join(", "),
            ]);
        }
        vec![grid]
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
        "kendall_tau_b": row.tau.ok(), "tau_ci": interval(row), "spearman_rho": row.rho.ok(), "reason": reason(&row.tau),
        "swaps": row.swaps, "only_in_first": row.only[0], "only_in_second": row.only[1], "excluded": row.excluded, "scores": scores,
    })
}

impl Document for Subsets {
    fn grids(&self) -> Vec<Grid> {
        let title = format!(
            "Smallest random subset that keeps the order of the models: tau-b of {} or more in 19 of 20 draws",
            fixed(Some(self.keeping.threshold), 2),
        );
        let columns = [
            "benchmark",
            "ability",
            "metric",
            "models>",
            "samples>",
            "of>",
            "tau-b>",
            "swapped",
        ];
        let mut grid = Grid::new(&title, &columns);
        let mut curve = Grid::new(
            "Tau-b by size of the subset",
            &["benchmark", "ability", "samples>", "median>", "5 %>"],
        );
        for row in &self.abilities {
            grid.push([
                row.benchmark.as_str(),
                &row.ability,
                &format!("{} {}", row.metric, row.direction.arrow()),
                &row.models.len().to_string(),
                &row.chosen.len().to_string(),
                &row.of.to_string(),
                &number_or_reason(&row.tau),
                &pairs(&row.swaps),
            ]);
            for kept in &row.curve {
                curve.push([
                    row.benchmark.as_str(),
                    &row.ability,
                    &kept.n.to_string(),
                    &fixed(Some(kept.median), 3),
                    &fixed(Some(kept.low), 3),
                ]);
            }
        }
        vec![grid, curve]
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
