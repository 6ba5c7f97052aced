//! The document of `eyechart wins`: pairwise comparisons of models per ability.

use serde_json::{Value as Json, json};

use super::columns::{Columns, with_split};
use super::{Document, Grid};
use analysis::{Win, Wins};
use base::format::{counted, probability};
use base::limits::Limit;

/// Pairwise comparisons of all models, one table per ability.
#[derive(Clone, Debug, Default)]
pub struct PairTables {
    /// One entry per ability.
    pub found: Vec<Wins>,
}

fn name(wins: &Wins, place: usize) -> Option<&str> {
    wins.models.get(place).map(|(name, _)| name.as_str())
}

fn ability(wins: &Wins) -> Json {
    let models = wins.models.iter();
    let models = models.map(|(model, score)| json!({"model": model, "score": score}));
    let pair = |win: &Win| {
        json!({
            "better": name(wins, win.better), "worse": name(wins, win.worse), "difference": win.difference,
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
        let said = "Pairs are compared on the samples that all ranked models of the ability \
                    answered. 'sure' holds for all pairs of an ability together at 95 % (exact \
                    McNemar or paired t over clusters, Holm); at most 5 % of these claims over \
                    all abilities are expected to be wrong.";
        let lacking = self.found.iter().filter(|wins| wins.left_out > 0);
        let abilities = lacking.clone().count() as u64;
        let pairs: u64 = lacking.map(|wins| wins.left_out).sum();
        let left_out = (pairs > 0).then(|| {
            format!(
                "{}: {} of {} are left out; --filter ability:NAME lists one ability.",
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
        let pairs = self.found.iter();
        let pairs = pairs.flat_map(|wins| wins.pairs.iter().map(move |win| (wins, win)));
        let table = Columns::<(&Wins, &Win)>::new()
            .text("benchmark", |(wins, _)| &wins.benchmark)
            .words("ability", |(wins, _)| {
                with_split(&wins.ability, wins.split.as_deref())
            })
            .metric(|(wins, _)| &wins.metric, |(wins, _)| wins.direction)
            .text("ahead", |(wins, win)| {
                name(wins, win.better).unwrap_or_default()
            })
            .text("of", |(wins, win)| {
                name(wins, win.worse).unwrap_or_default()
            })
            .number("by", |(_, win)| win.difference)
            .count("better on", |(_, win)| win.samples.map(|(more, _)| more))
            .count("worse on", |(_, win)| win.samples.map(|(_, less)| less))
            .count("n", |(wins, _)| wins.n)
            .words("p>", |(_, win)| probability(win.p_value))
            .words("p adjusted>", |(_, win)| probability(win.p_adjusted))
            .text("", |(_, win)| {
                if win.sure {
                    "sure"
                } else {
                    "no clear difference"
                }
            })
            .grid("Pairs of models", pairs);
        vec![table]
    }

    fn json(&self) -> Json {
        let mut document = json!({"schema": "eyechart.wins/1"});
        // Assigned directly: `json!` would copy a long list.
        document["abilities"] = Json::Array(self.lines());
        document
    }

    fn lines(&self) -> Vec<Json> {
        self.found.iter().map(ability).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::benchmark::Direction;

    /// Rows use `ahead`, because the difference is not always clear.
    #[test]
    fn a_difference_that_is_not_clear_is_not_called_better() {
        let win = Win {
            better: 0,
            worse: 1,
            difference: 0.032,
            samples: None,
            p_value: 0.225,
            p_adjusted: 1.0,
            sure: false,
        };
        let wins = Wins {
            benchmark: "b".to_owned(),
            ability: "ocr".to_owned(),
            split: None,
            metric: "accuracy".to_owned(),
            direction: Direction::Higher,
            n: 30,
            models: vec![("dino".to_owned(), 0.5), ("clip".to_owned(), 0.468)],
            pairs: vec![win],
            left_out: 0,
        };
        let grids = PairTables { found: vec![wins] }.grids();
        let titles: Vec<&str> = grids[0].columns.iter().map(|(name, _)| &**name).collect();
        assert!(
            titles.contains(&"ahead") && !titles.contains(&"better"),
            "{titles:?}"
        );
        let row = &grids[0].rows[0];
        let ahead = titles.iter().position(|title| *title == "ahead").unwrap();
        assert_eq!(row[ahead..ahead + 2], ["dino", "clip"]);
        assert_eq!(row.last().map(String::as_str), Some("no clear difference"));
    }
}
