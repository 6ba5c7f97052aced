//! The document of `eyechart ranks`: stability of the ranks.

use serde_json::{Value as Json, json};

use super::agreement::{listed, pairs};
use super::summary::{rank_text, tie_group};
use super::{Document, Grid, html, page};
use analysis::metric::Interval;
use analysis::sensitivity::{AbilityRanks, CriticalDifference, LeaveOneOut, Sensitivity, letters};
use analysis::{LEVEL, Score, tied};
use base::format::{compact, fixed};

/// Stability of the ranks against other samples, abilities and models.
#[derive(Clone, Debug, Default)]
pub struct Ranks {
    /// Result of the analysis.
    pub found: Sensitivity,
}

impl Document for Ranks {
    fn grids(&self) -> Vec<Grid> {
        vec![
            self.model_grid(),
            self.lead_grid(),
            self.critical_grid(),
            self.without_grid(),
        ]
    }

    fn page(&self) -> html::Page {
        page::ranks(self)
    }

    fn json(&self) -> Json {
        json!({
            "schema": "eyechart.ranks/1",
            "abilities": self.lines(),
            "critical_difference": self.found.critical.iter().map(critical).collect::<Vec<_>>(),
            "without": self.found.without.iter().map(without).collect::<Vec<_>>(),
        })
    }

    fn lines(&self) -> Vec<Json> {
        self.found.abilities.iter().map(ability).collect()
    }
}

fn pair(interval: Option<Interval>) -> Json {
    interval.map_or(Json::Null, |interval| json!([interval.low, interval.high]))
}

fn ability(row: &AbilityRanks) -> Json {
    let model = |model: &Score| {
        json!({
            "model": model.model, "n": model.n, "score": model.score, "ci": pair(model.ci), "rank": model.rank,
            "rank_ci": model.rank_ci.map(|(low, high)| [low, high]), "tie_group": tie_group(&model.tie_groups),
            "rank_score": model.rank_score, "rank_n": model.rank_n,
            "excluded": model.excluded.map(analysis::Exclusion::words), "why_not": model.why_not_ranked(),
            "origin": model.origin.name(),
        })
    };
    let lead = row.lead.as_ref().map(|lead| {
        json!({"leader": lead.leader, "rival": lead.rival, "n": lead.n, "flips": lead.flips, "share": lead.share})
    });
    json!({
        "benchmark": row.benchmark, "ability": row.ability, "split": row.split, "metric": row.metric,
        "direction": row.direction.name(), "models": row.models.iter().map(model).collect::<Vec<_>>(), "lead": lead,
    })
}

fn critical(row: &CriticalDifference) -> Json {
    let average: Vec<Json> = (row.models.iter())
        .map(|(model, value)| json!({"model": model, "value": value}))
        .collect();
    json!({
        "benchmark": row.benchmark, "abilities": row.abilities, "level": LEVEL,
        "friedman": row.friedman.map(|test| json!({"statistic": test.statistic, "p_value": test.p_value})),
        "origin": if row.is_printed { "published" } else { "samples" },
        "difference": row.difference, "average_rank": average, "groups": row.groups,
    })
}

fn without(row: &LeaveOneOut) -> Json {
    let (what, name) = &row.left_out;
    json!({
        "benchmark": row.benchmark, "left_out": {*what: name}, "ability": row.ability,
        "kendall_tau_b": row.tau.ok(), "reason": row.tau.err().map(|why| why.to_string()), "swaps": row.swaps,
    })
}

impl Ranks {
    fn model_grid(&self) -> Grid {
        let columns = [
            "benchmark",
            "ability",
            "metric",
            "model",
            "rank>",
            "ranks",
            "group",
            "score>",
            "95 %",
            "n>",
        ];
        let mut grid = Grid::new(
            "Ranks and tie groups (no clear difference to the best of the group; groups may overlap)",
            &columns,
        );
        for row in &self.found.abilities {
            let split =
                (row.split.as_ref()).map_or_else(String::new, |split| format!(" ({split})"));
            for (model, is_tied) in row.models.iter().zip(tied(&row.models)) {
                let interval = model.ci.map_or_else(
                    || "–".to_owned(),
                    |i| format!("[{}, {}]", fixed(Some(i.low), 3), fixed(Some(i.high), 3)),
                );
                let ranks = model.rank_ci.map(|(low, high)| format!("{low}-{high}"));
                grid.push([
                    row.benchmark.as_str(),
                    &format!("{}{split}", row.ability),
                    &format!("{} {}", row.metric, row.direction.arrow()),
                    &model.model,
                    &model
                        .rank
                        .map(|rank| rank_text(rank, is_tied))
                        .unwrap_or_default(),
                    &ranks.unwrap_or_default(),
                    &letters(&model.tie_groups),
                    &fixed(model.score, 3),
                    &interval,
                    &if model.n == 0 {
                        "–".to_owned()
                    } else {
                        compact(model.n)
                    },
                ]);
            }
        }
        grid
    }

    fn lead_grid(&self) -> Grid {
        let mut grid = Grid::new(
            "How stable first place is",
            &["benchmark", "ability", "leader", "lost when"],
        );
        for row in &self.found.abilities {
            if let Some(lead) = &row.lead {
                grid.push([
                    row.benchmark.as_str(),
                    &row.ability,
                    &lead.leader,
                    &lead.sentence(),
                ]);
            }
        }
        grid
    }

    fn critical_grid(&self) -> Grid {
        let said: Vec<String> = self
            .found
            .critical
            .iter()
            .map(CriticalDifference::sentence)
            .collect();
        let mut grid = Grid::new(
            &format!("Average rank. {}", said.join("; ")),
            &[
                "benchmark",
                "model",
                "average rank>",
                "no clear difference to",
            ],
        );
        for row in &self.found.critical {
            for (model, value) in &row.models {
                let near = |(other, rank): &&(String, f64)| {
                    other != model && row.difference.is_some_and(|cd| (rank - value).abs() < cd)
                };
                let near: Vec<&str> = (row.models.iter())
                    .filter(near)
                    .map(|(other, _)| other.as_str())
                    .collect();
                grid.push([
                    row.benchmark.as_str(),
                    model,
                    &fixed(Some(*value), 2),
                    &listed(near.into_iter().map(str::to_owned)),
                ]);
            }
        }
        grid
    }

    fn without_grid(&self) -> Grid {
        let mut grid = Grid::new(
            "Orders that change if one ability or data set is left out",
            &["benchmark", "order of", "without", "tau-b>", "swapped"],
        );
        for row in self
            .found
            .without
            .iter()
            .filter(|row| !row.swaps.is_empty())
        {
            let (what, name) = &row.left_out;
            grid.push([
                row.benchmark.as_str(),
                row.ability.as_deref().unwrap_or("average rank"),
                &format!("{what} {name}"),
                &fixed(row.tau.ok(), 3),
                &pairs(&row.swaps),
            ]);
        }
        grid
    }
}
