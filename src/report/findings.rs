//! The document of `eyechart doctor`: findings about the environment, with advice.

use serde_json::{Value as Json, json};

use super::columns::Columns;
use super::{Document, Grid};

/// One finding about the environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    /// Name of the examined item.
    pub what: String,
    /// State of the item, with the reason.
    pub value: String,
    /// Advice; empty if there is none.
    pub better: String,
}

impl Finding {
    /// A finding without advice.
    pub fn new(what: &str, value: impl Into<String>) -> Self {
        Self {
            what: what.to_owned(),
            value: value.into(),
            better: String::new(),
        }
    }

    /// Adds advice to the finding.
    #[must_use]
    pub fn better(self, better: impl Into<String>) -> Self {
        Self {
            better: better.into(),
            ..self
        }
    }
}

/// All findings, in the order in which they are printed.
#[derive(Clone, Debug, Default)]
pub struct Findings(pub Vec<Finding>);

impl Document for Findings {
    fn grids(&self) -> Vec<Grid> {
        let table = Columns::<Finding>::new()
            .text("what", |it| &it.what)
            .text("value", |it| &it.value)
            .text("better", |it| &it.better)
            .grid("", &self.0);
        vec![table]
    }

    fn json(&self) -> Json {
        json!({"schema": "eyechart.doctor/1", "findings": self.lines()})
    }

    fn lines(&self) -> Vec<Json> {
        let better =
            |found: &Finding| Some(found.better.clone()).filter(|better| !better.is_empty());
        let line = |found: &Finding| json!({"what": found.what, "value": found.value, "better": better(found)});
        self.0.iter().map(line).collect()
    }
}
