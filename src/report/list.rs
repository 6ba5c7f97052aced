//! The document of `eyechart samples`: one row per prediction.

use serde_json::{Value as Json, json};

use super::{Document, Grid, html};
use format::{fixed, visible};
use workspace::page::ListRow;

/// A list of predictions; responses are present only if the format wants them.
#[derive(Clone, Debug, Default)]
pub struct SampleList {
    /// The rows, each with its response if it was fetched.
    pub rows: Vec<(ListRow, Option<String>)>,
}

impl Document for SampleList {
    fn grids(&self) -> Vec<Grid> {
        let columns = [
            "sample_id",
            "benchmark",
            "ability",
            "model",
            "condition",
            "metric",
            "score>",
            "invalid",
            "target",
            "response",
        ];
        let mut grid = Grid::new("", &columns);
        for (row, response) in &self.rows {
            grid.push([
                row.sample_id.as_str(),
                &row.benchmark,
                &row.ability,
                &row.model,
                &row.condition,
                &row.metric,
                &fixed(row.score, 4),
                if row.invalid { "invalid" } else { "" },
                &row.target,
                response.as_deref().unwrap_or_default(),
            ]);
        }
        vec![grid]
    }

    fn json(&self) -> Json {
        json!({"schema": "eyechart.samples/1", "samples": self.lines()})
    }

    fn lines(&self) -> Vec<Json> {
        let line = |(row, response): &(ListRow, Option<String>)| {
            json!({
                "sample_id": row.sample_id, "benchmark": row.benchmark, "ability": row.ability, "model": row.model,
                "condition": row.condition, "question": row.question, "target": row.target, "response": response,
                "metric": row.metric, "score": row.score, "correct": row.correct, "invalid": row.invalid,
                "source": visible(&row.place),
            })
        };
        self.rows.iter().map(line).collect()
    }

    fn page(&self) -> html::Page {
        html::Page::of_grids("Eyechart: samples", &self.preface(), &self.grids())
    }
}
