//! Columns of an export: the fields of the native format, and one column per tag and condition.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use analysis::Selection;
use reader::own::{Metadata, fields, write_value};
use reader::tabular::Kind;
use reader::{CONDITION, TAG, TEXTS};
use record::{Labels, RUN, Record, TagColumn, Value};

/// Text columns with long values: questions, answers and boxes.
pub const LONG_TEXTS: [&str; 11] = [
    "question",
    "choices",
    "images",
    "boxes",
    "response",
    "maps",
    "detections",
    "figure",
    "run_settings",
    "sent",
    "rerun",
];
/// Returns the text columns with short values.
pub fn short_texts() -> impl Iterator<Item = &'static str> {
    TEXTS.into_iter().filter(|name| !LONG_TEXTS.contains(name))
}

/// Name of the score column.
pub const SCORE: &str = "score";

/// Columns of an export.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// Columns of tags and conditions: kind of values by column name.
    pub extra: BTreeMap<String, Kind>,
}

/// The cells of one row.
#[derive(Default)]
pub struct Cells {
    /// Texts in the order of [`TEXTS`].
    texts: [Option<String>; TEXTS.len()],
    score: Option<f64>,
    tags: Labels,
    condition: Labels,
}

impl Columns {
    /// Returns the columns needed for a selection.
    pub fn new(selection: Selection<'_>) -> Self {
        let table = selection.table;
        let mut extra = BTreeMap::new();
        for name in table.tag_names() {
            let kind = table.tag(name).map_or(Kind::Text, kind_of_tag);
            extra.insert(format!("{TAG}{name}"), kind);
        }
        if !table.names().runs.is_empty() {
            extra.insert(format!("{CONDITION}{RUN}"), Kind::Text);
        }
        for (name, value) in table.names().conditions.iter().flatten() {
            add(&mut extra, format!("{CONDITION}{name}"), kind_of(value));
        }
        Self { extra }
    }

    /// Returns the columns needed for some cells. A column with values of several kinds becomes
    /// text.
    pub fn of(cells: &[Cells]) -> Self {
        let tags = kinds(cells.iter().map(|cells| &cells.tags));
        let conditions = kinds(cells.iter().map(|cells| &cells.condition));
        let tags = tags.into_iter();
        let tags = tags.map(|(name, kind)| (format!("{TAG}{name}"), kind));
        let conditions = conditions.into_iter();
        let conditions = conditions.map(|(name, kind)| (format!("{CONDITION}{name}"), kind));
        let extra = tags.chain(conditions);
        Self {
            extra: extra.collect(),
        }
    }
}

/// Returns the names of labels, each with a kind that fits all its values.
pub fn kinds<'a>(labels: impl Iterator<Item = &'a Labels>) -> BTreeMap<&'a str, Kind> {
    let mut found: BTreeMap<&str, Kind> = BTreeMap::new();
    for (name, value) in labels.flatten() {
        add(&mut found, name.as_str(), kind_of(value));
    }
    found
}

/// Adds the kind of a value to the kind of its column.
pub fn add<N: Ord>(columns: &mut BTreeMap<N, Kind>, name: N, kind: Kind) {
    let known = columns.entry(name).or_insert(kind);
    *known = known.join(kind);
}

const fn kind_of(value: &Value) -> Kind {
    match value {
        Value::Text(_) => Kind::Text,
        Value::Number(_) => Kind::Number,
        Value::Flag(_) => Kind::Flag,
    }
}

/// Returns the kind of a tag. The table stores flags as words.
fn kind_of_tag(tag: TagColumn<'_>) -> Kind {
    match tag {
        TagColumn::Number(_) => Kind::Number,
        TagColumn::Text { names, .. }
            if !names.is_empty() && names.iter().all(|name| flag(name).is_some()) =>
        {
            Kind::Flag
        }
        TagColumn::Text { .. } => Kind::Text,
    }
}

/// Parses `true` or `false`; `None` for any other word.
pub fn flag(word: &str) -> Option<bool> {
    match word {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// A column of tags or of conditions.
#[derive(Clone, Copy, Debug)]
pub enum Extra<'a> {
    /// A tag, by its name without prefix.
    Tag(&'a str),
    /// A condition, by its name without prefix.
    Condition(&'a str),
}

impl<'a> Extra<'a> {
    /// Parses the name of a tag or condition column; `None` for other columns.
    pub fn of(column: &'a str) -> Option<Self> {
        let tag = column.strip_prefix(TAG).map(Self::Tag);
        tag.or_else(|| column.strip_prefix(CONDITION).map(Self::Condition))
    }
}

impl Cells {
    /// Converts a record to cells.
    pub fn new(record: Record) -> Self {
        Self {
            texts: texts(fields(&record)),
            score: record.stored.filter(|score| !score.is_nan()),
            tags: record.content.tags,
            condition: record.condition,
        }
    }

    /// Converts a record other than a prediction to cells.
    pub fn from_metadata(metadata: &Metadata) -> Self {
        let score = match metadata {
            Metadata::Figure(figure) => Some(figure.score).filter(|score| !score.is_nan()),
            Metadata::Run(_) => None,
        };
        Self {
            texts: texts(metadata.line()),
            score,
            ..Self::default()
        }
    }

    /// Returns the text of a column, given by its index in [`TEXTS`]. Lists and objects are JSON.
    /// An unreadable answer is an empty text.
    pub fn text(&self, column: usize) -> Option<&str> {
        self.texts.get(column)?.as_deref()
    }

    /// Removes and returns a text, with the same index as [`Self::text`].
    pub fn take_text(&mut self, column: usize) -> Option<String> {
        self.texts.get_mut(column)?.take()
    }

    /// Returns the score; `None` if there is none.
    pub const fn score(&self) -> Option<f64> {
        self.score
    }

    /// Returns tags and conditions as pairs of column name and value.
    pub fn extras(&self) -> impl Iterator<Item = (String, &Value)> {
        let tags = self.tags.iter();
        let tags = tags.map(|(name, value)| (format!("{TAG}{name}"), value));
        let conditions = self.condition.iter();
        let conditions = conditions.map(|(name, value)| (format!("{CONDITION}{name}"), value));
        tags.chain(conditions)
    }

    /// Returns the value of a tag or a condition.
    pub fn extra(&self, column: Extra<'_>) -> Option<&Value> {
        match column {
            Extra::Tag(name) => self.tags.get(name),
            Extra::Condition(name) => self.condition.get(name),
        }
    }
}

/// Returns the index of a column in [`TEXTS`].
pub fn place(column: &str) -> Option<usize> {
    TEXTS.iter().position(|name| *name == column)
}

/// Converts the fields of a record to texts.
fn texts(line: Map<String, Json>) -> [Option<String>; TEXTS.len()] {
    let mut texts = [const { None }; TEXTS.len()];
    for (name, value) in line {
        if let Some(at) = place(&name) {
            texts[at] = match value {
                Json::Null => (name == "parsed").then(String::new),
                // A target that is a text keeps its quotes, so that readers can distinguish it from
                // a number.
                Json::String(text) if name != "target" => Some(text),
                other => Some(write_value(&other)),
            };
        }
    }
    texts
}
