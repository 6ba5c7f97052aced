//! The document of `eyechart spread`: how much scores vary over the values of an attribute.

use serde_json::{Value as Json, json};

use super::cells::pair;
use super::columns::{Columns, with_split};
use super::{Document, Grid, html, page};
use analysis::{Spread, SpreadValue};
use base::format::counted;
use record::Names;
use record::benchmark::Direction;

/// Spreads of scores, with the names of the models.
#[derive(Clone, Debug)]
pub struct SpreadTable {
    /// One entry for each ability, model and metric.
    pub found: Vec<Spread>,
    /// Names and facts of the models.
    pub names: Names,
}

impl SpreadTable {
    fn row(&self, spread: &Spread) -> Json {
        let (model, run) = self.names.plain(&spread.of.model);
        json!({
            "benchmark": spread.of.benchmark, "ability": spread.of.ability, "split": spread.of.split,
            "model": model, "run": run, "metric": spread.of.metric,
            "direction": spread.of.direction.map(Direction::name), "by": spread.of.by,
            "origin": if spread.of.is_printed { "published" } else { "samples" },
            "lowest": value(&spread.lowest), "highest": value(&spread.highest),
            "range": spread.range(), "mean": spread.mean, "deviation": spread.deviation,
            "change": spread.change(),
            "values": spread.values.iter().map(value).collect::<Vec<_>>(),
        })
    }
}

fn value(value: &SpreadValue) -> Json {
    json!({"value": value.value, "score": value.score, "ci": pair(value.ci), "n": value.n})
}

/// Ability and split of a spread: `size (hard)`.
pub(super) fn part(spread: &Spread) -> String {
    with_split(&spread.of.ability, spread.of.split.as_deref())
}

impl Document for SpreadTable {
    fn preface(&self) -> Vec<String> {
        if self.found.is_empty() {
            return vec!["No model has scores for two values or more.".to_owned()];
        }
        vec![format!(
            "{}. Range: highest minus lowest score; it is above 0 by chance alone, and more so with \
             few samples. Change: second minus first value, where there are two; `compare` tests it.",
            counted(self.found.len() as u64, "spread")
        )]
    }

    fn grids(&self) -> Vec<Grid> {
        let spreads = Columns::<Spread>::new()
            .text("benchmark", |it| &it.of.benchmark)
            .words("ability", part)
            .text("model", |it| &it.of.model)
            .metric(|it| &it.of.metric, |it| it.of.direction)
            .text("by", |it| &it.of.by)
            .words("values>", |it| it.values.len().to_string())
            .number("lowest", |it| it.lowest.score)
            .text("lowest at", |it| &it.lowest.value)
            .number("highest", |it| it.highest.score)
            .text("highest at", |it| &it.highest.value)
            .number("range", Spread::range)
            .number("mean", |it| it.mean)
            .number("deviation", |it| it.deviation)
            .number("change", Spread::change)
            .grid("Spread of scores", &self.found);
        let values = self.found.iter();
        let values = values.flat_map(|spread| spread.values.iter().map(move |it| (spread, it)));
        let values = Columns::<(&Spread, &SpreadValue)>::new()
            .text("benchmark", |(spread, _)| &spread.of.benchmark)
            .words("ability", |(spread, _)| part(spread))
            .text("model", |(spread, _)| &spread.of.model)
            .metric(
                |(spread, _)| &spread.of.metric,
                |(spread, _)| spread.of.direction,
            )
            .text("by", |(spread, _)| &spread.of.by)
            .text("value", |(_, it)| &it.value)
            .number("score", |(_, it)| it.score)
            .interval(4, |(_, it)| it.ci)
            .count("n", |(_, it)| it.n)
            .grid("Score under each value", values);
        vec![spreads, values]
    }

    fn json(&self) -> Json {
        json!({"schema": "eyechart.spread/1", "spreads": self.lines()})
    }

    fn lines(&self) -> Vec<Json> {
        self.found.iter().map(|spread| self.row(spread)).collect()
    }

    fn page(&self) -> html::Page {
        page::spread(self)
    }
}
