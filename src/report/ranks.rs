//! The document of `eyechart ranks`: stability of the ranks.

use serde_json::{Value as Json, json};

use super::agreement::{MOST_LISTED, listed, pairs};
use super::cells::{count, pair, rank_text, ranks_text, tie_group};
use super::columns::{Columns, with_split};
use super::{Document, Grid, html, page};
use analysis::sensitivity::{
    AbilityRanks, CriticalDifference, Lead, LeaveOneOut, Sensitivity, letters,
};
use analysis::{LEVEL, Score, tied};

/// Stability of the ranks against other samples, abilities and models.
#[derive(Clone, Debug, Default)]
pub struct Ranks {
    /// Rank intervals, and changes without parts of the data.
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
        let rows = self.found.abilities.iter().flat_map(|row| {
            let models = row.models.iter().zip(tied(&row.models));
            models.map(move |(model, is_tied)| (row, model, is_tied))
        });
        Columns::<(&AbilityRanks, &Score, bool)>::new()
            .text("benchmark", |(row, ..)| &row.benchmark)
            .words("ability", |(row, ..)| with_split(&row.ability, row.split.as_deref()))
            .metric(|(row, ..)| &row.metric, |(row, ..)| row.direction)
            .text("model", |(_, it, _)| &it.model)
            .words("rank>", |(_, it, is_tied)| {
                let rank = it.rank.map(|rank| rank_text(rank, *is_tied));
                rank.unwrap_or_default()
            })
            .words("ranks", |(_, it, _)| ranks_text(it.rank_ci))
            .words("group", |(_, it, _)| letters(&it.tie_groups))
            .fixed("score", 3, |(_, it, _)| it.score)
            .interval(3, |(_, it, _)| it.ci)
            .words("n>", |(_, it, _)| count(it.n))
            .grid(
                "Ranks and tie groups (no clear difference from the best of the group; groups may overlap)",
                rows,
            )
    }

    fn lead_grid(&self) -> Grid {
        let rows = self.found.abilities.iter();
        let rows = rows.filter_map(|row| Some((row, row.lead.as_ref()?)));
        Columns::<(&AbilityRanks, &Lead)>::new()
            .text("benchmark", |(row, _)| &row.benchmark)
            .text("ability", |(row, _)| &row.ability)
            .text("leader", |(_, lead)| &lead.leader)
            .words("lost when", |(_, lead)| lead.sentence())
            .grid("How stable first place is", rows)
    }

    fn critical_grid(&self) -> Grid {
        let found = self.found.critical.iter();
        let said: Vec<String> = found.clone().map(CriticalDifference::sentence).collect();
        let rows = found.flat_map(|row| row.models.iter().map(move |model| (row, model)));
        Columns::<(&CriticalDifference, &(String, f64))>::new()
            .text("benchmark", |(row, _)| &row.benchmark)
            .text("model", |(_, (model, _))| model)
            .fixed("average rank", 2, |(_, (_, value))| *value)
            .words("no clear difference from", |(row, (model, value))| {
                near(row, model, *value)
            })
            .grid(&format!("Average rank. {}", said.join("; ")), rows)
    }

    fn without_grid(&self) -> Grid {
        let rows = self.found.without.iter();
        Columns::<LeaveOneOut>::new()
            .text("benchmark", |it| &it.benchmark)
            .text("order of", |it| {
                it.ability.as_deref().unwrap_or("average rank")
            })
            .words("without", |it| {
                format!("{} {}", it.left_out.0, it.left_out.1)
            })
            .fixed("tau-b", 3, |it| it.tau.ok())
            .words("swapped", |it| pairs(&it.swaps))
            .grid(
                "Orders that change if one ability or data set is left out",
                rows.filter(|row| !row.swaps.is_empty()),
            )
    }
}

/// The other models whose average rank is within the critical difference.
fn near(row: &CriticalDifference, model: &str, value: f64) -> String {
    let near = |(other, rank): &&(String, f64)| {
        other != model && row.difference.is_some_and(|cd| (rank - value).abs() < cd)
    };
    let near: Vec<_> = row.models.iter().filter(near).collect();
    listed(
        MOST_LISTED,
        near.into_iter().map(|(other, _)| other.clone()),
    )
}
