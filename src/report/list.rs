//! The document of `eyechart samples`: one row per prediction.

use serde_json::{Value as Json, json};

use super::columns::Columns;
use super::{Document, Grid, html};
use base::format::visible;
use reader::own::write_labels;
use record::{RUN, Record};
use workspace::page::ListRow;

/// Predictions that a query selected and sorted.
#[derive(Clone, Debug, Default)]
pub struct SampleList {
    /// One entry per prediction.
    pub rows: Vec<ListedSample>,
}

/// A prediction with its record from the log.
#[derive(Clone, Debug)]
pub struct ListedSample {
    /// List columns of the prediction.
    pub row: ListRow,
    /// The record in the log; `None` if it cannot be read.
    pub record: Option<Record>,
    /// The parsed answer; `None` if it could not be parsed or does not exist.
    pub parsed: Option<String>,
    /// Distance from the sample that the list is sorted by: 1 minus the cosine of the embeddings.
    pub distance: Option<f32>,
}

impl ListedSample {
    fn response(&self) -> Option<&str> {
        self.record.as_ref()?.response.as_deref()
    }

    fn json(&self) -> Json {
        let (row, record) = (&self.row, self.record.as_ref());
        let tags = record.map_or_else(|| json!({}), |record| write_labels(&record.content.tags));
        let run = record.and_then(|record| record.condition.get(RUN));
        let mut line = json!({
            "sample_id": row.sample_id, "benchmark": row.benchmark, "ability": row.ability,
            "model": record.map_or(&row.model, |record| &record.model), "run": run.map(ToString::to_string),
            "condition": row.condition, "question": row.question, "target": row.target,
            "response": self.response(), "parsed": self.parsed, "metric": row.metric, "score": row.score,
            "correct": row.correct, "invalid": row.invalid, "tags": tags, "source": visible(&row.place),
        });
        if let (Some(distance), Some(fields)) = (self.distance, line.as_object_mut()) {
            fields.insert("distance".to_owned(), json!(shortest(distance)));
        }
        line
    }
}

/// Returns the number with the fewest digits that rounds to the same `f32`: 0.1, not 0.10000000149.
fn shortest(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}

impl Document for SampleList {
    fn grids(&self) -> Vec<Grid> {
        let table = Columns::<ListedSample>::new().text("sample_id", |it| &it.row.sample_id);
        let table = if self.rows.iter().any(|it| it.distance.is_some()) {
            table.fixed("distance", 3, |it| it.distance.map(shortest))
        } else {
            table
        };
        let table = table
            .text("benchmark", |it| &it.row.benchmark)
            .text("ability", |it| &it.row.ability)
            .text("model", |it| &it.row.model)
            .text("condition", |it| &it.row.condition)
            .text("metric", |it| &it.row.metric)
            .fixed("score", 4, |it| it.row.score)
            .text("invalid", |it| if it.row.invalid { "invalid" } else { "" })
            .text("target", |it| &it.row.target)
            .text("response", |it| it.response().unwrap_or_default())
            .grid("", &self.rows);
        vec![table]
    }

    fn json(&self) -> Json {
        json!({"schema": "eyechart.samples/1", "samples": self.lines()})
    }

    fn lines(&self) -> Vec<Json> {
        self.rows.iter().map(ListedSample::json).collect()
    }

    fn page(&self) -> html::Page {
        html::Page::of_grids("Eyechart: samples", &self.preface(), &self.grids())
    }
}
