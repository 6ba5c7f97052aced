//! Which columns a converted file has: the fields of the own format, and one for each tag and condition.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use analysis::Selection;
use reader::own::{Told, write_record, write_told};
use reader::{CONDITION, TAG};
use record::{RUN, Record, TagColumn, Value};

/// Of the text columns, those that say at length what was asked and answered.
pub const LONG_TEXTS: [&str; 9] = [
    "question",
    "choices",
    "images",
    "boxes",
    "response",
    "maps",
    "detections",
    "figure",
    "run_settings",
];
/// Text columns that every file has.
pub const TEXTS: [&str; 19] = [
    "sample_id",
    "benchmark",
    "ability",
    "model",
    "question",
    "choices",
    "target",
    "image",
    "images",
    "boxes",
    "response",
    "parsed",
    "metric",
    "scores",
    "rule",
    "maps",
    "detections",
    "figure",
    "run_settings",
];
/// The column of the score.
pub const SCORE: &str = "score";

/// The columns of a converted file.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// Tags and conditions: column name, and whether it holds numbers.
    pub extra: BTreeMap<String, bool>,
}

/// One record as cells.
pub struct Cells {
    line: BTreeMap<String, Box<RawValue>>,
    score: Option<f64>,
    extra: BTreeMap<String, Value>,
}

impl Columns {
    /// The columns that hold a selection.
    #[must_use]
    pub fn new(selection: Selection<'_>) -> Self {
        let table = selection.table;
        let mut extra = BTreeMap::new();
        for name in table.tag_names() {
            let numeric = matches!(table.tag(name), Some(TagColumn::Number(_)));
            extra.insert(format!("{TAG}{name}"), numeric);
        }
        if !table.names().runs.is_empty() {
            extra.insert(format!("{CONDITION}{RUN}"), false);
        }
        for (name, value) in table.names().conditions.iter().flatten() {
            let numeric = value.number().is_some();
            let column = format!("{CONDITION}{name}");
            *extra.entry(column).or_insert(numeric) &= numeric;
        }
        Self { extra }
    }
}

impl Columns {
    /// The columns that hold some cells. One in which any value is no number holds texts.
    #[must_use]
    pub fn of(cells: &[Cells]) -> Self {
        let mut extra = BTreeMap::new();
        for (name, value) in cells.iter().flat_map(|cells| &cells.extra) {
            let numeric = matches!(value, Value::Number(_));
            *extra.entry(name.clone()).or_insert(numeric) &= numeric;
        }
        Self { extra }
    }
}

impl Cells {
    /// The cells of a record.
    #[must_use]
    pub fn new(record: &Record) -> Self {
        let line = serde_json::from_str(&write_record(record)).unwrap_or_default();
        let named = |prefix: &str, labels: &record::Labels| -> Vec<(String, Value)> {
            labels
                .iter()
                .map(|(name, value)| (format!("{prefix}{name}"), value.clone()))
                .collect()
        };
        let mut extra: BTreeMap<String, Value> = BTreeMap::new();
        extra.extend(named(TAG, &record.content.tags));
        extra.extend(named(CONDITION, &record.condition));
        Self {
            line,
            score: record.stored.filter(|score| !score.is_nan()),
            extra,
        }
    }

    /// The cells of what is no prediction.
    #[must_use]
    pub fn told(told: &Told) -> Self {
        let score = match told {
            Told::Figure(figure) => Some(figure.score).filter(|score| !score.is_nan()),
            Told::Run(_) => None,
        };
        Self {
            line: serde_json::from_str(&write_told(told)).unwrap_or_default(),
            score,
            extra: BTreeMap::new(),
        }
    }

    /// The text of a column. Lists and objects are JSON; an answer that could not be read is an empty text.
    #[must_use]
    pub fn text(&self, column: &str) -> Option<String> {
        let raw = self.line.get(column)?.get();
        match raw.as_bytes().first() {
            Some(b'n') => (column == "parsed").then(String::new),
            // A target's text is quoted, so that it is told from a number when it is read again.
            Some(b'"') if column != "target" => serde_json::from_str(raw).ok(),
            _ => Some(raw.to_owned()),
        }
    }

    /// The score.
    #[must_use]
    pub const fn score(&self) -> Option<f64> {
        self.score
    }

    /// The tags and conditions: the names of their columns, with the values.
    pub fn extras(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.extra
            .iter()
            .map(|(name, value)| (name.as_str(), value))
    }

    /// The value of a tag's or condition's column.
    #[must_use]
    pub fn extra(&self, column: &str) -> Option<&Value> {
        self.extra.get(column)
    }
}
