//! The document of `eyechart items`: difficulty and discrimination of each sample.

use serde_json::{Value as Json, json};

use super::columns::Columns;
use super::{Document, Grid};
use analysis::{ItemClass, ItemStatistics};
use base::format::counted;

/// Statistics of samples over the models that answered them.
#[derive(Clone, Debug, Default)]
pub struct ItemTable {
    /// All samples, in display order.
    pub found: Vec<ItemStatistics>,
    /// Number of samples displayed; `None` for all.
    pub limit: Option<usize>,
}

impl ItemTable {
    fn shown(&self) -> impl Iterator<Item = &ItemStatistics> {
        self.found.iter().take(self.limit.unwrap_or(usize::MAX))
    }
}

fn item(item: &ItemStatistics) -> Json {
    json!({
        "benchmark": item.benchmark, "ability": item.ability, "sample_id": item.sample_id, "metric": item.metric,
        "models": item.models, "score": item.score, "difficulty": item.difficulty,
        "discrimination": item.discrimination, "p_reversed": item.p_reversed, "tells": item.class().words(),
    })
}

impl Document for ItemTable {
    fn preface(&self) -> Vec<String> {
        let count = |tells: ItemClass| {
            self.found
                .iter()
                .filter(|item| item.class() == tells)
                .count()
        };
        vec![
            format!(
                "{}: better models do worse on {}, no model is right on {}, all models are right on {}.",
                counted(self.found.len() as u64, "sample"),
                count(ItemClass::Reversed),
                count(ItemClass::NobodyRight),
                count(ItemClass::EverybodyRight)
            ),
            "Difficulty: the share of models that are wrong. Discrimination: the correlation over \
             models with the score on the ability's other samples. Better models do worse: \
             discrimination is significantly below 0, tested over all samples with at most 5 % \
             false findings; this needs many models."
                .to_owned(),
        ]
    }

    fn grids(&self) -> Vec<Grid> {
        let table = Columns::<ItemStatistics>::new()
            .text("benchmark", |it| &it.benchmark)
            .text("ability", |it| &it.ability)
            .text("sample", |it| &it.sample_id)
            .count("models", |it| it.models)
            .text("metric", |it| &it.metric)
            .number("score", |it| it.score)
            .fixed("difficulty", 2, |it| it.difficulty)
            .fixed("discrimination", 2, |it| it.discrimination)
            .text("", |it| it.class().words())
            .grid("Samples", self.shown());
        vec![table]
    }

    fn json(&self) -> Json {
        json!({"schema": "eyechart.items/1", "total": self.found.len(), "items": self.lines()})
    }

    fn lines(&self) -> Vec<Json> {
        self.shown().map(item).collect()
    }
}
