//! The document of a spot check: the samples to judge, without the models' answers.

use serde_json::{Value as Json, json};

use super::columns::Columns;
use super::{Document, Grid};
use workspace::page::ListRow;

/// Samples drawn for a spot check, in order.
#[derive(Clone, Debug, Default)]
pub struct SpotCheck {
    /// Seed of the draw.
    pub seed: u64,
    /// One prediction per sample.
    pub rows: Vec<ListRow>,
}

impl Document for SpotCheck {
    fn grids(&self) -> Vec<Grid> {
        let table = Columns::<ListRow>::new()
            .text("sample_id", |it| &it.sample_id)
            .text("benchmark", |it| &it.benchmark)
            .text("ability", |it| &it.ability)
            .text("target", |it| &it.target)
            .text("question", |it| &it.question)
            .grid("", &self.rows);
        vec![table]
    }

    fn json(&self) -> Json {
        json!({"schema": "eyechart.spot-check/1", "seed": self.seed, "samples": self.lines()})
    }

    fn lines(&self) -> Vec<Json> {
        let line = |row: &ListRow| {
            json!({
                "sample_id": row.sample_id, "benchmark": row.benchmark, "ability": row.ability,
                "target": row.target, "question": row.question,
            })
        };
        self.rows.iter().map(line).collect()
    }
}
