//! The document of `eyechart wins`: pairwise comparisons of models per ability.

use serde_json::{Value as Json, json};

use super::summary::number;
use super::{Document, Grid};
use analysis::{Win, Wins};
use base::format::{compact, counted, probability};
use base::limits::Limit;

/// Pairwise comparisons of all models, one table per ability.
#[derive(Clone, Debug, Default)]
pub struct PairTables {
    /// One entry per ability.
    pub found: Vec<Wins>,
}

fn ability(wins: &Wins) -> Json {
    let name = |place: usize| wins.models.get(place).map(|(name, _)| name.as_str());
    let models = wins.models.iter();
    let models = models.map(|(model, score)| json!({"model": model, "score": score}));
    let pair = |win: &Win| {
        json!({
            "better": name(win.better), "worse": name(win.worse), "difference": win.difference,
            "better_on": win.samples.map(|(more, _)| more), "worse_on": win.samples.map(|(_, less)| less),
            "p_value": win.p_value, "p_adjusted": win.p_adjusted, "sure": win.sure,
        })
    };
    json!({
        "benchmark": wins.benchmark, "ability": wins.ability, "split": wins.split, "metric": wins.metric,
        "direction": wins.direction.name(), "n": wins.n, "models": models.collect::<Vec<_>>(),
        "pairs": wins.pairs.iter().map(pair).collect::<Vec<_>>(), "left_out": wins.left_out,
    })
}

impl Document for PairTables {
    fn preface(&self) -> Vec<String> {
        let said = "Over the samples that all ranked models of an ability answered. 'Sure' holds \
                    for all pairs of an ability together at 95 % (exact McNemar or paired t over \
                    clusters, Holm), with at most 5 % wrong claims over all abilities.";
        let lacking = self.found.iter().filter(|wins| wins.left_out > 0);
        let abilities = lacking.clone().count() as u64;
        let pairs: u64 = lacking.map(|wins| wins.left_out).sum();
        let left_out = (pairs > 0).then(|| {
            format!(
                "{}: {} of {} are left out; --filter ability:NAME lists one.",
                Limit::Pairs.message(),
                counted(pairs, "pair"),
                if abilities == 1 {
                    "one ability".to_owned()
                } else {
                    format!("{abilities} abilities")
                },
            )
        });
        std::iter::once(said.to_owned()).chain(left_out).collect()
    }

    fn grids(&self) -> Vec<Grid> {
        let columns = [
            "benchmark",
            "ability",
            "metric",
            "better",
            "than",
            "by>",
            "better on>",
            "worse on>",
            "n>",
            "p>",
            "p adjusted>",
            "",
        ];
        let mut grid = Grid::new("Pairs of models", &columns);
        for wins in &self.found {
            let metric = format!("{} {}", wins.metric, wins.direction.arrow());
            let name = |place: usize| wins.models.get(place).map_or("", |(name, _)| name.as_str());
            let on = |count: Option<u64>| count.map_or_else(|| "–".to_owned(), compact);
            let split = wins.split.as_ref().map(|split| format!(" ({split})"));
            let ability = format!("{}{}", wins.ability, split.unwrap_or_default());
            for win in &wins.pairs {
                grid.push([
                    wins.benchmark.as_str(),
                    &ability,
                    &metric,
                    name(win.better),
                    name(win.worse),
                    &number(Some(win.difference)),
                    &on(win.samples.map(|(more, _)| more)),
                    &on(win.samples.map(|(_, less)| less)),
                    &compact(wins.n),
                    &probability(win.p_value),
                    &probability(win.p_adjusted),
                    if win.sure {
                        "sure"
                    } else {
                        "no clear difference"
                    },
                ]);
            }
        }
        vec![grid]
    }

    fn json(&self) -> Json {
        let mut document = json!({"schema": "eyechart.wins/1"});
        // Assigned, not passed to `json!`, to avoid a copy of a long list.
        document["abilities"] = Json::Array(self.lines());
        document
    }

    fn lines(&self) -> Vec<Json> {
        self.found.iter().map(ability).collect()
    }
}
