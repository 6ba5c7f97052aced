//! The document of `eyechart items`: difficulty and discrimination of each sample.

use serde_json::{Value as Json, json};

use super::columns::Columns;
use super::{Document, Grid, html, page};
use analysis::{BinCount, ItemClass, ItemStatistics};
use base::format::counted;

/// Statistics of samples over the models that answered them.
#[derive(Clone, Debug, Default)]
pub struct ItemTable {
    /// All samples, in display order.
    pub found: Vec<ItemStatistics>,
    /// Counts by the bins of attributes, if requested.
    pub bins: Vec<BinCount>,
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

fn bin(bin: &BinCount) -> Json {
    json!({
        "benchmark": bin.benchmark, "ability": bin.ability, "by": bin.by, "bin": bin.bin,
        "samples": bin.samples, "pictures": bin.pictures, "of": bin.of, "share": bin.share(),
        "difficulty": bin.difficulty,
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
        if self.bins.is_empty() {
            return vec![table];
        }
        let bins = Columns::<BinCount>::new()
            .text("benchmark", |it| &it.benchmark)
            .text("ability", |it| &it.ability)
            .text("by", |it| &it.by)
            .text("bin", |it| &it.bin)
            .count("samples", |it| it.samples)
            .count("pictures", |it| it.pictures)
            .fixed("share", 3, BinCount::share)
            .fixed("difficulty", 2, |it| it.difficulty)
            .grid("Distribution of the samples", &self.bins);
        vec![bins, table]
    }

    fn json(&self) -> Json {
        json!({
            "schema": "eyechart.items/1", "total": self.found.len(), "items": self.lines(),
            "bins": self.bins.iter().map(bin).collect::<Vec<_>>(),
        })
    }

    fn lines(&self) -> Vec<Json> {
        self.shown().map(item).collect()
    }

    fn page(&self) -> html::Page {
        page::items(self)
    }
}
